// The pass: which ops stay, which formula each of the others becomes, and how narrow floats take part.
#include "compiler/lower/Passes.h"
#include "compiler/lower/math/ExpandMathFunctions.h"
#include "compiler/lower/math/RoundedUses.h"
#include "dialect/tile/Tile.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_EXPANDMATHPASS
#include "compiler/lower/Passes.h.inc"

namespace {

using namespace expandmath;

using Values = SmallVector<Expr, 3>;

bool isApproximate(Operation *op) {
  auto flagged = dyn_cast<arith::ArithFastMathInterface>(op);
  return flagged && bitEnumContainsAny(flagged.getFastMathFlagsAttr().getValue(), arith::FastMathFlags::afn);
}

/// The type that decides how an op is treated: of its first operand, without the shape.
Type elementOf(Operation *op) { return getElementTypeOrSelf(op->getOperand(0).getType()); }

/// Returns whether `convert-scalars-to-llvm` takes `op` as it is.
bool isNative(Operation *op) {
  if (isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp, math::CountLeadingZerosOp,
          math::CountTrailingZerosOp, math::CtPopOp, math::FloorOp, math::FmaOp, math::RoundOp,
          math::RoundEvenOp, math::TruncOp>(op))
    return true;
  Type element = elementOf(op);
  if (isa<math::SqrtOp>(op))
    return element.isF32() || element.isF64();
  return isa<math::ExpOp, math::Exp2Op, math::RsqrtOp>(op) && element.isF32() && isApproximate(op);
}

Expr isBelowInfinity(Expr x) { return abs(x) < x.infinity(); }

Expr isNormal(Expr x) {
  const llvm::fltSemantics &format = cast<FloatType>(x.element()).getFloatSemantics();
  double smallest = APFloat::getSmallestNormalized(format).convertToDouble();
  return (abs(x) >= smallest) & isBelowInfinity(x);
}

/// Bounds as `maxf(minf(value, min), max)`, the operation's own description, would have them if it did not
/// confuse the two; NaN comes through.
Expr clampBetween(Expr x, Expr low, Expr high) {
  Expr raised = select(x < low, low, x);
  return select(raised > high, high, raised);
}

/// The result of the op on these operands, f32 or f64 except classifications, which take any format. `quick`
/// allows approximate instructions: the op's flags say so, or the result is rounded to fewer bits anyway.
Values expand(Operation *op, const Values &x, bool quick) {
  return llvm::TypeSwitch<Operation *, Values>(op)
      .Case([&](math::ExpOp) { return Values{expandExp(x[0], quick)}; })
      .Case([&](math::Exp2Op) {
        return Values{quick && x[0].bits() == 32 ? quickExp2(x[0]) : expandExp2(x[0])};
      })
      .Case([&](math::ExpM1Op) { return Values{expandExpm1(x[0])}; })
      .Case([&](math::SinhOp) { return Values{expandSinh(x[0])}; })
      .Case([&](math::CoshOp) { return Values{expandCosh(x[0])}; })
      .Case([&](math::TanhOp) { return Values{expandTanh(x[0])}; })
      .Case([&](math::LogOp) { return Values{expandLog(x[0])}; })
      .Case([&](math::Log2Op) { return Values{expandLog2(x[0])}; })
      .Case([&](math::Log10Op) { return Values{expandLog10(x[0])}; })
      .Case([&](math::Log1pOp) { return Values{expandLog1p(x[0])}; })
      .Case([&](math::AsinhOp) { return Values{expandAsinh(x[0])}; })
      .Case([&](math::AcoshOp) { return Values{expandAcosh(x[0])}; })
      .Case([&](math::AtanhOp) { return Values{expandAtanh(x[0])}; })
      .Case([&](math::SinOp) { return Values{expandSin(x[0])}; })
      .Case([&](math::CosOp) { return Values{expandCos(x[0])}; })
      .Case([&](math::SincosOp) {
        auto [sine, cosine] = expandSincos(x[0]);
        return Values{sine, cosine};
      })
      .Case([&](math::TanOp) { return Values{expandTan(x[0])}; })
      .Case([&](math::AsinOp) { return Values{expandAsin(x[0])}; })
      .Case([&](math::AcosOp) { return Values{expandAcos(x[0])}; })
      .Case([&](math::AtanOp) { return Values{expandAtan(x[0])}; })
      .Case([&](math::Atan2Op) { return Values{expandAtan2(x[0], x[1])}; })
      .Case([&](math::ErfOp) { return Values{expandErf(x[0])}; })
      .Case([&](math::ErfcOp) { return Values{expandErfc(x[0])}; })
      .Case([&](math::PowFOp) { return Values{expandPow(x[0], x[1])}; })
      .Case([&](math::FPowIOp) { return Values{expandPowInteger(x[0], x[1])}; })
      .Case([&](math::IPowIOp) { return Values{expandIntegerPower(x[0], x[1])}; })
      .Case([&](math::CbrtOp) { return Values{expandCbrt(x[0])}; })
      .Case([&](math::RsqrtOp) { return Values{expandRsqrt(x[0], quick)}; })
      .Case([&](math::SqrtOp) { return Values{sqrt(x[0])}; })
      .Case([&](math::ClampFOp) { return Values{clampBetween(x[0], x[1], x[2])}; })
      .Case([&](math::IsNaNOp) { return Values{x[0] != x[0]}; })
      .Case([&](math::IsInfOp) { return Values{abs(x[0]) == x[0].infinity()}; })
      .Case([&](math::IsFiniteOp) { return Values{isBelowInfinity(x[0])}; })
      .Case([&](math::IsNormalOp) { return Values{isNormal(x[0])}; })
      .Default([](Operation *) { return Values{}; });
}

/// Returns whether the op's types are ones that formulas can be written for; if not, the error is reported.
LogicalResult checkTypes(Operation *op) {
  for (Type type : op->getOperandTypes()) {
    if (auto shaped = dyn_cast<ShapedType>(type); shaped && !shaped.hasStaticShape())
      return op->emitOpError() << "expected a static shape, found " << type;
    Type element = getElementTypeOrSelf(type);
    if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() > 64)
      return op->emitOpError() << "expected numbers of at most 64 bits, found " << type;
  }
  return success();
}

LogicalResult expandOp(Operation *op) {
  if (failed(checkTypes(op)))
    return failure();
  Site site(op);
  auto narrow = dyn_cast<FloatType>(elementOf(op));
  bool classifies = isa<math::IsNaNOp, math::IsInfOp, math::IsFiniteOp, math::IsNormalOp>(op);
  bool promoted = narrow && !classifies && !narrow.isF32() && !narrow.isF64();
  Values operands;
  for (Value operand : op->getOperands()) {
    Expr x(site, operand);
    operands.push_back(promoted && x.isFloat() ? extend(x, Float32Type::get(op->getContext())) : x);
  }
  // The 11 bits of an f16 come out right also from an f32 that is off by a few units.
  Values results = expand(op, operands, promoted || isApproximate(op));
  if (results.empty())
    return op->emitOpError() << "has no expansion";
  for (auto [result, expr] : llvm::zip_equal(op->getResults(), results))
    result.replaceAllUsesWith(promoted ? round(expr, narrow).value() : expr.value());
  op->erase();
  return success();
}

/// Replaces an approximate exponential of which 16 bits are seen: three instructions instead of five.
void expandRoundedExp(Operation *op) {
  Site site(op);
  op->getResult(0).replaceAllUsesWith(squareExp(Expr(site, op->getOperand(0))).value());
  op->erase();
}

/// Returns the shape ops between `value` and one with fewer elements, the last one first. Threads exchange
/// nothing in them.
SmallVector<Operation *> spreadingOps(Value value) {
  SmallVector<Operation *> ops;
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tile::SplatOp, tile::BroadcastOp, tile::ExpandDimsOp>(op))
      break;
    ops.push_back(op);
    value = op->getOperand(0);
  }
  return ops;
}

int64_t elementsOf(Value value) {
  auto shaped = dyn_cast<ShapedType>(value.getType());
  return shaped ? shaped.getNumElements() : 1;
}

/// Replaces approximate quotients by a divisor that many elements share: its range is looked at, and its
/// reciprocal computed, once.
void expandSharedQuotient(arith::DivFOp op) {
  SmallVector<Operation *> spreading = spreadingOps(op.getRhs());
  if (spreading.empty())
    return;
  Value divisor = spreading.back()->getOperand(0);
  if (elementsOf(divisor) * 4 > elementsOf(op) || matchPattern(divisor, m_Constant()))
    return;
  Site site(op);
  auto spread = [&](Expr x) {
    Value value = x.value();
    for (Operation *shape : llvm::reverse(spreading)) {
      Operation *copy = site.builder.clone(*shape);
      copy->setOperand(0, value);
      value = copy->getResult(0);
    }
    return Expr(site, value);
  };
  auto [scale, reciprocal] = scaledReciprocal(Expr(site, divisor));
  op.replaceAllUsesWith((Expr(site, op.getLhs()) * spread(scale) * spread(reciprocal)).value());
  op->erase();
}

struct ExpandMath : impl::ExpandMathPassBase<ExpandMath> {
  void runOnOperation() override {
    SmallVector<Operation *> ops, exponentials;
    SmallVector<arith::DivFOp> quotients;
    getOperation()->walk([&](Operation *op) {
      if (auto quotient = dyn_cast<arith::DivFOp>(op); quotient && isApproximate(op) && elementOf(op).isF32())
        quotients.push_back(quotient);
      if (isa<math::ExpOp>(op) && isNative(op) && areUsesRounded(op->getResult(0)))
        exponentials.push_back(op);
      if (isa_and_nonnull<math::MathDialect>(op->getDialect()) && !isNative(op))
        ops.push_back(op);
    });
    for (Operation *op : exponentials)
      expandRoundedExp(op);
    for (arith::DivFOp op : quotients)
      expandSharedQuotient(op);
    // The last first: how large a number may be is told by the ops that made it, not by what becomes of them.
    for (Operation *op : llvm::reverse(ops))
      if (failed(expandOp(op)))
        signalPassFailure();
  }
};

} // namespace
} // namespace tegula
