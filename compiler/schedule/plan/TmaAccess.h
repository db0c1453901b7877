// Decides which loads become TMA loads, and what a tensor map holds of their arrays.
#pragma once

#include "compiler/analysis/access/Box.h"
#include "compiler/analysis/effects/KernelEffects.h"
#include "compiler/target/Target.h"
#include "dialect/layout/UnitMemory.h"
#include "dialect/tgpu/Tgpu.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {

/// Describes the part of an array that a TMA copy reads or writes.
struct TmaAccess {
  Box box;
  llvm::SmallVector<unsigned, 5> order; ///< the box's axes in the map's order: the contiguous one first
  TmaBoxes boxes;                      ///< what the buffer is filled with

  /// Writes on `load` along which axes of its map a box may begin in front of the array.
  void markAxesInFront(tgpu::TmaLoadOp load) const;
};

/// Returns the TMA copy that brings the box that `load` reads into `buffer`:
/// - the array's base and strides, and where rows of the box begin, are known to be multiples of 16 bytes,
///   and the buffer consists of boxes;
/// - nothing in the kernel writes to the array by its parameter, nor is there a barrier or a volatile load in
///   front of the load: the engine need not see what threads wrote. What the program waits for by an atomic
///   op it sees behind a `tgpu.global_fence`.
///
/// `effects` are the kernel's.
Decision<TmaAccess> tmaAccessOf(tile::LoadOp load, tgpu::AllocOp buffer, const KernelEffects &effects);

/// Returns the box's axes in the order of a map, where the engine takes them: the one along which `boxes` are
/// contiguous first, whose elements are neighbours in the array, too. None where they lie otherwise, or where
/// the array's base, a stride or a row of the box is not known to be at a multiple of 16 bytes.
Decision<llvm::SmallVector<unsigned, 5>> mapOrderOf(const Box &box, const TmaBoxes &boxes,
                                                    unsigned elementBytes);

/// The map that a bulk copy of `source` goes by, at the start of the kernel.
mlir::Value createTensorMap(mlir::OpBuilder &builder, mlir::Location loc, mlir::func::FuncOp kernel,
                            const TmaAccess &source);

} // namespace tegula
