// The thread that a launch runs on, and what it does in front of each instruction.
#pragma once

#include "compiler/interp/machine/RunThread.h"
#include "runtime/emulator/machine/Block.h"
#include "runtime/emulator/warp/Observer.h"
#include "tools/tegula/threads/RegisterTypes.h"
#include "tools/tegula/threads/ThreadSettings.h"

#include <atomic>
#include <map>
#include <span>

namespace tegula::cli {

/// The aim of a run.
struct ThreadGoal {
  enum Kind : uint8_t {
    Instruction, ///< the next one of `warp`
    Over,        ///< the same, where at most `depth` calls are around it
    Statement,   ///< the next one of `warp` that begins a statement
    Next,        ///< the same, of at most `depth` calls of the source
    Out,         ///< the same, of fewer
    Continue,    ///< breakpoints
    Writer,      ///< the write of `watch`
    Reach,       ///< the moment `limit`
  } kind = Continue;
  std::array<uint32_t, 3> block{};
  std::optional<uint32_t> warp; ///< nothing: the first that comes
  size_t depth = 0;
  uint64_t limit = 0;
  std::optional<ThreadWatch> watch = {};
  /// Stops the run at `limit` alone; `found` is the last moment before at which it would have stopped.
  bool isScan = false;
};

class ThreadRunner final : public runtime::ptx::Observer {
public:
  explicit ThreadRunner(const ThreadSettings &settings) : settings(settings) {}
  ~ThreadRunner() override { thread.cancel(); }

  /// Runs from where the launch stands to where `goal` stops it, or to its end.
  void run(ThreadGoal goal);
  /// Makes the launch stand at its start.
  void rewind();
  void end() { thread.cancel(); }
  /// Runs again up to now, and goes to the last moment at which `goal` would have stopped; to the start where
  /// there is none.
  void goBack(ThreadGoal goal);
  /// Goes back to behind the last write of an element; false, and nothing has moved, where there is none.
  bool goToWriter(const ThreadWatch &watch);
  /// The goal of a step of the warp in focus.
  ThreadGoal stepOf(ThreadGoal::Kind kind) const;

  // runtime::ptx::Observer
  bool launchBegins(runtime::ptx::LaunchContext &launch) override;
  void blockBegins(runtime::ptx::BlockState &block, std::span<runtime::ptx::Warp> warps) override;
  bool before(runtime::ptx::Warp &warp) override;
  void writes(const runtime::ptx::Write &write) override;
  void blockEnds(runtime::ptx::BlockState &block) override;
  void faulted(runtime::ptx::LaunchContext &launch) override;

  const ThreadSettings &settings;
  ThreadLaunch launch;
  ThreadStop stopped;
  runtime::Result<void> outcome;                  ///< of the last run that has ended
  runtime::ptx::LaunchContext *context = nullptr; ///< null where none runs
  runtime::ptx::GlobalMemory *memory = nullptr;   ///< of the device
  std::unique_ptr<CodeLines> code;
  HeldValues held;
  RegisterTypes types;
  runtime::ptx::Block *block = nullptr; ///< in focus, as are the next two
  uint32_t warp = 0, lane = 0;
  uint32_t warpsPerBlock = 0;
  uint64_t now = 0; ///< instructions that have begun
  bool isFinished = false;
  std::atomic<bool> interrupt = false;

private:
  struct Found {
    uint64_t moment;
    ThreadStop stop;
  };
  void start();
  void finish();
  bool isChosen(const runtime::ptx::Warp &warp) const;
  /// Returns whether the step leads to this instruction of the warp.
  bool reaches(const runtime::ptx::Warp &warp, const runtime::ptx::Inst &inst) const;
  /// The stop that the warp's next instruction is, if it is one.
  std::optional<ThreadStop> stopAt(const runtime::ptx::Warp &warp);
  /// The breakpoint that stops there, if one does. Counts the hits.
  std::optional<ThreadStop> breakpointAt(const runtime::ptx::Warp &warp, const runtime::ptx::Inst &inst);
  /// The stop behind the write that was noted last, which counts as told then.
  std::optional<ThreadStop> takeWritten();
  bool hasEnded() const;
  bool pause(ThreadStop stop);
  void focus(runtime::ptx::Warp &warp);
  /// The block with this index; null where it does not run.
  runtime::ptx::Block *blockAt(const std::array<uint32_t, 3> &index) const;
  /// Looks at the thread that the stop is about, if it is about one.
  void focusOn(const ThreadStop &stop);
  void showPrinted(std::string_view text);

  /// A write of what is watched, by the instruction that runs.
  struct Written {
    ThreadWatch watch;
    debug::ReadMemory read;
    debug::Number before;
    ThreadFocus by;
    const runtime::ptx::Inst *inst = nullptr;
  };

  ThreadGoal goal;
  std::optional<Found> found;
  std::optional<Written> written;
  std::map<unsigned, uint64_t> hits; ///< by the numbers of breakpoints, since the start of the launch
  bool isAtBeginning = false;        ///< the launch has yet to begin for the first time in this run
  std::optional<runtime::ptx::GlobalMemory::Snapshot> initial;
  std::vector<runtime::ptx::Block *> blocks; ///< those that run
  uint32_t runsOfLaunch = 0;                 ///< schedules, or parts, that have begun
  const std::string *reported = nullptr;     ///< where the first run of the launch prints
  size_t shown = 0;                          ///< bytes of that
  interp::RunThread thread;                  ///< the last member: it uses the others
};

} // namespace tegula::cli
