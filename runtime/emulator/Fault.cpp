// The words of a fault: what went wrong, where in the source, and which thread did it.

#include "runtime/emulator/Block.h"

#include <fmt/format.h>

namespace tegula::runtime::ptx {

std::string Block::describe(const Place &place) const {
  if (place.line == 0)
    return "an unknown line";
  const std::string file = fileOf(launch.program->module, place, launch.sourceFile);
  return fmt::format("{}:{}", file.empty() ? "line" : file, place.line);
}

std::string Block::threadName(uint32_t warp, uint32_t lane) const {
  if (lane >= lanes)
    return fmt::format("threads ({},0,0) to ({},0,0)", warp * lanes,
                       std::min(launch.threads, (warp + 1) * lanes) - 1);
  return fmt::format("thread ({},0,0)", warp * lanes + lane);
}

std::string Block::blockName(uint32_t warp) const {
  std::string name = fmt::format("block ({},{},{})", index[0], index[1], index[2]);
  if (launch.programsPerBlock > 1)
    name +=
        fmt::format(", program ({},{},{}),", index[0] * launch.programsPerBlock + warp, index[1], index[2]);
  return name;
}

std::string Block::placeName(uint32_t line) const {
  for (const Function &function : launch.program->module.functions)
    for (const Inst &inst : function.code)
      if (inst.line == line)
        return fmt::format("{} (PTX line {})", describe(placeOf(inst)), line);
  return fmt::format("PTX line {}", line);
}

std::string Block::faultText(const Warp &warp, uint32_t lane, const std::string &text) const {
  std::string where = "the entry";
  if (warp.current)
    where = fmt::format("{} (PTX line {}, `{}`)", describe(placeOf(*warp.current)), warp.current->line,
                        launch.program->module.opcodes[warp.current->name]);
  return fmt::format("kernel `{}` faulted at {}, {} {}: {}", launch.kernel, where, blockName(warp.index),
                     threadName(warp.index, lane), text);
}

void Block::reportFault(const Warp &warp, uint32_t lane, std::string text) {
  if (launch.fault.empty())
    launch.fault = unwritten.empty() ? faultText(warp, lane, text) : unwritten;
}

void Block::reportUnwritten(const Warp &warp, uint32_t lane, std::string text) {
  if (unwritten.empty())
    unwritten = faultText(warp, lane, text);
}

void Block::reportDeadlock() {
  std::string text;
  uint32_t listed = 0;
  const Warp *first = nullptr;
  for (const Warp &warp : warps) {
    if (warp.state != Warp::State::Waiting)
      continue;
    if (!first)
      first = &warp;
    if (listed++ == 4) {
      text += ", ...";
      break;
    }
    const Barrier &barrier = barriers[warp.waitingAt];
    text +=
        fmt::format("{}warp {} waits at barrier {} ({} of {} threads arrived), {}", listed == 1 ? "" : "; ",
                    warp.index, warp.waitingAt, barrier.arrivedThreads,
                    barrier.expected ? barrier.expected : liveThreads(), placeName(warp.waitingInst->line));
  }
  reportFault(*first, wholeWarp, fmt::format("deadlock: {}", text));
}

} // namespace tegula::runtime::ptx
