// Reductions: the elements along the axis one after the other, from the first to the last.
#include "compiler/interp/Machine.h"
#include "dialect/tile/Tile.h"

using namespace mlir;

namespace tegula::interp {
namespace {

Tensor elementOf(const Tensor &tensor, size_t index) {
  Tensor element = Tensor::scalar(tile::elementTypeOf(tensor.type), tensor.bits[index]);
  if (tensor.isUndefined(index))
    element.setUndefined(0);
  return element;
}

LogicalResult reduce(Machine &machine, const Step &step) {
  auto op = cast<tile::ReduceOp>(step.op);
  const Code &combine = *step.bodies.front();
  const unsigned count = unsigned(step.operands.size());
  llvm::ArrayRef<int64_t> shape = op.getSourceShape();
  const auto side = size_t(shape[op.getAxis()]);
  size_t inner = 1; // elements between neighbours along the axis
  for (size_t dim = op.getAxis() + 1; dim < shape.size(); ++dim)
    inner *= size_t(shape[dim]);

  llvm::SmallVector<Tensor> results;
  for (OpResult result : op->getResults())
    results.emplace_back(result.getType());
  for (size_t at = 0; at < results.front().size(); ++at) {
    const size_t first = at / inner * inner * side + at % inner;
    llvm::SmallVector<Tensor> left;
    for (unsigned i = 0; i < count; ++i)
      left.push_back(elementOf(machine.operand(step, i), first));
    for (size_t k = 1; k < side; ++k) {
      for (unsigned i = 0; i < count; ++i) {
        machine.setSlot(combine.firstArgument + i, std::move(left[i]));
        machine.setSlot(combine.firstArgument + count + i,
                        elementOf(machine.operand(step, i), first + k * inner));
      }
      if (failed(machine.run(combine)))
        return failure();
      left = machine.yielded(combine);
    }
    for (unsigned i = 0; i < count; ++i) {
      results[i].bits[at] = left[i].bits.front();
      if (left[i].isUndefined(0))
        results[i].setUndefined(at);
    }
  }
  for (unsigned i = 0; i < count; ++i)
    machine.setResult(step, std::move(results[i]), i);
  return success();
}

} // namespace

void addReductionOps(HandlerTable &table) { addHandler<tile::ReduceOp>(table, reduce); }

} // namespace tegula::interp
