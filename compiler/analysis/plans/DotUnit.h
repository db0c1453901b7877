// The unit that computes a dot: which one may, for `choose-matrix-units`, and which one does, for later
// passes.
#pragma once

#include "compiler/target/MatrixUnits.h"
#include "dialect/tgpu/Tgpu.h"
#include "dialect/tile/Tile.h"

#include <optional>

namespace tegula {

/// The instruction that may compute `op` on `target`: the one with the largest K that is not above the dot's.
/// Of the op only element types, K and precision count. Nothing where threads multiply by themselves: f32
/// with `ieee`, a K below all instructions', and types that the target's units do not take. Of the last, f8
/// is to be converted to f16 before operands get layouts, as no thread multiplies f8.
std::optional<MatrixInstruction> findInstruction(tile::DotOp op, const Target &target);

/// Returns whether `op` multiplies f8 and `target` has no instruction for it, so that operands must become
/// f16.
bool needsWiderOperands(tile::DotOp op, const Target &target);

/// Returns whether what the unit of `op` multiplies is made wider first: f8 that single warps multiply, where
/// `target` has units for f16 alone.
bool multipliesWidened(tile::DotOp op, const Target &target);

/// The instruction that the unit written on `op` executes; nothing where threads multiply by themselves, or
/// where no unit was chosen yet.
std::optional<MatrixInstruction> instructionOf(tile::DotOp op);

/// The instruction with `columns` columns that warp groups of `target` may compute `op` with; nothing where
/// they cannot multiply such elements, where there is more than one product, or where K is too short.
std::optional<MatrixInstruction> findGroupInstruction(tile::DotOp op, const Target &target, int32_t columns);

/// The instruction of warp groups that the unit written on a dot, or a product, executes; nothing where there
/// is no such unit.
std::optional<MatrixInstruction> groupInstructionOf(tile::DotOp op);
MatrixInstruction groupInstructionOf(tgpu::MmaOp op);

/// Returns whether `target` has `instruction`.
bool isInstructionOf(const MatrixInstruction &instruction, const Target &target);

} // namespace tegula
