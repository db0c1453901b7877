// Finds what warps compute that they need not.
#pragma once

#include "tools/insight/Document.h"

namespace tegula::explain {

/// Adds to `document.findings` arithmetic in 64 bits that no argument asks for, and warps that repeat what
/// others do.
void addComputeFindings(Document &document);

/// The instructions of warps that ran at the point of `place`; 0 without a run.
uint64_t instructionsAt(const Document &document, Index place);

} // namespace tegula::explain
