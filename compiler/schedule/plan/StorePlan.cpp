#include "compiler/schedule/plan/StorePlan.h"

#include "compiler/analysis/FindOps.h"
#include "compiler/analysis/ModuleTarget.h"
#include "compiler/analysis/effects/MemoryOrder.h"
#include "compiler/analysis/plans/Executor.h"
#include "compiler/analysis/plans/OpPlans.h"
#include "compiler/schedule/plan/StorePanel.h"
#include "dialect/layout/TmaLimits.h"

using namespace mlir;

namespace tegula {

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
  const bool isOfProduct = anyOp(store->getParentOfType<func::FuncOp>(), [&](Operation *op) {
    return isa<tile::DotOp, tgpu::MmaWaitOp, tgpu::InsertOp>(op) &&
           llvm::any_of(op->getResultTypes(), isLayout);
  });
  return isOfProduct && routeOf(conversion, executorOf(store)).kind == ConversionPlan::Shared
             ? conversion
             : tile::ConvertLayoutOp();
}

Decision<TmaStorePlan> planTmaStore(tile::StoreOp store, const KernelEffects &effects, bool isPersistent) {
  tile::ConvertLayoutOp conversion = conversionBefore(store);
  auto type = cast<RankedTensorType>(conversion.getSource().getType());
  const unsigned elementBytes = type.getElementTypeBitWidth() / 8;
  if (store.getCache() != tile::CacheModifier::None || store.getEvict() != tile::EvictionPolicy::Normal)
    return because("it asks for a way through the caches")
        .fixedBy("drop the store's `cache_modifier` and `eviction_policy`");
  Box box = TRY(boxOf(store));
  TmaStorePlan plan{};
  const unsigned contiguous = box.axes[0].isContiguous() ? 0 : 1;
  plan.isRepeated = isPersistent || store->getParentOfType<LoopLikeOpInterface>();
  std::optional<Panel> panel = choosePanel(tile::layoutOf(type).getLayout(), contiguous, elementBytes,
                                           executorOf(store).warps, plan.isRepeated);
  if (!panel)
    return because("no part of it that a thread has is laid out as TMA takes it")
        .fixedBy("use a wider `BLOCK_N`");
  std::optional<TmaBoxes> boxes = asTmaBoxes(panel->memory, elementBytes, panel->warpParts);
  SmallVector<unsigned, 5> order = TRY(mapOrderOf(box, *boxes, elementBytes));
  // Where a box reaches over any other end an H200 was seen to do otherwise than the manual says.
  if (const std::optional<LaunchValue> &size = box.axes[contiguous].size;
      size && divisibilityOf(*size) % (tma::AlignedBytes / elementBytes) != 0)
    return because("where its rows end is not known to be a multiple of 16 bytes")
        .fixedBy("pad the rows to a multiple of 16 bytes");
  TRY(effects.mayStoreLater(store));
  if (effects.isAccessedExceptBy(store, box.base))
    return because("something else in the kernel accesses its array, or an unknown one")
        .fixedBy("pass the output as a parameter of its own");
  if (llvm::any_of(findFollowers(store),
                   [](Operation *op) { return bool(op->getParentOfType<tgpu::ProducerOp>()); }))
    return because("a producer warp may read it through another parameter")
        .fixedBy("pass the output as a parameter of its own");
  if (!conversion->hasOneUse())
    return because("what it stores is used as threads would store it elsewhere, too")
        .fixedBy("store from one expression, or compute it twice");
  const uint64_t ofTensor = uint64_t(type.getNumElements()) * elementBytes,
                 wanted = plan.isRepeated ? std::min(ofTensor, StoreSlotsInLoops * StoreSlotBytes) : ofTensor;
  plan.target = {std::move(box), std::move(order), std::move(*boxes)};
  plan.part = RankedTensorType::get(panel->sides, type.getElementType(),
                                    tile::LayoutAttr::get(type.getContext(), panel->registers));
  plan.buffer =
      tgpu::BufferType::get(type.getContext(), 1, RankedTensorType::get(panel->sides, type.getElementType()),
                            tile::LayoutAttr::get(type.getContext(), panel->memory));
  plan.setSlots(unsigned(std::clamp<uint64_t>(wanted / panel->bytes, 1, tgpu::MaxSlots)));
  plan.warpParts = panel->warpParts;
  return plan;
}

bool mayStoreByTma(func::FuncOp kernel) { return mayUseTma(kernel) && mayUse(kernel, Feature::Stores); }

void TmaStorePlan::setSlots(unsigned slots) {
  buffer = tgpu::BufferType::get(buffer.getContext(), slots, buffer.getTensor(), buffer.getLayout());
}

} // namespace tegula
