// Finds warps that have little to do.
#pragma once

#include "tools/insight/Document.h"

namespace tegula::explain {

/// Adds a finding where the tensors of a kernel, or a product, have too few elements for its warps, so that
/// they repeat each other (`idle`), or where each thread has one element of few bytes, though it could access
/// 16
/// (`narrow`).
void addIdleWarps(Document &document);

} // namespace tegula::explain
