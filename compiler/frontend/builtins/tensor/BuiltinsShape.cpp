// Shapes: broadcasting, new dimensions, other orders.
#include "compiler/frontend/builtins/BuiltinTable.h"
#include "compiler/frontend/eval/calls/Call.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

Value broadcastTo(Call &call, Tensor value, const Integers &sides) {
  if (!call.semantics.checkShape(sides, call.range))
    return Poison();
  llvm::SmallVector<int64_t, 8> shape(sides.begin(), sides.end());
  return orPoison(call.semantics.broadcastTo(value, shape, call.range));
}

Value broadcast(Call &call, Tensor left, Tensor right) {
  if (!call.semantics.broadcast(left, right, "`tl.broadcast`", call.range))
    return Poison();
  return call.evaluator.memory.tuple({left, right}, false, call.range);
}

Value expandDims(Call &call, Tensor value, const Integers &numbers) {
  size_t rank = value.shape().size() + numbers.size();
  if (rank > MaxTensorRank)
    return call.error("expected at most " + std::to_string(MaxTensorRank) + " dimensions, found " +
                      std::to_string(rank));
  // Axes count in the result.
  llvm::SmallVector<unsigned, 8> axes;
  for (Int number : numbers) {
    std::optional<unsigned> axis = call.axis(1, number, rank);
    if (!axis)
      return Poison();
    axes.push_back(*axis);
  }
  const llvm::SmallVector<int64_t, 8> normalized(axes.begin(), axes.end());
  llvm::sort(axes);
  for (size_t i = 1; i < axes.size(); ++i)
    if (axes[i] == axes[i - 1])
      return call.errorAt(1, "duplicate axes, normalized axes = " + shapeText(normalized));
  for (unsigned axis : axes)
    value = call.emit.expandDims(value, axis);
  return value;
}

Value reshape(Call &call, Tensor value, const Integers &sides) {
  if (!call.semantics.checkShape(sides, call.range))
    return Poison();
  llvm::SmallVector<int64_t, 8> shape(sides.begin(), sides.end());
  if (elementsOf(shape) != elementsOf(value.shape())) {
    Diagnostic &diagnostic = call.report(
        call.range, "expected a shape of " + std::to_string(elementsOf(value.shape())) + " elements like " +
                        shapeText(value.shape()) + ", found " + shapeText(shape));
    call.reporter.addOrigin(diagnostic, value.ir, "the tensor is made here");
    return Poison();
  }
  if (shape.empty())
    return call.emit.onlyElement(value);
  return call.emit.reshape(value, shape);
}

Value ravel(Call &call, Tensor value) { return reshape(call, value, {Int(elementsOf(value.shape()))}); }

Value item(Call &call, Tensor value) {
  if (llvm::any_of(value.shape(), [](int64_t side) { return side != 1; }))
    return call.error("expected a tensor of one element, found " + shapeText(value.shape()));
  return call.emit.onlyElement(value);
}

Value permute(Call &call, Tensor value, const Integers &numbers) {
  size_t rank = value.shape().size();
  if (numbers.size() != rank)
    return call.error("expected " + std::to_string(rank) + " axes for " + describe(value) + ", found " +
                      std::to_string(numbers.size()));
  llvm::SmallVector<int32_t, 8> order;
  llvm::SmallVector<bool, 8> seen(rank);
  for (Int number : numbers) {
    if (number < 0 || number >= Int(rank) || seen[size_t(number)])
      return call.error("expected each axis from 0 to " + std::to_string(rank - 1) + " once, found " +
                        toString(number));
    seen[size_t(number)] = true;
    order.push_back(int32_t(number));
  }
  return rank ? Value(call.emit.permute(value, order)) : Value(value);
}

Value trans(Call &call, Tensor value, Integers numbers) {
  size_t rank = value.shape().size();
  if (numbers.empty()) {
    if (rank < 2)
      return call.error("expected a tensor of 2 or more dimensions, found " + describe(value));
    for (size_t i = 0; i < rank; ++i)
      numbers.push_back(Int(i));
    std::swap(numbers[rank - 1], numbers[rank - 2]);
  }
  return permute(call, value, numbers);
}

Value squeeze(Call &call, Tensor value, Int number) {
  std::optional<unsigned> axis = call.axis(1, number, value.shape().size());
  if (!axis)
    return Poison();
  Integers sides(value.shape().begin(), value.shape().end());
  if (sides[*axis] != 1)
    return call.errorAt(1, "expected an axis of size 1, found one of size " + toString(sides[*axis]));
  sides.erase(sides.begin() + *axis);
  return reshape(call, value, sides);
}

} // namespace

#include "compiler/frontend/builtins/tensor/BuiltinsShape.inc"
