#include "runtime/emulator/SpinDetector.h"

#include "runtime/emulator/Warp.h"

namespace tegula::runtime::ptx {

/// Hashing all registers costs as much as some fifty instructions: one part in twenty.
static constexpr uint64_t instructionsPerSample = 1024;
/// So many that each of 32 warps, picked at random, is certain to be among them.
static constexpr uint32_t quietSamples = 2048;

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15;
  return hash ^ (hash >> 29);
}

static uint64_t stateOf(const Warp &warp) {
  uint64_t hash = mix(warp.index, warp.pc);
  hash = mix(hash, uint64_t(warp.until) << 32 | warp.active);
  hash = mix(hash, uint64_t(warp.carry) << 32 | warp.live);
  hash = mix(hash, reinterpret_cast<uintptr_t>(warp.rows)); // tells the depths of a recursion apart
  for (size_t i = 0; i < size_t(warp.function->rows) * lanes; ++i)
    hash = mix(hash, warp.rows[i]);
  for (size_t i = 0; i < warp.function->rows; ++i)
    hash = mix(hash, warp.defined[i]);
  for (size_t i = 0; i < warp.function->predicates; ++i)
    hash = mix(hash, warp.predicates[i]);
  return hash;
}

bool SpinDetector::isEndless(const Warp &warp, uint64_t instructions) {
  sinceSample += instructions;
  if (sinceSample < instructionsPerSample)
    return false;
  sinceSample = 0;
  // A warp that waits or has ended is not going round.
  const bool fresh = warp.state != Warp::State::Ready || seen.insert(stateOf(warp)).second;
  quiet = fresh ? 0 : quiet + 1;
  return quiet >= quietSamples;
}

} // namespace tegula::runtime::ptx
