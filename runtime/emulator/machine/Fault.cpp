// The words of a fault: what went wrong, where in the source, and which thread did it.

#include "runtime/emulator/machine/Block.h"

#include <fmt/format.h>

#include <algorithm>

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
  if (const Inst *const inst = warp.current)
    where = fmt::format("{}{} (PTX line {}, `{}`)", describe(placeOf(*inst)),
                        placeOf(*inst).line && inst->column ? fmt::format(":{}", inst->column) : "",
                        inst->line, launch.program->module.opcodes[inst->name]);
  return fmt::format("kernel `{}` faulted at {}, {} {}: {}", launch.kernel, where, blockName(warp.index),
                     threadName(warp.index, lane), text);
}

void Block::reportFault(const Warp &warp, uint32_t lane, const std::string &text) {
  if (!launch.fault.empty())
    return;
  faultUnwritten();
  if (!launch.fault.empty())
    return;
  launch.fault = faultText(warp, lane, text);
  if (warp.current)
    launch.faultPlace = sourcePlaceOf(*warp.current);
}

SourcePlace Block::sourcePlaceOf(const Inst &inst) const {
  const Place &place = placeOf(inst);
  return {fileOf(launch.program->module, place, launch.sourceFile), place.line, inst.column};
}

void Block::faultUnwritten() {
  launch.fault = unwritten;
  launch.faultPlace = unwrittenPlace;
}

void Block::reportUnwritten(const Warp &warp, uint32_t lane, const std::string &text) {
  if (!unwritten.empty())
    return;
  unwritten = faultText(warp, lane, text);
  unwrittenPlace = sourcePlaceOf(*warp.current);
}

static std::string warpNames(const std::vector<uint32_t> &warps) {
  static constexpr size_t mostNamed = 8;
  std::string names = warps.size() > 1 ? "warps " : "warp ";
  for (size_t i = 0; i < warps.size() && i < mostNamed; ++i)
    names += fmt::format("{}{}", i == 0 ? "" : i + 1 == warps.size() ? " and " : ", ", warps[i]);
  if (warps.size() > mostNamed)
    names += fmt::format(" and {} more", warps.size() - mostNamed);
  return names;
}

/// The instruction that says best what a warp that goes round is waiting for: what it reads there, or else
/// the jump.
static const Inst *loopPlace(const Warp &warp) {
  const SpinWatch &watch = warp.watch;
  const bool readsThere = watch.read && watch.readSerial > watch.sampleBefore;
  return readsThere ? watch.read : watch.loop ? watch.loop : warp.current;
}

Block::Waiting Block::waitingOf(const Warp &warp) {
  if (warp.state == Warp::State::Waiting)
    return {warp.waitingInst, warp.index, warp.rests, warp.waitingAt, {}};
  const Inst *const place = loopPlace(warp);
  // One that goes round a wait in vain waits there, though not at rest.
  if (warp.watch.mbarrier && place == warp.watch.read)
    return {place, warp.index, Warp::Rest::Mbarrier, *warp.watch.mbarrier, {}};
  return {place, warp.index, std::nullopt, 0, {}};
}

std::string Block::textOf(const Waiting &place, const std::vector<uint32_t> &members) {
  const bool many = members.size() > 1;
  const std::string names = warpNames(members), line = placeName(place.at->line);
  if (!place.what)
    return fmt::format("{} {} round at {}", names, many ? "go" : "goes", line);
  std::string what;
  switch (*place.what) {
  case Warp::Rest::Barrier: {
    const Barrier &barrier = barriers[place.where];
    what = fmt::format("at barrier {} ({} of {} threads arrived)", place.where, barrier.arrivedThreads,
                       barrier.expected ? barrier.expected : liveThreads());
    break;
  }
  case Warp::Rest::Mbarrier:
    what = "at " + mbarriers.describe(place.where);
    break;
  case Warp::Rest::Group:
    what = "for the others of their group to come to a product";
    break;
  case Warp::Rest::Registers:
    what = fmt::format("for registers ({} and {} free)", registers.registers(place.warp),
                       registers.freeFor(place.warp));
    break;
  }
  return fmt::format("{} {} {}, {}", names, many ? "wait" : "waits", what, line);
}

std::vector<Block::Waiting> Block::whoWaits() {
  std::vector<Waiting> all;
  std::vector<std::vector<uint32_t>> members;
  for (const Warp &warp : warps) {
    if (warp.state == Warp::State::Done)
      continue;
    const Waiting here = waitingOf(warp);
    const auto known = std::find_if(all.begin(), all.end(), [&](const Waiting &other) {
      return other.at == here.at && other.what == here.what && other.where == here.where;
    });
    if (known == all.end()) {
      all.push_back(here);
      members.push_back({warp.index});
    } else {
      members[size_t(known - all.begin())].push_back(warp.index);
    }
  }
  for (size_t i = 0; i < all.size(); ++i)
    all[i].text = textOf(all[i], members[i]);
  return all;
}

/// Places that a message names at most.
static constexpr size_t mostPlaces = 4;

void Block::reportDeadlock() {
  const std::vector<Waiting> waiting = whoWaits();
  std::string text;
  for (size_t i = 0; i < waiting.size() && i < mostPlaces; ++i)
    text += (i ? "; " : "") + waiting[i].text;
  if (waiting.size() > mostPlaces)
    text += fmt::format("; and {} more places", waiting.size() - mostPlaces);
  faultAt(waiting.front(), fmt::format("deadlock: {}", text));
}

void Block::faultAt(const Waiting &place, std::string text) {
  Warp &warp = warps[place.warp];
  warp.current = place.at;
  warp.fault(wholeWarp, std::move(text));
}

void reportStuck(LaunchContext &launch, std::span<Block *const> blocks, uint64_t notBegun) {
  struct Party {
    Block *block;
    Block::Waiting waiting;
  };
  std::vector<Party> parties;
  for (Block *const block : blocks)
    for (Block::Waiting &waiting : block->whoWaits())
      parties.push_back({block, std::move(waiting)});
  const uint64_t time = launch.instructionLimit - launch.instructionsLeft;
  if (parties.size() == 1 && notBegun == 0 && !parties[0].waiting.what) {
    parties[0].block->faultAt(
        parties[0].waiting, fmt::format("an endless loop: {} instructions into the launch the block's warps "
                                        "only come back to states that they have been in",
                                        time));
    return;
  }
  // A party at each line comes before a second one at a line that is named already.
  std::vector<uint32_t> lines;
  for (size_t i = 0; i < parties.size(); ++i) {
    const uint32_t line = parties[i].waiting.at->place;
    if (std::find(lines.begin(), lines.end(), line) != lines.end())
      continue;
    const auto from = parties.begin() + long(i);
    std::rotate(parties.begin() + long(lines.size()), from, from + 1);
    lines.push_back(line);
  }
  std::string text;
  for (size_t i = 0; i < parties.size() && i < mostPlaces; ++i)
    text += fmt::format("{}{} {}", i ? "; " : "", parties[i].block->blockName(parties[i].waiting.warp),
                        parties[i].waiting.text);
  if (parties.size() > mostPlaces)
    text += fmt::format("; and {} more", parties.size() - mostPlaces);
  if (notBegun)
    text += fmt::format("; {} more blocks have not begun, as {} fit at once", notBegun, blocks.size());
  parties.front().block->faultAt(
      parties.front().waiting,
      fmt::format("deadlock: {} instructions into the launch nobody gets any further: {}", time, text));
}

} // namespace tegula::runtime::ptx
