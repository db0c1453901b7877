// Elementwise functions of `tl` and `tl.math`.
#include "compiler/frontend/builtins/tensor/BuiltinsMath.h"

#include "compiler/frontend/builtins/BuiltinTable.h"
#include "compiler/frontend/eval/Fixes.h"
#include "compiler/frontend/eval/expressions/Operators.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace tegula;
using namespace tegula::eval;
namespace arith = mlir::arith;
namespace math = mlir::math;
using ast::BinaryOp;

std::optional<Tensor> eval::floatArgument(Call &call, size_t index, FloatKinds allowed) {
  const Value &argument = call.value(index);
  std::optional<Tensor> value = call.tensor(index);
  if (!value || value->dtype.is(ScalarKind::Float32) ||
      (value->dtype.is(ScalarKind::Float64) && allowed == FloatKinds::Both))
    return value;
  Diagnostic &diagnostic =
      call.report(call.rangeOf(index), std::string("expected ") +
                                           (allowed == FloatKinds::Both ? "fp32 or fp64" : "fp32") +
                                           ", found " + typeName(value->dtype));
  if (argument.is<Tensor>()) {
    diagnostic.help = "cast it first: `.to(tl.float32)`";
    addSuffixFix(call.reporter, diagnostic, call.valueRange(index), ".to(tl.float32)", Certainty::Certain);
    call.reporter.addOrigin(diagnostic, value->ir, "the argument is made here");
  }
  return std::nullopt;
}

/// The receiver of a method that the version does not check, or null.
static const Tensor *uncheckedReceiver(Call &call) {
  return call.isMethod && !call.language().checksTypesOfMethods ? call.value(0).as<Tensor>() : nullptr;
}

std::optional<Tensor> eval::floatOrReceiver(Call &call, FloatKinds allowed) {
  const Tensor *receiver = uncheckedReceiver(call);
  if (receiver && (receiver->dtype.is(ScalarKind::Float16) || receiver->dtype.is(ScalarKind::BFloat16)))
    return call.emit.cast(*receiver, {ScalarKind::Float32});
  return floatArgument(call, 0, receiver ? FloatKinds::Both : allowed);
}

Tensor eval::likeReceiver(Call &call, Tensor result) {
  const Tensor *receiver = uncheckedReceiver(call);
  return receiver ? call.emit.cast(result, receiver->dtype) : result;
}

namespace {

using arith::FastMathFlags;

/// `afn` asks for the device's approximation of fp32, the language's choice for these functions.
template <typename Op> Value fast(Call &call) { return unaryFloat<Op>(call, FastMathFlags::afn); }
template <typename Op> Value exact(Call &call) { return unaryFloat<Op>(call, FastMathFlags::none); }

Value sqrtRn(Call &call) {
  std::optional<Tensor> value = floatOrReceiver(call, FloatKinds::Single);
  if (!value)
    return Poison();
  return likeReceiver(call, Tensor{call.emit.make<math::SqrtOp>(value->ir), value->dtype});
}

Value abs(Call &call, Tensor value) {
  if (value.dtype.isPointer())
    return call.errorAt(0, "expected a number, found " + describe(value));
  if (value.dtype.isPackedFloat()) { // a sign without a number may be a NaN
    const Dtype wide{ScalarKind::Float32};
    Tensor magnitude{call.emit.make<math::AbsFOp>(call.emit.cast(value, wide).ir), wide};
    return call.emit.cast(magnitude, value.dtype);
  }
  if (value.dtype.isFloat8()) {
    // The value without its sign bit; nothing computes in eight bits.
    Dtype bits{ScalarKind::UInt8};
    mlir::Value mask = call.emit.constant(Int(0x7f), bits, value.shape()).ir;
    Tensor magnitude{call.emit.make<arith::AndIOp>(call.emit.bitcast(value, bits).ir, mask), bits};
    return call.emit.bitcast(magnitude, value.dtype);
  }
  if (value.dtype.isFloat())
    return Tensor{call.emit.make<math::AbsFOp>(value.ir), value.dtype};
  if (value.dtype.isSigned())
    return Tensor{call.emit.make<math::AbsIOp>(value.ir), value.dtype};
  return value;
}

template <BinaryOp op> Value operatorFunction(Call &call) {
  return eval::binary(call.evaluator, op, call.value(0), call.value(1), call.range);
}

template <bool largest> Value extremum(Call &call, const Value &x, const Value &y, NanPolicy nan) {
  return call.semantics.extremum(largest, x, y, nan, call.range);
}

/// Two operands of one float type: fp32 where they are shorter.
std::optional<Semantics::Pair> floatPair(Call &call, std::string_view name) {
  std::optional<Semantics::Pair> pair = call.semantics.unify(
      call.value(0), call.value(1), {.divides = true, .typedNumbers = true}, name, call.range);
  if (!pair)
    return std::nullopt;
  if (pair->left.dtype.isFloat8()) {
    Dtype single{ScalarKind::Float32};
    return Semantics::Pair{call.emit.cast(pair->left, single), call.emit.cast(pair->right, single)};
  }
  if (pair->left.dtype.isFloat())
    return pair;
  call.error("expected floats, found " + describe(call.value(0)) + " and " + describe(call.value(1)));
  return std::nullopt;
}

Value clamp(Call &call) {
  std::optional<NanPolicy> nan = call.nanPolicy(3);
  if (!nan)
    return Poison();
  std::optional<Tensor> x = call.tensor(0), low = call.tensor(1), high = call.tensor(2);
  if (!x || !low || !high)
    return Poison();
  for (std::optional<Tensor> *side : {&x, &low, &high})
    *side = call.semantics.widenBFloat(**side);
  // The bounds agree on a type before the value meets them.
  std::optional<Semantics::Pair> bounds = call.semantics.unify(*low, *high, {}, "`tl.clamp`", call.range);
  std::optional<Semantics::Pair> pair =
      bounds ? call.semantics.unify(*x, bounds->left, {}, "`tl.clamp`", call.range) : bounds;
  if (!pair)
    return Poison();
  if (pair->left.dtype.isPointer())
    return call.errorAt(0, "expected a number, found " + describe(pair->left));
  // clamp(x, low, high) = min(max(x, low), high), which gives `low` for a NaN unless it is to spread.
  Value raised = call.semantics.extremum(/*largest=*/true, pair->left, pair->right, *nan, call.range);
  if (raised.isPoison())
    return Poison();
  return call.semantics.extremum(/*largest=*/false, raised, bounds->right, *nan, call.range);
}

Value fdiv(Call &call, Tensor x, Tensor y, bool ieee, bool approximately) {
  if (ieee && approximately)
    return call.error("expected one of `ieee_rounding` and `approx`, found both");
  std::optional<Semantics::Pair> pair = floatPair(call, "`tl.fdiv`");
  if (!pair)
    return Poison();
  bool approximate = pair->left.dtype.is(ScalarKind::Float32) && !(ieee && call.language().fdivRounds);
  Tensor result{
      call.emit.make<arith::DivFOp>(pair->left.ir, pair->right.ir,
                                    call.emit.flags(approximate ? FastMathFlags::afn : FastMathFlags::none)),
      pair->left.dtype};
  // Two operands of one short type give a result of that type.
  bool isShort = x.dtype == y.dtype && x.dtype.isFloat() && x.dtype.bits() < 32;
  return isShort ? call.emit.cast(result, x.dtype) : result;
}

Value quickQuotient(Call &call, Tensor x, Tensor y) {
  return fdiv(call, x, y, /*ieee=*/false, /*approximately=*/false);
}

Value divRn(Call &call) {
  std::optional<Semantics::Pair> pair = floatPair(call, "`tl.div_rn`");
  if (!pair)
    return Poison();
  return Tensor{call.emit.make<arith::DivFOp>(pair->left.ir, pair->right.ir), pair->left.dtype};
}

Value fma(Call &call) {
  const Semantics::Unify how{.typedNumbers = true};
  std::optional<Semantics::Pair> xy =
      call.semantics.unify(call.value(0), call.value(1), how, "`tl.fma`", call.range);
  if (!xy)
    return Poison();
  std::optional<Semantics::Pair> zx =
      call.semantics.unify(call.value(2), xy->left, how, "`tl.fma`", call.range);
  if (!zx)
    return Poison();
  std::optional<Semantics::Pair> zy = call.semantics.unify(zx->left, xy->right, how, "`tl.fma`", call.range);
  if (!zy)
    return Poison();
  if (!zy->left.dtype.isFloat())
    return call.error("expected floats, found " + describe(zy->left));
  Tensor x = zx->right, y = zy->right, z = zy->left;
  if (Dtype dtype = z.dtype; dtype.isFloat8()) {
    for (Tensor *side : {&x, &y, &z})
      *side = call.emit.cast(*side, {ScalarKind::Float16});
    return call.emit.cast({call.emit.make<math::FmaOp>(x.ir, y.ir, z.ir), z.dtype}, dtype);
  }
  return Tensor{call.emit.make<math::FmaOp>(x.ir, y.ir, z.ir), z.dtype};
}

Value umulhi(Call &call) {
  for (size_t index : {0, 1})
    if (const Tensor *operand = call.value(index).as<Tensor>();
        operand && (!operand->dtype.isInt() || operand->dtype.bits() < 32))
      return call.errorAt(index, "expected integers of 32 or 64 bits, found " + describe(*operand));
  std::optional<Semantics::Pair> pair =
      call.semantics.unify(call.value(0), call.value(1), {.typedNumbers = true}, "`tl.umulhi`", call.range);
  if (!pair)
    return Poison();
  auto [x, y] = *pair;
  if (!x.dtype.isInt() || x.dtype.bits() < 32)
    return call.error("expected integers of 32 or 64 bits, found " + describe(x));
  llvm::SmallVector<mlir::Value, 2> lowAndHigh;
  call.emit.builder.createOrFold<arith::MulUIExtendedOp>(lowAndHigh, call.emit.loc, x.ir, y.ir);
  return Tensor{lowAndHigh[1], x.dtype};
}

Value where(Call &call) {
  if (const Tensor *condition = call.value(0).as<Tensor>(); condition && !condition->dtype.isBool()) {
    Diagnostic &diagnostic = call.reporter.report(
        Severity::Warning, call.rangeOf(0), "the condition is no truth, but of type " + describe(*condition));
    diagnostic.help = "compare it: `condition != 0`";
    addSuffixFix(call.reporter, diagnostic, call.valueRange(0), " != 0", Certainty::Certain);
  }
  return call.semantics.select(call.value(0), call.value(1), call.value(2), call.range);
}

template <ast::BoolOp op> Value logical(Call &call) {
  return call.semantics.logical(op, call.value(0), call.value(1), call.range);
}

Value nextPowerOf2(Call &call, Int number) {
  Int power = 1;
  while (power < number && power < (Int(1) << 126))
    power *= 2;
  Value value = power;
  value.wrapped = call.value(0).wrapped;
  return value;
}

/// `_log2(i)` of the language's own `standard` module, which kernels import: how often 2 goes into `i`.
Value floorLog2(Call &call, Int number) {
  Int exponent = 0;
  for (Int rest = number; rest > 1; rest /= 2)
    ++exponent;
  Value value = exponent;
  value.wrapped = call.value(0).wrapped;
  return value;
}

constexpr Handler exp = fast<math::ExpOp>, exp2 = fast<math::Exp2Op>, log = exact<math::LogOp>,
                  log2 = exact<math::Log2Op>, sin = exact<math::SinOp>, cos = exact<math::CosOp>,
                  sqrt = fast<math::SqrtOp>, rsqrt = fast<math::RsqrtOp>, erf = exact<math::ErfOp>,
                  floor = exact<math::FloorOp>, ceil = exact<math::CeilOp>,
                  add = operatorFunction<BinaryOp::Add>, sub = operatorFunction<BinaryOp::Sub>,
                  mul = operatorFunction<BinaryOp::Mul>, maximum = handlerOf<extremum<true>>,
                  minimum = handlerOf<extremum<false>>, logicalAnd = logical<ast::BoolOp::And>,
                  logicalOr = logical<ast::BoolOp::Or>;

} // namespace

#include "compiler/frontend/builtins/tensor/BuiltinsMath.inc"
