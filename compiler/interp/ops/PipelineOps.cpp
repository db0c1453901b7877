// Pipeline states: the number that counts slots up, and phases with them.
#include "compiler/interp/machine/Machine.h"
#include "dialect/tgpu/Tgpu.h"

using namespace mlir;

namespace tegula::interp {
namespace {

/// Returns how many slots `op` counts in two rounds, after which slot and parity are what they were.
template <typename Op> uint64_t slotsOfTwoRounds(Op op) {
  return 2 * uint64_t(cast<tgpu::PipelineStateType>(op.getType()).getSlots());
}

void setNumber(Machine &machine, const Step &step, uint64_t number) {
  machine.setResult(step, Tensor::scalar(IntegerType::get(step.op->getContext(), 32), number));
}

LogicalResult begin(Machine &machine, const Step &step) {
  auto op = cast<tgpu::PipelineBeginOp>(step.op);
  setNumber(machine, step, op.getParity() * op.getType().getSlots());
  return success();
}

/// A step forward, or back by all that there are but one.
template <typename Op, bool IsBack> LogicalResult move(Machine &machine, const Step &step) {
  const uint64_t all = slotsOfTwoRounds(cast<Op>(step.op));
  setNumber(machine, step, (machine.operand(step, 0).bits.front() + (IsBack ? all - 1 : 1)) % all);
  return success();
}

LogicalResult slot(Machine &machine, const Step &step) {
  const uint64_t slots = cast<tgpu::PipelineSlotOp>(step.op).getState().getType().getSlots();
  setNumber(machine, step, machine.operand(step, 0).bits.front() % slots);
  return success();
}

LogicalResult phase(Machine &machine, const Step &step) {
  const uint64_t slots = cast<tgpu::PipelinePhaseOp>(step.op).getState().getType().getSlots();
  setNumber(machine, step, machine.operand(step, 0).bits.front() / slots);
  return success();
}

} // namespace

void addPipelineOps(HandlerTable &table) {
  addHandler<tgpu::PipelineBeginOp>(table, begin);
  addHandler<tgpu::PipelineNextOp>(table, move<tgpu::PipelineNextOp, false>);
  addHandler<tgpu::PipelinePreviousOp>(table, move<tgpu::PipelinePreviousOp, true>);
  addHandler<tgpu::PipelineSlotOp>(table, slot);
  addHandler<tgpu::PipelinePhaseOp>(table, phase);
}

} // namespace tegula::interp
