// Loops and branches.
#include "compiler/interp/machine/Machine.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;

namespace tegula::interp {
namespace {

void setArguments(Machine &machine, const Code &code, llvm::SmallVector<Tensor> values, unsigned first = 0) {
  for (unsigned i = 0; i < values.size(); ++i)
    machine.setSlot(code.firstArgument + first + i, std::move(values[i]));
}

LogicalResult branch(Machine &machine, const Step &step) {
  const Tensor &condition = machine.operand(step, 0);
  if (failed(machine.checkDefined(step, condition, "the condition of a branch")))
    return failure();
  const Code *body = step.bodies[condition.bits[0] ? 0 : 1];
  if (!body)
    return success();
  if (failed(machine.run(*body)))
    return failure();
  machine.setResults(step, machine.yielded(*body));
  return success();
}

/// Iterations from `lower` up to, not including, `upper`.
uint64_t tripCount(uint64_t lower, uint64_t upper, uint64_t step, Element element, bool isUnsigned) {
  const bool enters =
      isUnsigned ? lower < upper : signExtend(lower, element.bits) < signExtend(upper, element.bits);
  if (!enters)
    return 0;
  // The unsigned distance is right whatever the signs.
  const uint64_t distance = (upper - lower) & element.mask();
  return (distance - 1) / step + 1;
}

LogicalResult forLoop(Machine &machine, const Step &step) {
  auto op = cast<scf::ForOp>(step.op);
  constexpr unsigned bounds = 3;
  for (unsigned i = 0; i < bounds; ++i)
    if (failed(machine.checkDefined(step, machine.operand(step, i), "the range of a loop")))
      return failure();
  const Tensor &lower = machine.operand(step, 0);
  const Element element(lower.type);
  const uint64_t by = machine.operand(step, 2).bits[0];
  if (op.getUnsignedCmp() ? by == 0 : signExtend(by, element.bits) <= 0)
    return machine.fail(step, "expected the step of a loop to be above 0");
  const uint64_t count =
      tripCount(lower.bits[0], machine.operand(step, 1).bits[0], by, element, op.getUnsignedCmp());
  const Code &body = *step.bodies.front();
  llvm::SmallVector<Tensor> carried = machine.operandsFrom(step, bounds);
  for (uint64_t i = 0; i < count; ++i) {
    if (failed(machine.spend(step, stepsOfOp)))
      return failure();
    machine.setSlot(body.firstArgument,
                    Tensor::scalar(lower.type, (lower.bits[0] + i * by) & element.mask()));
    setArguments(machine, body, std::move(carried), 1);
    if (failed(machine.run(body)))
      return failure();
    carried = machine.yielded(body);
  }
  machine.setResults(step, std::move(carried));
  return success();
}

/// Notices a loop that only comes back to an earlier state. Nothing but the program itself changes what it
/// reads, so equal values and unchanged memory mean that it never ends. The values are compared with those of
/// an iteration further and further back, so that states that repeat in turns are noticed as well.
class Recurrence {
public:
  bool isEndless(const Machine &machine, llvm::ArrayRef<Tensor> carried) {
    if (round++ && changes == machine.changes &&
        std::equal(carried.begin(), carried.end(), values.begin(), values.end(),
                   [](auto &a, auto &b) { return a.bits == b.bits && a.undefined == b.undefined; }))
      return true;
    if (llvm::isPowerOf2_64(round) || changes != machine.changes) {
      values.assign(carried.begin(), carried.end());
      changes = machine.changes;
    }
    return false;
  }

private:
  llvm::SmallVector<Tensor> values;
  uint64_t round = 0, changes = 0;
};

LogicalResult whileLoop(Machine &machine, const Step &step) {
  const Code &before = *step.bodies[0], &after = *step.bodies[1];
  llvm::SmallVector<Tensor> carried = machine.operandsFrom(step, 0);
  Recurrence recurrence;
  for (;;) {
    if (failed(machine.spend(step, stepsOfOp)))
      return failure();
    if (recurrence.isEndless(machine, carried))
      return machine.fail(step, "an endless loop: it comes back to where it was, and nothing that it reads "
                                "changes; should it wait for another program, that one runs after this one "
                                "has ended");
    setArguments(machine, before, std::move(carried));
    if (failed(machine.run(before)))
      return failure();
    const Step &condition = before.steps.back();
    const Tensor &goes = machine.operand(condition, 0);
    if (failed(machine.checkDefined(condition, goes, "the condition of a loop")))
      return failure();
    llvm::SmallVector<Tensor> values = machine.yielded(before, 1);
    if (!goes.bits[0]) {
      machine.setResults(step, std::move(values));
      return success();
    }
    setArguments(machine, after, std::move(values));
    if (failed(machine.run(after)))
      return failure();
    carried = machine.yielded(after);
  }
}

} // namespace

void addControlOps(HandlerTable &table) {
  addHandler<scf::IfOp>(table, branch);
  addHandler<scf::ForOp>(table, forLoop);
  addHandler<scf::WhileOp>(table, whileLoop);
}

} // namespace tegula::interp
