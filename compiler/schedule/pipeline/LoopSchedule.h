// The decisions about a loop, as the IR has them.
#pragma once

#include "compiler/schedule/plan/PrefetchCandidates.h"
#include "dialect/tgpu/Tgpu.h"

#include <vector>

namespace tegula {

/// A load that runs ahead. It goes into a buffer unless it waits in registers.
struct ScheduledLoad {
  mlir::Operation *load = nullptr; ///< a `tile.load` or a `tgpu.tma_load`
  tgpu::FetchKind by = tgpu::FetchKind::Registers;
  unsigned stage = 0, group = 0;
  tgpu::LocalStoreOp store{}; ///< what puts it into the buffer, except a `tgpu.tma_load`
  tgpu::AllocOp buffer{};

  bool isCopied() const { return by == tgpu::FetchKind::Async || by == tgpu::FetchKind::Tma; }
  unsigned slots() const { return tgpu::AllocOp(buffer).getType().getSlots(); }
  /// The reads of its buffer in `loop`, which is not alone in filling it.
  llvm::SmallVector<tgpu::BufferRead> readsIn(mlir::scf::ForOp loop) const;
};

struct LoopSchedule {
  unsigned stages = 1;
  std::vector<ScheduledLoad> loads; ///< in the body's order
  /// Products that stay in flight over the back edge, as `PrefetchPlan` says.
  llvm::SmallVector<tgpu::MmaOp> inFlight;

  bool has(tgpu::FetchKind by) const;
};

/// Takes what `plan-loops` decided about `loop` off its ops. Emits an error and returns nothing where they
/// are of another form than it leaves.
mlir::FailureOr<LoopSchedule> takeSchedule(mlir::scf::ForOp loop);

/// Returns the ops of its block that the coordinates of `load` come from, in their order.
llvm::SmallVector<mlir::Operation *> coordinatesOf(tgpu::TmaLoadOp load);

/// Creates the copy of the box that `load` reads, from `start` on, into `slot`, which signals that slot of
/// `barriers`.
tgpu::TmaCopyOp createTmaCopy(mlir::OpBuilder &builder, tgpu::TmaLoadOp load, mlir::ValueRange start,
                              mlir::Value slot, mlir::Value barriers);

} // namespace tegula
