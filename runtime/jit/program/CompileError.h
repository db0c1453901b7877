// Turns a failed compilation into an error that a person can read and a program can take apart.
#pragma once

#include "compiler/driver/CompileResult.h"
#include "dialect/image/Result.h"

#include <vector>

namespace tegula::jit {

inline bool isError(const Diagnostic &diagnostic) { return diagnostic.severity == Severity::Error; }
/// Returns true if one of them is an error.
bool hasErrors(const std::vector<Diagnostic> &diagnostics);

/// The error of kind Compile that these diagnostics make up: rendered as its text, and kept as data, with
/// what the target has too little of.
runtime::Error compileError(std::vector<Diagnostic> diagnostics);

} // namespace tegula::jit
