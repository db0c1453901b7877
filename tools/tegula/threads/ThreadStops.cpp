// The part of the runner that decides where to stop: at steps, breakpoints and writes.
#include "runtime/emulator/warp/Write.h"
#include "tools/tegula/debug/EmulatedMemory.h"
#include "tools/tegula/threads/ThreadRunner.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace tegula::cli {

using runtime::ptx::BlockState;
using runtime::ptx::Inst;
using runtime::ptx::Warp;

bool ThreadRunner::isChosen(const Warp &one) const {
  if (!settings.program)
    return true;
  const std::optional<runtime::Grid> program = cli::programOf(*one.block, one.index, launch.programs);
  return !program || *program == *settings.program;
}

bool ThreadRunner::reaches(const Warp &one, const Inst &inst) const {
  if (goal.kind == ThreadGoal::Instruction)
    return true;
  if (goal.kind == ThreadGoal::Over)
    return one.depth() <= goal.depth;
  const size_t calls = code->calls(inst).size();
  return code->beginsStatement(inst) && (goal.kind != ThreadGoal::Next || calls <= goal.depth) &&
         (goal.kind != ThreadGoal::Out || calls < goal.depth);
}

std::optional<ThreadStop> ThreadRunner::breakpointAt(const Warp &one, const Inst &inst) {
  std::optional<ThreadStop> stop;
  for (const ThreadBreakpoint &each : settings.breakpoints) {
    if ((each.warp && *each.warp != one.index) ||
        !(each.ptxLine ? each.ptxLine == inst.line : code->begins(inst, each.file, each.statement)))
      continue;
    const ThreadTruth truth = each.condition ? each.condition(one) : ThreadTruth{one.upcoming().active, ""};
    if (!truth.error.empty() && !stop)
      stop = ThreadStop{
          ThreadStop::Breakpoint,
          fmt::format("the condition `{}` cannot be computed: {}", each.conditionText, truth.error),
          each.number};
    if (!truth.lanes || (each.hits && !each.hits->holds(++hits[each.number])) || stop)
      continue;
    stop = ThreadStop{ThreadStop::Breakpoint, "", each.number};
    if (each.condition)
      stop->focus = {indexOf(*one.block), one.index, uint32_t(std::countr_zero(truth.lanes))};
  }
  return stop;
}

std::optional<ThreadStop> ThreadRunner::stopAt(const Warp &one) {
  const Inst &inst = one.function->code[one.pc];
  if (!isChosen(one))
    return std::nullopt;
  const bool isStep = goal.kind != ThreadGoal::Continue;
  const auto counts = [](const ThreadBreakpoint &each) { return each.hits.has_value(); };
  if (goal.kind >= ThreadGoal::Writer) {
    // On the way hits count.
    if (std::ranges::any_of(settings.breakpoints, counts))
      (void)breakpointAt(one, inst);
    return std::nullopt;
  }
  if (!(isStep && goal.isScan))
    if (std::optional<ThreadStop> stop = breakpointAt(one, inst))
      return stop;
  const bool isWarp = !goal.warp || (one.index == *goal.warp && indexOf(*one.block) == goal.block);
  if (!isWarp || !isStep || !reaches(one, inst))
    return std::nullopt;
  return ThreadStop{ThreadStop::Instruction, "", 0};
}

void ThreadRunner::writes(const runtime::ptx::Write &write) {
  const std::span<const ThreadWatch> watches =
      goal.watch ? std::span<const ThreadWatch>(&*goal.watch, 1) : settings.watches;
  for (const ThreadWatch &watch : watches) {
    const bool isShared = watch.space == ThreadSpace::Shared;
    if (write.target.space != (isShared ? runtime::ptx::Space::Shared : runtime::ptx::Space::Global))
      continue;
    const uint64_t address = write.target.offset + (isShared ? 0 : write.target.allocation->base);
    const uint64_t begin = watch.array.elementAddress(watch.index);
    if (address + write.bytes <= begin || begin + scalarKindBytes(watch.array.type) <= address ||
        !isChosen(write.warp))
      continue;
    if (!written) {
      BlockState &owner = write.target.owner ? *write.target.owner : *write.warp.block;
      written = Written{.watch = watch, .read = isShared ? sharedReader(owner) : globalReader(memory)};
      written->before = debug::readElement(written->read, watch.array, watch.index);
    }
    // Of lanes of one instruction the last one's value stands.
    if (written->watch.name == watch.name) {
      written->by = {indexOf(*write.warp.block), write.warp.index, write.lane};
      written->inst = &write.inst;
    }
  }
}

std::optional<ThreadStop> ThreadRunner::takeWritten() {
  if (!written)
    return std::nullopt;
  const Written made = *std::exchange(written, std::nullopt);
  const debug::Number after = debug::readElement(made.read, made.watch.array, made.watch.index);
  return ThreadStop{ThreadStop::Written,
                    fmt::format("`{}` is written: {} becomes {}", made.watch.name, debug::text(made.before),
                                debug::text(after)),
                    made.watch.number, made.by, made.inst};
}

} // namespace tegula::cli
