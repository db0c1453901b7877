#include "runtime/emulator/warp/Recorder.h"

#include "runtime/emulator/Random.h"
#include "runtime/emulator/warp/BlockState.h"
#include "runtime/emulator/warp/Warp.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace tegula::runtime::ptx {

namespace {

/// A kind of event, and the opcode that it is: the longest that fits counts.
struct EventKind {
  std::string_view name, opcode;
};
constexpr EventKind kinds[] = {
    {"copy", "cp.async"},
    {"copies committed", "cp.async.commit_group"},
    {"copies awaited", "cp.async.wait"},
    {"copies signal", "cp.async.mbarrier"},
    {"bulk copy", "cp.async.bulk"},
    {"bulk copies committed", "cp.async.bulk.commit_group"},
    {"bulk copies awaited", "cp.async.bulk.wait"},
    {"arrive", "mbarrier.arrive"},
    {"wait", "mbarrier.try_wait"},
    {"wait", "mbarrier.test_wait"},
    {"barrier", "bar"},
    {"barrier", "barrier"},
    {"product", "mma"},
    {"group product", "wgmma.mma_async"},
    {"group products committed", "wgmma.commit_group"},
    {"group products awaited", "wgmma.wait_group"},
};

/// Returns whether `name` is `opcode`, with modifiers or without.
bool isOf(std::string_view name, std::string_view opcode) {
  return name.starts_with(opcode) &&
         (name.size() == opcode.size() || name[opcode.size()] == '.' || name[opcode.size()] == '_');
}

/// The number of the kind of event that the instruction is; nothing for others.
std::optional<uint16_t> kindOf(std::string_view name) {
  std::optional<uint16_t> found;
  for (uint16_t i = 0; i < std::size(kinds); ++i)
    if (isOf(name, kinds[i].opcode) && (!found || kinds[i].opcode.size() > kinds[*found].opcode.size()))
      found = i;
  return name.starts_with("bar.warp") ? std::nullopt : found;
}

/// Returns whether the instruction loads without an order between threads.
bool isPlainLoad(std::string_view name) {
  const auto says = [&](std::string_view word) { return name.find(word) != name.npos; };
  return isOf(name, "cp.async") ||
         (isOf(name, "ld") && !says("volatile") && !says("acquire") && !says("relaxed"));
}

/// Returns whether the instruction combines elements with others, as locks do not.
bool isUpdate(std::string_view name) {
  return (isOf(name, "atom") || isOf(name, "red")) && name.find(".cas") == name.npos &&
         name.find(".exch") == name.npos;
}

/// A digest of the lanes and their addresses.
uint64_t digestOf(std::span<const LaneAddress> accesses) {
  uint64_t digest = accesses.size();
  for (const auto &[lane, address] : accesses)
    digest = mixHash(digest, address + lane);
  return digest;
}

/// The handler of events while they are recorded.
void logged(Warp &warp, const Inst &inst) { warp.block->launch.recorder->event(warp, inst); }

AccessPattern patternOf(std::span<const LaneAddress> accesses, uint32_t bytes) {
  AccessPattern pattern;
  uint64_t lowest = ~uint64_t(0);
  for (const auto &[lane, address] : accesses)
    lowest = std::min(lowest, address);
  constexpr uint32_t line = 128; // of caches, and one pass over the banks
  pattern.alignment = uint32_t(lowest % line);
  pattern.laneBytes = bytes;
  for (const auto &[lane, address] : accesses) {
    pattern.mask |= 1u << lane;
    pattern.offsets[lane] = uint32_t(std::min<uint64_t>(address - lowest, ~uint32_t(0)));
  }
  return pattern;
}

void add(std::vector<AccessPattern> &patterns, std::span<const LaneAddress> accesses, uint32_t bytes) {
  AccessPattern pattern = patternOf(accesses, bytes);
  const auto like = std::ranges::find_if(patterns, [&](const auto &known) { return known.isLike(pattern); });
  if (like != patterns.end()) {
    ++like->count;
  } else if (patterns.size() < maxPatterns) {
    pattern.count = 1;
    patterns.push_back(pattern);
  }
}

} // namespace

Recorder::Recorder(Module &module) : records(module.places.size()) {
  for (Function &function : module.functions)
    for (Inst &inst : function.code) {
      const Place place = module.places[inst.place];
      inst.place = uint32_t(module.places.size());
      module.places.push_back(place);
      Record &record = records.emplace_back();
      record.line = inst.line;
      const std::string_view name = module.opcodes[inst.name];
      record.isLoad = isPlainLoad(name);
      record.isUpdate = isUpdate(name);
      if (const std::optional<uint16_t> kind = kindOf(name)) {
        record.kind = *kind;
        record.handler = inst.run;
        inst.run = logged;
      }
    }
}

bool Recorder::LastRequests::repeat(uint64_t ofBlock, uint64_t digest) {
  if (block != ofBlock)
    *this = {ofBlock};
  const bool isLike = std::ranges::find(digests, digest) != digests.end();
  digests[next++ % digests.size()] = digest;
  return isLike;
}

void Recorder::global(const Warp &warp, std::span<const LaneAddress> accesses, uint32_t bytes,
                      uint32_t sectors) {
  if (!isRecording)
    return;
  Record &record = records[warp.current->place];
  add(record.global, accesses, bytes);
  if (record.isLoad) {
    if (record.last.size() <= warp.index)
      record.last.resize(warp.index + 1);
    if (record.last[warp.index].repeat(warp.block->number(), digestOf(accesses)))
      record.repeatedSectors += sectors;
  }
  if (!record.isUpdate || record.elements.size() >= maxElements)
    return;
  // What one instruction changes by vectors is words.
  constexpr uint32_t widest = 8, word = 4;
  const uint32_t words = bytes > widest ? bytes / word : 1;
  record.atomicChanges += accesses.size() * words;
  for (const auto &[lane, address] : accesses)
    for (uint32_t i = 0; i < words; ++i)
      record.elements.insert(address + i * word);
}

void Recorder::shared(uint32_t place, std::span<const LaneAddress> accesses, uint32_t bytes, bool isStore,
                      uint64_t leastPasses) {
  if (!isRecording)
    return;
  Record &record = records[place];
  record.isStore = isStore;
  record.sharedPassesLeast += leastPasses;
  add(record.shared, accesses, bytes);
}

void Recorder::event(Warp &warp, const Inst &inst) {
  const Record &record = records[inst.place];
  const uint64_t step = warp.block->time() + warp.serial - warp.turnSerial;
  record.handler(warp, inst);
  if (!isRecording)
    return;
  if (!hasFollowed) {
    hasFollowed = true;
    followedNumber = warp.block->number();
    for (size_t axis = 0; axis < followedIndex.size(); ++axis)
      followedIndex[axis] = uint32_t(warp.block->specialValue(Special(size_t(Special::CtaidX) + axis), 0, 0));
  }
  // One that stays where it is waits, and is executed anew once it is woken: then it counts.
  const bool stays = warp.pc < warp.function->code.size() && &warp.function->code[warp.pc] == &inst;
  if (warp.block->number() != followedNumber || warp.faulted() || stays)
    return;
  if (events.size() < maxEvents)
    events.push_back({uint16_t(warp.index), record.kind, inst.line, step});
  else
    ++dropped;
}

void Recorder::reset() {
  for (Record &record : records) {
    record.sharedPassesLeast = record.repeatedSectors = record.atomicChanges = 0;
    record.global.clear();
    record.shared.clear();
    record.last.clear();
    record.elements.clear();
  }
  hasFollowed = false;
  events.clear();
  dropped = 0;
}

KernelProfile Recorder::profile(std::span<const Counters> counters) const {
  KernelProfile made;
  for (size_t place = 0; place < std::min(counters.size(), records.size()); ++place) {
    if (counters[place] == Counters{})
      continue;
    const Record &record = records[place];
    made.instructions.push_back({record.line, counters[place], record.isStore, record.sharedPassesLeast,
                                 record.repeatedSectors, record.atomicChanges, record.elements.size(),
                                 record.global, record.shared});
  }
  std::ranges::sort(made.instructions, {}, &InstructionProfile::line);
  for (const EventKind &kind : kinds)
    made.eventKinds.emplace_back(kind.name);
  made.followed = followedIndex;
  made.events = events;
  made.eventsDropped = dropped;
  return made;
}

} // namespace tegula::runtime::ptx
