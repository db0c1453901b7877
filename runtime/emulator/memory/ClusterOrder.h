// Accesses of a block's shared memory by the other blocks of its cluster, and what orders them: barriers of
// the cluster, and mbarriers at which threads of other blocks arrive.
//
//     a block's writes    |    others read    |    the block's next writes
//                      barrier             barrier
//
// An access happens before another one in another block where the clock of that one's warp has its moment
// (`Clocks`, which has columns for all blocks of a cluster). This keeps who of the others accessed what.
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
  /// The block is number `rank` of its cluster; called once the clocks have begun it.
  void beginBlock(uint32_t rank);
  /// The clocks have restarted.
  void restart() { ++restarts; }
  uint32_t rank() const { return number; }

  /// An access by a warp or agent of some block. It names the block by its `ClusterOrder`.
  struct Mark {
    const ClusterOrder *block = nullptr;
    uint32_t stamp = 0, line = 0, serial = 0, restarts = 0;
    uint32_t warp = 0;
  };
  /// The present access of this block; and that of one of its agents, in its present moment.
  Mark markOf(const Access &access) const;
  Mark markOf(const Access &access, uint32_t agent) const;
  /// Returns true if another block's access, or one of an agent, happens before what `warp` of this block
  /// does now.
  bool isBefore(const Mark &mark, uint32_t warp) const;

  /// The block reads or writes its own memory: the first access by another block that this races with.
  ClusterConflict read(const Access &access, uint64_t address, uint32_t count) const;
  ClusterConflict write(const Access &access, uint64_t address, uint32_t count);
  /// The first write to the range by a block other than this one that units of `reader` need not see, a warp
  /// of the block `of`, for want of a `fence.proxy.async`. Where that is another block, this one's own writes
  /// are looked at as well.
  ClusterConflict unpublished(const ClusterOrder &of, uint32_t reader, uint64_t address,
                              uint32_t count) const;

  /// Another block of the cluster, whose order is `from`, reads or writes this block's memory. With `changes`
  /// the values differ from what is there.
  ClusterConflict readFrom(const ClusterOrder &from, const Access &access, uint64_t address, uint32_t count);
  ClusterConflict writeFrom(const ClusterOrder &from, const Access &access, uint64_t address, uint32_t count,
                            bool changes);
  /// The access's agent, which is one of this block, will write there for a warp of the other one.
  ClusterConflict fillFrom(const ClusterOrder &from, const Access &access, uint64_t address, uint32_t count);

private:
  struct Marks {
    Mark write;
    std::vector<Mark> reads; ///< one a warp
  };

  /// The same for its lane `access.lane`, where this block made both accesses.
  bool isBefore(const Mark &mark, const Access &access) const;
  static ClusterConflict conflictWith(const Mark &mark, bool wasWrite, uint64_t address);
  /// The first access of `owner`'s memory by blocks other than it that does not happen before this block's
  /// present write there.
  ClusterConflict overtaken(const ClusterOrder &owner, const Access &access, uint64_t address,
                            uint32_t count) const;
  void forgetMarks(uint64_t address, uint32_t count);
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
  uint32_t restarts = 0; ///< of the clocks: marks from before are older than anything
  uint32_t shift = 2;    ///< a mark stands for 1 << shift bytes
  std::unordered_map<uint64_t, Marks> marks;
};

} // namespace tegula::runtime::ptx
