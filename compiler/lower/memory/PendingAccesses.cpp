#include "compiler/lower/memory/PendingAccesses.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;

namespace tegula {

bool Pending::join(const Pending &other) {
  bool grew = false;
  for (Ops Pending::*member : {&Pending::readers, &Pending::writers, &Pending::landed, &Pending::flying,
                               &Pending::products, &Pending::boxStores, &Pending::unfenced})
    for (Operation *op : other.*member)
      grew |= (this->*member).insert(op);
  grew |= globals.join(other.globals);
  for (Operation *Pending::*member : {&Pending::access, &Pending::acquire})
    if (!(this->*member) && other.*member) {
      this->*member = other.*member;
      grew = true;
    }
  return grew;
}

Value bufferOf(Operation *op) {
  if (auto load = dyn_cast<tgpu::LocalLoadOp>(op))
    return load.getBuffer();
  if (auto store = dyn_cast<tgpu::LocalStoreOp>(op))
    return store.getBuffer();
  if (auto copy = dyn_cast<tgpu::AsyncCopyOp>(op))
    return copy.getBuffer();
  if (auto bulk = dyn_cast<tgpu::BulkCopyOp>(op))
    return bulk.getBuffer();
  if (auto boxes = dyn_cast<tgpu::BulkStoreOp>(op))
    return boxes.getBuffer();
  return {};
}

/// The place of an op with shared memory of its own, or of the buffer that it uses.
static tile::ScratchAttr placeOf(Operation *op) {
  if (Value buffer = bufferOf(op))
    op = buffer.getDefiningOp();
  return op ? op->getAttrOfType<tile::ScratchAttr>("tile.scratch") : tile::ScratchAttr();
}

bool overlap(tile::ScratchAttr a, tile::ScratchAttr b) { return a && b && a.overlaps(b); }

tile::ScratchAttr placeWritten(Operation *op) {
  return isa<tgpu::AllocOp, tgpu::BarriersOp, tgpu::LocalLoadOp>(op) ? tile::ScratchAttr() : placeOf(op);
}

bool reads(Operation *op, tile::ScratchAttr place) {
  if (auto product = dyn_cast<tgpu::MmaOp>(op)) {
    Operation *a = product.getBufferA() ? product.getA().getDefiningOp() : nullptr;
    return overlap(placeOf(product.getB().getDefiningOp()), place) || (a && overlap(placeOf(a), place));
  }
  if (isa<tgpu::AllocOp, tgpu::BarriersOp, tgpu::LocalStoreOp, tgpu::AsyncCopyOp, tgpu::BulkCopyOp>(op))
    return false;
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
  /// What came into a block and out of it when it was last gone through.
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
        back.globals = uses.globals.comeRound(loop, back.globals);
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
        inside.globals = uses.globals.comeRound(&op, inside.globals);
        grew |= state.join(inside);
      }
    }
  }

  /// The state behind an op.
  void pass(Operation &op, Pending &state) {
    if (isa<tile::BarrierOp, tgpu::BarriersInitOp, tgpu::BarriersEndOp>(op))
      return state.clearInside(); // it comes without a fence
    uses.globals.add(&op, state.globals);
    if (accessesMemory(&op))
      state.access = &op;
    if (orders(&op, tile::MemoryOrder::Acquire))
      state.acquire = &op;
    passBufferOp(op, state);
    Scratch scratch = uses.scratches.of(&op);
    if (!scratch.bytes || scratch.isBuffer)
      return;
    if (!scratch.withinWarp)
      state.clearInside();
    state.readers.insert(&op);
    state.unfenced.insert(&op);
  }

  static void passBufferOp(Operation &op, Pending &state) {
    if (isa<tgpu::LocalLoadOp>(op))
      state.readers.insert(&op);
    if (isa<tgpu::LocalStoreOp>(op)) {
      state.writers.insert(&op);
      state.unfenced.insert(&op);
    }
    // Each thread comes by it with what it stored itself. What it copied may still be under way.
    if (isa<tgpu::ProxyFenceOp>(op))
      state.unfenced.remove_if(llvm::IsaPred<tgpu::LocalStoreOp>);
    // What the bulk copy engine brings is there for whoever has awaited it: nothing is left to do for others.
    if (isa<tgpu::AsyncCopyOp>(op))
      state.flying.insert(&op);
    if (isa<tgpu::MmaOp>(op))
      state.products.insert(&op);
    // Whose fences and barriers are its own.
    if (isa<tgpu::BulkStoreOp>(op))
      state.boxStores.insert(&op);
    if (auto wait = dyn_cast<tgpu::BulkStoreWaitOp>(op)) {
      state.readers.insert(state.boxStores.begin(), state.boxStores.end());
      if (!wait.getPending())
        state.boxStores.clear();
    }
    if (auto wait = dyn_cast<tgpu::AsyncWaitOp>(op)) {
      state.landed.insert(state.flying.begin(), state.flying.end());
      state.unfenced.insert(state.flying.begin(), state.flying.end());
      if (!wait.getPending())
        state.flying.clear();
    }
    if (auto wait = dyn_cast<tgpu::MmaWaitOp>(op)) {
      state.readers.insert(state.products.begin(), state.products.end());
      if (!wait.getPending())
        state.products.clear();
    }
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
