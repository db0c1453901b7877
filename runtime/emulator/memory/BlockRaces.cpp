#include "runtime/emulator/memory/BlockRaces.h"

#include <cstring>

namespace tegula::runtime::ptx {

/// Addresses of which it is remembered who released there; beyond this many every block counts as ordered.
static constexpr size_t maxReleased = 1 << 18;

void BlockRaces::beginBlock() {
  if (budget.left != 0)
    return;
  stores.clear();
  loads.clear();
}

/// Returns true if `block` is one that `by` has to be ordered with.
static bool isOther(BlockRaces::BlockNumber block, const BlockRaces::Accessor &by) {
  return block && (block - 1) / by.mates != (by.block - 1) / by.mates;
}

Conflict BlockRaces::racingLoad(const Accessor &by, uint64_t address, uint32_t count) {
  if (by.ordered || loads.size() == 0)
    return {};
  auto [mark, step] = loads.find(address, count);
  if (!mark)
    return {};
  for (uint64_t at = address; at < address + count; at += step, ++mark)
    for (const Loads::Load &load : mark->of)
      if (isOther(load.block, by))
        return {true, false, 0, 0, load.line, at, true};
  return {};
}

Conflict BlockRaces::write(const Access &access, const Accessor &by, uint64_t address, uint32_t count,
                           const uint8_t *old, const uint8_t *values) {
  auto [mark, step] = stores.find(address, count);
  if (!mark)
    return {};
  for (uint64_t at = address; at < address + count; at += step, ++mark) {
    const bool plain = !mark->strong && !access.strong;
    const bool changes = std::memcmp(old + (at - address), values + (at - address), step) != 0;
    if (isOther(mark->block, by) && plain && !by.ordered && changes)
      return {true, true, 0, 0, mark->line, at, true};
    if (changes && !access.strong)
      if (const Conflict conflict = racingLoad(by, at, step); conflict.found)
        return conflict;
    mark->changed = changes || (mark->changed && mark->block == by.block);
    mark->block = by.block;
    mark->line = access.line;
    mark->strong = access.strong;
  }
  return {};
}

Conflict BlockRaces::read(const Access &access, const Accessor &by, uint64_t address, uint32_t count) {
  if (access.strong)
    return {};
  if (auto [store, step] = stores.find(address, count); store && !by.ordered)
    for (uint64_t at = address; at < address + count; at += step, ++store)
      if (isOther(store->block, by) && store->changed && !store->strong)
        return {true, true, 0, 0, store->line, at, true};
  auto [mark, step] = loads.find(address, count);
  for (uint64_t at = address; mark && at < address + count; at += step, ++mark) {
    const bool isFirst = !mark->of[0].block || !isOther(mark->of[0].block, by);
    mark->of[isFirst ? 0 : 1] = {by.block, access.line};
  }
  return {};
}

void BlockRaces::release(BlockNumber block, uint64_t address) {
  if (released.size() >= maxReleased)
    return;
  const auto [place, fresh] = released.try_emplace(address, block);
  if (!fresh && place->second != block)
    place->second = several;
}

bool BlockRaces::releasedByOther(BlockNumber block, uint64_t address) const {
  if (released.size() >= maxReleased)
    return true;
  const auto place = released.find(address);
  return place != released.end() && place->second != block;
}

} // namespace tegula::runtime::ptx
