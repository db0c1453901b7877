// The cost of one instruction's accesses: sectors of global memory, banks of shared memory.
#pragma once

#include "runtime/emulator/warp/Access.h"

#include <array>
#include <span>
#include <utility>

namespace tegula::runtime::ptx {

/// Collects the addresses of one request and counts them at the end.
class Traffic {
public:
  void add(uint32_t lane, const Target &target) {
    if (target.space == Space::Global) {
      globalLanes |= 1u << lane;
      global[globals++] = target.allocation->base + target.offset;
    } else if (target.space == Space::Shared) {
      shared[shareds++] = {lane, target.offset};
    }
  }
  /// Adds to the counters of the warp's present instruction. `bytes` is what each lane asked for.
  void count(Warp &warp, uint32_t bytes, bool isStore);

private:
  /// Hands the request to the profile. `addresses` are those of global memory, in the order of the lanes.
  void record(Warp &warp, uint32_t bytes, bool isStore, uint32_t sectors,
              std::span<const uint64_t> addresses) const;
  uint32_t globals = 0, shareds = 0;
  uint32_t globalLanes = 0; ///< a bit each, for `global` in their order
  std::array<uint64_t, lanes> global;
  std::array<std::pair<uint32_t, uint64_t>, lanes> shared;
};

} // namespace tegula::runtime::ptx
