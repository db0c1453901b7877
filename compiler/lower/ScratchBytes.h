// How much shared memory an op needs while it runs: the one place that says so.
#pragma once

#include "mlir/IR/Operation.h"

#include <cstdint>

namespace tegula {

/// What an op does with its shared memory: writes, a barrier, reads; or, for a buffer, nothing itself.
struct Scratch {
  uint64_t bytes = 0; ///< 0 for ops that need none
  /// Each of several warps reads what it wrote itself, so that the barrier is one of the warp.
  bool withinWarp = false;
  /// The memory is that of the ops that use the result, from the first to the last.
  bool isBuffer = false;
};

/// The need of `op` in a program of `warps` warps.
Scratch scratchOf(mlir::Operation *op, unsigned warps);
inline uint64_t scratchBytes(mlir::Operation *op, unsigned warps) { return scratchOf(op, warps).bytes; }

} // namespace tegula
