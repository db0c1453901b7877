// Asynchronous work in a loop: the ops that start it, the ops that complete it, and what is held until then.
//
// A thread closes what it started since the last commit into a group. Groups complete in the order of their
// commits, and a wait that leaves n groups pending returns when all but the n committed last are complete. So
// the number that a wait may leave follows from where it and the commits are in the pipelined loop:
//
//     step t     wait 1 | copy a(t + 2), commit | copy b(t + 2), commit | ... a(t) ... | wait 2 | ... b(t)
//     ...
//
// The first wait is for a(t): of what was committed since, b(t), a(t + 1) and b(t + 1) may be pending: 3. The
// second is for b(t), and a(t + 1) to b(t + 2) may be: 4. Most loops have one group an iteration, and one
// wait.
#pragma once

#include "compiler/schedule/pipeline/ModuloSchedule.h"
#include "dialect/tgpu/Tgpu.h"

#include <optional>

namespace tegula {

/// Work of one iteration that completes together. Copies of threads are closed into a group by
/// `tgpu.async_commit` and counted; TMA copies have barriers, one for each slot, and `tgpu.barrier_expect`
/// says how many bytes a phase of one has.
struct AsyncGroup {
  llvm::SmallVector<mlir::Operation *> starts;
  mlir::Operation *commit = nullptr;
  mlir::Operation *wait = nullptr;

  bool isCounted() const { return mlir::isa<tgpu::AsyncCommitOp>(commit); }
};

/// A buffer of several slots, of which each iteration has its own: what fills it is held until all have read.
struct SlottedBuffer {
  mlir::Operation *write = nullptr;
  llvm::SmallVector<mlir::Operation *> reads;
  /// The op that ends the reads, in the iteration after theirs: the wait for products in flight. Null where a
  /// read is done when it has run.
  mlir::Operation *release = nullptr;
  unsigned slots = 1;
  /// The index of the group that fills the slot; none where the write is done when it has run.
  std::optional<unsigned> group;
};

/// The work that is in flight in a loop.
struct AsyncWork {
  llvm::SmallVector<AsyncGroup> groups; ///< in the order of their commits
  llvm::SmallVector<SlottedBuffer> buffers;

  /// Adds what must come before what, so that nothing is read before it is there or replaced while it is
  /// read, and each iteration's work ends in its own groups.
  void addDependences(ScheduleProblem &problem) const;

  /// Returns how many counted groups the wait for group `index`, one of them, may leave pending when the loop
  /// runs by `schedule`: those that are committed between that group and its wait, of the first iteration,
  /// which has the fewest after it.
  unsigned pendingOf(unsigned index, const ModuloSchedule &schedule) const;

  /// Gives each wait for counted groups the number of them that it may leave pending.
  void setPending(const ModuloSchedule &schedule);
  bool hasCounted() const {
    return llvm::any_of(groups, [](const AsyncGroup &group) { return group.isCounted(); });
  }
};

} // namespace tegula
