// Diagnostics and their fixes as the protocol has them.
#pragma once

#include "tools/tegula/lsp/Analysis.h"
#include "tools/tegula/lsp/Positions.h"

#include "llvm/Support/JSON.h"

namespace tegula::cli {

/// The diagnostics of a document for `textDocument/publishDiagnostics`. What is in another file, which a
/// kernel calls, is shown where this one leads there. Missed optimisations, where they are known, are hints.
llvm::json::Value publishedDiagnostics(const Analysis &analysis);

/// The fixes of the diagnostics in the lines of `range`, as code actions.
llvm::json::Array actionsIn(const Analysis &analysis, const EditorRange &range);

} // namespace tegula::cli
