#include "runtime/emulator/warp/SpinDetector.h"

#include "runtime/emulator/machine/Block.h"

#include <utility>

namespace tegula::runtime::ptx {

/// Hashing all registers of a warp costs as much as some fifty instructions: one part in twenty.
static constexpr uint32_t instructionsPerSample = 1024;
/// Of a warp that has shown nothing new, so that it is soon known to wait and others run.
static constexpr uint32_t instructionsPerRepeat = 256;
/// 64 MiB of them; what goes round has fewer states by far.
static constexpr size_t maxSeen = size_t(1) << 20;

bool SpinDetector::isNew(uint64_t hash) {
  if (seen.size() >= maxSeen)
    seen.clear();
  if (!seen.insert(hash).second)
    return false;
  ++epoch;
  return true;
}

void SpinDetector::sample(Warp &warp, const Inst &jump) {
  SpinWatch &watch = warp.watch;
  watch.sampleBefore = std::exchange(watch.lastSample, warp.serial);
  watch.loop = &jump;
  const uint64_t hash = warp.hashState(mixHash(mixHash(0, warp.block->number()), warp.index));
  if (isNew(hash))
    watch.repeats = 0;
  else
    watch.repeats = repeatsOf(watch) + 1;
  watch.nextSample = warp.serial + (watch.repeats ? instructionsPerRepeat : instructionsPerSample);
  watch.epoch = epoch;
}

void SpinDetector::writes(const Warp &warp, uint64_t address, const uint8_t *values, uint32_t count) {
  uint64_t hash = mixHash(mixHash(1, warp.block->number()), address);
  for (uint32_t i = 0; i < count; ++i)
    hash = mixHash(hash, values[i]);
  (void)isNew(hash);
}

bool SpinDetector::seemsStuck(const Warp &warp) const { return repeatsOf(warp.watch) >= repeatsToPark; }

bool SpinDetector::areStuck(std::span<Block *const> blocks) {
  bool allRepeat = true, allRest = true;
  for (Block *const block : blocks)
    for (const Warp &warp : block->allWarps()) {
      if (warp.state == Warp::State::Done || repeatsOf(warp.watch) >= repeatsToEnd)
        continue;
      allRepeat = allRepeat && !warp.mayRun();
      allRest = allRest && warp.watch.round != round;
    }
  if (!allRepeat || allRest)
    return allRepeat;
  // Someone has stood at a barrier only for the last part of the round: see what happens in one more.
  ++round;
  for (Block *const block : blocks)
    for (Warp &warp : block->allWarps())
      if (warp.mayRun())
        warp.watch.repeats = repeatsToEnd - repeatsInRound;
  return false;
}

} // namespace tegula::runtime::ptx
