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

std::vector<unsigned> runOfRegisters(const LinearLayout &layout, unsigned axis, unsigned elementBytes,
                                     unsigned maxBytes) {
  unsigned below = 0; // bits of the axes packed below this one
  for (unsigned i = 0; i < axis; ++i)
    below += layout.outs()[i].bits;
  std::vector<unsigned> run;
  for (unsigned step = 0; step < layout.outs()[axis].bits && (elementBytes << step) < maxBytes; ++step) {
    unsigned bit = 0;
    while (bit < layout.inBits(Dim::Register) && layout.column(Dim::Register, bit) != uint64_t(1)
                                                                                          << (below + step))
      ++bit;
    if (bit == layout.inBits(Dim::Register))
      break;
    run.push_back(bit);
  }
  return run;
}

} // namespace tegula
