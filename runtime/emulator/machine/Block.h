// One block of threads: its warps and the units that work for them, and whose turn it is.
#pragma once

#include "runtime/emulator/Random.h"
#include "runtime/emulator/async/AsyncCopies.h"
#include "runtime/emulator/async/BulkCopies.h"
#include "runtime/emulator/async/GroupProducts.h"
#include "runtime/emulator/async/Mbarriers.h"
#include "runtime/emulator/async/RegisterPool.h"
#include "runtime/emulator/machine/Barriers.h"
#include "runtime/emulator/machine/Cluster.h"
#include "runtime/emulator/warp/BlockState.h"
#include "runtime/emulator/warp/Warp.h"

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace tegula::runtime::ptx {

class Block final : public BlockState {
  std::vector<Warp> warps; // the parts below know where they lie

public:
  explicit Block(LaunchContext &launch);

  /// Becomes the block with index (x, y, z), the `number`th of the launch to begin, of a cluster where the
  /// launch has them.
  void begin(std::array<uint32_t, 3> blockIndex, BlockRaces::BlockNumber number,
             std::shared_ptr<Cluster> joined);
  /// The end of a run. `Waits`: the warps make no progress until another block acts. `Deadlock`: all warps
  /// wait and nothing will wake them. `Interrupted`: the launch was cancelled.
  enum class Outcome : uint8_t { Ran, Waits, Ended, Deadlock, Fault, Interrupted };
  /// Gives the warps up to `turns` turns.
  Outcome run(uint64_t turns);
  /// Returns true if all warps that can run have shown nothing new for a while.
  bool seemsStuck() const;

  AsyncCopies asyncCopies;
  GroupProducts products;
  Mbarriers mbarriers;
  BulkCopies bulkCopies;
  RegisterPool registers;
  Barriers barriers;
  std::shared_ptr<Cluster> ownCluster; ///< null where the launch has none

  std::span<Warp> allWarps() { return warps; }
  uint32_t writerOf(uint32_t warp, Row row) const override { return products.writerOf(warp, row); }

  /// True one time in `times`; never in the natural order of things, seed 0.
  bool chance(uint64_t times) { return launch.seed && random.below(times) == 0; }
  /// A warp asks for an mbarrier that is not there yet and does not rest: copies should come.
  void polled() { wasPolled = true; }

private:
  /// One turn of one of the `ready` warps, which is returned.
  Warp &takeTurn();
  /// Runs a warp as `Warp::run` does, and tells the observer of each instruction.
  void runObserved(Warp &warp, uint64_t quantum);
  uint32_t pickWarp();
  /// Copies come that may come by now. False once the launch has a fault.
  bool landCopies();
  /// Warps that wait for an mbarrier wait no longer. False where there are none.
  bool timeOut();
  /// Finds the `ready` warps. False where all have ended.
  bool findReady();
  /// All warps have ended: the units' last words.
  Outcome end();
  /// Returns whether a warp waits for other blocks of the cluster.
  bool waitsForCluster() const;

  Random random{0};
  std::vector<uint64_t> ranks; ///< of the warps; empty in the natural order
  std::vector<uint32_t> ready; ///< warps that can run; the memory is kept from turn to turn
  bool wasPolled = false;      ///< see `polled`
};

/// The columns that a block of the launch has in clocks.
uint32_t clockColumns(const LaunchContext &launch);

/// The block whose warp an instruction's handler is given.
inline Block &blockOf(Warp &warp) { return static_cast<Block &>(*warp.block); }

} // namespace tegula::runtime::ptx
