// The registers of a block's threads, which `setmaxnreg` moves between warps.
//
// Each warp begins with its share of the multiprocessor's registers. A quarter of the multiprocessor has
// every fourth warp and registers of its own: what one of these gives back another may take.
#pragma once

#include "runtime/emulator/Hardware.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace tegula::runtime::ptx {

class RegisterPool {
public:
  explicit RegisterPool(uint32_t warps) : of(warps) {}

  void beginBlock() {
    const uint32_t share =
        registersPerMultiprocessor / (uint32_t(of.size()) * lanes) / registerGranule * registerGranule;
    std::fill(of.begin(), of.end(), std::min(share, maxRegisters));
    free.fill(0);
  }
  /// Returns the registers of each thread of `warp`.
  uint32_t registers(uint32_t warp) const { return of[warp]; }
  uint32_t freeFor(uint32_t warp) const { return free[warp % quarters]; }
  /// Gives `warp` so many from now on; false, and nothing changes, as long as there are too few.
  bool change(uint32_t warp, uint32_t count) {
    uint32_t &rest = free[warp % quarters];
    if (rest + of[warp] < count)
      return false;
    rest = rest + of[warp] - count;
    of[warp] = count;
    return true;
  }

  static constexpr uint32_t minRegisters = 24, maxRegisters = 256, registerGranule = 8;

private:
  static constexpr uint32_t quarters = 4;
  std::vector<uint32_t> of;
  std::array<uint32_t, quarters> free{};
};

} // namespace tegula::runtime::ptx
