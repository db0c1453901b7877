// The shared memory that an op needs while it runs: the one place that says so.
#pragma once

#include "compiler/analysis/plans/Executor.h"
#include "dialect/tgpu/Tgpu.h"

#include "llvm/ADT/DenseMap.h"

#include <cstdint>

namespace tegula {

/// The size of one of `tgpu.barriers`.
inline constexpr uint32_t BarrierBytes = 8;

/// The place of one number that `tgpu.cluster_gather` brings from a block.
inline constexpr uint32_t GatheredBytes = 8;

/// The use that an op makes of its shared memory: writes, a barrier, reads; or, for a buffer, nothing itself.
struct Scratch {
  uint64_t bytes = 0; ///< 0 for ops that need none
  /// Each of several warps reads what it wrote itself, so that the barrier is one of the warp.
  bool withinWarp = false;
  /// The memory is that of the ops that use the result, from the first to the last.
  bool isBuffer = false;
  /// The alignment of the first byte: that of the widest access, or what the descriptor of an operand asks
  /// for.
  uint32_t alignment = 16;
};

/// Returns the alignment of a buffer's first byte: products that read it may ask for more than others.
uint32_t alignmentOf(tgpu::AllocOp alloc);

/// The need of `op`, which `executor` runs.
Scratch scratchOf(mlir::Operation *op, const Executor &executor);

/// The needs of a kernel's ops, each planned once.
class Scratches {
public:
  explicit Scratches(mlir::func::FuncOp kernel) : executors(kernel) {}
  Scratch of(mlir::Operation *op) {
    auto [place, isNew] = known.try_emplace(op);
    if (isNew)
      place->second = scratchOf(op, executors.of(op));
    return place->second;
  }

  const Executors executors;

private:
  llvm::DenseMap<mlir::Operation *, Scratch> known;
};

} // namespace tegula
