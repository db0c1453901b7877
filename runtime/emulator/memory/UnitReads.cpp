#include "runtime/emulator/memory/UnitReads.h"

#include <algorithm>
#include <utility>

namespace tegula::runtime::ptx {

void UnitReads::beginBlock() {
  if (underWay.empty())
    return;
  std::fill(readers.begin(), readers.end(), uint16_t(0));
  underWay.clear();
}

UnitReads::Number UnitReads::begin(Reader reader, std::vector<uint32_t> chunks) {
  for (const uint32_t chunk : chunks)
    ++readers[chunk / chunkBytes];
  underWay.emplace_hint(underWay.end(), next, Reading{reader, std::move(chunks)});
  return next++;
}

std::vector<uint32_t> UnitReads::end(Number number) {
  std::vector<uint32_t> chunks = std::move(underWay.extract(number).mapped().chunks);
  for (const uint32_t chunk : chunks)
    --readers[chunk / chunkBytes];
  return chunks;
}

std::optional<UnitReads::Reader> UnitReads::findUnderWay(uint64_t address, uint32_t count) const {
  const uint64_t first = address / chunkBytes, last = (address + count - 1) / chunkBytes;
  if (std::all_of(readers.begin() + long(first), readers.begin() + long(last) + 1,
                  [](uint16_t number) { return number == 0; }))
    return std::nullopt;
  for (const auto &[number, reading] : underWay)
    for (const uint32_t chunk : reading.chunks)
      if (chunk / chunkBytes >= first && chunk / chunkBytes <= last)
        return reading.reader;
  return std::nullopt;
}

} // namespace tegula::runtime::ptx
