// Races on global memory between the threads of a block, as in shared memory.
//
// A mark remembers the last write and two reads by different warps, which is enough: a write races with one
// of them if with any. Each block that is resident keeps marks of its own, so that what others do to the same
// bytes meanwhile hides nothing.
//
// Threads that store the value that is already there race with no store: programs and threads may write one
// result several times over. A warp's store races with its own earlier load only if the load was not done by
// all its lanes at once, for a load is issued for all of them before any goes on.
#pragma once

#include "runtime/emulator/memory/Clocks.h"
#include "runtime/emulator/memory/WatchedPages.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace tegula::runtime::ptx {

class GlobalRaces {
public:
  /// `clocks` and `budget` must outlive this.
  GlobalRaces(const Clocks &clocks, PageBudget &budget) : clocks(clocks), budget(budget), pages(budget) {}

  void beginBlock();
  /// Drops all marks, before the clocks restart.
  void forgetAccesses() { pages.clear(); }

  /// Records a read and looks for a racing write. Accesses are aligned and of at most `maxAccessBytes`.
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
  enum Flag : uint8_t { StrongWrite = 1, Converged0 = 2, Converged1 = 4 };

  void noteRead(Mark &mark, const Access &access, uint32_t stamp) const;
  Conflict racingRead(const Mark &mark, const Access &access, uint64_t address) const;

  const Clocks &clocks;
  const PageBudget &budget;
  WatchedPages<Mark> pages;
};

} // namespace tegula::runtime::ptx
