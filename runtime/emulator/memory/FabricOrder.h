// Happens-before between the devices of a fabric, and the accesses of one that race with another's.
//
// Each block that runs between two synchronisations with the host has columns of its own in one wide clock
// (`Clocks`), so that whatever orders two warps hands on what they know of other devices. This adds what
// passes from device to device: signals, which are strong accesses to one address by threads whose scopes
// both reach the other. A device's launches come one after another, and what its host does in between.
#pragma once

#include "runtime/emulator/memory/Clocks.h"
#include "runtime/emulator/memory/WatchedPages.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tegula::runtime::ptx {

/// An access by a thread of the fabric, or by the host of a device.
struct FabricAccess {
  uint64_t time = 0;                          ///< counts accesses of the fabric; 0: there is none
  uint32_t device = 0, launch = 0, block = 0; ///< numbers in the fabric
  uint32_t warp = 0, lane = 0, line = 0;      ///< `line` is the PTX line
  uint32_t column = 0, moment = 0;            ///< in the wide clock
  /// Among the launches of the device and what its host does in between: 2n + 1 for its nth launch.
  uint32_t turn = 0;
  /// The time of the last signal or wait of its block that it comes after, 0: of none.
  uint64_t follows = 0;
  bool strong = false, reachesAll = false; ///< `reachesAll`: scope `sys`
  bool isHost = false;                     ///< `launch`, `block`, `warp`, `lane` and `line` mean nothing
};

/// Names what would have ordered two accesses.
enum class Missing : uint8_t { Signal, ClosingWait, Scope, Release, Acquire, BarrierBefore, BarrierAfter };

/// Two accesses of different devices that nothing orders, of which one is a write.
struct FabricConflict {
  bool found = false;
  bool wasWrite = false, isWrite = false; ///< the earlier one, in time, and the later one
  FabricAccess earlier, later;
  uint64_t address = 0;
};

/// Says what is missing between two accesses: from `signal`, by the device of the one that should come first,
/// to `wait`, by the other's. Both are empty where the two devices have no such signal between them.
struct FabricReason {
  Missing missing = Missing::Signal;
  FabricAccess signal, wait;
};

class FabricOrder {
public:
  using Clock = Clocks::Clock;

  /// Forgets everything: the host has waited for all `world` devices.
  void begin(uint32_t world);
  /// The columns of all blocks so far, and those of the hosts.
  uint32_t columnCount() const { return columns; }
  /// Adds columns for blocks to come, and gives the first.
  uint32_t addColumns(uint32_t count);

  /// The next launch of the device begins: it comes after all earlier ones, and what its host has done.
  void beginLaunch(uint32_t device);
  /// A block begins, and comes after the device's earlier launches.
  void beginBlock(uint32_t device, Clocks &clocks) const;
  /// A block has ended. What its relaxed waits have seen comes before the device's next launch, as a launch
  /// begins with what is there.
  void endBlock(uint32_t device, Clocks &clocks);

  /// Fills in when the access happens. `clocks` are those of its block.
  FabricAccess now(FabricAccess access, const Clocks &clocks);
  FabricConflict read(const FabricAccess &access, const Clocks &clocks, uint64_t address, uint32_t count);
  FabricConflict write(const FabricAccess &access, const Clocks &clocks, uint64_t address, uint32_t count);
  /// The first write to the range by a device other than `device` that units of its `warp` need not see,
  /// though it comes after it, for want of a `fence.proxy.async`; null for none.
  const FabricAccess *unpublished(uint32_t device, uint32_t warp, const Clocks &clocks, uint64_t address,
                                  uint32_t count);
  /// The host of `device` has written while none of its launches ran.
  FabricConflict hostWrote(uint32_t device, uint64_t address, uint32_t count);

  /// A strong read takes over what was released at `address`. A new pair of a signal and a wait may say what
  /// is missing between accesses that raced before.
  void wait(const FabricAccess &access, Clocks &clocks, uint64_t address, bool acquires);
  /// A strong write hands on what its warp knows. With `changes` it is what others see there from now on.
  void signal(const FabricAccess &access, const Clocks &clocks, uint64_t address, bool releases,
              bool changes);
  /// The last change of the place at `address` by a strong access; null where there is none.
  const FabricAccess *lastSignal(uint64_t address) const;

  /// Says what is missing, by the signals so far. Others that come may tell more where the answer is `Signal`
  /// or `ClosingWait`.
  FabricReason reasonOf(const FabricConflict &conflict) const;
  /// Counts the signals that have been seen: reasons are the same until it grows.
  uint64_t signalsSeen() const { return seen; }

  /// Clocks of a block have restarted: marks mean nothing any more.
  void forget();

private:
  struct Mark {
    FabricAccess write;
    std::vector<FabricAccess> reads; ///< none of which comes before another
  };
  /// A signal or a wait, and what its warp knew then of its own block: `knew[i]` of column `first` + i.
  struct SyncPoint {
    FabricAccess access;
    uint32_t first = 0;
    std::vector<uint32_t> knew;
    bool orders = false; ///< a signal that releases, a wait that acquires
  };
  struct Place {
    Clock everywhere;                ///< released with scope `sys`
    std::map<uint32_t, Clock> local; ///< released with any scope, by device
    SyncPoint last;
  };
  /// A signal that another device has seen.
  struct Edge {
    SyncPoint signal, wait;
  };
  /// The last signals and waits of a block, which its accesses may follow.
  struct Stamp {
    uint64_t time;
    uint32_t column, moment;
  };
  enum class Relation : uint8_t { Before, After, Unordered };

  /// Returns whether nothing orders the two, of which one is a write. `known` is what the later one's thread
  /// knows of the earlier one's column.
  static bool races(const FabricAccess &earlier, const FabricAccess &later, uint32_t known);
  /// Says how an access lies to a signal or wait of the same device.
  static Relation relation(const FabricAccess &access, const SyncPoint &point);
  /// Says what is missing between `first` and `second` where this signal should have ordered them; nothing
  /// where it is not between them.
  static std::optional<Missing> missingAt(const Edge &edge, const FabricAccess &first,
                                          const FabricAccess &second);
  std::optional<FabricReason> reasonBetween(const FabricAccess &first, const FabricAccess &second) const;
  /// Returns true if the reader had waited for a signal of the writer's device before it read, which was sent
  /// before the write: so the write is the one that came too early.
  bool isOverwritten(const FabricAccess &read, const FabricAccess &write) const;
  SyncPoint pointOf(const FabricAccess &access, const Clocks &clocks, bool orders);
  template <typename Known>
  FabricConflict writeBy(const FabricAccess &access, uint64_t address, uint32_t count, Known known);

  uint32_t columns = 0;
  uint64_t time = 0, seen = 0;
  /// 8 MiB of the memory that devices share.
  PageBudget budget{size_t(8) << 10};
  WatchedPages<Mark> marks{budget};
  std::unordered_map<uint64_t, Place> places;
  std::map<std::pair<uint32_t, uint32_t>, std::deque<Edge>> edges; ///< by blocks, the last few of each
  std::unordered_map<uint32_t, std::deque<Stamp>> stamps;          ///< by block
  std::vector<Clock> known, ended;                                 ///< by device
  std::vector<uint32_t> turns;                                     ///< by device
};

} // namespace tegula::runtime::ptx
