// Accesses of a block's shared memory by the other blocks of its cluster. Barriers of the cluster alone order
// them:
//
//     a block's writes    |    others read    |    the block's next writes
//                      barrier             barrier
//
// An access happens before another one in another block where its warp, or one that comes after it, arrives
// with a release at a barrier that the other warp, or one that this comes after, has waited for. So each
// block keeps the clock that its warps have released to each barrier, and its warps know how many barriers
// they come after (`Clocks::barriers`). A warp can be one barrier behind the last: two of those clocks are
// needed.
#pragma once

#include "runtime/emulator/memory/SharedMemory.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace tegula::runtime::ptx {

class ClusterOrder;

/// An earlier access that the present one races with, and the block whose warp it was.
struct ClusterConflict : Conflict {
  const ClusterOrder *block = nullptr;
};

class ClusterOrder {
public:
  /// All must outlive this; the clocks are configured.
  ClusterOrder(Clocks &clocks, SharedMemory &shared) : clocks(clocks), shared(shared) {}
  /// The block is number `rank` of its cluster, and its clocks count barriers; called once they have begun
  /// it.
  void beginBlock(uint32_t rank);
  /// The clocks have restarted.
  void restart();
  uint32_t rank() const { return number; }

  /// A warp has arrived at the barrier; with `releases` what it did before comes before what follows the
  /// barrier.
  void arrive(uint32_t warp, bool releases);
  /// All have arrived.
  void complete();
  /// A warp has waited for the barrier.
  void pass(uint32_t warp);
  uint32_t arrivals(uint32_t warp) const { return warps[warp].arrivals; }
  uint32_t passages(uint32_t warp) const { return warps[warp].passages; }

  /// The block reads or writes its own memory: the first access by another block that this races with.
  ClusterConflict read(const Access &access, uint64_t address, uint32_t count) const;
  ClusterConflict write(const Access &access, uint64_t address, uint32_t count);
  /// The first write by another block to the range that units of the warp need not see, for want of a
  /// `fence.proxy.async`.
  ClusterConflict unpublished(uint32_t warp, uint64_t address, uint32_t count) const;

  /// Another block of the cluster, whose order is `from`, reads or writes this block's memory. With `changes`
  /// the values differ from what is there.
  ClusterConflict readFrom(const ClusterOrder &from, const Access &access, uint64_t address, uint32_t count);
  ClusterConflict writeFrom(const ClusterOrder &from, const Access &access, uint64_t address, uint32_t count,
                            bool changes);

private:
  struct WarpState {
    uint32_t arrivals = 0, passages = 0;
  };
  /// An access by another block.
  struct Mark {
    const ClusterOrder *block = nullptr;
    uint32_t stamp = 0, line = 0, serial = 0, restarts = 0;
    uint32_t warp = 0;
  };
  struct Marks {
    Mark write;
    std::vector<Mark> reads; ///< one a warp
  };

  /// The clock that the block has released to the last barrier, or to the one before.
  const Clocks::Clock &released(bool toLast) const { return toLast ? last : previous; }
  /// Returns true if the warp comes after the last barrier.
  bool knowsLast(uint32_t warp) const { return clocks.barriers(warp) >= completed; }
  /// Returns true if another block's access happens before the present one of this block.
  bool isBefore(const Mark &mark, const Access &access) const;
  Mark markOf(const Access &access) const;
  static ClusterConflict conflictWith(const Mark &mark, bool wasWrite, uint64_t address);
  /// Splits marks so that they fit an access.
  void refine(uint64_t address, uint32_t count);
  /// Calls `visit(marks, address)` until it returns a conflict, for those marks of the range that there are.
  template <typename Visit> ClusterConflict visitMarks(uint64_t address, uint32_t count, Visit visit) const {
    if (marks.empty())
      return {};
    for (uint64_t at = address >> shift; at <= (address + count - 1) >> shift; ++at)
      if (const auto found = marks.find(at); found != marks.end())
        if (const ClusterConflict conflict = visit(found->second, at << shift); conflict.found)
          return conflict;
    return {};
  }

  Clocks &clocks;
  SharedMemory &shared;
  uint32_t number = 0;
  std::vector<WarpState> warps;
  uint32_t completed = 0;                ///< barriers, as `clocks` count them
  uint32_t restarts = 0;                 ///< of the clocks: marks from before are older than anything
  Clocks::Clock pending, last, previous; ///< to the barrier to come, and the two before
  uint32_t shift = 2;                    ///< a mark stands for 1 << shift bytes
  std::unordered_map<uint64_t, Marks> marks;
};

} // namespace tegula::runtime::ptx
