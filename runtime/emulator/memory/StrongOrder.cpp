#include "runtime/emulator/memory/StrongOrder.h"

#include <algorithm>

namespace tegula::runtime::ptx {

void StrongOrder::beginBlock(BlockRaces::BlockNumber number) {
  block = number;
  if (!places.empty())
    places.clear();
  restart();
  sawOthers = afterOthers = false;
}

void StrongOrder::restart() { std::fill(handedOut.begin(), handedOut.end(), 0); }

void StrongOrder::learnFromOthers(uint32_t warp) {
  afterOthers = true;
  clocks.acquire(warp, handedOut);
}

void StrongOrder::read(uint32_t warp, uint64_t address, bool isGlobal, bool acquires) {
  if (const auto place = places.find(address); place != places.end())
    clocks.readStrong(warp, place->second, acquires);
  if (!isGlobal || !blocks.releasedByOther(block, address))
    return;
  sawOthers = true;
  if (acquires)
    learnFromOthers(warp);
}

void StrongOrder::write(uint32_t warp, uint64_t address, bool isGlobal, bool releases) {
  if (!clocks.handsOn(warp, releases))
    return;
  auto [place, fresh] = places.try_emplace(address);
  if (fresh)
    place->second = clocks.emptyClock();
  clocks.writeStrong(warp, place->second, releases);
  if (!isGlobal)
    return;
  blocks.release(block, address);
  clocks.writeStrong(warp, handedOut, releases);
}

void StrongOrder::fence(uint32_t warp) {
  clocks.fence(warp);
  if (sawOthers)
    learnFromOthers(warp);
}

} // namespace tegula::runtime::ptx
