// The one address space of a fabric's devices: whose memory is whose, what ranks share, and what their hosts
// change in it.
#pragma once

#include "runtime/device/HostRanges.h"
#include "runtime/emulator/memory/GlobalMemory.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tegula::runtime {

class FabricMemory {
public:
  explicit FabricMemory(uint64_t bytes) : memory(bytes) {}

  ptx::GlobalMemory memory;

  /// Lets all ranks touch an allocation, rank `rank`'s part of array number `number`.
  static void share(ptx::Allocation &allocation, uint32_t rank, uint32_t number, bool isPad);

  /// Maps memory of the host for `rank`; several may map the same. Errors: InvalidArgument.
  Result<void> map(uint32_t rank, HostRange range);
  Result<void> unmap(uint32_t rank, HostRange range);
  /// Maps memory of the host as rank `rank`'s part of array number `number`, for all ranks. Errors:
  /// InvalidArgument, also where it overlaps what is shared already.
  Result<void> share(uint32_t rank, uint32_t number, HostRange range, bool isPad);
  /// Ends all that `share` has mapped.
  void unshare();

  /// Remembers what the shared arrays of the host hold.
  void beforeHost();
  /// Calls `take` for each range of them that has changed since.
  void afterHost(const std::function<void(const ptx::Allocation &, uint64_t address, uint32_t bytes)> &take);

private:
  struct Shared {
    HostRange range;
    uint32_t rank, number;
    bool isPad;
    std::vector<uint8_t> before; ///< its contents when a host went on last
  };
  /// Says again what is known of the allocations that memory of the host has become.
  void describe();

  HostRanges ranges;
  std::multimap<HostRange, uint32_t> owners; ///< ranks by what they have mapped
  std::vector<Shared> shared;
};

} // namespace tegula::runtime
