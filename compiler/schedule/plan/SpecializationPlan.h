// Decides whether a producer makes a loop's loads, by how many warps, and which registers pass between it and
// the consumers.
#pragma once

#include "compiler/schedule/plan/PrefetchPlan.h"

#include "llvm/ADT/DenseSet.h"

namespace tegula {

/// The producer warps of a kernel, as planned with its loops so far.
struct PlannedRoles {
  bool isAny = false;
  llvm::SmallVector<mlir::scf::ForOp> round; ///< the loops around each of its loops, the outermost first
  /// Loops around one whose loads are given away: they have more to carry, and are not to be pipelined.
  llvm::DenseSet<mlir::Operation *> around;
  unsigned slots = 0;
  std::vector<llvm::SmallVector<tgpu::AllocOp, 2>> buffers; ///< by the group that each is filled in

  /// The most registers that a loop of products takes whose loads are not given away, estimated: its threads
  /// have no more than those of the producer warps.
  uint32_t registersElsewhere = 0;

  /// Adds `loop`, planned as `plan` says.
  void add(mlir::scf::ForOp loop, const PrefetchPlan &plan);
};

/// Returns whether a thread alone can compute where `box` begins.
bool canPlaceAlone(const Box &box);

/// Describes how a loop's loads are given to producer warps.
struct Specialization {
  unsigned warps = 1;
  /// Registers of a thread that loads, and of one that computes; none where all have the same.
  std::optional<std::pair<int32_t, int32_t>> registers;
  unsigned blocks = 1; ///< that share a multiprocessor
  /// True if there are registers for a product that starts in the next iteration (`OverlapPlan.h`).
  bool mayBeLate = false;
};

/// Decides for `loop`, which is pipelined by `plan`. `isAsked`: the author wants it (`warp_specialize`),
/// whether it pays or not.
Decision<Specialization> planSpecialization(mlir::scf::ForOp loop, const PrefetchPlan &plan,
                                            PlannedMemory &memory, const PlannedRoles &before, bool isAsked);

} // namespace tegula
