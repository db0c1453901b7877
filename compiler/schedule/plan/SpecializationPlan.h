// Whether a loop's loads are given to warps of their own, how many those are, and what registers pass between
// them and the others.
#pragma once

#include "compiler/schedule/plan/PrefetchPlan.h"

namespace tegula {

/// The slot that an iteration has, and the parity of the phase that it waits for.
struct Turn {
  mlir::Value slot, parity;
};

/// What is filled and read together.
struct Channel {
  mlir::Value full, empty; ///< barriers, one a slot
  llvm::SmallVector<tgpu::AllocOp, 2> buffers;
};

/// The warps of a kernel that only load, and what its loops so far left.
struct SpecializedLoops {
  bool isNested = false; ///< the loop stands in others, and is the only one
  /// What loops round one that was specialised became: they have more to carry, and are not to be pipelined.
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> around;
  tgpu::ProducerOp producer{}; ///< null where there are none
  unsigned slots = 0;
  llvm::SmallVector<Channel, 2> channels;
  Turn filled, read;               ///< behind the last loop
  mlir::Operation *last = nullptr; ///< behind which that has ended
  mlir::Value hasRun{};            ///< where its last slot is not given back yet: whether it has one
};

/// Whether and how a loop's loads are given to warps of their own.
struct Specialization {
  std::string obstacle; ///< why not; empty if they are
  unsigned warps = 1;
  /// Registers of a thread that loads, and of one that computes; none where all have the same.
  std::optional<std::pair<int32_t, int32_t>> registers;
  unsigned blocks = 1; ///< that share a multiprocessor
  /// Whether there are registers for a product that comes late (`LateProducts.h`).
  bool mayBeLate = false;
};

/// Returns the bytes of shared memory that the blocks of a persistent kernel take, in which the buffers of
/// `loop` are in use throughout. The kernel may be none yet.
uint64_t sharedBytesIfPersistent(mlir::scf::ForOp loop, const PrefetchPlan &plan);

/// Decides for `loop`, whose `plan` has no obstacle. `isAsked`: the author wants it (`warp_specialize`),
/// whether it pays or not.
Specialization planSpecialization(mlir::scf::ForOp loop, const PrefetchPlan &plan,
                                  const SpecializedLoops &before, bool isAsked);

} // namespace tegula
