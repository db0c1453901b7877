// The steps of a loop that let its waits end: copies and arrivals at the barriers of a slot, and groups of
// asynchronous copies.
#pragma once

#include "compiler/insight/Insight.h"

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"

#include <optional>
#include <vector>

namespace tegula::insight {

/// Collects the steps of one loop, in the order of `Loop::steps`.
class LoopSignals {
public:
  /// Takes in `op`, which is step `step` of the loop and executed by group `group`.
  void add(mlir::Operation *op, uint32_t step, uint32_t group);
  /// Returns the signals between the steps that were added.
  std::vector<LoopSignal> find() const;

private:
  /// A pipeline state by how many slots it is ahead of the one where it began.
  struct Progress {
    mlir::Value root;
    int64_t slots = 0;
  };
  /// A step at a barrier.
  struct Meeting {
    enum Kind : uint8_t { Fills, Frees, Waits };
    Kind kind = Waits;
    uint32_t step = 0, group = 0;
    mlir::Value barriers;
    Progress progress;
  };
  /// A copy of a group that a commit makes.
  struct AsyncCopy {
    uint32_t step = 0, commit = 0;
  };
  /// A wait for all but the last `pending` groups; the loop's body has `commits` commits in front of it.
  struct AsyncWait {
    uint32_t step = 0, commits = 0, pending = 0;
  };

  static Progress progressOf(mlir::Value slot);
  void meet(Meeting::Kind kind, mlir::Value barriers, mlir::Value slot, uint32_t step, uint32_t group);
  int64_t slotsAhead(const Meeting &meeting) const;
  void findAtBarriers(std::vector<LoopSignal> &found) const;
  void findOfGroups(std::vector<LoopSignal> &found) const;

  std::vector<Meeting> meetings;
  std::vector<AsyncCopy> copies;
  std::vector<AsyncWait> waits;
  uint32_t commits = 0;
};

} // namespace tegula::insight
