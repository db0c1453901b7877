// Races on global memory: between the threads of a block as in shared memory, and between blocks where both
// store and the values differ.
//
// Marks lie in pages made where a block touches memory. A page has a mark for every four bytes, until an
// access of one or two bytes splits its marks: most kernels never pay for single bytes. A mark remembers the
// last write and two reads by different warps, which is enough: whoever writes races with one of them if with
// any.
//
// Threads that store the value that is already there race with no store: programs and threads may write one
// result several times over. A warp's store races with its own earlier load only if the load was not done by
// all its lanes at once, for a load is issued for all of them before any goes on.
#pragma once

#include "runtime/emulator/Clocks.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace tegula::runtime::ptx {

class GlobalRaces {
public:
  /// `clocks` must outlive this.
  explicit GlobalRaces(const Clocks &clocks) : clocks(clocks) {}

  void beginBlock();
  /// Drops all marks, before the clocks restart.
  void forgetAccesses();
  /// The block comes after what other blocks stored: it has read what one of them released.
  void orderAfterOtherBlocks() { afterOthers = true; }

  /// Records a read and looks for a racing write. Accesses are aligned and at most 32 bytes.
  Conflict read(const Access &access, uint64_t address, uint32_t count);
  /// Records a write, before the bytes change from `old` to `values`, and looks for racing accesses.
  Conflict write(const Access &access, uint64_t address, uint32_t count, const uint8_t *old,
                 const uint8_t *values);

private:
  struct ReadMark {
    uint32_t stamp = 0, line = 0;
  };
  /// Stamps as in `Clocks`; 0 where there was no access.
  struct Mark {
    uint32_t written = 0, line = 0;
    std::array<ReadMark, 2> reads;
    uint8_t writer = 0;
    std::array<uint8_t, 2> readers{};
    uint8_t flags = 0;
  };
  struct Page {
    uint32_t shift = 2; ///< a mark stands for 1 << shift bytes
    std::vector<Mark> marks;
  };
  enum Flag : uint8_t { StrongWrite = 1, Converged0 = 2, Converged1 = 4 };

  Page *pageOf(uint64_t address, uint32_t count);
  void noteRead(Mark &mark, const Access &access, uint32_t stamp) const;
  Conflict racingRead(const Mark &mark, const Access &access, uint64_t address) const;

  const Clocks &clocks;
  bool afterOthers = false;
  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages;
  /// The pages found last, by the low bits of their number.
  std::array<std::pair<uint64_t, Page *>, 8> recent{};
};

} // namespace tegula::runtime::ptx
