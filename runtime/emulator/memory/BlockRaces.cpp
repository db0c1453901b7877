#include "runtime/emulator/memory/BlockRaces.h"

#include <cstring>

namespace tegula::runtime::ptx {

/// Addresses of which it is remembered who released there; beyond this many every block counts as ordered.
static constexpr size_t maxReleased = 1 << 18;

void BlockRaces::beginBlock() {
  if (budget.left == 0)
    stores.clear();
}

Conflict BlockRaces::write(const Access &access, BlockNumber block, bool ordered, uint32_t mates,
                           uint64_t address, uint32_t count, const uint8_t *old, const uint8_t *values) {
  auto [mark, step] = stores.find(address, count);
  if (!mark)
    return {};
  for (uint64_t at = address; at < address + count; at += step, ++mark) {
    const bool plain = !mark->strong && !access.strong;
    const bool isOther = mark->block && (mark->block - 1) / mates != (block - 1) / mates;
    if (isOther && plain && !ordered && std::memcmp(old + (at - address), values + (at - address), step) != 0)
      return {true, true, 0, 0, mark->line, at, true};
    mark->block = block;
    mark->line = access.line;
    mark->strong = access.strong;
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
