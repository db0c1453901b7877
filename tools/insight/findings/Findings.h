// Finds what costs more than it must.
#pragma once

#include "tools/insight/Document.h"

namespace tegula::explain {

/// Fills in `document.findings`, the dearest first: what the run counted, or without a run what the compiler
/// left undone, with its reasons.
void addFindings(Document &document);

} // namespace tegula::explain
