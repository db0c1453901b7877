// Programs of several files that need no disk: texts by path, from which imports are served.
#pragma once

#include "test/compiler/frontend/Harness.h"

namespace tegula::test {

/// Texts by path. A folder without an `__init__.py` is a package all the same. The text "!REASON" is a file
/// that cannot be read.
using Files = std::map<std::string, std::string>;
/// Variables of the environment: none is known where there is no map, and those not in it are not set.
using Variables = std::optional<std::map<std::string, std::string>>;
std::shared_ptr<const ModuleLoader> loaderOf(Files files, Variables variables = std::nullopt);

/// Evaluates the kernel `k` of `entry`, one of `files`. `values` are given to names of modules.
struct Program {
  Files files;
  std::string entry = "k.py";
  std::string kernel = "k";
  NamedArguments arguments = {{"x", "*fp32"}};
  std::map<std::string, BoundValue> values = {};
  bool isAlone = false; ///< no loader serves imports
  Variables variables = std::nullopt;
  std::string target = "sm_90a";
};
std::vector<Diagnostic> diagnosticsOf(const Program &program);
/// "FILE:LINE:COLUMN: message", notes indented below, help behind "help: "; the message alone of a static
/// print.
std::string messagesOf(const Program &program);
/// The same for a kernel `k(x)` with this body, in a file with these statements above it.
std::string messagesOf(std::string above, std::string body, Files others,
                       std::map<std::string, BoundValue> values = {});

} // namespace tegula::test
