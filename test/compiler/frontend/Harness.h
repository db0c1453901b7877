// Evaluates kernels given as text and shows the IR or the diagnostics.
#pragma once

#include "compiler/frontend/Frontend.h"

#include <gtest/gtest.h>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace tegula::test {

/// Result of one evaluation.
struct Evaluated {
  std::string ir;      ///< the function's body, without locations; empty where there were errors
  std::string located; ///< the whole module, with locations
  std::string errors;  ///< every diagnostic, rendered
  std::vector<Diagnostic> diagnostics;
};

/// Parses `source`, with `import triton` and `import triton.language as tl` in front of its first line, and
/// evaluates its kernel. `arguments` are names with types as in signatures ("*fp32:16", "i32=1",
/// "tensordesc<i8[16]>") or, behind a `#`, with values ("#64", "#2.5", "#true", "#none", "#'text'",
/// "#tl.float16").
using NamedArguments = std::vector<std::pair<std::string, std::string>>;
Evaluated evaluate(std::string_view source, const NamedArguments &arguments = {}, bool debug = false,
                   std::string_view kernel = {}, std::string_view target = "sm_90a");

/// The same as this version of Triton has it.
Evaluated evaluateAs(std::string_view version, std::string_view source, const NamedArguments &arguments = {},
                     bool debug = false, std::string_view kernel = {});

/// The same for the body of a kernel with the parameters of `arguments`; those behind a `#` are constexpr.
Evaluated evaluateBody(std::string_view body, const NamedArguments &arguments = {}, bool debug = false);

/// The same compiled for `target`.
Evaluated evaluateFor(std::string_view target, std::string_view body, const NamedArguments &arguments = {});

/// The IR, after the parser, printer and verifier have agreed on it; fails the test on a diagnostic.
std::string bodyIr(std::string_view body, const NamedArguments &arguments = {}, bool debug = false);

/// The whole module with the locations of its ops inline; fails the test on a diagnostic.
std::string locatedIr(std::string_view source, const NamedArguments &arguments, std::string_view kernel);

/// Checks that `text` holds `parts` in their order.
testing::AssertionResult holds(const std::string &text, std::initializer_list<std::string_view> parts);

/// "LINE:COLUMN-ENDCOLUMN: message", notes indented below, help behind "help: ". Lines count from the first
/// line of the source as it was given.
std::string summary(const std::vector<Diagnostic> &diagnostics);
/// The summary for the body of a kernel; its first line counts as 1, and its indentation of 4 is taken off.
std::string bodyErrors(std::string_view body, const NamedArguments &arguments = {});
/// The messages alone, a line each: what `tl.static_print` says in the body of a kernel.
std::string bodyMessages(std::string_view body, const NamedArguments &arguments = {});
/// The summary for a whole file.
std::string fileErrors(std::string_view source, const NamedArguments &arguments = {},
                       std::string_view kernel = {});

} // namespace tegula::test
