// Tracks the host memory that a device has mapped: ranges that may overlap, and the islands that they make
// up.
#pragma once

#include "dialect/image/Result.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace tegula::runtime {

/// A range of the host's memory.
struct HostRange {
  uint64_t base = 0, bytes = 0;
  bool isReadOnly = false; ///< to kernels; an island is where all its ranges are
  auto operator<=>(const HostRange &) const = default;
};

/// The `bytes` bytes at `memory`. Errors: InvalidArgument where there are none, or not so many.
Result<HostRange> hostRange(const void *memory, size_t bytes, bool isReadOnly = false);

/// Ranges, each added and removed once. Those that overlap make up one island; those that only touch are
/// apart, so that a kernel which runs off the end of one array is caught.
class HostRanges {
public:
  /// Islands to end and islands to begin, in this order.
  struct Change {
    std::vector<HostRange> ended, begun;
  };
  /// `bytes` is not 0, and the range does not wrap.
  Change add(HostRange range);
  /// Removes a range; whether it is read-only matters only if it was added in both ways. Nothing where the
  /// range was never added, or has been removed.
  std::optional<Change> remove(HostRange range);

  /// Adds or removes a range, and has `memory` adopt and release the islands. Errors: InvalidArgument, and
  /// nothing has changed, where `memory` refuses or the range was never added.
  template <typename Memory> Result<void> map(Memory &memory, HostRange range) {
    if (apply(memory, add(range)))
      return {};
    (void)apply(memory, *remove(range));
    return refused(range);
  }
  template <typename Memory> Result<void> unmap(Memory &memory, HostRange range) {
    const std::optional<Change> change = remove(range);
    return change && apply(memory, *change) ? Result<void>() : notMapped(range);
  }

private:
  template <typename Memory> static bool apply(Memory &memory, const Change &change) {
    for (const HostRange &island : change.ended)
      memory.release(island.base);
    for (const HostRange &island : change.begun)
      if (!memory.adopt(island.base, island.bytes, island.isReadOnly))
        return false;
    return true;
  }
  static Error refused(HostRange range);
  static Error notMapped(HostRange range);
  std::vector<HostRange> islandsOver(HostRange range) const;

  std::map<HostRange, size_t> counts; ///< of each range
};

} // namespace tegula::runtime
