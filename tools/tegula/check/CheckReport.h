// Results of `tegula check` as text and as JSON.
#pragma once

#include "tools/tegula/check/FileCheck.h"
#include "tools/tegula/output/Json.h"

namespace tegula::cli {

/// The files with their diagnostics, and their kernels with what they were checked for, each value with the
/// reason for it, and the fixes that were made. Lines and columns count from 1, columns in code points.
Json checkJson(const std::vector<FileCheck> &files);

/// "3 files, 5 kernels: 1 error, 2 warnings"
std::string checkSummary(const std::vector<FileCheck> &files);

/// Optimisations that `check` says were missed, as notes in the lines of `source` that they are about.
std::vector<Diagnostic> missedOptimisations(const FileCheck &check, const ParsedSource &source);

} // namespace tegula::cli
