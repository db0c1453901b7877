// A launch on the emulator that stops in front of instructions, with all warps, registers and memory
// readable.
//
// The launch runs on a thread of its own, which waits while the session is stopped. The schedule is that of a
// launch that no debugger watches: to step a warp is to let the launch run until that warp comes to its next
// instruction. Equal launches run equally, so to go back is to run again from a copy of memory.
//
//     ThreadSession session;
//     options.observer = &session.observer(); // of the emulator that `launch.run` launches on
//     session.begin(launch);
//     session.resume();
#pragma once

#include "runtime/emulator/machine/Block.h"
#include "tools/tegula/threads/CodeLines.h"
#include "tools/tegula/threads/RegisterTypes.h"
#include "tools/tegula/threads/ThreadSettings.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tegula::cli {

class ThreadRunner;

class ThreadSession {
public:
  ThreadSession();
  ~ThreadSession();
  ThreadSession(const ThreadSession &) = delete;

  runtime::ptx::Observer &observer();
  /// Prepares the launch; nothing has run then. Errors: those of a launch that does not begin.
  runtime::Result<void> begin(ThreadLaunch launch);

  /// Gives the launch up where it stands: what it uses may go then.
  void end();

  ThreadSettings settings;

  /// Runs until the warp in focus comes to its next instruction; to that behind a call of the PTX; to the
  /// next statement that begins; to that, but not into helpers; out of the helper; to where something is to
  /// be stopped at.
  void stepInstruction();
  void nextInstruction();
  void step();
  void next();
  void out();
  void resume();
  /// The same backwards, by running again. Without an earlier moment of that kind the session is at the
  /// start.
  void backInstruction();
  void back();
  void resumeBack();
  /// Goes back to behind the instruction that has written an element last: before now, or where nothing has
  /// run in the whole launch. False, and nothing has moved, where none has.
  bool toLastWriter(const ThreadWatch &watch);

  /// Stops the launch before its next instruction; may be called from any thread and from a signal's handler.
  /// The second takes that back.
  void interrupt();
  void dropInterrupt();

  const ThreadStop &stop() const;
  const ThreadLaunch &launch() const;
  /// The launch as the emulator runs it; null at the end.
  const runtime::ptx::LaunchContext *context() const;
  /// The instructions by their lines; empty of those where nothing could begin.
  const CodeLines &code() const;
  const RegisterTypes &registerTypes() const;
  /// The value of a name of the source as the registers of the program in focus have it, where its warps
  /// stand; nothing where none is known to hold it.
  std::optional<debug::Value> heldValue(const std::string &name) const;
  /// The names of the source that have such a value here.
  std::map<std::string, debug::Value> heldValues() const;
  /// "acc[3, 5]" by registers: what those of the lane in focus hold, as far as that is known.
  std::map<std::string, std::string> heldElements() const;
  /// The block in focus; null at the start and the end.
  runtime::ptx::Block *block() const;
  /// Its index in the grid of blocks.
  std::array<uint32_t, 3> blockIndex() const;
  /// The warp in focus; null where there is no block.
  runtime::ptx::Warp *warp() const;
  uint32_t lane() const;
  uint32_t warpsPerBlock() const;
  /// Changes the focus. False where the block has no such warp, or a warp no such lane.
  bool chooseWarp(uint32_t number);
  bool chooseLane(uint32_t number);
  /// The instruction that a warp executes next, waits at or has misbehaved at; null where it has ended.
  const runtime::ptx::Inst *instructionOf(const runtime::ptx::Warp &warp) const;
  /// The program that a warp of the block in focus works on; nothing where blocks run several or the compiler
  /// has chosen their order.
  std::optional<runtime::Grid> programOf(uint32_t warp) const;
  /// The same of a warp of any block.
  std::optional<runtime::Grid> programOf(const runtime::ptx::Warp &warp) const;
  /// Reads global memory, as it is when it is called.
  debug::ReadMemory memory() const;

private:
  /// The warps that run the program of the warp in focus, and which of them that is.
  std::pair<std::vector<const runtime::ptx::Warp *>, uint32_t> warpsOfProgram() const;

  std::unique_ptr<ThreadRunner> runner;
};

} // namespace tegula::cli
