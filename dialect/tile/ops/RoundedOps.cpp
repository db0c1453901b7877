// The verifier of arithmetic that says how it rounds.
#include "dialect/tile/Tile.h"

using namespace mlir;
using namespace tegula::tile;

static unsigned operandsOf(RoundedKind kind) {
  if (kind == RoundedKind::Fma)
    return 3;
  return kind == RoundedKind::Add || kind == RoundedKind::Mul || kind == RoundedKind::Div ? 2 : 1;
}

static bool isWideFloat(Type type) { return type.isF32() || type.isF64(); }
static bool isWideInteger(Type type) { return type.isInteger(32) || type.isInteger(64); }

static bool isConversion(RoundedKind kind, Type from, Type to) {
  if (kind == RoundedKind::Cast && from.isF64() && to.isF32())
    return true;
  return (isWideFloat(from) && isWideInteger(to)) || (isWideInteger(from) && isWideFloat(to));
}

LogicalResult RoundedOp::verify() {
  // (rounded_c1)
  const unsigned expected = operandsOf(getKind());
  if (getOperands().size() != expected)
    return emitOpError() << "expected " << expected << " operand(s), found " << getOperands().size();
  Type result = elementTypeOf(getType());
  if (getKind() == RoundedKind::Cast || getKind() == RoundedKind::CastUnsigned) {
    // (rounded_c3)
    Type source = elementTypeOf(getOperands().front().getType());
    if (!isConversion(getKind(), source, result))
      return emitOpError()
             << "expected a conversion between f32 or f64 and i32 or i64, or from f64 to f32, found "
             << source << " to " << result;
    return success();
  }
  // (rounded_c2)
  for (Type type : getOperandTypes())
    if (!isWideFloat(result) || elementTypeOf(type) != result)
      return emitOpError() << "expected operands and result of f32 or f64 alike, found " << type << " and "
                           << getType();
  return success();
}
