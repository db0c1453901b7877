// The state of one warp, and what handlers do with it.
//
// Control flow: lanes run in lockstep under `active`. A branch whose lanes disagree leaves a
// continuation on `stack` that starts where the paths meet again, and one for each path; the path on
// top runs until it reaches `until`. Calls put their continuation on the same stack.
//
// Every row has a bit a lane that says whether the value is defined. Arithmetic passes the bits on;
// only a use that matters (an address, a predicate, a stored value) reports an undefined one.
#pragma once

#include "runtime/emulator/ptx/Module.h"
#include "runtime/emulator/warp/SpinDetector.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tegula::runtime::ptx {

class BlockState;
struct Allocation;

/// Calls `body(lane)` for each set bit of `mask`.
template <typename Body> inline void forLanes(uint32_t mask, Body body) {
  if (mask == ~0u) {
    for (uint32_t lane = 0; lane < lanes; ++lane)
      body(lane);
    return;
  }
  for (; mask; mask &= mask - 1)
    body(uint32_t(std::countr_zero(mask)));
}

/// In place of a lane: the warp as a whole.
inline constexpr uint32_t wholeWarp = 32;

class Warp {
public:
  enum class State : uint8_t { Ready, Waiting, Done, Faulted };

  // The frame on top; pointers into the vectors below.
  const Function *function = nullptr;
  uint64_t *rows = nullptr;
  uint32_t *defined = nullptr;
  uint32_t *predicates = nullptr;
  uint32_t *predicateDefined = nullptr;

  uint32_t pc = 0, until = noPc, active = 0;
  uint32_t mask = 0; ///< lanes that execute the present instruction
  uint32_t live = 0; ///< lanes that have not exited
  uint32_t index = 0;
  uint32_t serial = 0;     ///< instructions executed
  uint32_t turnSerial = 0; ///< the same when the warp's turn began
  uint32_t carry = 0;      ///< the condition code of add.cc and its kin, a bit a lane
  State state = State::Done;
  BlockState *block = nullptr;
  const Inst *current = nullptr;
  Allocation *lastAllocation = nullptr; ///< the one found last: the next access is likely there too

  // While it waits: for what, and at which barrier, address of an mbarrier, or in which group of warps.
  enum class Rest : uint8_t { Barrier, Mbarrier, Registers, Group, Cluster };
  Rest rests = Rest::Barrier;
  uint32_t waitingAt = 0;
  const Inst *waitingInst = nullptr;
  uint32_t barrierPredicate = 0; ///< lanes whose operand of bar.red was true
  bool timesOut = false;         ///< a wait for an mbarrier has lasted long enough

  SpinWatch watch;

  /// Returns true if it can run: now, or as soon as it stops waiting for an mbarrier.
  bool mayRun() const {
    return state == State::Ready || (state == State::Waiting && rests == Rest::Mbarrier);
  }

  /// Starts `entry` with `lanesLive` lanes.
  void begin(BlockState &owner, uint32_t number, const Function &entry, uint32_t lanesLive);
  /// Stops behind the present instruction until the warp is woken.
  void waitFor(Rest what, uint32_t at);
  /// Stops in front of it: it is executed anew once the warp is woken.
  void rest(Rest what, uint32_t at);
  /// Executes up to `quantum` instructions, or until the warp waits, ends or faults.
  void run(uint64_t quantum);
  /// Leaves paths and functions that end where the warp is, as `run` does in front of an instruction.
  void settle();

  /// The instruction that some lanes execute next; null where they leave the function.
  struct Upcoming {
    const Inst *inst = nullptr;
    uint32_t active = 0;
  };
  Upcoming upcoming() const;
  /// The calls that the warp is in, the entry among them.
  size_t depth() const { return frames.size(); }

  uint64_t *row(Row number) { return rows + size_t(number) * lanes; }
  bool isDefined(Row number, uint32_t lane) const { return defined[number] >> lane & 1; }
  /// Writes one lane of a row.
  void set(Row number, uint32_t lane, uint64_t value, bool isDefined = true) {
    rows[size_t(number) * lanes + lane] = value;
    defined[number] = (defined[number] & ~(1u << lane)) | uint32_t(isDefined) << lane;
  }
  /// The lanes in which each byte of a row is defined; `DefinedBytes.h` says which operations keep count.
  std::array<uint32_t, 8> definedBytes(Row number) const {
    std::array<uint32_t, 8> bytes;
    bytes.fill(defined[number]);
    if (mask & ~defined[number])
      if (auto found = partlyDefined.find(&defined[number] - definedStorage.data());
          found != partlyDefined.end())
        for (size_t i = 0; i < bytes.size(); ++i)
          bytes[i] |= found->second[i];
    return bytes;
  }
  /// Sets the defined bits of the executing lanes of `number`, whose first `count` bytes matter.
  void setDefinedBytes(Row number, const std::array<uint32_t, 8> &bytes, size_t count) {
    uint32_t all = ~0u;
    for (size_t i = 0; i < count; ++i)
      all &= bytes[i];
    setDefined(number, all);
    if (mask & ~all)
      for (size_t i = 0; i < bytes.size(); ++i) {
        uint32_t &known = partlyDefined[&defined[number] - definedStorage.data()][i];
        known = (known & ~mask) | (bytes[i] & mask);
      }
  }
  /// Sets the defined bits of the executing lanes of `number`.
  void setDefined(Row number, uint32_t bits) { defined[number] = (defined[number] & ~mask) | (bits & mask); }
  /// Writes the executing lanes of a predicate.
  void setPredicate(Row number, uint32_t values, uint32_t definedBits) {
    predicates[number] = (predicates[number] & ~mask) | (values & mask);
    predicateDefined[number] = (predicateDefined[number] & ~mask) | (definedBits & mask);
  }

  /// Ends the launch with an error at the present instruction. `lane` 32 means the whole warp.
  template <typename... Args> void fault(uint32_t lane, fmt::format_string<Args...> text, Args &&...args) {
    report(lane, fmt::format(text, std::forward<Args>(args)...));
  }
  /// The same for a check that has failed. Returns false.
  template <typename... Args> bool refuse(uint32_t lane, fmt::format_string<Args...> text, Args &&...args) {
    report(lane, fmt::format(text, std::forward<Args>(args)...));
    return false;
  }
  bool faulted() const { return state == State::Faulted; }
  /// Faults when an executing lane's value in `number` is undefined; returns whether all is well.
  bool requireDefined(Row number, const char *use) {
    return (mask & ~defined[number]) == 0 || reportUndefined(number, use);
  }
  bool requirePredicate(Row number, const char *use) {
    return (mask & ~predicateDefined[number]) == 0 || reportUndefinedPredicate(number, use);
  }
  /// Faults unless each executing lane is among the members that row `number` has for it, and all live ones
  /// of these execute the instruction.
  bool requireMembers(Row number);
  /// Faults unless all 32 lanes execute the instruction.
  bool requireWhole();
  /// Faults unless all live lanes execute the instruction.
  bool requireConverged();

  // Control.
  void jump(const Inst &inst, uint32_t taken, uint32_t target);
  void call(const Inst &inst, const Function &callee);
  void returnLanes();
  void exitLanes(uint32_t lanesLeaving);
  /// The warp has jumped backwards at `jump`: a loop goes round.
  void wentBack(const Inst &jump) {
    if (int32_t(serial - watch.nextSample) >= 0)
      sampleLoop(jump);
  }
  /// Mixes into `hash` all that decides what the warp does next, memory aside.
  uint64_t hashState(uint64_t hash) const;
  /// Splits the executing lanes among `targets`; equal targets stay together.
  void scatter(const Inst &inst, const std::array<uint32_t, lanes> &targets);

  /// Storage of the executing frame's parameter area for `lane`, at `offset`; and its defined bytes.
  uint8_t *param(uint32_t lane, uint32_t offset) {
    return &paramBytes[paramPlace(frames.back(), lane, offset)];
  }
  uint8_t *paramDefined(uint32_t lane, uint32_t offset) {
    return &paramShadow[paramPlace(frames.back(), lane, offset)];
  }
  /// Local memory of `lane`; addresses are offsets below `localSize`.
  uint8_t *local(uint32_t lane, uint64_t address) { return localBytes.data() + lane * localStride + address; }
  uint8_t *localDefined(uint32_t lane, uint64_t address) {
    return localShadow.data() + lane * localStride + address;
  }
  uint64_t localSize() const { return localTop; }

private:
  struct Continuation {
    uint32_t pc, until, active;
  };
  struct Frame {
    const Function *function;
    size_t rowBase, predicateBase, paramBase, stackBase;
    uint64_t localBase;
    const Inst *callInst; ///< null for the entry
  };
  /// Index of a parameter's byte in `paramBytes` and `paramShadow`.
  static size_t paramPlace(const Frame &frame, uint32_t lane, uint32_t offset);
  /// Copies a parameter of `size` bytes, with its defined bytes, in the lanes of `copied`.
  void copyParam(uint32_t copied, const Frame &to, uint32_t toOffset, const Frame &from, uint32_t fromOffset,
                 uint32_t size);
  void sampleLoop(const Inst &jump);
  /// Returns whether the path or the function ends where the warp is.
  bool isAtEnd() const { return pc == until || pc >= function->code.size(); }
  /// Leaves the path or the function that ends here.
  void leave();
  bool pushFrame(const Function &callee, const Inst *inst);
  void selectFrame();
  void fillRows(const Frame &frame);
  void popFrame();
  /// Goes on with the next continuation that has lanes, leaving finished frames.
  void resume();
  void report(uint32_t lane, const std::string &text);
  bool reportUndefined(Row number, const char *use);
  bool reportUndefinedPredicate(Row number, const char *use);

  std::vector<uint64_t> rowStorage;
  std::vector<uint32_t> definedStorage, predicateStorage, predicateDefinedStorage;
  /// Defined bytes of rows that `defined` calls undefined, by place in `definedStorage`. Where something else
  /// has written the row since, its bytes are stale: then an undefined one may be missed, and none is made
  /// up.
  std::unordered_map<ptrdiff_t, std::array<uint32_t, 8>> partlyDefined;
  std::vector<uint8_t> paramBytes, paramShadow; ///< lane-major within a frame
  std::vector<uint8_t> localBytes, localShadow; ///< lane-major, `localStride` a lane
  uint64_t localStride = 0, localTop = 0;
  std::vector<Continuation> stack;
  std::vector<Frame> frames;
  /// The function whose constants, and special values that are the same for all blocks, fill frame 0.
  const Function *filledEntry = nullptr;
};

/// All of `warps` go on that rest there.
void wake(std::span<Warp> warps, Warp::Rest what, uint32_t at);

} // namespace tegula::runtime::ptx
