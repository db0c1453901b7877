#include "runtime/emulator/warp/SpinDetector.h"

#include "runtime/emulator/Random.h"

#include <utility>

namespace tegula::runtime::ptx {

/// Hashing all registers of a warp costs as much as some fifty instructions: one part in twenty.
static constexpr uint32_t instructionsPerSample = 1024;
/// Budget of a warp that has shown nothing new: small, so that it is soon known to wait and others run.
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

void SpinDetector::sample(SpinWatch &watch, uint64_t hash, uint32_t serial, const Inst &jump) {
  watch.sampleBefore = std::exchange(watch.lastSample, serial);
  watch.loop = &jump;
  watch.sampled = true;
  if (isNew(hash))
    watch.repeats = 0;
  else
    watch.repeats = repeatsOf(watch) + 1;
  watch.nextSample = serial + (watch.repeats ? instructionsPerRepeat : instructionsPerSample);
  watch.epoch = epoch;
}

void SpinDetector::writes(uint32_t block, uint64_t address, const uint8_t *values, uint32_t count) {
  uint64_t hash = mixHash(mixHash(1, block), address);
  for (uint32_t i = 0; i < count; ++i)
    hash = mixHash(hash, values[i]);
  (void)isNew(hash);
}

bool SpinDetector::areStuck(std::span<const Candidate> warps) {
  bool allRepeat = true, allRest = true;
  for (const Candidate &warp : warps) {
    if (repeatsOf(*warp.watch) >= repeatsToEnd)
      continue;
    allRepeat = allRepeat && !warp.mayRun;
    allRest = allRest && warp.watch->round != round;
  }
  if (!allRepeat || allRest)
    return allRepeat;
  // A warp has been at a barrier only for the last part of the round: see what happens in one more.
  ++round;
  for (const Candidate &warp : warps)
    if (warp.mayRun)
      warp.watch->repeats = repeatsToEnd - repeatsInRound;
  return false;
}

} // namespace tegula::runtime::ptx
