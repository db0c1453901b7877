// Tensors side by side and taken apart; elements that change places.
#include "compiler/frontend/builtins/BuiltinTable.h"
#include "compiler/frontend/eval/calls/Call.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

using Sides = llvm::SmallVector<int64_t, 8>;

/// Arguments 0 and 1 in one shape and of one type; of integers that differ in sign alone, the first one's.
std::optional<Semantics::Pair> sameTensors(Call &call) {
  std::optional<Tensor> left = call.tensor(0), right = call.tensor(1);
  if (!left || !right)
    return std::nullopt;
  if (left->dtype.isInt() && right->dtype.isInt() && left->dtype.bits() == right->dtype.bits())
    right->dtype = left->dtype;
  if (left->dtype != right->dtype) {
    call.error("expected tensors of one type, found " + describe(*left) + " and " + describe(*right));
    return std::nullopt;
  }
  if (!call.semantics.broadcast(*left, *right, "`" + calledName(call.evaluator, call.builtin) + "`",
                                call.range))
    return std::nullopt;
  return Semantics::Pair{*left, *right};
}

/// Both along a new last dimension of two. Scalars make a tensor of two elements.
std::optional<Tensor> joined(Call &call, Semantics::Pair pair) {
  bool isScalar = pair.left.isScalar();
  if (isScalar)
    pair = {call.emit.expandDims(pair.left, 0), call.emit.expandDims(pair.right, 0)};
  Sides shape(pair.left.shape());
  shape.push_back(2);
  llvm::SmallVector<Int, 8> sides(shape.begin(), shape.end());
  if (!call.semantics.checkShape(sides, call.range))
    return std::nullopt;
  mlir::Type type = call.emit.type(pair.left.dtype, shape);
  Tensor result{call.emit.make<tile::JoinOp>(type, pair.left.ir, pair.right.ir), pair.left.dtype};
  return isScalar ? call.emit.reshape(result, {2}) : result;
}

Value join(Call &call) {
  std::optional<Semantics::Pair> pair = sameTensors(call);
  return pair ? orPoison(joined(call, *pair)) : Value(Poison());
}

/// `result[..., 2i] = a[..., i]`, `result[..., 2i + 1] = b[..., i]`.
Value interleave(Call &call) {
  std::optional<Semantics::Pair> pair = sameTensors(call);
  std::optional<Tensor> both = pair ? joined(call, *pair) : std::nullopt;
  if (!both || both->shape().size() == 1)
    return orPoison(both);
  Sides shape(both->shape().drop_back());
  shape.back() *= 2;
  return call.emit.reshape(*both, shape);
}

/// One behind the other along a dimension.
Value cat(Call &call) {
  enum { First, Second, CanReorder, Along };
  std::optional<Semantics::Pair> pair = sameTensors(call);
  std::optional<Int> number = call.given(Along) ? call.integer(Along) : std::optional(Int(0));
  if (!pair || !number)
    return Poison();
  size_t rank = pair->left.shape().size();
  std::optional<unsigned> axis = call.axis(Along, *number, rank);
  std::optional<Tensor> both = axis ? joined(call, *pair) : std::nullopt;
  if (!both)
    return Poison();
  // The new dimension goes in front of the one that it lengthens.
  llvm::SmallVector<int32_t, 8> order = llvm::to_vector<8>(llvm::seq<int32_t>(0, int32_t(rank)));
  order.insert(order.begin() + *axis, int32_t(rank));
  Sides shape(pair->left.shape());
  shape[*axis] *= 2;
  return call.emit.reshape(call.emit.permute(*both, order), shape);
}

Value split(Call &call, Tensor value) {
  Shape shape = value.shape();
  if (shape.empty() || shape.back() != 2) {
    Diagnostic &diagnostic =
        call.report(call.rangeOf(0), "expected a tensor whose last dimension is 2, found " + describe(value));
    call.reporter.addOrigin(diagnostic, value.ir, "the tensor is made here");
    return Poison();
  }
  bool isPair = shape.size() == 1;
  Tensor source = isPair ? call.emit.reshape(value, {1, 2}) : value;
  mlir::Type type = call.emit.type(value.dtype, source.shape().drop_back());
  auto op = tile::SplitOp::create(call.emit.builder, call.emit.loc, type, type, source.ir);
  llvm::SmallVector<Value, 2> halves;
  for (mlir::Value half : op.getResults()) {
    Tensor result{half, value.dtype};
    halves.push_back(isPair ? call.emit.onlyElement(result) : result);
  }
  return call.evaluator.memory.tuple(halves, false, call.range);
}

/// `_butterfly(input, axis, mask)`: each element changes places with the one whose place along `axis` differs
/// in the bits of `mask`.
Value butterfly(Call &call) {
  enum { Input, Along, Mask };
  std::optional<Tensor> value = call.tensor(Input);
  std::optional<Int> number = value ? call.integer(Along) : std::nullopt;
  std::optional<unsigned> axis = number ? call.axis(Along, *number, value->shape().size()) : std::nullopt;
  std::optional<Int> mask = axis ? std::optional(Int(value->shape()[*axis] - 1)) : std::nullopt;
  if (mask && call.given(Mask))
    mask = call.integer(Mask);
  if (!mask)
    return Poison();
  if (*mask == 0)
    return *value;
  return Tensor{call.emit.make<tile::ButterflyOp>(value->ir, *axis, uint32_t(*mask)), value->dtype};
}

Value gather(Call &call) {
  enum { Source, Indices, Along };
  std::optional<Tensor> source = call.tensor(Source), indices = call.tensor(Indices);
  std::optional<Int> number = source && indices ? call.integer(Along) : std::nullopt;
  std::optional<unsigned> axis = number ? call.axis(Along, *number, source->shape().size()) : std::nullopt;
  if (!axis)
    return Poison();
  if (!indices->dtype.isInt() || indices->dtype.isBool())
    return call.errorAt(Indices, "expected integers as indices, found " + describe(*indices));
  Sides expected(source->shape());
  bool fits = indices->shape().size() == expected.size();
  if (fits)
    expected[*axis] = indices->shape()[*axis];
  if (!fits || indices->shape() != Shape(expected))
    return call.errorAt(Indices, "expected indices of the source's shape " + shapeText(source->shape()) +
                                     " but for dimension " + std::to_string(*axis) + ", found " +
                                     describe(*indices));
  mlir::Type type = call.emit.type(source->dtype, expected);
  return Tensor{call.emit.make<tile::GatherOp>(type, source->ir, indices->ir, *axis), source->dtype};
}

} // namespace

#include "compiler/frontend/builtins/tensor/BuiltinsJoin.inc"
