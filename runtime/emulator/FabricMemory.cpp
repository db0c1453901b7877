#include "runtime/emulator/FabricMemory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace tegula::runtime {

using ptx::Allocation;

void FabricMemory::share(Allocation &allocation, uint32_t rank, uint32_t number, bool isPad) {
  allocation.owner = int32_t(rank);
  allocation.isSymmetric = true;
  allocation.isPad = isPad;
  allocation.name =
      isPad ? fmt::format("rank {}'s pad", rank) : fmt::format("rank {}'s array {}", rank, number);
}

void FabricMemory::describe() {
  for (auto first = owners.begin(); first != owners.end();) {
    const auto end = owners.upper_bound(first->first);
    Allocation *const allocation = memory.find(first->first.base);
    const bool isOnes = std::all_of(first, end, [&](const auto &one) { return one.second == first->second; });
    if (allocation && allocation->adopted)
      allocation->owner = isOnes ? int32_t(first->second) : -1;
    first = end;
  }
  for (const Shared &one : shared)
    if (Allocation *const allocation = memory.find(one.range.base))
      share(*allocation, one.rank, one.number, one.isPad);
}

Result<void> FabricMemory::map(uint32_t rank, HostRange range) {
  TRY(ranges.map(memory, range));
  owners.emplace(range, rank);
  describe();
  return {};
}

Result<void> FabricMemory::unmap(uint32_t rank, HostRange range) {
  TRY(ranges.unmap(memory, range));
  const auto [first, end] = owners.equal_range(range);
  if (const auto own = std::find_if(first, end, [&](const auto &one) { return one.second == rank; });
      own != end)
    owners.erase(own);
  describe();
  return {};
}

Result<void> FabricMemory::share(uint32_t rank, uint32_t number, HostRange range, bool isPad) {
  for (const Shared &other : shared)
    if (range.base < other.range.base + other.range.bytes && other.range.base < range.base + range.bytes)
      return Error{ErrorKind::InvalidArgument,
                   fmt::format("rank {} cannot share the {} bytes at {:#x}: rank {} shares them already",
                               rank, range.bytes, range.base, other.rank)};
  TRY(ranges.map(memory, range));
  shared.push_back({range, rank, number, isPad, {}});
  describe();
  return {};
}

void FabricMemory::unshare() {
  for (const Shared &one : shared)
    (void)ranges.unmap(memory, one.range);
  shared.clear();
  describe();
}

void FabricMemory::beforeHost() {
  for (Shared &one : shared) {
    const auto *const bytes = reinterpret_cast<const uint8_t *>(one.range.base);
    one.before.assign(bytes, bytes + one.range.bytes);
  }
}

void FabricMemory::afterHost(
    const std::function<void(const Allocation &, uint64_t address, uint32_t bytes)> &take) {
  for (const Shared &one : shared) {
    const auto *const bytes = reinterpret_cast<const uint8_t *>(one.range.base);
    // An array that was shared meanwhile has nothing to compare with.
    if (one.before.empty() || std::memcmp(one.before.data(), bytes, one.range.bytes) == 0)
      continue;
    const Allocation *const allocation = memory.find(one.range.base);
    const uint64_t step = one.range.base % sizeof(uint32_t) ? 1 : sizeof(uint32_t);
    for (uint64_t at = 0; allocation && at < one.range.bytes; at += step) {
      const uint64_t count = std::min(step, one.range.bytes - at);
      if (std::memcmp(&one.before[at], bytes + at, count) != 0)
        take(*allocation, one.range.base + at, uint32_t(count));
    }
  }
}

} // namespace tegula::runtime
