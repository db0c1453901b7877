// Finds out when all that is resident goes round without end: the warps only come back to states that they
// have been in, and nothing else happens.
//
// A warp's state is hashed where it jumps backwards, now and then: where it is, its lanes, registers and
// frames. A warp that gets somewhere keeps showing new states, if only in a counter; one that waits for what
// never comes shows old ones. Loops that count upwards for ever are left to the limit on instructions.
//
// Time is cut into *epochs*: whatever is new begins one, and warps must have shown nothing new since. A warp
// that stands at a barrier shows nothing at all. It counts as stuck if it has not run for a whole *round*,
// the time in which every other warp has been round several times.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_set>

namespace tegula::runtime::ptx {

struct Inst;

/// State of one warp for the detector. Everything starts anew with its block.
struct SpinWatch {
  uint64_t epoch = 0;      ///< that `repeats` are counted in
  uint64_t round = 0;      ///< in which the warp ran last
  uint32_t repeats = 0;    ///< samples in a row that showed nothing new
  uint32_t nextSample = 0; ///< in instructions of the warp
  uint32_t lastSample = 0, sampleBefore = 0;
  uint32_t readSerial = 0;
  const Inst *read = nullptr; ///< the last read of memory, which was instruction `readSerial`
  const Inst *loop = nullptr; ///< the last jump backwards that was sampled
  /// The last read of memory that ranks of a fabric share, which was instruction `polledSerial`: the result
  /// may have come to the loop by shared memory.
  const Inst *polled = nullptr;
  uint32_t polledSerial = 0;
  uint64_t address = 0;             ///< of that
  uint32_t bytes = 0;               ///< that it reads there
  std::optional<uint64_t> expected; ///< by its comparison
  std::optional<uint32_t> mbarrier; ///< that the last wait at one has not found completed
  bool sampled = false;             ///< a sample has been taken since this was cleared
};

class SpinDetector {
public:
  /// The warp is about to run.
  void runs(SpinWatch &watch) const { watch.round = round; }
  /// The warp has jumped backwards at `jump`, and a sample is due. `hash` is of its state and who it is,
  /// `serial` counts its instructions.
  void sample(SpinWatch &watch, uint64_t hash, uint32_t serial, const Inst &jump);
  /// A warp of the `block`th block writes `count` bytes to memory that differ from the old ones.
  void writes(uint32_t block, uint64_t address, const uint8_t *values, uint32_t count);
  /// Something has happened that no state of a warp shows.
  void progressed() { ++epoch; }

  /// Returns true if writes by the warp matter: only a warp that shows nothing else new is asked.
  static bool watchesWrites(const SpinWatch &watch) { return watch.repeats >= repeatsToWatch; }
  /// Returns true if the warp, which can run, seems to make no progress: good enough to let others run first.
  bool seemsStuck(const SpinWatch &watch) const { return repeatsOf(watch) >= repeatsToPark; }
  /// A warp that has not ended, and whether it can run.
  struct Candidate {
    SpinWatch *watch;
    bool mayRun;
  };
  /// Returns true if none of the warps, which are all that is resident, will ever make progress.
  bool areStuck(std::span<const Candidate> warps);

private:
  static constexpr uint32_t repeatsToWatch = 1, repeatsToPark = 2, repeatsInRound = 4, repeatsToEnd = 16;
  uint32_t repeatsOf(const SpinWatch &watch) const { return watch.epoch == epoch ? watch.repeats : 0; }
  bool isNew(uint64_t hash);

  std::unordered_set<uint64_t> seen;
  uint64_t epoch = 1, round = 1;
};

} // namespace tegula::runtime::ptx
