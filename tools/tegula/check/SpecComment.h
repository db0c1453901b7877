// The comment above a kernel that says what it is checked for:
//
//     # tegula: x_ptr=*fp32:16 n=i32:16 BLOCK=1024 num_warps=8 grid=4
//     @triton.jit
//     def kernel(x_ptr, n, BLOCK: tl.constexpr):
#pragma once

#include "compiler/driver/Compiler.h"

#include <string>
#include <vector>

namespace tegula::cli {

/// A comment as it is read.
struct SpecComment {
  KernelSpec spec;                ///< what it says of parameters, warps, stages and the architecture
  std::vector<std::string> named; ///< parameters that it says something of
  std::string grid;               ///< or empty
  uint32_t line = 0;              ///< the last line of it; 0 where there is none
  std::vector<Diagnostic> problems;
};

/// The lines of the comment above `kernel`, its decorators between or not.
SpecComment readSpecComment(const ParsedSource &source, const KernelInfo &kernel);

/// The line before which a comment for `kernel` belongs: of its first decorator, or its `def`; 0 where it is
/// not in the file.
uint32_t firstLineOf(const ParsedSource &source, const KernelInfo &kernel);

} // namespace tegula::cli
