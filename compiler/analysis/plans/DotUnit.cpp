#include "compiler/analysis/plans/DotUnit.h"

#include "mlir/IR/BuiltinTypes.h"

#include <algorithm>

using namespace mlir;

namespace tegula {
namespace {

bool isEightBitFloat(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }

/// Returns the element that the unit adds up in, for an accumulator of `type`.
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

/// Returns the element as which a matrix unit sees `type`, tf32 for f32; nothing for types that none
/// multiplies.
std::optional<MatrixElement> elementOf(Type type) {
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

/// The elements that a unit multiplies and adds up in `op`.
struct Elements {
  MatrixElement a, b, sum;
};

std::optional<Elements> elementsOf(Type typeA, Type typeB, Type typeOfSum) {
  std::optional<MatrixElement> a = elementOf(typeA), b = elementOf(typeB), sum = sumOf(typeOfSum);
  return a && b && sum ? std::optional(Elements{*a, *b, *sum}) : std::nullopt;
}

std::optional<Elements> elementsOf(tile::DotOp op) {
  return elementsOf(op.getAType().getElementType(), op.getBType().getElementType(),
                    op.getResultType().getElementType());
}

MatrixInstruction instructionOf(tile::MatrixUnitAttr unit, const Elements &elements) {
  const MatrixShape shape = {int32_t(unit.getM()), int32_t(unit.getN()), int32_t(unit.getK())};
  const bool isOfGroup = unit.getKind() == tile::MatrixUnitKind::Wgmma;
  return {shape, elements.a, elements.b, elements.sum, isOfGroup ? MatrixUnit::WarpGroup : MatrixUnit::Warp};
}

/// The instruction that the unit on `op` executes, if it is of this kind.
std::optional<MatrixInstruction> instructionOfKind(tile::DotOp op, tile::MatrixUnitKind kind) {
  tile::MatrixUnitAttr unit = op.getUnitAttr();
  std::optional<Elements> elements = elementsOf(op);
  if (!unit || unit.getKind() != kind || !elements)
    return std::nullopt;
  return instructionOf(unit, *elements);
}

} // namespace

std::optional<MatrixInstruction> findInstruction(tile::DotOp op, const Target &target) {
  if (op.getAType().getElementType().isF32() && op.getPrecision() == tile::InputPrecision::IEEE)
    return std::nullopt;
  std::optional<Elements> elements = elementsOf(op);
  int32_t maxK = int32_t(std::min<int64_t>(op.getK(), int64_t(1) << 30));
  return elements ? matrixInstruction(target, elements->a, elements->b, elements->sum, maxK) : std::nullopt;
}

bool multipliesWidened(tile::DotOp op, const Target &target) {
  return target.fp8ProductsWiden && op.getUnitAttr().getKind() == tile::MatrixUnitKind::MmaSync &&
         isEightBitFloat(op.getAType().getElementType());
}

std::optional<MatrixInstruction> instructionOf(tile::DotOp op) {
  return instructionOfKind(op, tile::MatrixUnitKind::MmaSync);
}

std::optional<MatrixInstruction> findGroupInstruction(tile::DotOp op, const Target &target, int32_t columns) {
  std::optional<Elements> elements = elementsOf(op);
  if (!elements || op.getBatchAxes())
    return std::nullopt;
  std::optional<MatrixInstruction> found =
      groupInstruction(target, elements->a, elements->b, elements->sum, columns);
  return found && found->shape.k <= op.getK() ? found : std::nullopt;
}

std::optional<MatrixInstruction> groupInstructionOf(tile::DotOp op) {
  return instructionOfKind(op, tile::MatrixUnitKind::Wgmma);
}

MatrixInstruction groupInstructionOf(tgpu::MmaOp op) {
  // The op's verifier looked at the types.
  return instructionOf(op.getUnit(), *elementsOf(op.getOperandTensor(0).getElementType(),
                                                 op.getOperandTensor(1).getElementType(),
                                                 op.getSumsType().getElementType()));
}

bool isInstructionOf(const MatrixInstruction &instruction, const Target &target) {
  if (instruction.unit == MatrixUnit::WarpGroup)
    return groupInstruction(target, instruction.a, instruction.b, instruction.sum, instruction.shape.n)
        .has_value();
  std::optional<MatrixInstruction> found =
      matrixInstruction(target, instruction.a, instruction.b, instruction.sum, instruction.shape.k);
  return found && found->shape == instruction.shape;
}

bool needsWiderOperands(tile::DotOp op, const Target &target) {
  bool isEight =
      isEightBitFloat(op.getAType().getElementType()) || isEightBitFloat(op.getBType().getElementType());
  return isEight && !findInstruction(op, target);
}

} // namespace tegula
