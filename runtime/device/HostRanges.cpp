#include "runtime/device/HostRanges.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::runtime {

Result<HostRange> hostRange(const void *memory, size_t bytes, bool isReadOnly) {
  const HostRange range{reinterpret_cast<uintptr_t>(memory), bytes, isReadOnly};
  if (!memory || bytes == 0 || range.base > UINT64_MAX - bytes)
    return Error{ErrorKind::InvalidArgument,
                 fmt::format("expected memory of the host, found {} bytes at {:#x}", bytes, range.base)};
  return range;
}

Error HostRanges::refused(HostRange range) {
  return {
      ErrorKind::InvalidArgument,
      fmt::format("cannot map the {} bytes at {:#x}: the device has memory there", range.bytes, range.base)};
}

Error HostRanges::notMapped(HostRange range) {
  return {ErrorKind::InvalidArgument,
          fmt::format("the {} bytes at {:#x} are not mapped", range.bytes, range.base)};
}

/// The islands of all ranges that overlap `range` or what overlaps it, in ascending order.
std::vector<HostRange> HostRanges::islandsOver(HostRange range) const {
  std::vector<HostRange> islands; // of all ranges: there are as many as a launch has arrays
  for (const auto &[one, count] : counts) {
    if (!islands.empty() && one.base - islands.back().base < islands.back().bytes) {
      HostRange &island = islands.back();
      island.bytes = std::max(island.bytes, one.base + one.bytes - island.base);
      island.isReadOnly = island.isReadOnly && one.isReadOnly;
    } else {
      islands.push_back(one);
    }
  }
  std::erase_if(islands, [&](const HostRange &island) {
    return island.base >= range.base + range.bytes || range.base >= island.base + island.bytes;
  });
  return islands;
}

HostRanges::Change HostRanges::add(HostRange range) {
  Change change{islandsOver(range), {}};
  ++counts[range];
  change.begun = islandsOver(range);
  if (change.begun == change.ended)
    return {};
  return change;
}

std::optional<HostRanges::Change> HostRanges::remove(HostRange range) {
  auto found = counts.find(range);
  if (found == counts.end())
    found = counts.find({range.base, range.bytes, !range.isReadOnly});
  if (found == counts.end())
    return std::nullopt;
  Change change{islandsOver(range), {}};
  if (--found->second == 0)
    counts.erase(found);
  change.begun = islandsOver(range);
  if (change.begun == change.ended)
    return Change();
  return change;
}

} // namespace tegula::runtime
