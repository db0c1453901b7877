#include "tools/tegula/threads/ThreadSession.h"

#include "tools/tegula/debug/EmulatedMemory.h"
#include "tools/tegula/threads/ThreadRunner.h"

namespace tegula::cli {

using runtime::ptx::Block;
using runtime::ptx::Inst;
using runtime::ptx::Warp;

ThreadSession::ThreadSession() : runner(std::make_unique<ThreadRunner>(settings)) {}
ThreadSession::~ThreadSession() = default;

runtime::ptx::Observer &ThreadSession::observer() { return *runner; }

runtime::Result<void> ThreadSession::begin(ThreadLaunch launch) {
  runner->launch = std::move(launch);
  runner->rewind();
  // A launch that is refused ends without having begun.
  if (runner->code)
    return {};
  return runner->outcome ? runtime::Error{runtime::ErrorKind::InvalidArgument, "the launch runs nothing"}
                         : runner->outcome;
}

void ThreadSession::end() { runner->end(); }

void ThreadSession::stepInstruction() { runner->run(runner->stepOf(ThreadGoal::Instruction)); }
void ThreadSession::nextInstruction() { runner->run(runner->stepOf(ThreadGoal::Over)); }
void ThreadSession::step() { runner->run(runner->stepOf(ThreadGoal::Statement)); }
void ThreadSession::next() { runner->run(runner->stepOf(ThreadGoal::Next)); }
void ThreadSession::out() { runner->run(runner->stepOf(ThreadGoal::Out)); }
void ThreadSession::resume() { runner->run({.kind = ThreadGoal::Continue}); }

void ThreadSession::backInstruction() { runner->goBack(runner->stepOf(ThreadGoal::Instruction)); }
void ThreadSession::back() { runner->goBack(runner->stepOf(ThreadGoal::Statement)); }
void ThreadSession::resumeBack() { runner->goBack({.kind = ThreadGoal::Continue}); }

bool ThreadSession::toLastWriter(const ThreadWatch &watch) { return runner->goToWriter(watch); }

void ThreadSession::interrupt() { runner->interrupt = true; }
void ThreadSession::dropInterrupt() { runner->interrupt = false; }

const ThreadStop &ThreadSession::stop() const { return runner->stopped; }
const ThreadLaunch &ThreadSession::launch() const { return runner->launch; }
const runtime::ptx::LaunchContext *ThreadSession::context() const { return runner->context; }
const CodeLines &ThreadSession::code() const { return *runner->code; }
const RegisterTypes &ThreadSession::registerTypes() const { return runner->types; }

std::pair<std::vector<const Warp *>, uint32_t> ThreadSession::warpsOfProgram() const {
  std::vector<const Warp *> found;
  uint32_t focus = 0;
  const auto own = numberOf(*block(), warp()->index, runner->launch.programs);
  for (const Warp &one : block()->allWarps()) {
    const auto number = numberOf(*block(), one.index, runner->launch.programs);
    if (own && number && *own != *number)
      continue;
    if (one.index == warp()->index)
      focus = uint32_t(found.size());
    found.push_back(&one);
  }
  return {std::move(found), focus};
}

std::optional<debug::Value> ThreadSession::heldValue(const std::string &name) const {
  return block() ? runner->held.valueOf(name, warpsOfProgram().first, registerTypes()) : std::nullopt;
}

std::map<std::string, debug::Value> ThreadSession::heldValues() const {
  return block() ? runner->held.valuesOf(warpsOfProgram().first, registerTypes())
                 : std::map<std::string, debug::Value>();
}

std::map<std::string, std::string> ThreadSession::heldElements() const {
  return runner->held.elementsIn(*warp(), warpsOfProgram().second, lane());
}

Block *ThreadSession::block() const { return runner->block; }
std::array<uint32_t, 3> ThreadSession::blockIndex() const { return indexOf(*runner->block); }
Warp *ThreadSession::warp() const { return block() ? &block()->allWarps()[runner->warp] : nullptr; }
uint32_t ThreadSession::lane() const { return runner->lane; }
uint32_t ThreadSession::warpsPerBlock() const { return runner->warpsPerBlock; }

bool ThreadSession::chooseWarp(uint32_t number) {
  if (!block() || number >= block()->allWarps().size())
    return false;
  runner->warp = number;
  return true;
}
bool ThreadSession::chooseLane(uint32_t number) {
  if (number >= runtime::ptx::lanes)
    return false;
  runner->lane = number;
  return true;
}

const Inst *ThreadSession::instructionOf(const Warp &warp) const { return warp.upcoming().inst; }

std::optional<runtime::Grid> ThreadSession::programOf(uint32_t warp) const {
  return cli::programOf(*runner->block, warp, runner->launch.programs);
}
std::optional<runtime::Grid> ThreadSession::programOf(const Warp &warp) const {
  return cli::programOf(*warp.block, warp.index, runner->launch.programs);
}

debug::ReadMemory ThreadSession::memory() const { return globalReader(runner->memory); }

} // namespace tegula::cli
