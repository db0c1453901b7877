// Plans of how a tensor is picked from along an axis: pure data, read off the layouts. No IR.
#pragma once

#include "compiler/plan/RoundTripPlan.h"

#include <cstdint>
#include <vector>

namespace tegula {

/// The source lies in shared memory in row-major order. Register r of a thread picks the element at byte
/// `offsets[r] ^ t + index * stride`, t being the exclusive or of `threadOffsets` over the one bits of the
/// thread's number: the place along all other axes.
struct GatherPlan {
  SharedAccess store;
  std::vector<uint32_t> offsets, threadOffsets;
  uint32_t stride = 0; ///< bytes from one element along the axis to the next
  uint32_t side = 1;   ///< elements along it
  uint32_t bytes = 0;  ///< of shared memory
};

/// Plans picking along `axis` from a source of `elementBytes` (1, 2, 4 or 8). `result` is the layout of the
/// indices and of what is picked: of the source's shape except the axis.
GatherPlan planGather(const LinearLayout &source, const LinearLayout &result, unsigned axis,
                      unsigned threadBits, unsigned elementBytes);

} // namespace tegula
