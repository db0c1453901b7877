// libdevice's functions by its names, as ops of the math dialect. Those that are compositions are in
// library/libdevice.py.
#include "compiler/frontend/builtins/BuiltinTable.h"
#include "compiler/frontend/builtins/tensor/BuiltinsMath.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace tegula;
using namespace tegula::eval;
namespace arith = mlir::arith;
namespace math = mlir::math;

namespace {

using arith::FastMathFlags;

template <typename Op> Value exact(Call &call) { return unaryFloat<Op>(call, FastMathFlags::none); }
template <typename Op> Value fast(Call &call) { return unaryFloat<Op>(call, FastMathFlags::afn); }

/// Applies an op to two operands promoted to fp32 or fp64.
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
Value pow(Call &call, Tensor x, Tensor y) {
  if (!y.dtype.is(ScalarKind::Int32) || !(x.dtype.is(ScalarKind::Float32) || x.dtype.is(ScalarKind::Float64)))
    return binaryFloat<math::PowFOp>(call);
  if (!call.semantics.broadcast(x, y, "`" + qualifiedName(call.builtin) + "`", call.range))
    return Poison();
  return Tensor{call.emit.make<math::FPowIOp>(x.ir, y.ir), x.dtype};
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

/// Handles integers and floats: one name for four functions of CUDA.
Value abs(Call &call) {
  std::optional<Tensor> value = call.tensor(0);
  if (value && value->dtype.isFloat())
    return exact<math::AbsFOp>(call);
  value = integerArgument(call, 32);
  if (!value)
    return Poison();
  return Tensor{call.emit.make<math::AbsIOp>(value->ir), value->dtype};
}

constexpr Handler exp = exact<math::ExpOp>, fastExpf = fast<math::ExpOp>, expm1 = exact<math::ExpM1Op>,
                  log = exact<math::LogOp>, fastLogf = exact<math::LogOp>, log2 = exact<math::Log2Op>,
                  fastLog2f = exact<math::Log2Op>, log10 = exact<math::Log10Op>, log1p = exact<math::Log1pOp>,
                  sin = exact<math::SinOp>, fastSinf = exact<math::SinOp>, cos = exact<math::CosOp>,
                  fastCosf = exact<math::CosOp>, tan = exact<math::TanOp>, asin = exact<math::AsinOp>,
                  acos = exact<math::AcosOp>, atan = exact<math::AtanOp>, atan2 = binaryFloat<math::Atan2Op>,
                  sinh = exact<math::SinhOp>, cosh = exact<math::CoshOp>, tanh = exact<math::TanhOp>,
                  asinh = exact<math::AsinhOp>, acosh = exact<math::AcoshOp>, atanh = exact<math::AtanhOp>,
                  erf = exact<math::ErfOp>, erfc = exact<math::ErfcOp>, cbrt = exact<math::CbrtOp>,
                  sqrt = exact<math::SqrtOp>, sqrtRn = exact<math::SqrtOp>, floor = exact<math::FloorOp>,
                  ceil = exact<math::CeilOp>, trunc = exact<math::TruncOp>, round = exact<math::RoundOp>,
                  rint = exact<math::RoundEvenOp>, nearbyint = exact<math::RoundEvenOp>,
                  fastPowf = binaryFloat<math::PowFOp>, copysign = binaryFloat<math::CopySignOp>,
                  popc = countBits<math::CtPopOp>, clz = countBits<math::CountLeadingZerosOp>,
                  countTrailingZeros = countBits<math::CountTrailingZerosOp>, fabs = exact<math::AbsFOp>;

} // namespace

#include "compiler/frontend/builtins/tensor/BuiltinsLibdevice.inc"
