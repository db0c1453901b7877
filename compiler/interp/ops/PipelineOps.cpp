// Pipeline states: the number that counts slots up, and phases with them.
#include "compiler/interp/machine/Machine.h"
#include "dialect/tgpu/Tgpu.h"

using namespace mlir;

namespace tegula::interp {
namespace {

/// The slots of the pipeline whose state the op takes.
uint64_t slotsOf(const Step &step) {
  return cast<tgpu::PipelineStateType>(step.op->getOperand(0).getType()).getSlots();
}

LogicalResult setNumber(Machine &machine, const Step &step, uint64_t number) {
  machine.setResult(step, Tensor::scalar(IntegerType::get(step.op->getContext(), 32), number));
  return success();
}

LogicalResult begin(Machine &machine, const Step &step) {
  auto op = cast<tgpu::PipelineBeginOp>(step.op);
  return setNumber(machine, step, op.getParity() * op.getType().getSlots());
}

/// A step forward, or back by all that there are but one: in two rounds slot and parity are what they were.
template <bool IsBack> LogicalResult move(Machine &machine, const Step &step) {
  const uint64_t all = 2 * slotsOf(step);
  return setNumber(machine, step, (machine.operand(step, 0).bits.front() + (IsBack ? all - 1 : 1)) % all);
}

LogicalResult slot(Machine &machine, const Step &step) {
  return setNumber(machine, step, machine.operand(step, 0).bits.front() % slotsOf(step));
}

LogicalResult phase(Machine &machine, const Step &step) {
  return setNumber(machine, step, machine.operand(step, 0).bits.front() / slotsOf(step));
}

} // namespace

void addPipelineOps(HandlerTable &table) {
  addHandler<tgpu::PipelineBeginOp>(table, begin);
  addHandler<tgpu::PipelineNextOp>(table, move<false>);
  addHandler<tgpu::PipelinePreviousOp>(table, move<true>);
  addHandler<tgpu::PipelineSlotOp>(table, slot);
  addHandler<tgpu::PipelinePhaseOp>(table, phase);
}

} // namespace tegula::interp
