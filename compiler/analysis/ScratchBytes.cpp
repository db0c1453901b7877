#include "compiler/analysis/ScratchBytes.h"
#include "compiler/plan/SpreadPlan.h"
#include "compiler/analysis/OpPlans.h"

using namespace mlir;

namespace tegula {

Scratch scratchOf(Operation *op, unsigned warps) {
  if (auto convert = dyn_cast<tile::ConvertLayoutOp>(op)) {
    ConversionPlan plan = planOf(convert, threadBitsOf(warps));
    if (plan.kind == ConversionPlan::Shared)
      return {plan.shared.bytes, plan.shared.withinWarp && warps > 1};
  }
  if (auto reduce = dyn_cast<tile::ReduceOp>(op))
    return {planOf(reduce, threadBitsOf(warps)).bytes, false};
  if (auto alloc = dyn_cast<tgpu::AllocOp>(op); alloc && !alloc->use_empty())
    return {alloc.getType().getBytes(), false, true};
  if (isa<tile::AtomicRMWOp, tile::AtomicCASOp>(op)) {
    SpreadPlan plan = spreadPlanOf(op, threadBitsOf(warps));
    if (plan.kind == SpreadPlan::Shared)
      return {plan.shared.bytes, false};
  }
  return {};
}

} // namespace tegula
