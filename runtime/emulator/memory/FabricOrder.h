// Happens-before between the devices of a fabric, and the accesses of one that race with another's.
//
// All blocks that run between two synchronisations with the host have columns of their own in one wide clock
// (`Clocks`), so that whatever orders two warps hands on what they know of other devices. This adds what
// passes from device to device: signals, which are strong accesses to one address by threads whose scopes
// both reach the other.
#pragma once

#include "runtime/emulator/memory/Clocks.h"
#include "runtime/emulator/memory/WatchedPages.h"

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tegula::runtime::ptx {

/// An access by a thread of the fabric.
struct FabricAccess {
  uint32_t device = 0, launch = 0, block = 0; ///< numbers in the fabric
  uint32_t warp = 0, lane = 0, line = 0;      ///< `line` is the PTX line; 0: none
  uint32_t column = 0, moment = 0;            ///< in the wide clock
  uint64_t time = 0;                          ///< counts accesses of the fabric
  bool strong = false, reachesAll = false;    ///< `reachesAll`: scope `sys`
};

/// Names what would have ordered two accesses.
enum class Missing : uint8_t { Signal, Scope, Release, Acquire, BarrierBefore, BarrierAfter };

/// An earlier access of another device that the present one races with.
struct FabricConflict {
  bool found = false;
  bool wasWrite = false;
  FabricAccess other;
  uint64_t address = 0;
  Missing missing = Missing::Signal;
  FabricAccess signal, wait; ///< what was signalled between the two blocks last, and seen
};

class FabricOrder {
public:
  using Clock = Clocks::Clock;

  /// Forgets everything: the host has waited for `world` devices, which run `blocks` blocks next, each of
  /// `columns` columns.
  void begin(uint32_t world, uint32_t blocks, uint32_t columns);
  uint32_t blockCount() const { return blocks; }
  uint32_t columnCount() const { return columns; }

  /// The next launch of the device begins: it comes after all earlier ones.
  void beginLaunch(uint32_t device) { known[device] = ended[device]; }
  /// A block begins, and comes after the device's earlier launches.
  void beginBlock(uint32_t device, Clocks &clocks) const;
  /// A block has ended.
  void endBlock(uint32_t device, const Clocks &clocks);

  /// Fills in when the access happens. `clocks` are those of its block.
  FabricAccess now(FabricAccess access, const Clocks &clocks);
  FabricConflict read(const FabricAccess &access, const Clocks &clocks, uint64_t address, uint32_t count);
  FabricConflict write(const FabricAccess &access, const Clocks &clocks, uint64_t address, uint32_t count);

  /// A strong read takes over what was released at `address`.
  void wait(const FabricAccess &access, Clocks &clocks, uint64_t address, bool acquires);
  /// A strong write hands on what its warp knows. With `changes` it is what others see there from now on.
  void signal(const FabricAccess &access, const Clocks &clocks, uint64_t address, bool releases,
              bool changes);
  /// The last change of the place at `address` by a strong access; null where there is none.
  const FabricAccess *lastSignal(uint64_t address) const;

  /// Clocks of a block have restarted: marks mean nothing any more.
  void forget();

private:
  struct Mark {
    FabricAccess write;
    std::vector<FabricAccess> reads; ///< none of which comes before another
  };
  struct Place {
    Clock everywhere;                ///< released with scope `sys`
    std::map<uint32_t, Clock> local; ///< released with any scope, by device
    FabricAccess last;
    Clock lastKnew;
    bool lastReleases = false;
  };
  struct Edge {
    FabricAccess signal, wait;
    Clock knew;
    bool releases = false, acquires = false;
  };

  /// Returns whether nothing orders the two, of which one is a write.
  static bool races(const FabricAccess &earlier, const FabricAccess &later, const Clocks &clocks);
  FabricConflict conflict(const FabricAccess &earlier, const FabricAccess &later, bool wasWrite,
                          uint64_t address) const;

  uint32_t blocks = 0, columns = 0;
  uint64_t time = 0;
  /// 8 MiB of the memory that devices share.
  PageBudget budget{size_t(8) << 10};
  WatchedPages<Mark> marks{budget};
  std::unordered_map<uint64_t, Place> places;
  std::map<std::pair<uint32_t, uint32_t>, Edge> edges; ///< the last one, by blocks
  std::vector<Clock> known, ended;                     ///< by device
};

} // namespace tegula::runtime::ptx
