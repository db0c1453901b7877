// The thread that a launch runs on, and what it does in front of each instruction.
#pragma once

#include "compiler/debug/RunThread.h"
#include "runtime/emulator/machine/Block.h"
#include "runtime/emulator/warp/Observer.h"
#include "tools/tegula/threads/RegisterTypes.h"
#include "tools/tegula/threads/ThreadSettings.h"

#include <atomic>
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
    Reach,       ///< the moment `limit`
  } kind = Continue;
  std::array<uint32_t, 3> block{};
  std::optional<uint32_t> warp; ///< nothing: the first that comes
  size_t depth = 0;
  uint64_t limit = 0;
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
  /// The goal of a step of the warp in focus.
  ThreadGoal stepOf(ThreadGoal::Kind kind) const;

  // runtime::ptx::Observer
  bool launchBegins(runtime::ptx::LaunchContext &launch) override;
  void blockBegins(runtime::ptx::BlockState &block, std::span<runtime::ptx::Warp> warps) override;
  bool before(runtime::ptx::Warp &warp) override;
  void blockEnds(runtime::ptx::BlockState &block) override;
  void faulted(runtime::ptx::LaunchContext &launch) override;

  const ThreadSettings &settings;
  ThreadLaunch launch;
  ThreadStop stopped;
  runtime::Result<void> outcome;                  ///< of the last run that has ended
  runtime::ptx::LaunchContext *context = nullptr; ///< null where none runs
  runtime::ptx::GlobalMemory *memory = nullptr;   ///< of the device
  std::unique_ptr<CodeLines> code;
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
  std::optional<ThreadStop> stopAt(const runtime::ptx::Warp &warp) const;
  bool hasEnded() const;
  bool pause(ThreadStop stop);
  void focus(runtime::ptx::Warp &warp);
  void showPrinted(std::string_view text);

  ThreadGoal goal;
  std::optional<Found> found;
  bool isAtBeginning = false; ///< the launch has yet to begin for the first time in this run
  std::optional<runtime::ptx::GlobalMemory::Snapshot> initial;
  std::vector<runtime::ptx::Block *> blocks; ///< those that run
  uint32_t runsOfLaunch = 0;                 ///< schedules, or parts, that have begun
  const std::string *reported = nullptr;     ///< where the first run of the launch prints
  size_t shown = 0;                          ///< bytes of that
  debug::RunThread thread;                   ///< the last member: it uses the others
};

/// The index of a block in the grid.
std::array<uint32_t, 3> indexOf(const runtime::ptx::BlockState &block);
/// The program that a warp works on; nothing of persistent kernels.
std::optional<runtime::Grid> programOf(const runtime::ptx::BlockState &block, uint32_t warp,
                                       const ThreadLaunch &debugged);

} // namespace tegula::cli
