// The pass `place-barriers`: see Passes.td.
#include "compiler/lower/Passes.h"
#include "compiler/lower/memory/PendingAccesses.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_PLACEBARRIERSPASS
#include "compiler/lower/Passes.h.inc"

namespace {

/// True where `a` and `b` write the same places of a buffer with the same threads, or different slots of it, or change
/// each place in one step.
bool writeAlike(Operation *a, Operation *b, const MemoryUses &uses) {
  if (!uses.bufferOf(a) || uses.bufferOf(a) != uses.bufferOf(b) || a->getName() != b->getName())
    return false;
  if (isa<tgpu::LocalAtomicOp>(a))
    return true;
  // A copy into a slot is waited for before the slot is copied into again.
  return uses.effects.of(a).step.starts() || a->getOperandTypes() == b->getOperandTypes();
}

/// True where `op` waits by itself for what `reader` reads: stores by way of one buffer do.
bool awaitsByItself(Operation *op, Operation *reader, const MemoryUses &uses) {
  return uses.effects.of(op).step.ordersItself && uses.effects.of(reader).step.ordersItself &&
         uses.bufferOf(op) == uses.bufferOf(reader);
}

/// Returns why `op` may not touch shared memory yet; nothing if it may.
std::optional<StringRef> sharedConflictOf(Operation *op, const Pending &pending, MemoryUses &uses) {
  const OpEffects &effects = uses.effects.of(op);
  if (tile::ScratchAttr written = uses.placeWritten(op)) {
    // A warp that keeps to itself does so each time around a loop.
    bool withinWarp = effects.shared.writes.empty() && uses.scratches.of(op).withinWarp;
    for (Operation *reader : pending.readers)
      if (uses.reads(reader, written) && !(withinWarp && reader == op) && !awaitsByItself(op, reader, uses))
        return "shared memory is written that another warp may still read";
    for (const Pending::Ops *writers : {&pending.writers, &pending.landed})
      for (Operation *writer : *writers)
        if (overlap(written, uses.placeWritten(writer)) && !writeAlike(op, writer, uses))
          return "shared memory is written that another warp may still write";
    // TMA writes by a way of its own, which does not keep its order with what threads wrote.
    if (effects.step.needsFence())
      for (Operation *writer : pending.unfenced)
        if (overlap(written, uses.placeWritten(writer)))
          return "shared memory is written by an engine that may not see what was written before";
  }
  if (effects.shared.reads.empty())
    return std::nullopt;
  for (const Pending::Ops *writers : {&pending.writers, &pending.landed})
    for (Operation *writer : *writers)
      if (uses.reads(op, uses.placeWritten(writer)))
        return "shared memory is read that another warp may still write";
  if (effects.step.needsFence())
    for (Operation *writer : pending.unfenced)
      if (uses.bufferOf(writer) && uses.reads(op, uses.placeWritten(writer)))
        return "shared memory is read by a unit that may not see it yet";
  return std::nullopt;
}

/// Returns why a barrier must precede `op`; nothing if none must.
std::optional<StringRef> conflictOf(Operation *op, const Pending &pending, MemoryUses &uses) {
  if (std::optional<StringRef> conflict = sharedConflictOf(op, pending, uses))
    return conflict;
  const tile::GlobalAccess &access = uses.effects.of(op).access;
  if (uses.globals.hasHazard(op, pending.globals) ||
      llvm::any_of(pending.landed, [&](Operation *copy) { return uses.globals.hasHazard(op, copy); }))
    return access.onlyReads() ? StringRef("memory is read that another thread may still have to write")
                              : StringRef("memory is written that another thread may still have to access");
  if (pending.access && orders(op, tile::MemoryOrder::Release))
    return "one thread releases what all have accessed";
  if (pending.acquire && access)
    return "all threads access what one has acquired";
  return std::nullopt;
}

struct PlaceBarriers : impl::PlaceBarriersPassBase<PlaceBarriers> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      if (kernelOf(kernel))
        place(kernel);
  }

private:
  using Barriers = llvm::MapVector<Operation *, StringRef>; // by the op that each precedes

  /// Removes barriers that others make needless. They are found one after another, and a later one may do the
  /// work of an earlier one as well: in a loop `wait, copy, load` the load is seen first to need one, and
  /// then, over the back edge, the copy.
  static void removeRedundant(func::FuncOp kernel, MemoryUses &uses, Barriers &barriers) {
    // Most are needed by the very op that they precede: one look at all tells which.
    llvm::DenseSet<Operation *> needed;
    followPending(kernel, uses, [&](Operation *op, Pending &pending) {
      if (!barriers.contains(op))
        return;
      if (conflictOf(op, pending, uses))
        needed.insert(op);
      pending.clear();
    });
    SmallVector<Operation *> candidates;
    for (auto &[op, why] : barriers)
      if (!needed.contains(op))
        candidates.push_back(op);
    for (Operation *candidate : candidates) {
      if (barriers.size() == 1)
        return;
      Barriers others = barriers;
      others.erase(candidate);
      if (areEnough(kernel, uses, others))
        barriers = std::move(others);
    }
  }

  /// Returns whether nothing conflicts with what is pending when all wait before each op of `barriers`.
  static bool areEnough(func::FuncOp kernel, MemoryUses &uses, const Barriers &barriers) {
    bool isEnough = true;
    followPending(kernel, uses, [&](Operation *op, Pending &pending) {
      if (barriers.contains(op))
        pending.clear();
      else if (isEnough)
        isEnough = !conflictOf(op, pending, uses);
    });
    return isEnough;
  }

  /// Moves barriers out of loops. For accesses that are pending from before a loop its first iteration has to
  /// wait, and no other: one barrier before it does for all iterations. Warp groups that would multiply in
  /// turns are not brought into step by it in each iteration.
  static void moveOutOfLoops(func::FuncOp kernel, MemoryUses &uses, Barriers &barriers) {
    bool hasMoved = false;
    SmallVector<Operation *> inside;
    for (auto &[op, why] : barriers)
      if (op->getParentOfType<LoopLikeOpInterface>())
        inside.push_back(op);
    for (Operation *op : inside)
      while (Operation *loop = op->getParentOfType<LoopLikeOpInterface>()) {
        Barriers moved = barriers;
        moved.erase(op);
        moved.try_emplace(loop, barriers.lookup(op));
        if (!areEnough(kernel, uses, moved))
          break;
        barriers = std::move(moved);
        op = loop;
        hasMoved = true;
      }
    // Also loops that run no iteration have those now: later ones may find their work done.
    if (hasMoved)
      removeRedundant(kernel, uses, barriers);
  }

  /// Returns whether `op` has a unit read `buffer`, after a fence.
  static bool isUnitReading(Operation *op, Value buffer) {
    return tile::asyncStepOf(op).needsFence() && llvm::is_contained(tgpu::sharedUseOf(op).reads, buffer);
  }

  /// Returns the barriers between a write of a buffer and units that read it by themselves: there must be a
  /// fence, too.
  static llvm::DenseSet<Operation *> needFences(func::FuncOp kernel, MemoryUses &uses,
                                                const Barriers &barriers) {
    llvm::DenseSet<Operation *> fenced;
    auto isReadByUnit = [&](Operation *write) {
      Value buffer = uses.bufferOf(write);
      return buffer &&
             llvm::any_of(buffer.getUsers(), [&](Operation *user) { return isUnitReading(user, buffer); });
    };
    SmallVector<tile::ScratchAttr> tmaPlaces;
    for (const auto &[op, effects] : uses.effects.all())
      if (effects.step.needsFence() && !effects.shared.writes.empty())
        tmaPlaces.push_back(uses.placeWritten(op));
    // A TMA copy may write next to shared memory that an op wrote as its own.
    auto isUnderTmaCopy = [&](Operation *op) {
      return llvm::any_of(tmaPlaces,
                          [&](tile::ScratchAttr place) { return overlap(uses.placeWritten(op), place); });
    };
    followPending(kernel, uses, [&](Operation *op, Pending &pending) {
      if (!barriers.contains(op))
        return;
      if (llvm::any_of(pending.unfenced, isReadByUnit) || llvm::any_of(pending.unfenced, isUnderTmaCopy))
        fenced.insert(op);
      pending.clear();
    });
    return fenced;
  }

  /// Puts a fence after each store before a loop whose products read what it wrote: the loop's barrier would
  /// need one in each iteration.
  static void fenceBeforeLoops(func::FuncOp kernel) {
    auto isReadInLoop = [](tgpu::LocalStoreOp store) {
      return llvm::any_of(store.getBuffer().getUsers(), [&](Operation *user) {
        auto loop = user->getParentOfType<LoopLikeOpInterface>();
        return isUnitReading(user, store.getBuffer()) && loop && !loop->isAncestor(store);
      });
    };
    SmallVector<tgpu::LocalStoreOp> stores;
    kernel.walk([&](tgpu::LocalStoreOp store) {
      if (isReadInLoop(store))
        stores.push_back(store);
    });
    for (tgpu::LocalStoreOp store : stores) {
      OpBuilder builder(store);
      builder.setInsertionPointAfter(store);
      tgpu::ProxyFenceOp::create(builder, store.getLoc());
    }
  }

  void place(func::FuncOp kernel) {
    fenceBeforeLoops(kernel);
    Barriers barriers;
    MemoryUses uses(kernel);
    followPending(kernel, uses, [&](Operation *op, Pending &pending) {
      if (!barriers.contains(op)) {
        std::optional<StringRef> conflict = conflictOf(op, pending, uses);
        if (!conflict)
          return;
        barriers[op] = *conflict;
      }
      pending.clear();
    });
    removeRedundant(kernel, uses, barriers);
    moveOutOfLoops(kernel, uses, barriers);
    llvm::DenseSet<Operation *> fenced = needFences(kernel, uses, barriers);
    for (auto [op, why] : barriers) {
      OpBuilder builder(op);
      tile::BarrierOp::create(builder, op->getLoc());
      // By those who read, not by those who wrote: there it would wait for copies that are still in flight.
      if (fenced.contains(op))
        tgpu::ProxyFenceOp::create(builder, op->getLoc());
      remark::analysis(
          op->getLoc(),
          remark::RemarkOpts::name("barrier").category("place-barriers").function(kernel.getName()))
          << remark::add("all threads wait here") << remark::reason("{0}", why);
    }
  }
};

} // namespace
} // namespace tegula
