#include "compiler/schedule/plan/StorePlan.h"

#include "compiler/analysis/ModuleTarget.h"
#include "compiler/analysis/effects/KernelEffects.h"
#include "compiler/analysis/effects/MemoryOrder.h"
#include "compiler/analysis/plans/Executor.h"
#include "compiler/analysis/plans/OpPlans.h"
#include "compiler/analysis/resources/ScratchBytes.h"
#include "compiler/schedule/plan/SharedReserve.h"
#include "compiler/schedule/plan/StorePanel.h"
#include "dialect/layout/TmaLimits.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tegula {

namespace {

/// Shared memory from a store on.
struct Room {
  uint64_t used = 0;   ///< the most that buffers and what other ops need take at one time, then or later
  uint64_t stores = 0; ///< by the buffers of other stores
  uint64_t idle = 0;   ///< taken by buffers that are no longer used
};

/// The shared memory of a kernel, by the ops of its body, each as a whole; all of them are one where they are
/// in a loop over programs.
class SharedUse {
public:
  SharedUse(func::FuncOp kernel, bool isPersistent) : body(kernel.getBody().front()) {
    for (Operation &op : body)
      places[&op] = isPersistent ? 0 : count++;
    count = std::max(count, 1u);
  }

  unsigned placeOf(Operation *op) const { return places.at(body.findAncestorOpInBlock(*op)); }
  unsigned size() const { return count; }

  /// The first and the last op that uses a buffer.
  std::pair<unsigned, unsigned> lifeOf(Operation *buffer) const {
    std::pair<unsigned, unsigned> life(size(), 0);
    for (Operation *user : buffer->getUsers()) {
      life.first = std::min(life.first, placeOf(user));
      life.second = std::max(life.second, placeOf(user));
    }
    return life;
  }

private:
  Block &body;
  DenseMap<Operation *, unsigned> places;
  unsigned count = 0; ///< of places
};

Room roomAt(tile::StoreOp store, tile::ConvertLayoutOp conversion, bool isPersistent) {
  auto kernel = store->getParentOfType<func::FuncOp>();
  const SharedUse use(kernel, isPersistent);
  const unsigned here = use.placeOf(store);
  SmallVector<uint64_t> buffers(use.size()), scratch(use.size());
  Room room;
  Scratches scratches(kernel);
  kernel.walk([&](Operation *op) {
    Scratch needed = scratches.of(op);
    if (isa<tgpu::BarriersOp>(op) || op == conversion) // see OtherSharedBytes
      return;
    if (!needed.isBuffer) {
      if (needed.bytes)
        scratch[use.placeOf(op)] = std::max(scratch[use.placeOf(op)], needed.bytes);
      return;
    }
    auto [first, last] = use.lifeOf(op);
    if (llvm::any_of(op->getUsers(), llvm::IsaPred<tgpu::TmaStoreOp>)) {
      // The stores from it to memory are in flight until the end.
      room.stores += needed.bytes;
      last = use.size() - 1;
    } else if (isa<tgpu::AllocOp>(op) && last < here) {
      room.idle += needed.bytes;
    }
    for (unsigned place = std::max(first, here); place <= last && place < use.size(); ++place)
      buffers[place] += needed.bytes;
  });
  for (unsigned place = here; place < use.size(); ++place)
    room.used = std::max(room.used, buffers[place] + scratch[place]);
  return room;
}

} // namespace

llvm::SetVector<Operation *> findFollowers(tile::StoreOp store) {
  llvm::SetVector<Operation *> followers;
  Type element = tile::elementTypeOf(store.getValue().getType());
  store->getParentOfType<func::FuncOp>()->walk([&](Operation *op) {
    auto other = dyn_cast<tile::StoreOp>(op);
    if (op == store || !tile::globalAccessOf(op) || tile::asyncStepOf(op).isByUnit || !mayFollow(op, store) ||
        (other && tile::elementTypeOf(other.getValue().getType()) != element))
      return;
    for (auto loop = op->getParentOfType<LoopLikeOpInterface>(); loop && !loop->isAncestor(store);
         loop = loop->getParentOfType<LoopLikeOpInterface>())
      op = loop;
    followers.insert(op);
  });
  return followers;
}

tile::ConvertLayoutOp conversionBefore(tile::StoreOp store) {
  auto conversion = store.getValue().getDefiningOp<tile::ConvertLayoutOp>();
  auto type = dyn_cast<RankedTensorType>(store.getValue().getType());
  if (!conversion || !type || type.getRank() != 2 || !kernelOf(store))
    return {};
  if (!type.getElementType().isIntOrFloat() || type.getElementTypeBitWidth() < 8 ||
      type.getElementTypeBitWidth() > 32)
    return {};
  tile::LayoutAttr layout = tile::layoutOf(conversion.getSource().getType());
  auto isLayout = [&](Type found) { return isa<RankedTensorType>(found) && tile::layoutOf(found) == layout; };
  const bool isOfProduct =
      store->getParentOfType<func::FuncOp>()
          ->walk([&](Operation *op) {
            return isa<tile::DotOp, tgpu::MmaWaitOp>(op) && llvm::any_of(op->getResultTypes(), isLayout)
                       ? WalkResult::interrupt()
                       : WalkResult::advance();
          })
          .wasInterrupted();
  return isOfProduct && routeOf(conversion, executorOf(store)).kind == ConversionPlan::Shared
             ? conversion
             : tile::ConvertLayoutOp();
}

Decision<TmaStorePlan> planTmaStore(tile::StoreOp store, bool isPersistent) {
  tile::ConvertLayoutOp conversion = conversionBefore(store);
  auto type = cast<RankedTensorType>(conversion.getSource().getType());
  const unsigned elementBytes = type.getElementTypeBitWidth() / 8;
  auto kernel = store->getParentOfType<func::FuncOp>();
  if (store.getCache() != tile::CacheModifier::None || store.getEvict() != tile::EvictionPolicy::Normal)
    return because("it asks for a way through the caches");
  Box box = TRY(boxOf(store));
  TmaStorePlan plan{};
  const unsigned contiguous = box.axes[0].isContiguous() ? 0 : 1;
  plan.isRepeated = isPersistent || store->getParentOfType<LoopLikeOpInterface>();
  std::optional<Panel> panel = choosePanel(tile::layoutOf(type).getLayout(), contiguous, elementBytes,
                                           executorOf(store).warps, plan.isRepeated);
  if (!panel)
    return because("no part of it that a thread has is laid out as TMA takes it");
  std::optional<TmaBoxes> boxes = asTmaBoxes(panel->memory, elementBytes, panel->warpParts);
  SmallVector<unsigned, 5> order = TRY(mapOrderOf(box, *boxes, elementBytes));
  // Where a box reaches over any other end an H200 was seen to do otherwise than the manual says.
  if (const std::optional<LaunchValue> &size = box.axes[contiguous].size;
      size && divisibilityOf(*size) % (tma::AlignedBytes / elementBytes) != 0)
    return because("where its rows end is not known to be a multiple of 16 bytes");
  const KernelEffects effects(kernel);
  TRY(effects.mayStoreLater());
  if (effects.isAccessedExceptBy(store, box.base))
    return because("something else in the kernel accesses its array, or an unknown one");
  if (llvm::any_of(findFollowers(store),
                   [](Operation *op) { return bool(op->getParentOfType<tgpu::ProducerOp>()); }))
    return because("a producer warp may read it through another parameter");
  if (!conversion->hasOneUse())
    return because("what it stores is used as threads would store it elsewhere, too");
  // No more than is taken anyway, except where a loop goes on and its buffers are still in use.
  const Room room = roomAt(store, conversion, isPersistent);
  const uint64_t ofTensor = uint64_t(type.getNumElements()) * elementBytes,
                 free = std::max(room.idle, ofTensor) - std::min(std::max(room.idle, ofTensor), room.stores),
                 wanted = std::min(ofTensor, plan.isRepeated ? StoreSlotsInLoops * StoreSlotBytes : free),
                 slots = std::clamp<uint64_t>(wanted / panel->bytes, 1, tgpu::MaxSlots);
  if (room.used + slots * panel->bytes + OtherSharedBytes > targetOf(kernel)->maxSharedPerBlock)
    return because("there is no room for its parts next to what else is in shared memory");
  plan.target = {std::move(box), std::move(order), std::move(*boxes)};
  plan.part = RankedTensorType::get(panel->sides, type.getElementType(),
                                    tile::LayoutAttr::get(type.getContext(), panel->registers));
  plan.buffer = tgpu::BufferType::get(type.getContext(), unsigned(slots),
                                      RankedTensorType::get(panel->sides, type.getElementType()),
                                      tile::LayoutAttr::get(type.getContext(), panel->memory));
  plan.warpParts = panel->warpParts;
  return plan;
}

bool mayStoreByTma(func::FuncOp kernel) { return mayUseTma(kernel) && mayUse(kernel, Feature::Stores); }

StoresAhead storesAhead(Operation *op, bool isPersistent) {
  StoresAhead found;
  auto kernel = isa<func::FuncOp>(op) ? cast<func::FuncOp>(op) : op->getParentOfType<func::FuncOp>();
  if (!mayStoreByTma(kernel))
    return found;
  op->walk([&](tile::StoreOp store) {
    tile::ConvertLayoutOp conversion = conversionBefore(store);
    if (!conversion)
      return;
    Decision<TmaStorePlan> plan = planTmaStore(store, isPersistent);
    if (!plan)
      return;
    auto type = cast<RankedTensorType>(conversion.getSource().getType());
    const uint64_t all = uint64_t(type.getNumElements()) * type.getElementTypeBitWidth() / 8,
                   slot = plan->buffer.getSlotBytes();
    found.conversions.insert(conversion);
    found.bytes += std::min(all, std::max(slot, StoreSlotsInLoops * StoreSlotBytes));
  });
  return found;
}

uint64_t bytesOfStoresBefore(Operation *outermost) {
  uint64_t bytes = 0;
  for (Operation *op = outermost->getPrevNode(); op; op = op->getPrevNode())
    if (isa<LoopLikeOpInterface>(op))
      bytes += storesAhead(op).bytes;
  return bytes;
}

} // namespace tegula
