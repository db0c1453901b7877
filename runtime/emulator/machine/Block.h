// One block of threads: its warps, barriers, shared memory and copies under way.
#pragma once

#include "runtime/emulator/Random.h"
#include "runtime/emulator/async/AsyncCopies.h"
#include "runtime/emulator/async/BulkCopies.h"
#include "runtime/emulator/async/GroupProducts.h"
#include "runtime/emulator/async/Mbarriers.h"
#include "runtime/emulator/async/RegisterPool.h"
#include "runtime/emulator/machine/Launch.h"
#include "runtime/emulator/memory/Clocks.h"
#include "runtime/emulator/memory/GlobalRaces.h"
#include "runtime/emulator/memory/SharedMemory.h"
#include "runtime/emulator/warp/Warp.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace tegula::runtime::ptx {

struct Target;

class Block {
public:
  explicit Block(LaunchContext &launch);
  Block(const Block &) = delete; // its parts know where it lies
  Block &operator=(const Block &) = delete;

  /// Becomes the block with index (x, y, z), the `number`th of the launch to begin.
  void begin(std::array<uint32_t, 3> blockIndex, BlockRaces::BlockNumber number);
  /// How a run came to its end. `Waits`: the warps seem to go nowhere until another block does something.
  /// `Interrupted`: the launch is to be given up.
  enum class Outcome : uint8_t { Ran, Waits, Ended, Fault, Interrupted };
  /// Gives the warps up to `turns` turns.
  Outcome run(uint64_t turns);

  LaunchContext &launch;
  Clocks clocks;
  SharedMemory shared;
  GlobalRaces globals;
  AsyncCopies asyncCopies;
  GroupProducts products;
  BulkCopies bulkCopies;
  Mbarriers mbarriers;
  RegisterPool registers;

  BlockRaces::BlockNumber number() const { return sequence; }
  std::span<Warp> allWarps() { return warps; }

  Counters *counters() { return launch.counters.data(); }
  void spend(uint64_t instructions) {
    launch.instructionsLeft -=
        instructions < launch.instructionsLeft ? instructions : launch.instructionsLeft;
  }
  /// The value of a special register that does not change while a block runs.
  uint64_t specialValue(Special which, uint32_t warp, uint32_t lane) const;
  /// Whether that value differs from block to block of a launch.
  static bool differs(Special which) {
    return which == Special::CtaidX || which == Special::CtaidY || which == Special::CtaidZ;
  }
  /// A clock that moves with every instruction of the launch.
  uint64_t time() const { return launch.instructionLimit - launch.instructionsLeft; }

  /// Rows that one warp may have on its stack of frames.
  uint64_t maxRows() const { return maxRegisterBytes / (lanes * sizeof(uint64_t)) / warps.size(); }

  /// Whether values must be defined and memory initialised.
  bool checksInitialised() const { return launch.checks.uninitialised; }

  void reportFault(const Warp &warp, uint32_t lane, const std::string &text);
  /// A read of memory that nobody has written. It may be that a barrier is missing and the write comes yet,
  /// so this is the fault only if no race shows before the next fault or the end of the block.
  void reportUnwritten(const Warp &warp, uint32_t lane, const std::string &text);
  bool hasUnwritten() const { return !unwritten.empty(); }
  /// A race is about to be reported: it explains the read of unwritten memory before it.
  void forgetUnwritten() { unwritten.clear(); }
  void warpEnded(Warp &warp);

  /// A warp arrives at barrier `number` for `threads` threads (0: all of the block); with `waits` it
  /// stops there until the barrier completes.
  void arrive(Warp &warp, const Inst &inst, uint32_t number, uint32_t threads, bool waits);
  /// The warp stops in front of its present instruction, which it executes anew once it is woken.
  void rest(Warp &warp, Warp::Rest what, uint32_t at);
  /// All warps go on that rest there.
  void wake(Warp::Rest what, uint32_t at);
  /// True one time in `times`; never in the natural order of things, seed 0.
  bool chance(uint64_t times) { return launch.seed && random.below(times) == 0; }
  /// A warp asks for an mbarrier that is not there yet and does not rest: copies should come.
  void polled() { wasPolled = true; }
  /// Starts a new moment of an agent.
  uint32_t nextMoment(uint32_t agent);
  /// What a strong access at `target` learns and hands on, by the order that `inst` names. The caller ticks
  /// once the instruction is done.
  void synchronizeAt(Warp &warp, const Inst &inst, const Target &target, bool reads, bool writes);
  void fence(Warp &warp);
  /// Looks for races of a store to global memory, within the block and with other blocks.
  Conflict writeGlobal(const Access &access, uint64_t address, uint32_t count, const uint8_t *old,
                       const uint8_t *values);
  /// A warp has jumped backwards, and its state is to be looked at.
  void sample(Warp &warp, const Inst &jump);
  /// Starts a new moment of the warp.
  void tick(const Warp &warp);

  /// "thread 3 of warp 1" style names for messages: the thread index in the block.
  std::string threadName(uint32_t warp, uint32_t lane) const;
  /// "add.py:12" for the source line that PTX line `line` came from, and the PTX line itself.
  std::string placeName(uint32_t line) const;
  /// `block (1,0,0)`, and which program of those that share it.
  std::string blockName(uint32_t warp) const;
  /// Where the warps that are not done stand, those at one place together.
  struct Waiting {
    const Inst *at;
    uint32_t warp;                  ///< the first of the warps
    std::optional<Warp::Rest> what; ///< none where they go round in a loop
    uint32_t where = 0;             ///< the barrier
    std::string
        text; ///< "warps 0 and 2 wait at barrier 0 (64 of 128 threads arrived), add.py:12 (PTX line 7)"
  };
  std::vector<Waiting> whoWaits();
  /// Ends the launch with an error at a place where warps wait.
  void faultAt(const Waiting &place, std::string text);

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
  /// One turn of one of the `ready` warps. False once the launch has a fault.
  bool takeTurn();
  uint32_t pickWarp();
  /// Copies come that may come by now. False once the launch has a fault.
  bool landCopies();
  /// Warps that wait for an mbarrier wait no longer. False where there are none.
  bool timeOut();
  static Waiting waitingOf(const Warp &warp);
  std::string textOf(const Waiting &place, const std::vector<uint32_t> &members);
  /// Moments have run out.
  void restartClocks();
  /// The block comes after what other blocks did before they released.
  void learnFromOthers(Warp &warp);
  bool seemsStuck() const;
  void reportDeadlock();
  const Place &placeOf(const Inst &inst) const { return launch.program->module.places[inst.place]; }
  std::string describe(const Place &place) const;
  std::string faultText(const Warp &warp, uint32_t lane, const std::string &text) const;
  SourcePlace sourcePlaceOf(const Inst &inst) const;
  /// The fault is that of `reportUnwritten`, if there was one.
  void faultUnwritten();

  std::vector<Warp> warps;
  std::array<Barrier, barriersPerBlock> barriers;
  uint32_t usedBarriers = 0; ///< mask of those that the present block has touched
  std::array<uint32_t, 3> index{};
  BlockRaces::BlockNumber sequence = 0;
  Random random{0};
  std::vector<uint64_t> ranks; ///< of the warps; empty in the natural order
  std::vector<uint32_t> ready; ///< warps that can run; the memory is kept from turn to turn
  bool sampled = false;        ///< a warp of the block has shown nothing new
  bool wasPolled = false;      ///< see `polled`
  std::unordered_map<uint64_t, Clocks::Clock> strongClocks; ///< by global or shared address
  /// What any warp has released to global memory: a warp that learns from another block may learn all of
  /// that, for the other one may have learned it from here.
  Clocks::Clock handedOut;
  bool sawOthers = false;   ///< a relaxed read of what another block released
  bool afterOthers = false; ///< it has acquired what another block released
  std::string unwritten;    ///< the fault of `reportUnwritten`
  SourcePlace unwrittenPlace;
};

/// Sets the launch's fault: none of `blocks`, which are all that is resident, gets anywhere any more, while
/// `notBegun` others wait for their places.
void reportStuck(LaunchContext &launch, std::span<Block *const> blocks, uint64_t notBegun);

} // namespace tegula::runtime::ptx
