// Counts the programs of a launch that carry out the same reduction.
#pragma once

#include "tools/insight/Document.h"

namespace tegula::explain {

/// Returns how many programs compute alike what `remark` is about, one of `plan-loops` named `programs`; 1
/// where the grid is not known.
uint64_t programsAlike(const Document &document, const Remark &remark);

} // namespace tegula::explain
