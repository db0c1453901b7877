// Verifiers and folders of pipeline states.
#include "dialect/tgpu/Tgpu.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::tgpu;

/// The steps from `tgpu.pipeline_begin` that are looked back: a prologue has fewer than there are slots.
static constexpr unsigned MaxSteps = 2 * MaxSlots;

LogicalResult PipelineStateType::verify(llvm::function_ref<InFlightDiagnostic()> emitError, uint32_t slots) {
  // (pipeline_state_c1)
  if (slots < 1 || slots > MaxSlots)
    return emitError() << "expected 1 to " << MaxSlots << " slots, found " << slots;
  return success();
}

LogicalResult PipelineBeginOp::verify() {
  // (pipeline_begin_c1)
  if (getParity() > 1)
    return emitOpError() << "expected a parity of 0 or 1, found " << getParity();
  return success();
}

/// A state that is known: what counts its slot up, and its phase with it.
static std::optional<int64_t> countOf(Value state) {
  int64_t steps = 0;
  for (unsigned looked = 0; looked < MaxSteps; ++looked) {
    if (auto next = state.getDefiningOp<PipelineNextOp>()) {
      ++steps;
      state = next.getState();
    } else if (auto previous = state.getDefiningOp<PipelinePreviousOp>()) {
      --steps;
      state = previous.getState();
    } else if (auto begin = state.getDefiningOp<PipelineBeginOp>()) {
      // An even number of rounds more than there can be steps back, so that the count is not negative.
      const int64_t slots = begin.getType().getSlots();
      return steps + slots * (begin.getParity() + 2 * int64_t(MaxSteps));
    } else {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

static OpFoldResult folded(Operation *op, int64_t value) {
  return IntegerAttr::get(op->getResult(0).getType(), value);
}

OpFoldResult PipelineSlotOp::fold(FoldAdaptor) {
  const std::optional<int64_t> count = countOf(getState());
  return count ? folded(*this, *count % getState().getType().getSlots()) : OpFoldResult();
}

OpFoldResult PipelinePhaseOp::fold(FoldAdaptor) {
  const std::optional<int64_t> count = countOf(getState());
  return count ? folded(*this, *count / getState().getType().getSlots() % 2) : OpFoldResult();
}
