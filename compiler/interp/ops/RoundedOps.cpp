// Arithmetic and conversions that say how they round, by LLVM's exact floats.
#include "compiler/interp/machine/Machine.h"
#include "dialect/tile/Tile.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"

#include <cmath>

using namespace mlir;
using llvm::APFloat;
using llvm::APInt;
using llvm::APSInt;

namespace tegula::interp {
namespace {

llvm::RoundingMode modeOf(tile::RoundingMode mode) {
  switch (mode) {
  case tile::RoundingMode::Nearest:
    return llvm::RoundingMode::NearestTiesToEven;
  case tile::RoundingMode::Zero:
    return llvm::RoundingMode::TowardZero;
  case tile::RoundingMode::Down:
    return llvm::RoundingMode::TowardNegative;
  case tile::RoundingMode::Up:
    return llvm::RoundingMode::TowardPositive;
  }
  llvm_unreachable("every mode is above");
}

const llvm::fltSemantics &formatOf(Element::Kind kind) {
  return kind == Element::Float32 ? APFloat::IEEEsingle() : APFloat::IEEEdouble();
}

APFloat floatOf(const Element &element, uint64_t bits) {
  return APFloat(formatOf(element.kind), APInt(element.bits, bits));
}

/// NaNs have the bits that the arithmetic of the interpreter gives all of them.
uint64_t bitsOf(const APFloat &value) {
  const APInt bits = value.bitcastToAPInt();
  return value.isNaN() ? APInt::getSignedMaxValue(bits.getBitWidth()).getZExtValue() : bits.getZExtValue();
}

/// The root to nearest is at most one step from any other, and its square, exact in twice the digits, says on
/// which side of the root it lies.
APFloat squareRoot(const APFloat &x, llvm::RoundingMode mode) {
  const double value = x.convertToDouble();
  APFloat root(&x.getSemantics() == &APFloat::IEEEsingle() ? APFloat(std::sqrt(float(value)))
                                                           : APFloat(std::sqrt(value)));
  if (mode == llvm::RoundingMode::NearestTiesToEven || !root.isFiniteNonZero())
    return root;
  bool inexact;
  APFloat square = root, exact = x;
  square.convert(APFloat::IEEEquad(), mode, &inexact);
  exact.convert(APFloat::IEEEquad(), mode, &inexact);
  square.multiply(square, mode);
  const APFloat::cmpResult side = square.compare(exact);
  if (mode == llvm::RoundingMode::TowardPositive && side == APFloat::cmpLessThan)
    root.next(/*nextDown=*/false);
  if (mode != llvm::RoundingMode::TowardPositive && side == APFloat::cmpGreaterThan)
    root.next(/*nextDown=*/true);
  return root;
}

APFloat arithmetic(tile::RoundedKind kind, llvm::RoundingMode mode, llvm::ArrayRef<APFloat> x) {
  APFloat result = x.front();
  switch (kind) {
  case tile::RoundedKind::Add:
    result.add(x[1], mode);
    break;
  case tile::RoundedKind::Mul:
    result.multiply(x[1], mode);
    break;
  case tile::RoundedKind::Div:
    result.divide(x[1], mode);
    break;
  case tile::RoundedKind::Fma:
    result.fusedMultiplyAdd(x[1], x[2], mode);
    break;
  case tile::RoundedKind::Rcp:
    result = APFloat(result.getSemantics(), 1);
    result.divide(x[0], mode);
    break;
  default:
    return squareRoot(result, mode);
  }
  return result;
}

uint64_t floatToInteger(const APFloat &value, const Element &from, const Element &to, bool isUnsigned,
                        llvm::RoundingMode mode) {
  if (value.isNaN())
    return from.bits == 64 || to.bits == 64 ? uint64_t(1) << (to.bits - 1) : 0;
  APSInt result(to.bits, isUnsigned);
  bool exact;
  value.convertToInteger(result, mode, &exact);
  return result.getZExtValue();
}

uint64_t convert(uint64_t bits, const Element &from, const Element &to, bool isUnsigned,
                 llvm::RoundingMode mode) {
  const bool toFloat = to.kind == Element::Float32 || to.kind == Element::Float64;
  if (from.kind != Element::Float32 && from.kind != Element::Float64) {
    APFloat result = APFloat::getZero(formatOf(to.kind));
    result.convertFromAPInt(APInt(from.bits, bits), !isUnsigned, mode);
    return bitsOf(result);
  }
  APFloat value = floatOf(from, bits);
  if (!toFloat)
    return floatToInteger(value, from, to, isUnsigned, mode);
  bool inexact;
  value.convert(formatOf(to.kind), mode, &inexact);
  return bitsOf(value);
}

LogicalResult rounded(Machine &machine, const Step &step) {
  auto op = cast<tile::RoundedOp>(step.op);
  const llvm::RoundingMode mode = modeOf(op.getMode());
  const tile::RoundedKind kind = op.getKind();
  const Element from(machine.operand(step, 0).type), to(op.getType());
  const unsigned count = unsigned(step.operands.size());
  return computeElements(machine, step, [&](size_t i) {
    if (kind == tile::RoundedKind::Cast || kind == tile::RoundedKind::CastUnsigned)
      return convert(machine.operand(step, 0).bits[i], from, to, kind == tile::RoundedKind::CastUnsigned,
                     mode);
    llvm::SmallVector<APFloat, 3> operands;
    for (unsigned k = 0; k < count; ++k)
      operands.push_back(floatOf(from, machine.operand(step, k).bits[i]));
    return bitsOf(arithmetic(kind, mode, operands));
  });
}

} // namespace

void addRoundedOps(HandlerTable &table) { addHandler<tile::RoundedOp>(table, rounded); }

} // namespace tegula::interp
