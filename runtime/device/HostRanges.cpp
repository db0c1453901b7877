#include "runtime/device/HostRanges.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::runtime {

Result<HostRange> hostRange(const void *memory, size_t bytes) {
  const HostRange range{reinterpret_cast<uintptr_t>(memory), bytes};
  if (!memory || bytes == 0 || range.base > UINT64_MAX - bytes)
    return Error{ErrorKind::InvalidArgument,
                 fmt::format("expected memory of the host, found {} bytes at {:#x}", bytes, range.base)};
  return range;
}

/// The islands of all ranges that overlap `range` or what overlaps it, in ascending order.
std::vector<HostRange> HostRanges::islandsOver(HostRange range) const {
  std::vector<HostRange> islands; // of all ranges: there are as many as a launch has arrays
  for (const auto &[place, count] : counts) {
    const auto [base, bytes] = place;
    if (!islands.empty() && base - islands.back().base < islands.back().bytes)
      islands.back().bytes = std::max(islands.back().bytes, base + bytes - islands.back().base);
    else
      islands.push_back({base, bytes});
  }
  std::erase_if(islands, [&](const HostRange &island) {
    return island.base >= range.base + range.bytes || range.base >= island.base + island.bytes;
  });
  return islands;
}

HostRanges::Change HostRanges::add(HostRange range) {
  Change change{islandsOver(range), {}};
  ++counts[{range.base, range.bytes}];
  change.begun = islandsOver(range);
  if (change.begun == change.ended)
    return {};
  return change;
}

std::optional<HostRanges::Change> HostRanges::remove(HostRange range) {
  const auto found = counts.find({range.base, range.bytes});
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
