// Makes the fixes of diagnostics that are certain.
#pragma once

#include "compiler/frontend/syntax/text/Diagnostic.h"

#include <string>
#include <vector>

namespace tegula::cli {

struct FixedText {
  std::string text;
  unsigned fixes = 0; ///< that were made
};

/// Returns the text of `file` with the certain fixes of `diagnostics` made, one for each diagnostic; those
/// that overlap one before are left for the next time.
FixedText withCertainFixes(const SourceFile &file, const std::vector<Diagnostic> &diagnostics);

} // namespace tegula::cli
