// Commands in docstrings: `tegula run FILE -D BLOCK=64 --arg x=randn:fp32[100]` says what a kernel is for.
#pragma once

#include "compiler/driver/Compiler.h"
#include "dialect/image/Result.h"
#include "tools/tegula/command/Commands.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tegula::cli {

/// The words of a command that say what a kernel is for.
struct LaunchWords : SubjectOptions {
  std::string world;
  uint32_t line = 0; ///< in the file
};

/// Parses the words behind `tegula`: nothing where they are no command that compiles or runs.
using ReadCommand = std::function<std::optional<LaunchWords>(std::span<const std::string> words)>;

/// The commands in the docstrings of the file and of `kernel` that are about `kernel`, those of the kernel's
/// own first. A command that does not parse is text like any other.
std::vector<LaunchWords> commandsFor(const ParsedSource &source, const KernelInfo &kernel,
                                     const ReadCommand &readCommand);

/// Adds the types and values that the arguments of `tegula run` stand for to `spec`. Those that only a file
/// or a launch on several ranks knows are left out. Errors: InvalidArgument.
runtime::Result<void> addArguments(const std::vector<std::string> &arguments, const KernelInfo &kernel,
                                   KernelSpec &spec);

} // namespace tegula::cli
