// What unit computes a dot: asked by `distribute`, which lays operands and results out for it, and by
// `lower`, which emits it, so that the two agree.
#pragma once

#include "compiler/target/MatrixUnits.h"
#include "dialect/tile/Tile.h"

#include <optional>

namespace tegula {

/// How a matrix unit sees elements of `type`, f32 as tf32; nothing for types that none multiplies.
std::optional<MatrixElement> matrixElementOf(mlir::Type type);

/// The instruction that computes `op` on `target`: the one with the largest K that is not above the dot's.
/// Of the op only element types, K and precision count. Nothing where threads multiply by themselves: f32
/// with `ieee`, a K below all instructions', and types that the target's units do not take. Of the last, f8
/// is to be converted to f16 before operands get layouts, as no thread multiplies f8.
std::optional<MatrixInstruction> instructionOf(tile::DotOp op, const Target &target);

/// Whether `op` multiplies f8 and `target` has no instruction for it, so that operands must become f16.
bool needsWiderOperands(tile::DotOp op, const Target &target);

} // namespace tegula
