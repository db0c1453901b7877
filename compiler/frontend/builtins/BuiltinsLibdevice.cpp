// libdevice's functions by its names, as ops of the math dialect. Those that are compositions are in
// library/libdevice.py.
#include "compiler/frontend/builtins/BuiltinTable.h"
#include "compiler/frontend/builtins/BuiltinsMath.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace tegula;
using namespace tegula::eval;
namespace arith = mlir::arith;
namespace math = mlir::math;

namespace {

using arith::FastMathFlags;

template <typename Op> Value exact(Call &call) { return unaryFloat<Op>(call, FastMathFlags::none); }
template <typename Op> Value fast(Call &call) { return unaryFloat<Op>(call, FastMathFlags::afn); }

/// Of two types that meet in fp32 or fp64.
template <typename Op> Value binaryFloat(Call &call) {
  std::optional<Semantics::Pair> pair =
      call.semantics.unify(call.value(0), call.value(1), {.typedNumbers = true},
                           "`" + qualifiedName(call.builtin) + "`", call.range);
  if (!pair)
    return Poison();
  Dtype dtype = pair->left.dtype;
  if (!dtype.is(ScalarKind::Float32) && !dtype.is(ScalarKind::Float64) &&
      (!floatArgument(call, 0) || !floatArgument(call, 1)))
    return Poison();
  return Tensor{call.emit.make<Op>(pair->left.ir, pair->right.ir), dtype};
}

/// To a power that is a float or an integer; where both have a type of their own, an int32 is no float.
Value power(Call &call) {
  std::optional<Tensor> x = call.tensor(0), y = call.tensor(1);
  if (!x || !y)
    return Poison();
  if (!y->dtype.is(ScalarKind::Int32) ||
      !(x->dtype.is(ScalarKind::Float32) || x->dtype.is(ScalarKind::Float64)))
    return binaryFloat<math::PowFOp>(call);
  if (!call.semantics.broadcast(*x, *y, "`" + qualifiedName(call.builtin) + "`", call.range))
    return Poison();
  return Tensor{call.emit.make<math::FPowIOp>(x->ir, y->ir), x->dtype};
}

std::optional<Tensor> integerArgument(Call &call, unsigned atLeastBits) {
  std::optional<Tensor> value = call.tensor(0);
  if (!value || (value->dtype.isInt() && value->dtype.bits() >= atLeastBits))
    return value;
  call.errorAt(0, "expected an integer of " + std::to_string(atLeastBits) + " or more bits, found " +
                      describe(*value));
  return std::nullopt;
}

/// Counts bits; the result is an int32.
template <typename Op> Value countBits(Call &call) {
  std::optional<Tensor> value = integerArgument(call, 32);
  if (!value)
    return Poison();
  Dtype own{value->dtype.bits() == 64 ? ScalarKind::Int64 : ScalarKind::Int32};
  return call.emit.cast(Tensor{call.emit.make<Op>(value->ir), own}, {ScalarKind::Int32});
}

/// Of integers and floats: one name for what is four functions in CUDA.
Value absolute(Call &call) {
  std::optional<Tensor> value = call.tensor(0);
  if (value && value->dtype.isFloat())
    return exact<math::AbsFOp>(call);
  value = integerArgument(call, 32);
  if (!value)
    return Poison();
  return Tensor{call.emit.make<math::AbsIOp>(value->ir), value->dtype};
}

constexpr Builtin table[] = {
    {"exp", InLibdevice, "x", exact<math::ExpOp>},
    {"fast_expf", InLibdevice, "x", fast<math::ExpOp>},
    {"expm1", InLibdevice, "x", exact<math::ExpM1Op>},
    {"log", InLibdevice, "x", exact<math::LogOp>},
    {"fast_logf", InLibdevice, "x", exact<math::LogOp>},
    {"log2", InLibdevice, "x", exact<math::Log2Op>},
    {"fast_log2f", InLibdevice, "x", exact<math::Log2Op>},
    {"log10", InLibdevice, "x", exact<math::Log10Op>},
    {"log1p", InLibdevice, "x", exact<math::Log1pOp>},
    {"sin", InLibdevice, "x", exact<math::SinOp>},
    {"fast_sinf", InLibdevice, "x", exact<math::SinOp>},
    {"cos", InLibdevice, "x", exact<math::CosOp>},
    {"fast_cosf", InLibdevice, "x", exact<math::CosOp>},
    {"tan", InLibdevice, "x", exact<math::TanOp>},
    {"asin", InLibdevice, "x", exact<math::AsinOp>},
    {"acos", InLibdevice, "x", exact<math::AcosOp>},
    {"atan", InLibdevice, "x", exact<math::AtanOp>},
    {"atan2", InLibdevice, "x, y", binaryFloat<math::Atan2Op>},
    {"sinh", InLibdevice, "x", exact<math::SinhOp>},
    {"cosh", InLibdevice, "x", exact<math::CoshOp>},
    {"tanh", InLibdevice, "x", exact<math::TanhOp>},
    {"asinh", InLibdevice, "x", exact<math::AsinhOp>},
    {"acosh", InLibdevice, "x", exact<math::AcoshOp>},
    {"atanh", InLibdevice, "x", exact<math::AtanhOp>},
    {"erf", InLibdevice, "x", exact<math::ErfOp>},
    {"erfc", InLibdevice, "x", exact<math::ErfcOp>},
    {"cbrt", InLibdevice, "x", exact<math::CbrtOp>},
    {"sqrt", InLibdevice, "x", exact<math::SqrtOp>},
    {"sqrt_rn", InLibdevice, "x", exact<math::SqrtOp>},
    {"floor", InLibdevice, "x", exact<math::FloorOp>},
    {"ceil", InLibdevice, "x", exact<math::CeilOp>},
    {"trunc", InLibdevice, "x", exact<math::TruncOp>},
    {"round", InLibdevice, "x", exact<math::RoundOp>},
    {"rint", InLibdevice, "x", exact<math::RoundEvenOp>},
    {"nearbyint", InLibdevice, "x", exact<math::RoundEvenOp>},
    {"pow", InLibdevice, "x, y", power},
    {"fast_powf", InLibdevice, "x, y", binaryFloat<math::PowFOp>},
    {"copysign", InLibdevice, "x, y", binaryFloat<math::CopySignOp>},
    {"popc", InLibdevice, "x", countBits<math::CtPopOp>},
    {"clz", InLibdevice, "x", countBits<math::CountLeadingZerosOp>},
    {"_count_trailing_zeros", InLibdevice, "x", countBits<math::CountTrailingZerosOp>},
    {"fabs", InLibdevice, "x", exact<math::AbsFOp>},
    {"abs", InLibdevice, "x", absolute},
};

} // namespace

std::span<const Builtin> eval::libdeviceBuiltins() { return table; }
