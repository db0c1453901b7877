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
  void add(const Target &target, uint64_t address) {
    if (target.space == Space::Global) {
      globalLanes |= 1u << present;
      global[globals++] = address;
    } else if (target.space == Space::Shared)
      shared[shareds++] = {lane(), target.offset};
  }
  void setLane(uint32_t lane) { present = lane; }
  /// Adds to the counters of the warp's present instruction. `bytes` is what each lane asked for.
  void count(Warp &warp, uint32_t bytes, bool isStore);

private:
  uint32_t lane() const { return present; }
  /// Hands the request to the profile. `addresses` are those of global memory, in the order of the lanes.
  void record(Warp &warp, uint32_t bytes, bool isStore, uint32_t sectors,
              std::span<const uint64_t> addresses) const;
  uint32_t present = 0, globals = 0, shareds = 0;
  uint32_t globalLanes = 0; ///< a bit each, for `global` in their order
  std::array<uint64_t, lanes> global;
  std::array<std::pair<uint32_t, uint64_t>, lanes> shared;
};

/// Number of 32-byte sectors that accesses of `bytes` bytes at `addresses` touch. Sorts them.
uint32_t countSectors(std::span<uint64_t> addresses, uint32_t bytes, uint32_t &ideal);
/// Passes over the banks that these lanes need without a conflict.
uint32_t countLeastPasses(std::span<const std::pair<uint32_t, uint64_t>> accesses, uint32_t bytes);
/// Passes beyond the least that 32 banks of 4 bytes need for these (lane, address) pairs.
uint32_t countBankConflicts(std::span<const std::pair<uint32_t, uint64_t>> accesses, uint32_t bytes);

} // namespace tegula::runtime::ptx
