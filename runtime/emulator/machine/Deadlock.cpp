#include "runtime/emulator/machine/Deadlock.h"

#include "runtime/emulator/warp/DeviceAccess.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tegula::runtime::ptx {

/// Warps that stand, or go round, at one place.
struct Waiting {
  const Inst *at;
  uint32_t warp;                  ///< the first of them
  std::optional<Warp::Rest> what; ///< none where they go round in a loop
  uint32_t where = 0;             ///< the barrier
  /// "warps 0 and 2 wait at barrier 0 (64 of 128 threads arrived), add.py:12 (PTX line 7)"
  std::string text;
};

static std::string warpNames(const std::vector<uint32_t> &warps) {
  static constexpr size_t mostNamed = 8;
  std::string names = warps.size() > 1 ? "warps " : "warp ";
  for (size_t i = 0; i < warps.size() && i < mostNamed; ++i)
    names += fmt::format("{}{}", i == 0 ? "" : i + 1 == warps.size() ? " and " : ", ", warps[i]);
  if (warps.size() > mostNamed)
    names += fmt::format(" and {} more", warps.size() - mostNamed);
  return names;
}

/// Returns true if the loop that the warp goes round in reads memory that ranks of a fabric share.
static bool polls(const Warp &warp) {
  return warp.watch.polled && warp.watch.polledSerial > warp.watch.sampleBefore;
}

/// The instruction that says best what a warp that goes round is waiting for: what it reads there, or else
/// the jump.
static const Inst *loopPlace(const Warp &warp) {
  const SpinWatch &watch = warp.watch;
  if (polls(warp))
    return watch.polled;
  const bool readsThere = watch.read && watch.readSerial > watch.sampleBefore;
  return readsThere ? watch.read : watch.loop ? watch.loop : warp.current;
}

static Waiting waitingOf(const Warp &warp) {
  // On the way round it hands on what it has read to the other warps of its block.
  const bool handsOn = polls(warp) && warp.state == Warp::State::Waiting && warp.rests == Warp::Rest::Barrier;
  if (warp.state == Warp::State::Waiting && !handsOn)
    return {warp.waitingInst, warp.index, warp.rests, warp.waitingAt, {}};
  const Inst *const place = loopPlace(warp);
  // One that goes round a wait in vain waits there, though not at rest.
  if (warp.watch.mbarrier && place == warp.watch.read)
    return {place, warp.index, Warp::Rest::Mbarrier, *warp.watch.mbarrier, {}};
  return {place, warp.index, std::nullopt, 0, {}};
}

/// On a fabric: ", at rank 1's pad, word 6, seen 0, expected 1", and who changed it last.
static std::string awaited(Block &block, const Waiting &place) {
  const LaunchContext &launch = block.launch;
  const SpinWatch &watch = block.allWarps()[place.warp].watch;
  if (!launch.fabric || place.at != watch.polled || watch.bytes > sizeof(uint64_t))
    return {};
  const Allocation *const memory = launch.memory->find(watch.address);
  if (!memory || memory->freed || !memory->isSymmetric)
    return {};
  uint64_t seen = 0;
  std::memcpy(&seen, memory->data.get() + (watch.address - memory->base), watch.bytes);
  std::string text = fmt::format(", at {}, seen {}", placeOnFabric(*memory, watch.address), seen);
  if (watch.expected)
    text += fmt::format(", expected {}", *watch.expected);
  if (const FabricAccess *last = launch.fabric->order.lastSignal(watch.address))
    text += fmt::format(", last written by rank {} at {}", last->device, lineOf(*launch.fabric, *last));
  return text;
}

static std::string textOf(Block &block, const Waiting &place, const std::vector<uint32_t> &members) {
  const bool many = members.size() > 1;
  const std::string names = warpNames(members), line = block.faults.placeName(place.at->line);
  if (!place.what)
    return fmt::format("{} {} round at {}{}", names, many ? "go" : "goes", line, awaited(block, place));
  std::string what;
  switch (*place.what) {
  case Warp::Rest::Barrier:
    what = "at " + block.barriers.describe(place.where);
    break;
  case Warp::Rest::Mbarrier:
    what = "at " + block.mbarriers.describe(place.where);
    break;
  case Warp::Rest::Group:
    what = "for the others of their group to come to a product";
    break;
  case Warp::Rest::Cluster:
    what = "at " + block.ownCluster->describe();
    break;
  case Warp::Rest::Registers:
    what = fmt::format("for registers ({} and {} free)", block.registers.registers(place.warp),
                       block.registers.freeFor(place.warp));
    break;
  }
  return fmt::format("{} {} {}, {}", names, many ? "wait" : "waits", what, line);
}

/// Returns where the unfinished warps wait, grouped by place.
static std::vector<Waiting> whoWaits(Block &block) {
  std::vector<Waiting> all;
  std::vector<std::vector<uint32_t>> members;
  for (const Warp &warp : block.allWarps()) {
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
    all[i].text = textOf(block, all[i], members[i]);
  return all;
}

/// Ends the launch with an error at a place where warps of `block` wait.
static void faultAt(Block &block, const Waiting &place, const std::string &text) {
  Warp &warp = block.allWarps()[place.warp];
  warp.current = place.at;
  warp.fault(wholeWarp, "{}", text);
}

/// Places that a message names at most.
static constexpr size_t mostPlaces = 4, mostOnFabric = 8;

void reportDeadlock(Block &block) {
  const std::vector<Waiting> waiting = whoWaits(block);
  std::string text;
  for (size_t i = 0; i < waiting.size() && i < mostPlaces; ++i)
    text += (i ? "; " : "") + waiting[i].text;
  if (waiting.size() > mostPlaces)
    text += fmt::format("; and {} more places", waiting.size() - mostPlaces);
  faultAt(block, waiting.front(), fmt::format("deadlock: {}", text));
}

void reportStuck(LaunchContext &launch, std::span<Block *const> blocks, uint64_t notBegun) {
  struct Party {
    Block *block;
    Waiting waiting;
  };
  std::vector<Party> parties;
  for (Block *const block : blocks)
    for (Waiting &waiting : whoWaits(*block))
      parties.push_back({block, std::move(waiting)});
  const uint64_t time = launch.instructionLimit - launch.instructionsLeft;
  if (parties.size() == 1 && notBegun == 0 && !parties[0].waiting.what &&
      awaited(*parties[0].block, parties[0].waiting).empty()) {
    faultAt(*parties[0].block, parties[0].waiting,
            fmt::format("an endless loop: {} instructions into the launch the block's warps "
                        "only come back to states that they have been in",
                        time));
    return;
  }
  // On a fabric those that poll say most.
  if (launch.fabric)
    std::ranges::stable_partition(
        parties, [](const Party &one) { return polls(one.block->allWarps()[one.waiting.warp]); });
  const size_t most = launch.fabric ? mostOnFabric : mostPlaces;
  // A party at each line comes before a second one at a line that is named already.
  std::vector<std::pair<uint32_t, uint32_t>> lines; // and devices
  for (size_t i = 0; i < parties.size(); ++i) {
    const std::pair line{parties[i].waiting.at->place, parties[i].block->launch.device};
    if (std::find(lines.begin(), lines.end(), line) != lines.end())
      continue;
    const auto from = parties.begin() + long(i);
    std::rotate(parties.begin() + long(lines.size()), from, from + 1);
    lines.push_back(line);
  }
  std::string text;
  for (size_t i = 0; i < parties.size() && i < most; ++i)
    text += fmt::format("{}{} {}", i ? "; " : "", parties[i].block->faults.blockName(parties[i].waiting.warp),
                        parties[i].waiting.text);
  if (parties.size() > most)
    text += fmt::format("; and {} more", parties.size() - most);
  if (notBegun)
    text += fmt::format("; {} more blocks have not begun, as {} fit at once", notBegun, blocks.size());
  faultAt(*parties.front().block, parties.front().waiting,
          fmt::format("deadlock: {} instructions into the launch no warp gets any further: {}", time, text));
}

} // namespace tegula::runtime::ptx
