// Help in the middle of a line that does not parse yet: what is completed, and the call that the cursor is
// in. Read off the text before the cursor; what names mean is the last tree's to say.
#pragma once

#include "tools/tegula/lsp/Analysis.h"

#include "llvm/Support/JSON.h"

namespace tegula::cli {

/// Completions at `offset` of the text of `analysis`: attributes behind a dot, else names. Empty outside of
/// kernels.
llvm::json::Array completionsAt(const Analysis &analysis, uint32_t offset);
/// The signature of the call around `offset` as SignatureHelp has it; null where there is none that is known.
llvm::json::Value signatureAt(const Analysis &analysis, uint32_t offset);

/// Returns true if `offset` is in the body of a jit function: below a `def` with a decorator that ends in
/// `jit`, and further to the right than it.
bool isInKernel(std::string_view text, uint32_t offset);

/// The call that `offset` is in.
struct OpenCall {
  std::string callee;    ///< "tl.load", ".sum" of what is no chain of names
  unsigned argument = 0; ///< commas before the cursor
  std::string keyword;   ///< of the argument, where one is written: "mask"
};
std::optional<OpenCall> openCallAt(std::string_view text, uint32_t offset);

} // namespace tegula::cli
