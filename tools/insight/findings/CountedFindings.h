// Finds in the counts of a run loads that are repeated or mostly masked, and elements that are changed often.
#pragma once

#include "tools/insight/Document.h"

namespace tegula::explain {

/// Returns, where there was a run:
/// - `repeated`: loads of addresses that the same warp has just asked for at the same place;
/// - `masked`: tiles of which a fifth or less is loaded, but for sides of 16 and less, which products cannot
/// do without;
/// - `atomics`: elements that are changed 32 times and more each.
std::vector<Finding> countedFindings(const Document &document);

} // namespace tegula::explain
