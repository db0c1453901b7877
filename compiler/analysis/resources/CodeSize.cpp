#include "compiler/analysis/resources/CodeSize.h"

#include "compiler/analysis/plans/DotUnit.h"
#include "dialect/layout/Fragments.h"
#include "dialect/tile/Tile.h"

using namespace mlir;

/// Registers of a tensor in one thread; 0 for anything else.
static uint64_t registersOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return 0;
  tegula::tile::LayoutAttr layout = tegula::tile::layoutOf(tensor);
  return layout ? uint64_t(1) << layout.getLayout().inBits(tegula::Dim::Register) : 0;
}

/// Instructions for one element, roughly: the accurate functions are polynomials.
static uint64_t weightOf(Operation *op) {
  bool isShort = isa<math::ExpOp, math::Exp2Op, math::SqrtOp, math::RsqrtOp, math::FmaOp, math::AbsFOp,
                     math::AbsIOp, math::FloorOp, math::CeilOp>(op);
  if (isa<math::SinOp, math::CosOp, math::TanOp>(op))
    return 64; // 73 in PTX, most of them for large angles
  return isa_and_nonnull<math::MathDialect>(op->getDialect()) && !isShort ? 16 : 1;
}

/// Instructions that multiply: those of a matrix unit, or each multiplication of a thread.
static uint64_t multiplicationsOf(tegula::tile::DotOp op) {
  uint64_t products = registersOf(op.getType()) * uint64_t(op.getK());
  std::optional<tegula::MatrixInstruction> unit = tegula::instructionOf(op),
                                           group = tegula::groupInstructionOf(op);
  if (!unit && !group)
    return products;
  const tegula::MatrixShape &shape = unit ? unit->shape : group->shape;
  uint64_t threads = (1u << tegula::LaneBits) * (unit ? 1 : uint64_t(tegula::WarpsOfGroup));
  uint64_t each = uint64_t(shape.m) * uint64_t(shape.n) * uint64_t(shape.k) / threads;
  return op.getPrecision() == tegula::tile::InputPrecision::TF32x3 ? 3 * products / each : products / each;
}

uint64_t tegula::valuesPerThread(Operation *top) {
  uint64_t total = 0;
  top->walk([&](Operation *op) {
    // A constant is part of the instructions that use it.
    if (isa<arith::ConstantOp>(op))
      return;
    if (auto dot = dyn_cast<tile::DotOp>(op))
      total += multiplicationsOf(dot);
    uint64_t most = 0;
    for (Type type : op->getNumResults() ? TypeRange(op->getResultTypes()) : TypeRange(op->getOperandTypes()))
      most = std::max(most, registersOf(type));
    if (op->hasTrait<OpTrait::IsTerminator>())
      return;
    total += most * weightOf(op);
  });
  return total;
}
