#include "runtime/emulator/warp/Traffic.h"

#include "runtime/emulator/warp/Recorder.h"

#include <algorithm>

namespace tegula::runtime::ptx {

/// Number of 32-byte sectors that accesses of `bytes` bytes at `addresses` touch. Sorts them.
static uint32_t countSectors(std::span<uint64_t> addresses, uint32_t bytes, uint32_t &ideal) {
  if (!std::is_sorted(addresses.begin(), addresses.end()))
    std::sort(addresses.begin(), addresses.end());
  uint32_t sectors = 0, distinct = 0;
  uint64_t lastSector = ~uint64_t(0), lastAddress = ~uint64_t(0);
  for (const uint64_t address : addresses) {
    // Accesses are aligned and no larger than a sector: each lies in one.
    static_assert(maxAccessBytes <= sectorBytes);
    sectors += address / sectorBytes != lastSector;
    distinct += address != lastAddress;
    lastSector = address / sectorBytes;
    lastAddress = address;
  }
  ideal = (distinct * bytes + sectorBytes - 1) / sectorBytes;
  return sectors;
}

/// Lanes whose words one pass serves, where no two need the same bank: 32 of 4 bytes, 16 of 8, 8 of 16.
static uint32_t lanesOfPass(uint32_t bytes) {
  const uint32_t wordsEach = std::max(1u, bytes / sharedBankBytes);
  return sharedBanks / std::min(wordsEach, maxAccessBytes / sharedBankBytes);
}

/// Passes over the banks that these lanes need without a conflict.
static uint32_t countLeastPasses(std::span<const LaneAddress> accesses, uint32_t bytes) {
  uint32_t passes = 0, last = ~0u;
  for (const auto &[lane, address] : accesses) {
    passes += lane / lanesOfPass(bytes) != last;
    last = lane / lanesOfPass(bytes);
  }
  return passes;
}

/// Passes beyond the least that 32 banks of 4 bytes need for these accesses.
static uint32_t countBankConflicts(std::span<const LaneAddress> accesses, uint32_t bytes) {
  const uint32_t wordsEach = std::max(1u, bytes / sharedBankBytes);
  const uint32_t lanesAtOnce = lanesOfPass(bytes);
  uint32_t extra = 0;
  for (size_t i = 0; i < accesses.size();) {
    const uint32_t phase = accesses[i].first / lanesAtOnce;
    std::array<uint64_t, sharedBanks> words;
    uint32_t count = 0;
    for (; i < accesses.size() && accesses[i].first / lanesAtOnce == phase; ++i)
      for (uint32_t word = 0; word < wordsEach && count < words.size(); ++word)
        words[count++] = accesses[i].second / sharedBankBytes + word;
    std::sort(words.begin(), words.begin() + count);
    const auto end = std::unique(words.begin(), words.begin() + count);
    std::array<uint32_t, sharedBanks> perBank{};
    uint32_t passes = 0;
    for (auto word = words.begin(); word != end; ++word)
      passes = std::max(passes, ++perBank[*word % sharedBanks]);
    extra += passes - 1;
  }
  return extra;
}

void Traffic::record(Warp &warp, uint32_t bytes, bool isStore, uint32_t sectors,
                     std::span<const uint64_t> addresses) const {
  Recorder &recorder = *warp.block->launch.recorder;
  if (globals) {
    std::array<LaneAddress, lanes> accesses;
    uint32_t count = 0;
    forLanes(globalLanes, [&](uint32_t lane) {
      accesses[count] = {lane, addresses[count]};
      ++count;
    });
    recorder.global(warp, {accesses.data(), count}, bytes, sectors);
  }
  // A copy stores to shared memory what it loads.
  if (shareds)
    recorder.shared(warp.current->place, {shared.data(), shareds}, bytes, isStore || globals,
                    countLeastPasses({shared.data(), shareds}, bytes));
}

void Traffic::count(Warp &warp, uint32_t bytes, bool isStore) {
  const bool isRecorded = warp.block->launch.recorder;
  std::array<uint64_t, lanes> addresses;
  if (isRecorded)
    addresses = global; // counting sectors sorts them
  uint32_t ideal = 0;
  const uint32_t sectors = globals ? countSectors({global.data(), globals}, bytes, ideal) : 0;
  if (isRecorded)
    record(warp, bytes, isStore, sectors, addresses);
  Counters &counters = warp.block->counters()[warp.current->place];
  if (globals) {
    (isStore ? counters.storeRequests : counters.loadRequests) += 1;
    (isStore ? counters.storeSectors : counters.loadSectors) += sectors;
    (isStore ? counters.storeSectorsIdeal : counters.loadSectorsIdeal) += ideal;
    (isStore ? counters.storeBytes : counters.loadBytes) += uint64_t(globals) * bytes;
  }
  if (shareds) {
    ++counters.sharedRequests;
    counters.sharedBytes += uint64_t(shareds) * bytes;
    counters.bankConflicts += countBankConflicts({shared.data(), shareds}, bytes);
  }
}

} // namespace tegula::runtime::ptx
