#include "tools/tegula/threads/ThreadRunner.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace tegula::cli {

using runtime::ptx::Block;
using runtime::ptx::BlockState;
using runtime::ptx::Inst;
using runtime::ptx::LaunchContext;
using runtime::ptx::Warp;

//===----------------------------------------------------------------------===//
// Running and going back
//===----------------------------------------------------------------------===//

void ThreadRunner::start() {
  isFinished = false;
  isAtBeginning = true;
  now = runsOfLaunch = 0;
  hits.clear();
  written.reset();
  (void)launch.takePrinted();
  thread.start([this] {
    outcome = launch.run();
    finish();
  });
}

void ThreadRunner::run(ThreadGoal given) {
  goal = given;
  found.reset();
  if (isFinished) // there is nothing after it
    return;
  if (thread.isStarted())
    thread.goOn();
  else
    start();
}

void ThreadRunner::rewind() {
  thread.cancel();
  blocks.clear();
  block = nullptr;
  context = nullptr;
  start();
}

ThreadGoal ThreadRunner::stepOf(ThreadGoal::Kind kind) const {
  ThreadGoal made{.kind = kind};
  if (!block) {
    made.depth = SIZE_MAX;
    return made;
  }
  const Warp &stepped = block->allWarps()[warp];
  const Inst *inst = stepped.upcoming().inst;
  made.block = indexOf(*block);
  made.warp = warp;
  made.depth = kind == ThreadGoal::Over ? stepped.depth() : inst ? code->calls(*inst).size() : SIZE_MAX;
  // Out of the kernel is to its end.
  if (kind == ThreadGoal::Out && made.depth < 2)
    made.kind = ThreadGoal::Continue;
  return made;
}

void ThreadRunner::goBack(ThreadGoal given) {
  const uint32_t chosen = warp;
  given.isScan = true;
  // At the end and at a fault the last instruction has begun and counts as earlier.
  given.limit = isFinished || stopped.kind == ThreadStop::Fault ? now + 1 : now;
  rewind();
  run(given);
  if (stopped.kind == ThreadStop::Interrupted) // at an earlier moment, where one may stay
    return;
  const std::optional<Found> target = std::exchange(found, std::nullopt);
  rewind();
  if (!target)
    return;
  run({.kind = ThreadGoal::Reach, .limit = target->moment});
  if (stopped.kind == ThreadStop::Interrupted)
    return;
  stopped = target->stop;
  focusOn(stopped);
  if (given.kind == ThreadGoal::Instruction)
    warp = std::min(chosen, uint32_t(block->allWarps().size()) - 1);
}

bool ThreadRunner::goToWriter(const ThreadWatch &watch) {
  if (stopped.kind == ThreadStop::Start)
    run({.kind = ThreadGoal::Reach, .limit = UINT64_MAX});
  const ThreadStop here = stopped;
  const uint64_t moment = isFinished || here.kind == ThreadStop::Fault ? UINT64_MAX : now;
  const ThreadFocus focused{block ? indexOf(*block) : std::array<uint32_t, 3>{}, warp, lane};
  goBack({.kind = ThreadGoal::Writer, .watch = watch});
  if (stopped.kind == ThreadStop::Written || stopped.kind == ThreadStop::Interrupted)
    return true;
  run({.kind = ThreadGoal::Reach, .limit = moment});
  stopped = here;
  focusOn({.focus = focused});
  return false;
}

void ThreadRunner::showPrinted(std::string_view text) {
  // A run that comes by again prints the same.
  if (text.size() > shown) {
    launch.print(text.substr(shown));
    shown = text.size();
  }
}

bool ThreadRunner::pause(ThreadStop stop) {
  stopped = std::move(stop);
  if (context && context->printed == reported)
    showPrinted(*reported);
  return thread.pause();
}

void ThreadRunner::finish() {
  context = nullptr;
  block = nullptr;
  blocks.clear();
  if (thread.isCancelled())
    return;
  showPrinted(launch.takePrinted());
  isFinished = true;
  stopped = {ThreadStop::End, "all blocks have ended", 0};
  if (!outcome)
    stopped = {ThreadStop::Fault, outcome.error().text, 0};
}

//===----------------------------------------------------------------------===//
// Told by the emulator
//===----------------------------------------------------------------------===//

bool ThreadRunner::launchBegins(LaunchContext &begun) {
  if (thread.isCancelled())
    return false;
  context = &begun;
  memory = begun.memory;
  warpsPerBlock = begun.warpsPerBlock();
  ++runsOfLaunch;
  code = std::make_unique<CodeLines>(begun, launch.placesOf);
  types = cli::registerTypes(*code);
  held = HeldValues(launch.held, *code, begun);
  if (!std::exchange(isAtBeginning, false))
    return true;
  reported = begun.printed;
  if (initial)
    memory->restore(*initial);
  else
    initial = memory->save();
  return pause({ThreadStop::Start, "nothing has run", 0});
}

void ThreadRunner::blockBegins(BlockState &state, std::span<Warp>) {
  blocks.push_back(static_cast<Block *>(&state));
}

void ThreadRunner::blockEnds(BlockState &state) {
  // Copies that nothing waits for write here: there is no instruction behind them.
  if (std::optional<ThreadStop> stop = takeWritten()) {
    const bool isReached = goal.kind == ThreadGoal::Reach && goal.limit == now + 1;
    if (goal.isScan && goal.kind >= ThreadGoal::Continue) {
      found = {now + 1, std::move(*stop)};
    } else if (!goal.isScan && (goal.kind != ThreadGoal::Reach || isReached)) {
      focusOn(*stop);
      (void)pause(std::move(*stop));
    }
  }
  std::erase(blocks, static_cast<Block *>(&state));
  if (block == &state)
    block = nullptr;
}

/// Returns whether the warp that steps has ended, so that it will not come to an instruction again.
bool ThreadRunner::hasEnded() const {
  if (!goal.warp || goal.isScan || goal.kind >= ThreadGoal::Continue)
    return false;
  for (Block *each : blocks)
    if (indexOf(*each) == goal.block)
      return each->allWarps()[*goal.warp].state == Warp::State::Done;
  return true;
}

void ThreadRunner::focus(Warp &one) {
  block = &blockOf(one);
  warp = one.index;
  const uint32_t active = one.upcoming().active;
  if (!(active >> lane & 1) && active)
    lane = uint32_t(std::countr_zero(active));
}

Block *ThreadRunner::blockAt(const std::array<uint32_t, 3> &index) const {
  const auto found = std::ranges::find_if(blocks, [&](Block *each) { return indexOf(*each) == index; });
  return found == blocks.end() ? nullptr : *found;
}

void ThreadRunner::focusOn(const ThreadStop &stop) {
  Block *found = stop.focus ? blockAt(stop.focus->block) : nullptr;
  if (!found)
    return;
  block = found;
  warp = stop.focus->warp;
  lane = stop.focus->lane;
}

bool ThreadRunner::before(Warp &one) {
  if (thread.isCancelled())
    return false;
  ++now;
  if (interrupt.load(std::memory_order_relaxed) && interrupt.exchange(false)) {
    focus(one);
    return pause({ThreadStop::Interrupted, "interrupted", 0});
  }
  if (goal.isScan || goal.kind == ThreadGoal::Reach) {
    if (now >= goal.limit) {
      written.reset();
      focus(one);
      return pause({ThreadStop::Instruction, "", 0});
    }
    if (std::optional<ThreadStop> stop = takeWritten(); stop && goal.kind >= ThreadGoal::Continue)
      found = {now, std::move(*stop)};
    if (std::optional<ThreadStop> stop = stopAt(one))
      found = {now, std::move(*stop)};
    return true;
  }
  if (std::optional<ThreadStop> behind = takeWritten()) {
    focusOn(*behind);
    if (!pause(std::move(*behind)))
      return false;
  }
  std::optional<ThreadStop> stop = stopAt(one);
  if (!stop && hasEnded() && isChosen(one))
    stop = {ThreadStop::Instruction, fmt::format("warp {} has ended", *goal.warp), 0};
  if (!stop)
    return true;
  focus(one);
  focusOn(*stop);
  return pause(std::move(*stop));
}

void ThreadRunner::faulted(LaunchContext &failed) {
  if (thread.isCancelled())
    return;
  written.reset();
  const runtime::ptx::FaultyThread &faulty = failed.faultThread;
  block = blockAt(faulty.block);
  if (block) {
    warp = faulty.warp;
    const uint32_t active = block->allWarps()[warp].mask;
    lane = faulty.lane < runtime::ptx::lanes ? faulty.lane : active ? uint32_t(std::countr_zero(active)) : 0;
  }
  (void)pause({ThreadStop::Fault, faulty.text, 0});
}

} // namespace tegula::cli
