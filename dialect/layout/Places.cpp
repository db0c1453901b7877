#include "dialect/layout/Places.h"

#include <algorithm>

namespace tegula {

std::vector<uint64_t> threadColumns(const LinearLayout &layout, unsigned threadBits) {
  std::vector<uint64_t> columns(threadBits, 0);
  for (unsigned bit = 0; bit < std::min(layout.inBits(Dim::Lane), LaneBits); ++bit)
    columns[bit] = layout.column(Dim::Lane, bit);
  for (unsigned bit = 0; bit < layout.inBits(Dim::Warp) && LaneBits + bit < threadBits; ++bit)
    columns[LaneBits + bit] = layout.column(Dim::Warp, bit);
  return columns;
}

std::vector<uint64_t> registerPositions(const LinearLayout &layout) {
  std::vector<uint64_t> positions(size_t(1) << layout.inBits(Dim::Register), 0);
  for (unsigned bit = 0; bit < layout.inBits(Dim::Register); ++bit)
    for (size_t low = 0; low < (size_t(1) << bit); ++low)
      positions[low | (size_t(1) << bit)] = positions[low] ^ layout.column(Dim::Register, bit);
  return positions;
}

} // namespace tegula
