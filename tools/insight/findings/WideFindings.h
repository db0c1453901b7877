// Finds arithmetic of 64 bits that 32 would do for.
#pragma once

#include "tools/insight/Document.h"

namespace tegula::explain {

/// Adds findings of two kinds:
/// - `fp64`: arithmetic in fp64 that the arguments do not ask for, at the number that begins it;
/// - `int64`: divisions and products of integers, where their 64 bits are a fifth of a run or more.
void addWideFindings(Document &document);

} // namespace tegula::explain
