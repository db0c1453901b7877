// Diagnostics as the protocol has them, and the edits that their helps stand for.
#pragma once

#include "tools/tegula/lsp/Analysis.h"
#include "tools/tegula/lsp/Positions.h"

#include "llvm/Support/JSON.h"

namespace tegula::cli {

/// The diagnostics of a document for `textDocument/publishDiagnostics`. What is in another file, which a
/// kernel calls, is shown where this one leads there.
llvm::json::Value publishedDiagnostics(const Analysis &analysis);

/// Edits for the diagnostics in the lines of `range`: what their helps say, and comments that say what is
/// guessed.
llvm::json::Array actionsIn(const Analysis &analysis, const EditorRange &range);

} // namespace tegula::cli
