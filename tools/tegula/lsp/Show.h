// Parts of a document that an editor shows besides messages: types on hover and as hints, lenses on kernels.
#pragma once

#include "tools/tegula/lsp/Analysis.h"
#include "tools/tegula/lsp/Positions.h"

#include "llvm/Support/JSON.h"

namespace tegula::cli {

/// Describes the name at `offset`: a function of the language with its docstring, a function of the file with
/// its signature, a variable with its type, layout and facts, a parameter with what the kernel is checked for
/// and why; and what the line costs, where that is known. Null elsewhere.
llvm::json::Value hoverAt(const Analysis &analysis, uint32_t offset);

/// Types behind the names that get a value in the lines of `range`, where the text does not say them and they
/// are new; types and values behind the parameters of kernels.
llvm::json::Array hintsIn(const Analysis &analysis, const EditorRange &range);

/// A lens on the `def` of each kernel: what it is checked for, and where that comes from; with those of
/// `resourceLenses`.
llvm::json::Array lensesOf(const Analysis &analysis);

} // namespace tegula::cli
