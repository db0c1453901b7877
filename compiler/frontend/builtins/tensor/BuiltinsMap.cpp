// `tl.map_elementwise`: a function of the user's, evaluated on scalars into the region of an op that runs it
// for every element.
#include "compiler/frontend/builtins/BuiltinTable.h"
#include "compiler/frontend/builtins/ScalarRegion.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

using Tensors = llvm::SmallVector<Tensor, 4>;

enum Parameter { ScalarFn, Args, Pack };

/// Registers and text grow by a copy of the function for each pack; a larger pack gains nothing.
constexpr Int maxPack = 64;

/// The tensors to map, in one shape.
std::optional<Tensors> inputsOf(Call &call) {
  Tensors inputs;
  for (const Argument &argument : call.rest) {
    if (!argument.value.isNumber() && !argument.value.is<Tensor>()) {
      if (!argument.value.isPoison())
        call.report(argument.range, "expected tensors to map, found " + describe(argument.value));
      return std::nullopt;
    }
    std::optional<Tensor> input = call.semantics.toTensor(argument.value, argument.range);
    if (!input)
      return std::nullopt;
    inputs.push_back(*input);
  }
  if (inputs.empty()) {
    call.error("expected one or more tensors to map");
    return std::nullopt;
  }
  // The first one grows to the shape of all; then all grow to its.
  for (int round = 0; round < 2; ++round)
    for (auto [input, argument] : llvm::drop_begin(llvm::zip_equal(inputs, call.rest)))
      if (!call.semantics.broadcast(inputs[0], input, "the tensors to map", argument.range))
        return std::nullopt;
  return inputs;
}

/// Returns the results of the function, `pack` scalars of one type for each; nothing after a report.
std::optional<Tensors> yieldsOf(Call &call, const Function &function, const Value &result, size_t pack) {
  const Tuple *tuple = result.as<Tuple>();
  auto refuse = [&](const std::string &expected, const std::string &found) {
    return refuseResult(call, ScalarFn, function, expected, found);
  };
  Tensors yields;
  for (const Value &item : tuple ? tuple->items : llvm::ArrayRef<Value>(result)) {
    const Tensor *value = item.as<Tensor>();
    if (!value || !value->isScalar())
      return refuse("scalars", describe(item));
    if (yields.size() % pack && value->dtype != yields.back().dtype)
      return refuse("elements of one type for each result",
                    typeName(yields.back().dtype) + " and " + typeName(value->dtype));
    yields.push_back(*value);
  }
  if (yields.empty() || yields.size() % pack)
    return refuse(pack == 1 ? "one or more values" : "a multiple of " + std::to_string(pack) + " values",
                  std::to_string(yields.size()));
  return yields;
}

Value resultsOf(Call &call, llvm::ArrayRef<Value> results, bool isTuple) {
  return isTuple ? call.evaluator.memory.tuple(results, false, call.range) : results.front();
}

/// Maps scalars: calls the function itself.
Value mapScalars(Call &call, const Function &function, const Tensors &inputs, size_t pack) {
  llvm::SmallVector<Value, 8> arguments;
  for (const Tensor &input : inputs)
    arguments.append(pack, Value(input));
  Value result = call.evaluator.call(call.value(ScalarFn), arguments, call.rangeOf(ScalarFn));
  std::optional<Tensors> yields;
  if (!result.isPoison())
    yields = yieldsOf(call, function, result, pack);
  if (!yields)
    return Poison();
  llvm::SmallVector<Value, 4> results;
  for (size_t i = 0; i < yields->size(); i += pack)
    results.push_back((*yields)[i]);
  return resultsOf(call, results, result.is<Tuple>() && pack == 1);
}

Value mapElementwise(Call &call) {
  std::optional<Int> number = call.given(Pack) ? call.integer(Pack) : std::optional<Int>(1);
  if (number && (*number < 1 || *number > maxPack))
    return call.errorAt(Pack, "expected 1 to " + toString(maxPack) + " elements a pack, found " +
                                  toString(*number));
  const Function *function = call.value(ScalarFn).as<Function>();
  // A method would bring a value from outside into the region.
  if (!function || function->self)
    return call.errorAt(ScalarFn, "expected a `@triton.jit` function of scalars, found " +
                                      describe(call.value(ScalarFn)));
  std::optional<Tensors> inputs = number ? inputsOf(call) : std::nullopt;
  if (!inputs)
    return Poison();
  const auto pack = size_t(*number);
  if (inputs->front().isScalar())
    return mapScalars(call, *function, *inputs, pack);

  // Detached, because the results of the op are known only afterwards.
  mlir::Region region;
  mlir::Block &body = region.emplaceBlock();
  llvm::SmallVector<Value, 8> arguments;
  for (const Tensor &input : *inputs)
    for (size_t i = 0; i < pack; ++i)
      arguments.push_back(Tensor{body.addArgument(call.emit.type(input.dtype), call.emit.loc), input.dtype});
  Value result;
  std::optional<Tensors> yields;
  {
    mlir::OpBuilder::InsertionGuard guard(call.emit.builder);
    call.emit.builder.setInsertionPointToStart(&body);
    result = call.evaluator.call(call.value(ScalarFn), arguments, call.rangeOf(ScalarFn));
    if (!result.isPoison())
      yields = yieldsOf(call, *function, result, pack);
    if (yields)
      tile::YieldOp::create(call.emit.builder, call.emit.loc, irOf(*yields));
  }
  if (yields) {
    makeScalar(body);
    if (!checkScalarCode(call, ScalarFn, "computes with scalars", *function, body))
      yields.reset();
  }
  if (!yields)
    return Poison();
  llvm::SmallVector<mlir::Type, 4> types;
  for (size_t i = 0; i < yields->size(); i += pack)
    types.push_back(call.emit.type((*yields)[i].dtype, inputs->front().shape()));
  auto op = tile::MapOp::create(call.emit.builder, call.emit.loc, types, irOf(*inputs), uint32_t(pack));
  op.getBody().takeBody(region);
  llvm::SmallVector<Value, 4> results;
  for (auto [i, value] : llvm::enumerate(op.getResults()))
    results.push_back(Tensor{value, (*yields)[i * pack].dtype});
  return resultsOf(call, results, result.is<Tuple>() && (pack == 1 || results.size() > 1));
}

} // namespace

#include "compiler/frontend/builtins/tensor/BuiltinsMap.inc"
