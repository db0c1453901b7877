#include "compiler/analysis/DotUnit.h"

#include "mlir/IR/BuiltinTypes.h"

#include <algorithm>

using namespace mlir;

namespace tegula {
namespace {

bool isEightBitFloat(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }

/// What the unit adds up in, for an accumulator of `type`.
std::optional<MatrixElement> sumOf(Type type) {
  if (type.isF16())
    return MatrixElement::F16;
  if (type.isF32())
    return MatrixElement::F32;
  if (type.isF64())
    return MatrixElement::F64;
  if (type.isInteger(32))
    return MatrixElement::S32;
  return std::nullopt;
}

} // namespace

std::optional<MatrixElement> matrixElementOf(Type type) {
  if (type.isF16())
    return MatrixElement::F16;
  if (type.isBF16())
    return MatrixElement::BF16;
  if (type.isF32())
    return MatrixElement::TF32;
  if (type.isF64())
    return MatrixElement::F64;
  if (isa<Float8E4M3FNType>(type))
    return MatrixElement::E4M3;
  if (isa<Float8E5M2Type>(type))
    return MatrixElement::E5M2;
  if (type.isInteger(8))
    return MatrixElement::S8;
  return std::nullopt;
}

std::optional<MatrixInstruction> instructionOf(tile::DotOp op, const Target &target) {
  Type a = op.getAType().getElementType(), b = op.getBType().getElementType();
  if (a.isF32() && op.getPrecision() == tile::InputPrecision::IEEE)
    return std::nullopt;
  std::optional<MatrixElement> unitA = matrixElementOf(a), unitB = matrixElementOf(b),
                               sum = sumOf(op.getResultType().getElementType());
  if (!unitA || !unitB || !sum)
    return std::nullopt;
  int32_t maxK = int32_t(std::min<int64_t>(op.getK(), int64_t(1) << 30));
  return matrixInstruction(target, *unitA, *unitB, *sum, maxK);
}

bool needsWiderOperands(tile::DotOp op, const Target &target) {
  bool isEight =
      isEightBitFloat(op.getAType().getElementType()) || isEightBitFloat(op.getBType().getElementType());
  return isEight && !instructionOf(op, target);
}

} // namespace tegula
