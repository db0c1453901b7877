// One launch: which of its blocks is resident and runs when.
#pragma once

#include "runtime/emulator/Random.h"
#include "runtime/emulator/machine/Block.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace tegula::runtime::ptx {

/// The blocks that are resident, and whose turn it is.
///
/// In the natural order (seed 0) a block runs until it ends, or until its warps only wait: then the next one
/// begins, as long as one fits, and the waiting one is asked again from time to time. Any other seed picks
/// how many blocks are resident from the start and changes between them at random; more begin when all of
/// those wait.
class Schedule {
public:
  explicit Schedule(LaunchContext &launch);

  /// Runs all blocks. False when there was a fault or an interruption.
  bool run();

  enum class Step : uint8_t { Goes, Waits, Done, Failed };
  /// Gives one block one slice, where other launches run side by side.
  Step step();
  /// Adds what is resident. False where blocks may begin, or one will end when it is asked next.
  bool addWaiting(std::vector<Block *> &blocks, std::vector<SpinDetector::Candidate> &warps,
                  uint64_t &notBegun);

private:
  struct Resident {
    std::unique_ptr<Block> block;
    bool waits = false;      ///< its warps went nowhere when it ran last
    uint32_t timesAsked = 0; ///< of which each ended in waiting
    uint64_t askAt = 0;      ///< the slice from which on it is worth asking again
  };
  /// Blocks that a seed other than 0 runs at once, when they do not wait for more: enough for all orders of a
  /// few to come up, and few enough for their registers to stay in the host's cache.
  static constexpr uint64_t mostAtOnce = 8;
  /// A waiting block is asked after 1, 2, 4, ... other slices, at most this many, so that one that waits for
  /// a million others does not cost a million visits.
  static constexpr uint32_t mostDoublings = 6;

  /// A cluster begins where all of it fits, and then its other blocks may follow.
  bool canBegin() const {
    const uint64_t each = launch.clusterBlocks;
    return begun < count && (begun % each != 0 || residents.size() + ended.size() + each <= fit);
  }
  Resident &beginNext();
  Resident *pickInOrder();
  Resident *pickAtRandom();
  bool runSlice(Resident &resident);
  Block &toBlame(Block &waiting);
  void remove(Resident &resident);
  bool reportIfStuck();

  LaunchContext &launch;
  Random random;
  const uint64_t count, fit;
  uint64_t begun = 0, slices = 0, atOnce = 1;
  bool asks = false;               ///< whether blocks that wait come before those that have not begun
  std::vector<Resident> residents; ///< in the order in which they began
  std::vector<std::unique_ptr<Block>> ended;  ///< of clusters that have not
  std::vector<std::unique_ptr<Block>> unused; ///< for blocks to come
  std::shared_ptr<Cluster> beginning; ///< of which the last block belongs to; null where there are none
};

/// Runs all blocks of `launch`, in an order that the seed picks. False when there was a fault or an
/// interruption.
bool runLaunch(LaunchContext &launch);

} // namespace tegula::runtime::ptx
