// The sixteen barriers of a block (bar, barrier): who has arrived at each, and who waits there.
#pragma once

#include "runtime/emulator/warp/BlockState.h"
#include "runtime/emulator/warp/Warp.h"

#include <array>
#include <span>
#include <string>

namespace tegula::runtime::ptx {

/// Reduction of the predicates of all threads that wait at a `bar.red`, in `Inst::combine`.
enum class BarrierReduction : uint8_t { Count, All, Any };

class Barriers {
public:
  /// `block` and its `warps` must outlive this.
  Barriers(BlockState &block, std::span<Warp> warps) : block(block), warps(warps) {}
  void beginBlock();

  /// A warp arrives at barrier `number` for `threads` threads (0: all of the block); with `waits` it
  /// stops there until the barrier completes.
  void arrive(Warp &warp, uint32_t number, uint32_t threads, bool waits);
  /// Stops expecting the threads of a warp that has ended.
  void warpEnded();
  /// "barrier 0 (64 of 128 threads arrived)"
  std::string describe(uint32_t number) const;

private:
  struct Barrier {
    uint32_t expected = 0; ///< threads of an explicit count, 0: all
    uint32_t arrivedThreads = 0;
    uint32_t arrivedWarps = 0; ///< mask of those arrived
    uint32_t waiting = 0;      ///< mask of those that wait
    Clocks::Clock clock;
  };
  uint32_t liveThreads() const;
  void tryComplete(uint32_t number);
  void finishReduction(Barrier &barrier);

  BlockState &block;
  std::span<Warp> warps;
  std::array<Barrier, barriersPerBlock> barriers;
  uint32_t used = 0; ///< mask of those that the present block has touched
};

} // namespace tegula::runtime::ptx
