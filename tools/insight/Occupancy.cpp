#include "tools/insight/Occupancy.h"

#include <algorithm>

namespace tegula::explain {

static uint64_t roundedUp(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

/// Blocks by registers: each part of a multiprocessor holds whole warps of them.
static uint32_t blocksByRegisters(uint32_t warps, uint32_t registers) {
  const uint64_t ofWarp = roundedUp(uint64_t(registers) * Target::warpSize, Target::registerUnit);
  const uint64_t ofPart = Target::registersPerMultiprocessor / Target::partsPerMultiprocessor;
  return uint32_t(ofPart / std::max<uint64_t>(ofWarp, 1) * Target::partsPerMultiprocessor / warps);
}

static uint32_t blocksByShared(const Target &target, uint64_t bytes) {
  if (bytes > target.maxSharedPerBlock)
    return 0;
  const uint64_t each = roundedUp(bytes + target.reservedSharedPerBlock(), target.sharedUnit);
  return each ? uint32_t(target.sharedPerMultiprocessor / each) : target.maxBlocksPerMultiprocessor;
}

Occupancy occupancyOf(const Target &target, uint32_t warps, std::optional<uint32_t> registers,
                      uint64_t sharedBytes) {
  Occupancy made;
  warps = std::max(warps, 1u);
  made.limits["warps"] = target.maxWarpsPerMultiprocessor / warps;
  made.limits["blocks"] = target.maxBlocksPerMultiprocessor;
  made.limits["shared"] = blocksByShared(target, sharedBytes);
  if (registers)
    made.limits["registers"] = blocksByRegisters(warps, *registers);
  made.blocks = std::ranges::min_element(made.limits, {}, [](auto &limit) { return limit.second; })->second;
  for (const auto &[name, blocks] : made.limits)
    if (blocks == made.blocks)
      made.limiters.push_back(name);
  if (made.limiters.size() > 1)
    return made;
  if (registers && made.limiters.front() == "registers") {
    uint32_t fewer = *registers;
    while (fewer > 1 && blocksByRegisters(warps, fewer) <= made.blocks)
      --fewer;
    made.nextBlock["registers"] = int64_t(*registers) - fewer;
  }
  if (made.limiters.front() == "shared") {
    const uint64_t each = target.sharedPerMultiprocessor / (made.blocks + 1);
    const uint64_t fits = std::min<uint64_t>(each - each % target.sharedUnit, target.sharedPerMultiprocessor);
    const int64_t usable =
        std::min<int64_t>(int64_t(fits) - target.reservedSharedPerBlock(), int64_t(target.maxSharedPerBlock));
    made.nextBlock["shared"] = int64_t(sharedBytes) - usable;
  }
  return made;
}

} // namespace tegula::explain
