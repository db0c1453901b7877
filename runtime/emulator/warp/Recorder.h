// Records what a profile has besides counters. Launches without one have no recorder, and their instructions
// are as they were decoded.
#pragma once

#include "runtime/emulator/Profile.h"
#include "runtime/emulator/ptx/Module.h"

#include <array>
#include <cstdint>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

namespace tegula::runtime::ptx {

/// A lane and the address that it accesses.
using LaneAddress = std::pair<uint32_t, uint64_t>;

class Recorder {
public:
  /// Gives each instruction of `module` a place of its own, so that counters by place are counters by
  /// instruction, and lets those that are events log themselves.
  explicit Recorder(Module &module);

  /// Counts a request of the warp's present instruction, of so many sectors. `accesses` are in the order of
  /// the lanes.
  void global(const Warp &warp, std::span<const LaneAddress> accesses, uint32_t bytes, uint32_t sectors);
  /// The same in shared memory, where it would take `leastPasses`.
  void shared(uint32_t place, std::span<const LaneAddress> accesses, uint32_t bytes, bool isStore,
              uint64_t leastPasses);
  /// Carries out an event, and logs it where its block is the one that is followed.
  void event(Warp &warp, const Inst &inst);

  bool isRecording = true; ///< false for runs that do not count

  /// Forgets what was recorded.
  void reset();
  /// Returns the profile of counters by place, which the caller has kept.
  KernelProfile profile(std::span<const Counters> counters) const;

private:
  /// The last requests of a warp at one instruction.
  struct LastRequests {
    uint64_t block = ~uint64_t(0);
    uint32_t next = 0;
    std::array<uint64_t, 4> digests{};

    /// Takes the newest in, and returns whether there was one like it.
    bool repeat(uint64_t ofBlock, uint64_t digest);
  };
  struct Record {
    uint32_t line = 0;
    bool isLoad = false; ///< one that waits for no other thread
    bool isUpdate = false;
    Handler handler = nullptr; ///< of an event
    uint16_t kind = 0;         ///< likewise
    bool isStore = false;
    uint64_t sharedPassesLeast = 0, repeatedSectors = 0, atomicChanges = 0;
    std::vector<AccessPattern> global, shared;
    std::vector<LastRequests> last; ///< by warp
    std::unordered_set<uint64_t> elements;
  };
  std::vector<Record> records; ///< by place
  bool hasFollowed = false;
  uint64_t followedNumber = 0;
  std::array<uint32_t, 3> followedIndex{};
  std::vector<BlockEvent> events;
  uint64_t dropped = 0;
};

} // namespace tegula::runtime::ptx
