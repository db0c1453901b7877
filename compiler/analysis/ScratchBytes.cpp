#include "compiler/analysis/ScratchBytes.h"
#include "compiler/analysis/OpPlans.h"
#include "compiler/plan/SpreadPlan.h"
#include "dialect/layout/UnitMemory.h"

#include <algorithm>

using namespace mlir;

namespace tegula {

uint32_t alignmentOf(tgpu::AllocOp alloc) {
  uint32_t alignment = Scratch().alignment;
  tgpu::BufferType type = alloc.getType();
  for (const tgpu::BufferRead &read : tgpu::readsOf(alloc)) {
    auto product = dyn_cast<tgpu::MmaOp>(read.op);
    if (!product)
      continue;
    unsigned index = read.slot == &product.getSlotBMutable() ? 1 : 0;
    alignment = std::max(alignment, asUnitOperand(type.getLayout().getLayout(), product.getKAxis(index),
                                                  type.getElementBytes())
                                        ->alignment());
  }
  // A swizzle goes by bits of addresses: those of a box begin where its atoms do.
  for (Operation *user : alloc->getUsers())
    if (auto store = dyn_cast<tgpu::BulkStoreOp>(user))
      alignment = std::max(alignment, UnitOperand{{true, store.getBoxes().span}}.alignment());
  return alignment;
}

Scratch scratchOf(Operation *op, const Executor &executor) {
  if (auto convert = dyn_cast<tile::ConvertLayoutOp>(op)) {
    ConversionPlan plan = planOf(convert, executor);
    if (plan.kind == ConversionPlan::Shared)
      return {plan.shared.bytes, plan.shared.withinWarp && !executor.isOneWarp()};
  }
  if (auto reduce = dyn_cast<tile::ReduceOp>(op))
    return {planOf(reduce, executor).bytes, false};
  if (auto scan = dyn_cast<tile::ScanOp>(op))
    return {planOf(scan, executor).bytes, false};
  if (auto butterfly = dyn_cast<tile::ButterflyOp>(op)) {
    ConversionPlan plan = planOf(butterfly, executor);
    if (plan.kind == ConversionPlan::Shared)
      return {plan.shared.bytes, false};
  }
  if (auto gather = dyn_cast<tile::GatherOp>(op))
    return {planOf(gather, executor).bytes, false};
  if (auto histogram = dyn_cast<tile::HistogramOp>(op))
    return {planOf(histogram, executor).bytes, false};
  if (auto alloc = dyn_cast<tgpu::AllocOp>(op); alloc && !alloc->use_empty())
    return {alloc.getType().getBytes(), false, true, alignmentOf(alloc)};
  if (auto barriers = dyn_cast<tgpu::BarriersOp>(op))
    return {uint64_t(BarrierBytes) * barriers.getResult().getType().getSlots(), false, true};
  if (isa<tile::AtomicRMWOp, tile::AtomicCASOp>(op)) {
    SpreadPlan plan = spreadPlanOf(op, executor);
    if (plan.kind == SpreadPlan::Shared)
      return {plan.shared.bytes, false};
  }
  return {};
}

} // namespace tegula
