// The moves by which elements whose places along an axis differ in given bits change places: pure data, read
// off the layout.
#pragma once

#include "compiler/plan/ConversionPlan.h"

namespace tegula {

/// Plans that each place of a tensor gets the element whose place along `axis` is `mask` away, by exclusive
/// or, from it. A layout is linear and onto, so the two places differ by the same registers, lanes and warps
/// everywhere: registers are renamed, lanes shuffle, and warps exchange their registers through shared
/// memory, where each thread has a place of its own for each. `elementBytes` is 1, 2, 4 or 8.
/// \post carried out as a change of layout, the plan puts there that element.
ConversionPlan planButterfly(const LinearLayout &layout, unsigned axis, uint32_t mask, unsigned threadBits,
                             unsigned elementBytes);

} // namespace tegula
