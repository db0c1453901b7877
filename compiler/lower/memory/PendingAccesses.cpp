#include "compiler/lower/memory/PendingAccesses.h"

#include "llvm/ADT/DenseMap.h"

using namespace mlir;

namespace tegula {

bool Pending::join(const Pending &other) {
  bool grew = false;
  auto joinOps = [&](Ops &ours, const Ops &theirs) {
    for (Operation *op : theirs)
      grew |= ours.insert(op);
  };
  for (Ops Pending::*member : {&Pending::readers, &Pending::writers, &Pending::landed, &Pending::unfenced})
    joinOps(this->*member, other.*member);
  for (auto [ours, theirs] : llvm::zip_equal(underWay, other.underWay))
    joinOps(ours, theirs);
  grew |= globals.join(other.globals);
  for (Operation *Pending::*member : {&Pending::access, &Pending::acquire})
    if (!(this->*member) && other.*member) {
      this->*member = other.*member;
      grew = true;
    }
  return grew;
}

/// The place of a buffer, or of what an op exchanges by shared memory of its own.
static tile::ScratchAttr placeOf(Operation *op) {
  return op ? op->getAttrOfType<tile::ScratchAttr>("tile.scratch") : tile::ScratchAttr();
}

bool overlap(tile::ScratchAttr a, tile::ScratchAttr b) { return a && b && a.overlaps(b); }

tile::ScratchAttr MemoryUses::placeWritten(Operation *op) const {
  const tgpu::SharedUse &shared = effects.of(op).shared;
  if (!shared.writes.empty())
    return placeOf(shared.writes.front().getDefiningOp());
  return shared.allocates || !shared.reads.empty() ? tile::ScratchAttr() : placeOf(op);
}

bool MemoryUses::reads(Operation *op, tile::ScratchAttr place) const {
  const tgpu::SharedUse &shared = effects.of(op).shared;
  if (shared.allocates || !shared.reads.empty() || !shared.writes.empty())
    return llvm::any_of(shared.reads,
                        [&](Value buffer) { return overlap(placeOf(buffer.getDefiningOp()), place); });
  return overlap(placeOf(op), place);
}

namespace {

class Follower {
public:
  Follower(MemoryUses &uses, llvm::function_ref<void(Operation *, Pending &)> visit)
      : uses(uses), visit(visit) {}

  void follow(Region &region, Pending &state) {
    for (Block &block : region)
      follow(block, state);
  }

private:
  /// The states of a block at its begin and end when it was last visited.
  struct Seen {
    Pending in, out;
  };

  void follow(Block &block, Pending &state) {
    auto [place, isNew] = seen.try_emplace(&block);
    if (!place->second.in.join(state) && !isNew) {
      state = place->second.out;
      return;
    }
    state = place->second.in;
    for (Operation &op : block)
      follow(op, state);
    seen[&block].out = state;
  }

  void follow(Operation &op, Pending &state) {
    visit(&op, state);
    if (isa<tile::ReduceOp, tile::ScanOp, tile::MapOp>(op) || !op.getNumRegions())
      return pass(op, state);
    if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      Pending left;
      do {
        left = state;
        follow(loop.getBefore(), left);
        Pending back = left;
        follow(loop.getAfter(), back);
        back.globals = uses.globals.acrossBackEdge(loop, back.globals);
        if (!state.join(back))
          break;
      } while (true);
      state = left;
      return;
    }
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      Pending otherwise = state;
      follow(branch.getThenRegion(), state);
      follow(branch.getElseRegion(), otherwise);
      state.join(otherwise);
      return;
    }
    // A loop that may not be entered.
    bool grew = true;
    while (grew) {
      grew = false;
      for (Region &region : op.getRegions()) {
        Pending inside = state;
        follow(region, inside);
        inside.globals = uses.globals.acrossBackEdge(&op, inside.globals);
        grew |= state.join(inside);
      }
    }
  }

  /// Updates the state to that after an op.
  void pass(Operation &op, Pending &state) {
    const OpEffects &effects = uses.effects.of(&op);
    if (effects.does(tile::Interaction::SyncsThreads)) {
      if (!effects.does(tile::Interaction::MetBefore))
        state.clearInside(); // it comes without a fence
      return;
    }
    uses.globals.add(&op, state.globals);
    if (effects.access)
      state.access = &op;
    if (orders(&op, tile::MemoryOrder::Acquire))
      state.acquire = &op;
    passBufferOp(op, effects, state);
    Scratch scratch = uses.scratches.of(&op);
    if (!scratch.bytes || scratch.isBuffer)
      return;
    if (!scratch.withinWarp)
      state.clearInside();
    state.readers.insert(&op);
    state.unfenced.insert(&op);
  }

  void passBufferOp(Operation &op, const OpEffects &effects, Pending &state) {
    // The bytes of a barrier's phase are there for every thread that has awaited it: nothing is left to do
    // for others.
    if (effects.step.starts() && effects.step.isCounted())
      state.underWay[size_t(effects.step.kind)].insert(&op);
    if (effects.step.role == tile::AsyncStep::Awaits)
      passWait(effects.step, state);
    // Each thread comes by it with what it stored itself. What it copied may still be in flight.
    if (isa<tgpu::ProxyFenceOp>(op))
      state.unfenced.remove_if([&](Operation *writer) { return storesToBuffer(writer); });
    if (effects.step.role != tile::AsyncStep::None)
      return;
    if (!effects.shared.reads.empty())
      state.readers.insert(&op);
    if (storesToBuffer(&op)) {
      state.writers.insert(&op);
      state.unfenced.insert(&op);
    }
  }

  /// Returns whether the threads write a buffer by `op`, and have done so after it.
  bool storesToBuffer(Operation *op) const {
    const OpEffects &effects = uses.effects.of(op);
    return !effects.shared.writes.empty() && effects.step.role == tile::AsyncStep::None;
  }

  void passWait(const tile::AsyncStep &wait, Pending &state) const {
    Pending::Ops &started = state.underWay[size_t(wait.kind)];
    for (Operation *op : started) {
      const OpEffects &effects = uses.effects.of(op);
      // An op that orders what it writes by itself leaves nothing but its reads to others.
      if (effects.shared.writes.empty() || effects.step.ordersItself) {
        state.readers.insert(op);
      } else {
        state.landed.insert(op);
        state.unfenced.insert(op);
      }
    }
    if (!wait.pending)
      started.clear();
  }

  MemoryUses &uses;
  llvm::function_ref<void(Operation *, Pending &)> visit;
  llvm::DenseMap<Block *, Seen> seen;
};

} // namespace

void followPending(func::FuncOp kernel, MemoryUses &uses,
                   llvm::function_ref<void(Operation *, Pending &)> visit) {
  Pending state;
  Follower(uses, visit).follow(kernel.getBody(), state);
}

} // namespace tegula
