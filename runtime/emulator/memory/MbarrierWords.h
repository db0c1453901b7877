// The places of mbarriers in a block's shared memory: only mbarrier instructions may touch those bytes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

namespace tegula::runtime::ptx {

inline constexpr uint32_t mbarrierBytes = 8;

class MbarrierWords {
public:
  void beginBlock() {
    lines.clear();
    low = ~0u;
    high = 0;
  }
  /// The instruction at PTX line `line` initialises an mbarrier at `address`.
  void add(uint32_t address, uint32_t line) {
    lines.emplace(address, line);
    low = std::min(low, address);
    high = std::max(high, address + mbarrierBytes);
  }
  void remove(uint32_t address) { lines.erase(address); }

  /// The PTX line that initialised an mbarrier of which the range has a byte, or 0.
  uint32_t lineAt(uint32_t address, uint32_t count) const {
    if (address + count <= low || address >= high)
      return 0;
    const auto next = lines.lower_bound(address + count);
    return next != lines.begin() && std::prev(next)->first + mbarrierBytes > address ? std::prev(next)->second
                                                                                     : 0;
  }

private:
  std::map<uint32_t, uint32_t> lines; ///< by address
  uint32_t low = ~0u, high = 0;       ///< all of them lie between
};

} // namespace tegula::runtime::ptx
