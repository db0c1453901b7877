// The cp.async copies that a block has under way. Groups are each thread's own.
#pragma once

#include "runtime/emulator/Hardware.h"

#include <array>
#include <cstdint>
#include <vector>

namespace tegula::runtime::ptx {

struct Inst;

/// The source bytes are taken when a copy is issued, the shared bytes change when it is waited for.
struct AsyncCopy {
  uint32_t lane, line; ///< who issued it, at which PTX line
  uint32_t group;      ///< number of the lane's group
  uint32_t address, bytes;
  uint32_t sourceBytes;  ///< the rest is zeros
  const uint8_t *source; ///< null where `sourceBytes` is zero
  std::array<uint8_t, 16> data;
  const Inst *inst; ///< that issued it
};

class AsyncCopies {
public:
  explicit AsyncCopies(uint32_t warps) : of(warps) {}

  /// Nothing is under way and no group committed.
  void beginBlock() {
    for (OfWarp &one : of) {
      if (one.used)
        one.committed.fill(0);
      one.used = false;
      one.underWay.clear();
    }
  }
  /// The group that a lane's next copy belongs to: how many it has committed.
  uint32_t openGroup(uint32_t warp, uint32_t lane) const { return of[warp].committed[lane]; }
  void issue(uint32_t warp, const AsyncCopy &copy) {
    of[warp].used = true;
    of[warp].underWay.push_back(copy);
  }
  void commit(uint32_t warp, uint32_t lane) {
    of[warp].used = true;
    ++of[warp].committed[lane];
  }
  /// Takes out, oldest first, the copies of `warp` that `wanted` names, and hands each to `land`.
  template <typename Wanted, typename Land> void take(uint32_t warp, Wanted wanted, Land land) {
    std::erase_if(of[warp].underWay, [&](const AsyncCopy &copy) {
      if (!wanted(copy))
        return false;
      land(copy);
      return true;
    });
  }

private:
  struct OfWarp {
    std::vector<AsyncCopy> underWay; ///< oldest first
    std::array<uint32_t, lanes> committed{};
    bool used = false; ///< by the present block
  };
  std::vector<OfWarp> of;
};

} // namespace tegula::runtime::ptx
