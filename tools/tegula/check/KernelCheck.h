// Compiles a kernel for what is said of it, and for what is guessed where nothing is.
#pragma once

#include "tools/tegula/check/CheckOptions.h"
#include "tools/tegula/check/Specialisation.h"

namespace tegula::cli {

/// A kernel, what it was compiled for, and what was found.
struct KernelCheck {
  KernelInfo kernel;
  Specialisation specialisation;
  std::vector<Diagnostic> diagnostics; ///< errors; warnings, also those that were errors under a guess
  std::vector<Remark> remarks;
};

/// Compiles `kernel` of `source`. Where that fails under a guess, other guesses that the failure points at
/// are tried. Errors that all of them have are errors; others are warnings, with the guess that they rest on.
KernelCheck checkKernel(Compiler &compiler, const ParsedSource &source, const KernelInfo &kernel,
                        const CheckOptions &options);

/// Looks for errors in a function that only other kernels call: what its arguments are is not known, so only
/// names without a meaning are reported.
std::vector<Diagnostic> checkHelper(Compiler &compiler, const ParsedSource &source,
                                    const KernelInfo &function, const CheckOptions &options);

} // namespace tegula::cli
