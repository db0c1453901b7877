#include "compiler/interp/machine/Machine.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tegula::interp {

Operation *Moment::op() const { return step.op; }
const Tensor &Moment::operand(unsigned index) const { return machine.operand(step, index); }
const Tensor &Moment::result(unsigned index) const { return machine.result(step, index); }

LogicalResult Machine::observed(const Step &step) {
  Observer *observer = options.observer;
  if (!observer)
    return step.run(*this, step);
  const Moment moment(*this, step);
  if (!observer->before(moment))
    return stop(step);
  if (failed(step.run(*this, step)))
    return failure();
  return observer->after(moment) ? success() : stop(step);
}

LogicalResult Machine::run(const Code &code) {
  for (const Step &step : code.steps) {
    if (!step.run)
      break;
    uint64_t cost = stepsOfOp;
    for (OpResult result : step.op->getResults())
      cost += elementCount(result.getType());
    if (failed(spend(step, cost)) || failed(observed(step)))
      return failure();
    for (unsigned slot : step.dead)
      slots[slot] = Tensor();
  }
  return success();
}

llvm::SmallVector<Tensor> Machine::operandsFrom(const Step &step, unsigned first) const {
  llvm::SmallVector<Tensor> values;
  for (unsigned i = first; i < step.operands.size(); ++i)
    values.push_back(operand(step, i));
  return values;
}

LogicalResult Machine::fail(const Step &step, std::string text) {
  fault = Fault{std::move(text), step.op->getLoc(), program, {}};
  return failure();
}

LogicalResult Machine::fail(const Step &step, std::string text, Type type, size_t element) {
  fault = Fault{std::move(text), step.op->getLoc(), program, elementName(type, element)};
  return failure();
}

LogicalResult Machine::checkDefined(const Step &step, const Tensor &value, const char *what, size_t index) {
  if (!value.isUndefined(index))
    return success();
  return fail(step, std::string(what) + " is undefined" + undefinedHint, value.type, index);
}

LogicalResult Machine::spend(const Step &step, uint64_t steps) {
  if (options.isInterrupted && options.isInterrupted())
    return fail(step, "interrupted");
  spent += steps;
  if (spent <= options.stepLimit)
    return success();
  return fail(step,
              llvm::formatv("the program took more than {0} steps: it may be endless, or wait for a program "
                            "that runs after it",
                            options.stepLimit));
}

} // namespace tegula::interp
