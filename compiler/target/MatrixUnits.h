// The matrix instructions of an architecture: the table behind every choice of one.
#pragma once

#include "compiler/target/Target.h"
#include "dialect/layout/Fragments.h"

#include <span>

namespace tegula {

/// The elements that a matrix instruction multiplies or adds up.
enum class MatrixElement : uint8_t { F16, BF16, TF32, F32, F64, E4M3, E5M2, S8, S32 };

/// Bytes of an element in a register: four for tf32.
unsigned bytesOf(MatrixElement element);

/// Returns the name by which PTX spells the element: "f16", "bf16", "tf32", "e4m3", "s8" ...
std::string_view nameOf(MatrixElement element);

/// The threads that execute a matrix instruction together.
enum class MatrixUnit : uint8_t {
  Warp,     ///< `mma.sync.aligned.mMnNkK.row.col`
  WarpGroup ///< `wgmma.mma_async.sync.aligned.mMnNkK`
};

/// One instruction of a matrix unit.
struct MatrixInstruction {
  MatrixShape shape;
  MatrixElement a, b;
  MatrixElement sum; ///< of c and d
  MatrixUnit unit = MatrixUnit::Warp;
};

/// The instruction with the largest K, at most `maxK`, that `target` has for these elements; nothing where
/// its matrix units do not take them.
std::optional<MatrixInstruction> matrixInstruction(const Target &target, MatrixElement a, MatrixElement b,
                                                   MatrixElement sum, int32_t maxK);

/// The most columns that an instruction of warp groups has, and the least.
inline constexpr int32_t MaxGroupColumns = 256, MinGroupColumns = 8;
/// Products of f8 that groups of warps add up, as a measure between speed and digits, before f32 takes over:
/// as many as cuBLAS does.
inline constexpr uint32_t MaxImpreciseProducts = 128;

/// The instruction of warp groups that `target` has for these elements, with `columns` columns; nothing where
/// it has none. Requires a power of two from `MinGroupColumns` to `MaxGroupColumns`.
std::optional<MatrixInstruction> groupInstruction(const Target &target, MatrixElement a, MatrixElement b,
                                                  MatrixElement sum, int32_t columns);

} // namespace tegula
