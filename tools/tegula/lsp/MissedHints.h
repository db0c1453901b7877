// Missed optimisations of compiled kernels, as hints in an editor.
#pragma once

#include "tools/tegula/lsp/Analysis.h"

#include <vector>

namespace tegula::cli {

/// Returns the optimisations that were missed, as remarks with causes as notes; those of an older version in
/// the lines that are as they were.
std::vector<Diagnostic> missedHints(const Analysis &analysis);

} // namespace tegula::cli
