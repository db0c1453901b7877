#include "runtime/emulator/warp/Faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tegula::runtime::ptx {

void Faults::beginBlock(std::array<uint32_t, 3> blockIndex) {
  index = blockIndex;
  unwritten.clear();
}

std::string Faults::describe(const Place &place) const {
  if (place.line == 0)
    return "an unknown line";
  const std::string file = fileOf(launch.program->module, place, launch.sourceFile);
  return fmt::format("{}:{}", file.empty() ? "line" : file, place.line);
}

std::string Faults::threadName(uint32_t warp, uint32_t lane) const {
  if (lane >= lanes)
    return fmt::format("threads ({},0,0) to ({},0,0)", warp * lanes,
                       std::min(launch.threads, (warp + 1) * lanes) - 1);
  return fmt::format("thread ({},0,0)", warp * lanes + lane);
}

std::string Faults::blockName(uint32_t warp) const {
  std::string name = launch.fabric ? fmt::format("rank {}, ", launch.device) : "";
  name += fmt::format("block ({},{},{})", index[0], index[1], index[2]);
  if (launch.programsPerBlock > 1)
    name +=
        fmt::format(", program ({},{},{}),", index[0] * launch.programsPerBlock + warp, index[1], index[2]);
  return name;
}

std::string Faults::placeName(uint32_t line) const {
  for (const Function &function : launch.program->module.functions)
    for (const Inst &inst : function.code)
      if (inst.line == line)
        return fmt::format("{} (PTX line {})", describe(placeOf(inst)), line);
  return fmt::format("PTX line {}", line);
}

std::string Faults::faultText(const Inst *at, uint32_t warp, uint32_t lane, const std::string &text) const {
  std::string where = "the entry";
  if (at)
    where = fmt::format("{}{} (PTX line {}, `{}`)", describe(placeOf(*at)),
                        placeOf(*at).line && at->column ? fmt::format(":{}", at->column) : "", at->line,
                        launch.program->module.opcodes[at->name]);
  return fmt::format("kernel `{}` faulted at {}, {} {}: {}", launch.kernel, where, blockName(warp),
                     threadName(warp, lane), text);
}

void Faults::report(const Inst *at, uint32_t warp, uint32_t lane, const std::string &text) {
  if (!launch.fault.empty())
    return;
  raiseUnwritten();
  if (launch.fault.empty())
    raise(faultText(at, warp, lane, text), {at, index, warp, lane, text});
}

void Faults::raise(std::string text, FaultyThread thread) {
  launch.fault = std::move(text);
  if (thread.at)
    launch.faultPlace = sourcePlaceOf(*thread.at);
  launch.faultThread = std::move(thread);
}

SourcePlace Faults::sourcePlaceOf(const Inst &inst) const {
  const Place &place = placeOf(inst);
  return {fileOf(launch.program->module, place, launch.sourceFile), place.line, inst.column};
}

void Faults::raiseUnwritten() {
  if (!unwritten.empty())
    raise(unwritten, unwrittenThread);
}

void Faults::reportUnwritten(const Inst &at, uint32_t warp, uint32_t lane, const std::string &text) {
  if (!unwritten.empty())
    return;
  unwritten = faultText(&at, warp, lane, text);
  unwrittenThread = {&at, index, warp, lane, text};
}

} // namespace tegula::runtime::ptx
