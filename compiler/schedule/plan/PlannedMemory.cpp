#include "compiler/schedule/plan/PlannedMemory.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;

namespace tegula {

namespace {

/// The memory of `loop` as its attributes say.
LoopMemory decidedMemoryOf(scf::ForOp loop, tgpu::PipelineAttr pipeline) {
  LoopMemory memory{loop, pipeline.getBy(), pipeline.getStages()};
  llvm::SmallSet<unsigned, 4> groups;
  for (Operation &op : *loop.getBody()) {
    auto fetch = op.getAttrOfType<tgpu::FetchAttr>(tgpu::FetchAttr::AttrName);
    if (!fetch || fetch.getBy() == tgpu::FetchKind::Registers)
      continue;
    auto bulk = dyn_cast<tgpu::TmaLoadOp>(op);
    Value buffer = bulk ? bulk.getBuffer() : cast<tgpu::LocalStoreOp>(*op.getUsers().begin()).getBuffer();
    auto alloc = buffer.getDefiningOp<tgpu::AllocOp>();
    memory.buffers.emplace_back(alloc, alloc.getType().getSlots());
    if (bulk)
      groups.insert(fetch.getGroup());
  }
  memory.tmaGroups = unsigned(groups.size());
  return memory;
}

void addBarriers(SharedMemory &memory, const KernelOrder &order, unsigned count, unsigned slots) {
  for (unsigned i = 0; i < count; ++i)
    memory.add({.bytes = uint64_t(BarrierBytes) * slots,
                .alignment = Scratch().alignment,
                .rank = SharedRank::Barriers,
                .live = order.whole()});
}

void give(SharedMemory &memory, tgpu::AllocOp buffer, unsigned slots, LiveRange live) {
  SharedPiece &piece = *memory.of(buffer);
  piece.bytes = uint64_t(buffer.getType().getSlotBytes()) * slots;
  piece.live = live;
}

/// Changes `memory` to that of a kernel whose `loops` are pipelined. One producer fills the same buffers for
/// all of its loops, from the kernel's start on.
void pipeline(SharedMemory &memory, const KernelOrder &order, ArrayRef<LoopMemory> loops) {
  const LoopMemory *first = nullptr; // of the producer
  for (const LoopMemory &loop : loops) {
    if (loop.by == tgpu::PipelineBy::All) {
      for (auto [buffer, slots] : loop.buffers)
        give(memory, buffer, slots, order.aheadOf(loop.loop));
      addBarriers(memory, order, loop.tmaGroups, loop.stages);
      continue;
    }
    if (!first)
      addBarriers(memory, order, 2 * loop.tmaGroups, loop.stages); // full and empty
    first = first ? first : &loop;
    for (auto [buffer, slots] : loop.buffers)
      if (!llvm::is_contained(first->buffers, std::pair(buffer, slots)))
        memory.drop(buffer);
    for (auto [buffer, slots] : first->buffers)
      give(memory, buffer, slots, order.untilAfter(loop.loop));
  }
}

//===--------------------------------------------------------------------===//
// Stores
//===--------------------------------------------------------------------===//

/// The use of a store's slots: TMA reads them until a wait for all stores, or the kernel's end.
class StoreUse : public BufferUses {
public:
  /// `waits` are ops that are going to have such a wait before them or inside, with the place before it.
  StoreUse(Operation *store, const DenseMap<Operation *, unsigned> &waits) : store(store), waits(waits) {}

  ArrayRef<Operation *> ops() const override { return store; }
  bool isStarted(Operation *) const override { return true; }
  std::optional<unsigned> endOfFlight(Operation *op, Operation *) const override {
    auto found = waits.find(op);
    return found == waits.end() ? std::nullopt : std::optional(found->second);
  }

private:
  Operation *store;
  const DenseMap<Operation *, unsigned> &waits;
};

/// The stores of `kernel` that TMA might make, each with the conversion that goes with it.
SmallVector<std::pair<tile::StoreOp, tile::ConvertLayoutOp>> storesOfProducts(func::FuncOp kernel) {
  SmallVector<std::pair<tile::StoreOp, tile::ConvertLayoutOp>> stores;
  if (mayStoreByTma(kernel))
    kernel.walk([&](tile::StoreOp store) {
      if (tile::ConvertLayoutOp conversion = conversionBefore(store))
        stores.emplace_back(store, conversion);
    });
  return stores;
}

/// Gives stores their slots, one after the other.
class StorePlacer {
public:
  StorePlacer(SharedMemory memory, const KernelOrder &order)
      : memory(std::move(memory)), order(order), byThreads(this->memory.place()), bytes(byThreads) {}

  /// Returns how many slots there is room for; none if TMA had better not make the store.
  unsigned add(const PlannedStore &store) {
    if (!store.plan)
      return 0;
    const SharedMemory before = memory;
    memory.drop(tile::ConvertLayoutOp(store.conversion));
    Placed &placed = all.emplace_back(Placed{&store, store.plan->buffer.getSlots()});
    const unsigned least =
        store.plan->isRepeated ? placed.slots : 1; // that a loop should not do with fewer for
    for (; placed.slots > 0; --placed.slots) {
      const uint64_t found = bytesOfAll();
      if (found <= limitOf(placed)) {
        bytes = found;
        return placed.slots;
      }
      if (placed.slots == least)
        missed = std::max(missed, found);
    }
    all.pop_back();
    memory = before;
    return 0;
  }

  SharedNeed need() const { return {bytes, std::max(bytes, missed), memory.available}; }

private:
  struct Placed {
    const PlannedStore *store;
    unsigned slots;
  };

  /// The bytes that a block may take: for more slots than are needed after loops, those that it takes if
  /// threads store. It is no reason against a store that what else there is does not fit.
  uint64_t limitOf(const Placed &placed) const {
    return placed.store->plan->isRepeated || placed.slots == 1 ? std::max(memory.available, bytes)
                                                               : byThreads;
  }

  uint64_t bytesOfAll() const {
    const DenseMap<Operation *, unsigned> waits = findWaits();
    SharedMemory with = memory;
    for (auto [store, slots] : all)
      with.add({.bytes = uint64_t(store->plan->buffer.getSlotBytes()) * slots,
                .alignment = UnitOperand{{true, store->plan->target.boxes.span}}.alignment(),
                .rank = SharedRank::Buffer,
                .live = order.liveRangeOf(StoreUse(store->store, waits))});
    return with.place();
  }

  /// The ops before or in which all stores are waited for, with the place up to which others are in flight.
  DenseMap<Operation *, unsigned> findWaits() const {
    DenseMap<Operation *, unsigned> waits;
    llvm::SmallPtrSet<Operation *, 4> earlier;
    for (auto [store, slots] : all) {
      tile::StoreOp op = store->store;
      earlier.insert(op);
      auto whole = cast<RankedTensorType>(op.getValue().getType());
      if (store->plan->isRepeated)
        waits[op] = order.placeOf(op) - 1;
      else if (slots == 1 && store->plan->part.getNumElements() < whole.getNumElements())
        waits.try_emplace(op, order.placeOf(op));
      for (Operation *follower : store->followers)
        if (!earlier.contains(follower)) // copies ahead of a loop are started before the wait
          waits[follower] = order.placeOf(follower) - (isa<scf::ForOp>(follower) ? 0 : 1);
    }
    return waits;
  }

  SharedMemory memory; ///< without the stores that have slots
  const KernelOrder &order;
  const uint64_t byThreads; ///< bytes if threads make all stores
  uint64_t bytes;           ///< of a block, as decided so far
  uint64_t missed = 0;      ///< bytes for slots that stores in loops ask for and do not get
  SmallVector<Placed> all;
};

} // namespace

PlannedMemory::Base::Base(func::FuncOp kernel, Scratches &scratches, bool isPersistent)
    : order(KernelOrder::ofPlan(kernel, isPersistent)), memory(kernel, scratches, order) {
  if (isPersistent)
    memory.reverseBuffers();
  std::optional<KernelEffects> effects;
  for (auto [store, conversion] : storesOfProducts(kernel)) {
    if (!effects)
      effects.emplace(kernel);
    stores.push_back({store, conversion, planTmaStore(store, *effects, isPersistent)});
    if (stores.back().plan)
      stores.back().followers = findFollowers(store);
  }
}

PlannedMemory::PlannedMemory(func::FuncOp kernel)
    : kernel(kernel), isPersistent(kernel->hasAttr(tgpu::GridAttr::AttrName)), scratches(kernel) {
  kernel.walk([&](scf::ForOp loop) {
    if (auto pipeline = loop->getAttrOfType<tgpu::PipelineAttr>(tgpu::PipelineAttr::AttrName))
      decided.push_back(decidedMemoryOf(loop, pipeline));
  });
  kernel.walk([&](tgpu::TmaLoadOp load) {
    if (load.isKept())
      kept.push_back(load.getBuffer().getDefiningOp<tgpu::AllocOp>());
  });
}

const PlannedMemory::Base &PlannedMemory::baseOf(bool persists) {
  std::optional<Base> &base = bases[persists ? 0 : 1];
  if (!base)
    base.emplace(kernel, scratches, persists);
  return *base;
}

SharedNeed PlannedMemory::needWith(const LoopMemory &loop) {
  std::vector<LoopMemory> loops = decided;
  loops.push_back(loop);
  return needOf(loops, kept, isPersistent);
}

SharedNeed PlannedMemory::needKeeping(ArrayRef<tgpu::AllocOp> more) {
  SmallVector<tgpu::AllocOp> filledOnce = kept;
  llvm::append_range(filledOnce, more);
  return needOf(decided, filledOnce, isPersistent);
}

SharedNeed PlannedMemory::needOf(ArrayRef<LoopMemory> loops, ArrayRef<tgpu::AllocOp> filledOnce,
                                 bool persists, SmallVectorImpl<unsigned> *slots) {
  const Base &base = baseOf(persists);
  SharedMemory memory = base.memory;
  pipeline(memory, base.order, loops);
  for (tgpu::AllocOp buffer : filledOnce) {
    addBarriers(memory, base.order, 2, /*slots=*/1); // full and empty
    give(memory, buffer, /*slots=*/1, base.order.whole());
  }
  StorePlacer placer(std::move(memory), base.order);
  for (const PlannedStore &store : base.stores) {
    const unsigned found = placer.add(store);
    if (slots)
      slots->push_back(found);
  }
  return placer.need();
}

std::vector<PlannedStore> PlannedMemory::planStores() {
  if (storesOfProducts(kernel).empty())
    return {};
  SmallVector<unsigned> slots;
  needOf(decided, kept, isPersistent, &slots);
  std::vector<PlannedStore> stores = baseOf(isPersistent).stores;
  for (auto [store, count] : llvm::zip_equal(stores, slots))
    if (store.plan && count == 0)
      store.plan = because("there is no room for its parts next to what else is in shared memory")
                       .fixedBy("use fewer stages");
    else if (store.plan)
      store.plan->setSlots(count);
  return stores;
}

} // namespace tegula
