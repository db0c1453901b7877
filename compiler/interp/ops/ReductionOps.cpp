// Ops with a region of scalars: reductions and scans, the elements along the axis one after the other, from
// the first to the last; maps. Counts.
#include "compiler/interp/machine/Machine.h"
#include "dialect/tile/Tile.h"

using namespace mlir;

namespace tegula::interp {
namespace {

Tensor elementOf(const Tensor &tensor, size_t index) {
  Tensor element = Tensor::scalar(tile::elementTypeOf(tensor.type), 0);
  element.setElement(0, tensor, index);
  return element;
}

llvm::SmallVector<Tensor> elementsAt(Machine &machine, const Step &step, size_t index) {
  llvm::SmallVector<Tensor> elements;
  for (unsigned i = 0; i < step.operands.size(); ++i)
    elements.push_back(elementOf(machine.operand(step, i), index));
  return elements;
}

/// `left` becomes what the op's region makes of it and of the operands' elements at `index`.
LogicalResult combineWith(Machine &machine, const Step &step, llvm::SmallVector<Tensor> &left, size_t index) {
  const Code &combine = *step.bodies.front();
  unsigned slot = combine.firstArgument;
  for (Tensor &element : left)
    machine.setSlot(slot++, std::move(element));
  for (Tensor &element : elementsAt(machine, step, index))
    machine.setSlot(slot++, std::move(element));
  if (failed(machine.run(combine)))
    return failure();
  left = machine.yielded(combine);
  return success();
}

void setElements(llvm::MutableArrayRef<Tensor> tensors, size_t index, llvm::ArrayRef<Tensor> elements) {
  for (auto [tensor, element] : llvm::zip_equal(tensors, elements))
    tensor.setElement(index, element, 0);
}

/// The results of an op, before their elements are set.
llvm::SmallVector<Tensor> emptyResults(const Step &step) {
  llvm::SmallVector<Tensor> results;
  for (OpResult result : step.op->getResults())
    results.emplace_back(result.getType());
  return results;
}

LogicalResult reduce(Machine &machine, const Step &step) {
  auto op = cast<tile::ReduceOp>(step.op);
  const auto side = size_t(op.getSourceShape()[op.getAxis()]);
  const size_t inner = strideOf(op.getSourceShape(), op.getAxis());

  llvm::SmallVector<Tensor> results = emptyResults(step);
  for (size_t at = 0; at < results.front().size(); ++at) {
    const size_t first = at / inner * inner * side + at % inner;
    llvm::SmallVector<Tensor> left = elementsAt(machine, step, first);
    for (size_t k = 1; k < side; ++k)
      if (failed(combineWith(machine, step, left, first + k * inner)))
        return failure();
    setElements(results, at, left);
  }
  machine.setResults(step, std::move(results));
  return success();
}

LogicalResult scan(Machine &machine, const Step &step) {
  auto op = cast<tile::ScanOp>(step.op);
  const auto side = size_t(op.getShape()[op.getAxis()]);
  const size_t inner = strideOf(op.getShape(), op.getAxis());
  llvm::SmallVector<Tensor> results = emptyResults(step);
  for (size_t line = 0; line < results.front().size() / side; ++line) {
    const size_t first = line / inner * inner * side + line % inner;
    auto place = [&](size_t k) { return first + (op.getReverse() ? side - 1 - k : k) * inner; };
    llvm::SmallVector<Tensor> left = elementsAt(machine, step, place(0));
    setElements(results, place(0), left);
    for (size_t k = 1; k < side; ++k) {
      if (failed(combineWith(machine, step, left, place(k))))
        return failure();
      setElements(results, place(k), left);
    }
  }
  machine.setResults(step, std::move(results));
  return success();
}

/// Elements in row-major order; where they are no multiple of a pack the last one fills it up.
LogicalResult map(Machine &machine, const Step &step) {
  auto op = cast<tile::MapOp>(step.op);
  const Code &body = *step.bodies.front();
  const size_t pack = op.getPack();
  llvm::SmallVector<Tensor> results = emptyResults(step);
  const size_t count = results.front().size();
  for (size_t first = 0; first < count; first += pack) {
    unsigned slot = body.firstArgument;
    for (unsigned i = 0; i < step.operands.size(); ++i)
      for (size_t at = first; at < first + pack; ++at)
        machine.setSlot(slot++, elementOf(machine.operand(step, i), std::min(at, count - 1)));
    if (failed(machine.run(body)))
      return failure();
    llvm::SmallVector<Tensor> yielded = machine.yielded(body);
    for (size_t i = 0; i < results.size(); ++i)
      for (size_t k = 0; k < pack && first + k < count; ++k)
        results[i].setElement(first + k, yielded[i * pack + k], 0);
  }
  machine.setResults(step, std::move(results));
  return success();
}

LogicalResult histogram(Machine &machine, const Step &step) {
  const Tensor &source = machine.operand(step, 0);
  const Tensor *mask = step.operands.size() > 1 ? &machine.operand(step, 1) : nullptr;
  Tensor result(step.op->getResult(0).getType());
  for (size_t i = 0; i < source.size(); ++i) {
    if (mask && !mask->isUndefined(i) && !mask->bits[i])
      continue;
    if (source.isUndefined(i) || (mask && mask->isUndefined(i)))
      return machine.fail(step, std::string("an element that is counted is undefined") + undefinedHint,
                          source.type, i);
    if (source.bits[i] < result.size())
      ++result.bits[source.bits[i]];
  }
  machine.setResult(step, std::move(result));
  return success();
}

} // namespace

void addReductionOps(HandlerTable &table) {
  addHandler<tile::ReduceOp>(table, reduce);
  addHandler<tile::ScanOp>(table, scan);
  addHandler<tile::MapOp>(table, map);
  addHandler<tile::HistogramOp>(table, histogram);
}

} // namespace tegula::interp
