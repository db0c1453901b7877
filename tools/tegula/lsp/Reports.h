// Compiles the kernels of a document to machine code, for what that tells: layouts, facts, resources, missed
// optimisations. Done in the background, as it takes longer than finding errors.
#pragma once

#include "compiler/driver/ParsedSource.h"
#include "tools/insight/Document.h"
#include "tools/tegula/check/FileCheck.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tegula::cli {

/// One kernel as it was compiled. Of the document only what editors show is kept: texts of stages are not.
struct KernelReport {
  explain::Document document;
  std::string guess; ///< "`x_ptr=*fp32:16` and `BLOCK=64`": what was guessed for it; else empty
};

/// The kernels of a version of a document. Immutable.
struct Reports {
  std::shared_ptr<const std::string> text; ///< of that version
  std::vector<KernelReport> kernels;       ///< those that compile
};

/// Compiles the kernels of `check`, which is of `source` with this `text`, that have no errors. Null where
/// `isStopped`, asked between stages, ends it. A kernel that the time until `isLate` is not enough for is
/// left out.
std::shared_ptr<const Reports> reportsOf(const ParsedSource &source, const FileCheck &check,
                                         std::shared_ptr<const std::string> text,
                                         const std::function<bool()> &isStopped,
                                         const std::function<bool()> &isLate);

} // namespace tegula::cli
