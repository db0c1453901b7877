// Finds warps that repeat what others do.
#pragma once

#include "tools/insight/Document.h"

namespace tegula::explain {

/// Adds a finding where the tensors of a kernel, or a product, have too few elements for its warps.
void addIdleWarps(Document &document);

} // namespace tegula::explain
