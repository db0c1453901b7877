#include "compiler/lower/math/ExpandMathBounds.h"

#include "dialect/tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace tegula::expandmath {

namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();
/// Ops that are looked through, one behind another.
constexpr unsigned maxDepth = 16;
/// What rounding to the shortest format adds at most.
constexpr double roundedUp = 1 + 0x1p-2;

double magnitude(Value value, unsigned depth);

double larger(Value a, Value b, unsigned depth) { return std::max(magnitude(a, depth), magnitude(b, depth)); }

double constantMagnitude(Attribute attribute) {
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return std::abs(number.getValueAsDouble());
  auto elements = dyn_cast<DenseFPElementsAttr>(attribute);
  if (!elements || !elements.isSplat())
    return unknown;
  return std::abs(
      FloatAttr::get(elements.getElementType(), elements.getSplatValue<APFloat>()).getValueAsDouble());
}

double magnitude(Value value, unsigned depth) {
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return unknown;
  --depth;
  Attribute constant;
  if (matchPattern(op, m_Constant(&constant))) {
    const double known = constantMagnitude(constant);
    return std::isnan(known) ? unknown : known;
  }
  auto widthOf = [&] {
    return int(getElementTypeOrSelf(op->getOperand(0).getType()).getIntOrFloatBitWidth());
  };
  return llvm::TypeSwitch<Operation *, double>(op)
      .Case<tile::SplatOp, tile::BroadcastOp, tile::ExpandDimsOp, tile::ReshapeOp, tile::ConvertLayoutOp,
            math::AbsFOp, arith::NegFOp, arith::ExtFOp>(
          [&](Operation *op) { return magnitude(op->getOperand(0), depth); })
      .Case([&](arith::TruncFOp) { return magnitude(op->getOperand(0), depth) * roundedUp; })
      .Case([&](arith::SIToFPOp) { return std::ldexp(roundedUp, widthOf() - 1); })
      .Case([&](arith::UIToFPOp) { return std::ldexp(roundedUp, widthOf()); })
      .Case([&](arith::MulFOp) {
        const double a = magnitude(op->getOperand(0), depth);
        return std::isinf(a) ? a : a * magnitude(op->getOperand(1), depth) * roundedUp;
      })
      .Case<arith::AddFOp, arith::SubFOp>([&](Operation *op) {
        const double a = magnitude(op->getOperand(0), depth);
        return std::isinf(a) ? a : (a + magnitude(op->getOperand(1), depth)) * roundedUp;
      })
      .Case<arith::MaxNumFOp, arith::MinNumFOp, arith::MaximumFOp, arith::MinimumFOp>(
          [&](Operation *op) { return larger(op->getOperand(0), op->getOperand(1), depth); })
      .Case([&](arith::SelectOp select) {
        return larger(select.getTrueValue(), select.getFalseValue(), depth);
      })
      .Default(unknown);
}

} // namespace

double largestMagnitude(Value value) {
  const double found = magnitude(value, maxDepth);
  return std::isnan(found) ? unknown : found;
}

} // namespace tegula::expandmath
