// LLVM ends the process where it cannot go on. In a compiler that lives in another's process it must not.
#pragma once

#include "compiler/frontend/syntax/text/Diagnostic.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <string>

namespace tegula {

/// Runs `body`. Where LLVM would have ended the process, gives the reason instead. What `body` was working on
/// is then to be left alone: frames of LLVM's went without cleaning up, so that destroying it may touch what
/// is gone.
std::optional<std::string> catchFatalErrors(llvm::function_ref<void()> body);

/// Runs `body` and appends what it reports to `diagnostics`. Where LLVM would have ended the process, that is
/// an error, and the result false.
bool survives(std::vector<Diagnostic> &diagnostics, llvm::function_ref<void(DiagnosticEngine &)> body);

} // namespace tegula
