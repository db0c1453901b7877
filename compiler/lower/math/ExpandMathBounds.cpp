#include "compiler/lower/math/ExpandMathBounds.h"
#include "compiler/analysis/integers/IntegerRanges.h"

#include "dialect/tile/Tile.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;

namespace tegula::expandmath {

namespace {

/// The number of ops that are looked through, one after another.
constexpr unsigned maxDepth = 16;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Between what a number lies, unless it is NaN.
struct Interval {
  double low = -infinity, high = infinity;

  static Interval around(std::initializer_list<double> ends) {
    // Infinity less or times nothing says nothing.
    if (llvm::any_of(ends, [](double end) { return std::isnan(end); }))
      return {};
    return {std::min(ends), std::max(ends)};
  }

  Interval hull(Interval other) const { return {std::min(low, other.low), std::max(high, other.high)}; }
  Interval times(Interval other) const {
    return around({low * other.low, low * other.high, high * other.low, high * other.high});
  }
  Interval plus(Interval other) const { return around({low + other.low, high + other.high}); }
  Interval negated() const { return {-high, -low}; }
  Interval magnitude() const {
    const double largest = std::max(std::abs(low), std::abs(high));
    return {low > 0 ? low : high < 0 ? -high : 0, largest};
  }
  /// Adds the most that rounding adds: of the shorter formats, that of the shortest.
  Interval rounded(Value result) const {
    const double most =
        getElementTypeOrSelf(result.getType()).getIntOrFloatBitWidth() >= 32 ? 1 + 0x1p-20 : 1 + 0x1p-2;
    return {low < 0 ? low * most : low / most, high < 0 ? high / most : high * most};
  }
};

bool onlyRearranges(Operation *op) {
  return isa<tile::SplatOp, tile::BroadcastOp, tile::ExpandDimsOp, tile::ReshapeOp, tile::ConvertLayoutOp>(
      op);
}

ConstantIntRanges integersOf(Value value, unsigned depth) {
  const auto anything = ConstantIntRanges::maxRange(ConstantIntRanges::getStorageBitwidth(value.getType()));
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return anything;
  if (onlyRearranges(op))
    return integersOf(op->getOperand(0), depth - 1);
  auto inferrable = dyn_cast<InferIntRangeInterface>(op);
  if (!inferrable)
    return anything;
  SmallVector<ConstantIntRanges> operands;
  for (Value operand : op->getOperands()) {
    // Comparisons of floats tell nothing.
    if (ConstantIntRanges::getStorageBitwidth(operand.getType()) == 0)
      return anything;
    operands.push_back(integersOf(operand, depth - 1));
  }
  if (std::optional<ConstantIntRanges> found = rangeOfDivision(op, operands))
    return *found;
  ConstantIntRanges found = anything;
  inferrable.inferResultRanges(operands, [&](Value result, const ConstantIntRanges &range) {
    if (result == value)
      found = range;
  });
  return found;
}

Interval constantInterval(Attribute attribute) {
  double number = infinity;
  if (auto scalar = dyn_cast<FloatAttr>(attribute))
    number = scalar.getValueAsDouble();
  else if (auto elements = dyn_cast<DenseFPElementsAttr>(attribute); elements && elements.isSplat())
    number = FloatAttr::get(elements.getElementType(), elements.getSplatValue<APFloat>()).getValueAsDouble();
  return std::isfinite(number) ? Interval{number, number} : Interval{};
}

Interval interval(Value value, unsigned depth);

/// A known base to the power of what lies in an interval.
Interval powerOf(Value base, Value exponent, unsigned depth) {
  const Interval known = interval(base, depth);
  if (known.low != known.high || !(known.low > 0))
    return {};
  const Interval power = interval(exponent, depth);
  return Interval::around({std::pow(known.low, power.low), std::pow(known.low, power.high)});
}

Interval interval(Value value, unsigned depth) {
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return {};
  --depth;
  if (onlyRearranges(op))
    return interval(op->getOperand(0), depth);
  Attribute constant;
  if (matchPattern(op, m_Constant(&constant)))
    return constantInterval(constant);
  auto operand = [&](unsigned place) { return interval(op->getOperand(place), depth); };
  return llvm::TypeSwitch<Operation *, Interval>(op)
      .Case([&](arith::ExtFOp) { return operand(0); })
      .Case([&](math::AbsFOp) { return operand(0).magnitude(); })
      .Case([&](arith::NegFOp) { return operand(0).negated(); })
      .Case([&](arith::TruncFOp) { return operand(0).rounded(value); })
      .Case([&](arith::SIToFPOp) {
        const ConstantIntRanges range = integersOf(op->getOperand(0), depth);
        return Interval{double(range.smin().getSExtValue()), double(range.smax().getSExtValue())}.rounded(
            value);
      })
      .Case([&](arith::UIToFPOp) {
        const ConstantIntRanges range = integersOf(op->getOperand(0), depth);
        return Interval{double(range.umin().getZExtValue()), double(range.umax().getZExtValue())}.rounded(
            value);
      })
      .Case([&](arith::MulFOp) { return operand(0).times(operand(1)).rounded(value); })
      .Case([&](arith::AddFOp) { return operand(0).plus(operand(1)).rounded(value); })
      .Case([&](arith::SubFOp) { return operand(0).plus(operand(1).negated()).rounded(value); })
      .Case([&](math::PowFOp) { return powerOf(op->getOperand(0), op->getOperand(1), depth).rounded(value); })
      // Some of them give the other operand for NaN.
      .Case<arith::MaxNumFOp, arith::MinNumFOp, arith::MaximumFOp, arith::MinimumFOp>(
          [&](Operation *) { return operand(0).hull(operand(1)); })
      .Case([&](arith::SelectOp) { return operand(1).hull(operand(2)); })
      .Default(Interval());
}

} // namespace

double largestMagnitude(Value value) { return interval(value, maxDepth).magnitude().high; }

} // namespace tegula::expandmath
