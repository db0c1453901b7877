#include "compiler/plan/HistogramPlan.h"

#include <array>

namespace tegula {

HistogramPlan planHistogram(const LinearLayout &source, const LinearLayout &result, unsigned threadBits) {
  constexpr unsigned CountBytes = 4;
  HistogramPlan plan;
  plan.source = planAccess(source, threadBits, std::array{1u}, CountBytes * 8);
  plan.places = uint32_t(result.outSize(Dim::Dim0));
  plan.bytes = plan.places * CountBytes;
  LinearLayout memory = LinearLayout::identity1D(int32_t(plan.places), Dim::Offset, Dim::Dim0);
  plan.counts = planSharedAccess(memory, result, {}, threadBits, CountBytes, SharedMove::Vectors);
  return plan;
}

} // namespace tegula
