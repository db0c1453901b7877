#include "compiler/schedule/plan/LoadRegisters.h"

#include "compiler/analysis/FindOps.h"
#include "compiler/analysis/plans/Executor.h"
#include "compiler/analysis/resources/RegisterCount.h"
#include "compiler/analysis/resources/RegisterLimit.h"
#include "compiler/analysis/resources/RegisterPressure.h"

#include <algorithm>

using namespace mlir;

namespace tegula {

namespace {

/// Registers of a thread that loads in flight may take: they come on top of what the loop computes with.
constexpr uint32_t MaxRegistersInFlight = 64;
constexpr const char *TooManyRegisters =
    "the loads of an iteration take {0} registers a thread, expected at most {1}";

} // namespace

bool LoadRegisters::hasDots() const { return hasOp<tile::DotOp, tgpu::MmaOp>(loop); }

uint32_t LoadRegisters::ofDots() const {
  return estimateRegisters(loop, [&](Value operand) {
    Operation *op = operand.getDefiningOp();
    return isa_and_nonnull<tgpu::LocalLoadOp>(op) && loop->isAncestor(op);
  });
}

Decision<> LoadRegisters::planStages(PrefetchPlan &plan, unsigned asked) const {
  for (PlannedLoad &planned : plan.loads)
    plan.registers += registersOf(planned.load.getResult());
  if (plan.registers > MaxRegistersInFlight)
    return because(TooManyRegisters, plan.registers, MaxRegistersInFlight)
        .fixedBy("use a smaller block, or more warps");
  plan.stages = asked;
  if (plan.registers)
    plan.stages = std::min(asked, 1 + MaxRegistersInFlight / plan.registers);
  plan.registers *= plan.stages - 1;
  return {};
}

void LoadRegisters::keepWithin(PrefetchPlan &plan) const {
  std::optional<uint32_t> known;
  auto leftByDots = [&] { return known ? *known : *(known = left()); };
  llvm::erase_if(plan.loads, [&](PlannedLoad &planned) {
    if (planned.isCopied())
      return false;
    const Type type = planned.load.getType();
    uint32_t needed = plan.registers, most = MaxRegistersInFlight;
    if (isByElements(planned)) {
      needed += uint32_t(tile::layoutOf(type).getLayout().inSize(Dim::Register));
      most = std::max(most, leftByDots());
    } else {
      needed += registersOf(type);
      if (planned.by != tgpu::FetchKind::Buffer)
        most = std::min(most, leftByDots());
    }
    if (needed > most) {
      plan.remainder =
          most ? because(TooManyRegisters, needed, most).fixedBy("use a smaller block, or more warps")
               : because("the products leave no registers for it").nothingToDo();
      return true;
    }
    plan.registers = needed;
    return false;
  });
}

/// Returns whether each element of `planned`, which goes into a buffer, is an access of its own, so that it
/// arrives in a register of its own, however small it is.
bool LoadRegisters::isByElements(PlannedLoad &planned) const {
  const Type element = tile::elementTypeOf(planned.load.getType());
  return planned.by == tgpu::FetchKind::Buffer && element.getIntOrFloatBitWidth() < 8 * MinCopyBytes &&
         target && target->asyncCopies && isCopyable(planned.load) && !runs.lookup(planned.load).bytes;
}

uint32_t LoadRegisters::left() const {
  if (!target || !kernelOf(loop) || !hasDots())
    return MaxRegistersInFlight;
  const uint32_t limit = registerLimit(loop, *target);
  return limit - std::min(limit, ofDots());
}

} // namespace tegula
