// What is known of one load, store or atomic op: how its elements lie in memory.
#pragma once

#include "compiler/analysis/AxisInfoAnalysis.h"

#include <string>

namespace tegula {

/// The widest access of one thread that every target has: 128 bits.
inline constexpr unsigned MaxAccessBytes = 16;

/// How the elements of one access lie in memory.
struct MemoryAccess {
  /// Axes of the tensor, the one whose neighbours are nearest in memory first.
  llvm::SmallVector<unsigned, 2> order;
  /// False where nothing is known of any axis, so that `order` is only the row-major default.
  bool hasOrder = false;
  /// Bytes of one element in memory.
  unsigned elementBytes = 1;
  /// For each axis: aligned groups of this many elements along it are neighbours in memory, start at a
  /// multiple of their bytes and share one mask bit, so that one instruction may access them. Powers of
  /// two of at most `MaxAccessBytes`; 1 where nothing is known.
  llvm::SmallVector<unsigned, 2> runs;
  /// Why the run along `order[0]` is shorter than it could be; empty where it is not.
  std::string limit;

  /// The run along the fastest axis.
  unsigned run() const { return runs[order.front()]; }
};

/// The access of a `tile.load`, `tile.store` or atomic op through a tensor of pointers; nothing for any other
/// op.
std::optional<MemoryAccess> analyzeAccess(mlir::Operation *op, const AxisInfoAnalysis &facts);

} // namespace tegula
