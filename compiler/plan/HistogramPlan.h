// Plans of how small numbers are counted: pure data, read off the layouts. No IR.
#pragma once

#include "compiler/plan/RoundTripPlan.h"

#include <cstdint>

namespace tegula {

/// The counts lie in shared memory, 32 bits each. All threads set them to zero by `counts`, add one for each
/// of their registers in `source`, and read them by `counts`.
struct HistogramPlan {
  AccessPlan source;   ///< each element in one register of one thread
  SharedAccess counts; ///< the registers of the result
  uint32_t places = 1; ///< that are counted in
  uint32_t bytes = 0;  ///< of shared memory
};

/// Plans counting elements of `source` into a tensor of layout `result`, both of one axis.
HistogramPlan planHistogram(const LinearLayout &source, const LinearLayout &result, unsigned threadBits);

} // namespace tegula
