// `tl.reduce` and `tl.associative_scan`: elements are combined by a function of the user's, which is
// evaluated on scalars into the region of the op. What is made of them (`tl.sum`, `tl.max`, `tl.cumsum`, ...)
// is in `library/standard.py`.
#include "compiler/frontend/builtins/BuiltinTable.h"
#include "compiler/frontend/builtins/ScalarRegion.h"
#include "compiler/frontend/eval/calls/Call.h"
#include "dialect/Counted.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

using Tensors = llvm::SmallVector<Tensor, 4>;

enum CombineParameter { Input, AxisOf, CombineFn, KeepDims, Reverse = KeepDims };

/// The tensors to `verb` together, in one shape.
std::optional<Tensors> inputsOf(Call &call, const std::string &verb) {
  const Tuple *tuple = call.value(Input).as<Tuple>();
  Tensors inputs;
  for (const Value &item : tuple ? tuple->items : llvm::ArrayRef<Value>(call.value(Input))) {
    if (item.isPoison())
      return std::nullopt;
    bool isNumber = item.isNumber() || (item.is<Tensor>() && !item.as<Tensor>()->dtype.isPointer());
    if (!isNumber) {
      call.errorAt(Input, "expected tensors of numbers to " + verb + ", found " + describe(item));
      return std::nullopt;
    }
    std::optional<Tensor> input = call.semantics.toTensor(item, call.rangeOf(Input));
    if (!input)
      return std::nullopt;
    inputs.push_back(*input);
  }
  if (inputs.empty()) {
    call.errorAt(Input, "expected one or more tensors to " + verb + ", found an empty tuple");
    return std::nullopt;
  }
  // The first one grows to the shape of all; then all grow to its.
  for (int round = 0; round < 2; ++round)
    for (Tensor &input : llvm::drop_begin(inputs))
      if (!call.semantics.broadcast(inputs[0], input, "the tensors to " + verb, call.rangeOf(Input)))
        return std::nullopt;
  return inputs;
}

/// The values of `result`, where they are what the op yields for `inputs`.
std::optional<llvm::SmallVector<mlir::Value, 4>> yieldsOf(Call &call, const Function &function,
                                                          const Value &result, const Tensors &inputs) {
  const Tuple *tuple = result.as<Tuple>();
  llvm::ArrayRef<Value> items = tuple ? tuple->items : llvm::ArrayRef<Value>(result);
  auto refuse = [&](const std::string &expected, const std::string &found) {
    return refuseResult(call, CombineFn, function, expected, found);
  };
  if (items.size() != inputs.size())
    return refuse(counted(inputs.size(), "value"), std::to_string(items.size()));
  llvm::SmallVector<mlir::Value, 4> yields;
  for (size_t i = 0; i < items.size(); ++i) {
    const Tensor *value = items[i].as<Tensor>();
    if (!value || !value->isScalar() || value->dtype != inputs[i].dtype)
      return refuse(typeName(inputs[i].dtype) + (items.size() == 1 ? "" : " as value " + std::to_string(i)),
                    describe(items[i]));
    yields.push_back(value->ir);
  }
  return yields;
}

/// The function that combines; null after a report.
const Function *combineFunction(Call &call) {
  const Function *function = call.value(CombineFn).as<Function>();
  // A method would bring a value from outside into the region.
  if (function && !function->self)
    return function;
  call.errorAt(CombineFn, "expected a `@triton.jit` function that combines two elements, found " +
                              describe(call.value(CombineFn)));
  return nullptr;
}

/// Evaluates the function into the region of an op.
bool combine(Call &call, const Function &function, mlir::Region &region, const Tensors &inputs) {
  mlir::OpBuilder::InsertionGuard guard(call.emit.builder);
  mlir::Block &body = region.emplaceBlock();
  call.emit.builder.setInsertionPointToStart(&body);
  llvm::SmallVector<Value, 8> arguments;
  for (int side = 0; side < 2; ++side)
    for (const Tensor &input : inputs)
      arguments.push_back(Tensor{body.addArgument(call.emit.type(input.dtype), call.emit.loc), input.dtype});
  Value result = call.evaluator.call(call.value(CombineFn), arguments, call.rangeOf(CombineFn));
  std::optional<llvm::SmallVector<mlir::Value, 4>> yields;
  if (!result.isPoison())
    yields = yieldsOf(call, function, result, inputs);
  if (!yields)
    return false;
  tile::YieldOp::create(call.emit.builder, call.emit.loc, *yields);
  makeScalar(body);
  return checkScalarCode(call, CombineFn, "combines two scalars", function, body);
}

/// The results of `op`, which combines by `function`, in `shape` unless that is empty.
template <typename Op>
Value combined(Call &call, Op op, const Function &function, const Tensors &inputs, Shape shape) {
  if (!combine(call, function, op.getCombine(), inputs)) {
    op.erase();
    return Poison();
  }
  llvm::SmallVector<Value, 4> results;
  for (auto [input, value] : llvm::zip_equal(inputs, op.getResults())) {
    Tensor result{value, input.dtype};
    results.push_back(shape.empty() ? result : call.emit.reshape(result, shape));
  }
  return call.value(Input).is<Tuple>() ? call.evaluator.memory.tuple(results, false, call.range) : results[0];
}

Value reduce(Call &call) {
  std::optional<bool> keepDims = call.flag(KeepDims, false);
  std::optional<Tensors> inputs = inputsOf(call, "reduce");
  const Function *function = keepDims && inputs ? combineFunction(call) : nullptr;
  if (!function)
    return Poison();
  llvm::SmallVector<int64_t, 8> kept((*inputs)[0].shape());
  unsigned axis = 0;
  if (call.given(AxisOf)) {
    std::optional<Int> number = call.integer(AxisOf);
    std::optional<unsigned> known = number ? call.axis(AxisOf, *number, kept.size()) : std::nullopt;
    if (!known)
      return Poison();
    axis = *known;
    kept[axis] = 1;
  } else {
    int64_t elements[] = {1};
    for (int64_t &side : kept)
      elements[0] *= std::exchange(side, 1);
    for (Tensor &input : *inputs)
      input = call.emit.reshape(input, elements);
  }
  auto op = tile::ReduceOp::create(call.emit.builder, call.emit.loc, irOf(*inputs), axis);
  return combined(call, op, *function, *inputs, *keepDims ? Shape(kept) : Shape());
}

Value associativeScan(Call &call) {
  std::optional<bool> reverse = call.flag(Reverse, false);
  std::optional<Tensors> inputs = inputsOf(call, "scan");
  std::optional<Int> number = reverse && inputs ? call.integer(AxisOf) : std::nullopt;
  std::optional<unsigned> axis =
      number ? call.axis(AxisOf, *number, (*inputs)[0].shape().size()) : std::nullopt;
  const Function *function = axis ? combineFunction(call) : nullptr;
  if (!function)
    return Poison();
  auto op = tile::ScanOp::create(call.emit.builder, call.emit.loc, irOf(*inputs), *axis, *reverse);
  return combined(call, op, *function, *inputs, {});
}

/// Integers as words of 32 bits; what is no bin's number stays none.
Tensor asWords(Emitter &emit, Tensor source) {
  constexpr Dtype int32{ScalarKind::Int32}, uint32{ScalarKind::UInt32};
  if (source.dtype.bits() <= 32)
    return emit.cast(source, source.dtype.isSigned() ? int32 : uint32);
  mlir::Value most = emit.constant(maxOf(uint32), source.dtype, source.shape()).ir;
  return emit.cast({emit.make<mlir::arith::MinUIOp>(source.ir, most), source.dtype}, uint32);
}

/// `tl.histogram(input, num_bins, mask)`: how often each number below `num_bins` occurs.
Value histogram(Call &call) {
  enum { Source, Bins, Mask };
  constexpr Dtype int32{ScalarKind::Int32}, truth{ScalarKind::Int1};
  std::optional<Tensor> source = call.tensor(Source);
  std::optional<Int> bins = source ? call.integer(Bins) : std::nullopt;
  if (!bins || !call.semantics.checkShape({*bins}, call.rangeOf(Bins)))
    return Poison();
  if (source->shape().size() != 1 || !source->dtype.isInt())
    return call.errorAt(Source, "expected a tensor of integers of one dimension, found " + describe(*source));
  if (call.language().checksTypesOfHistograms && source->dtype.bits() != 32)
    return call.errorAt(Source, "expected integers of 32 bits, found " + describe(*source));
  mlir::Value mask;
  if (call.given(Mask)) {
    std::optional<Tensor> condition = call.tensor(Mask);
    std::optional<Tensor> flags =
        condition ? call.semantics.cast(*condition, truth, call.rangeOf(Mask)) : condition;
    std::optional<Tensor> wide =
        flags ? call.semantics.broadcastTo(*flags, source->shape(), call.rangeOf(Mask)) : flags;
    if (!wide)
      return Poison();
    mask = wide->ir;
  }
  mlir::Type type = call.emit.type(int32, {int64_t(*bins)});
  return Tensor{call.emit.make<tile::HistogramOp>(type, asWords(call.emit, *source).ir, mask), int32};
}

/// `_axis_index(input, axis)`: of each element its number along `axis`, or in row-major order.
Value axisIndex(Call &call, Tensor input) {
  Dtype int32{ScalarKind::Int32};
  llvm::SmallVector<int64_t, 8> shape(input.shape()), sides(shape.size(), 1);
  int64_t count = 1;
  if (call.given(1)) {
    std::optional<Int> number = call.integer(1);
    std::optional<unsigned> axis = number ? call.axis(1, *number, shape.size()) : std::nullopt;
    if (!axis)
      return Poison();
    sides[*axis] = count = shape[*axis];
  } else {
    sides = shape;
    for (int64_t side : shape)
      count *= side;
  }
  if (shape.empty())
    return call.emit.constant(Int(0), int32);
  mlir::Value numbers =
      call.emit.make<tile::ArangeOp>(call.emit.type(int32, count), uint32_t(0), uint32_t(count));
  return call.emit.broadcast(call.emit.reshape({numbers, int32}, sides), shape);
}

} // namespace

#include "compiler/frontend/builtins/tensor/BuiltinsReduce.inc"
