// Options of `tegula` that are made of what a kernel is checked for.
#pragma once

#include "tools/tegula/check/DocLines.h"
#include "tools/tegula/check/Specialisation.h"

#include <string>
#include <vector>

namespace tegula::cli {

/// Returns the options with which `kernel` is compiled for what it is checked for.
LaunchWords compilationOf(const KernelInfo &kernel, const Specialisation &made);

/// The words behind the subcommand and its file.
struct LaunchCommand {
  std::vector<std::string> words;
  std::vector<std::string> guessed; ///< parameters whose values or sizes nothing says, in their order
};

/// Returns the words with which `tegula debug` launches `kernel`: those of the first launch in a docstring;
/// else arrays and numbers that are made up for the types of `made`, large enough for a program or two of
/// most kernels, and all of them `guessed`. Errors: InvalidArgument for a parameter that no argument can be
/// made up for.
runtime::Result<LaunchCommand> debugCommandOf(const ParsedSource &source, const KernelInfo &kernel,
                                              const Specialisation &made, const ReadCommand &readCommand);

/// Returns `words` as a shell reads them.
std::string shellText(const std::vector<std::string> &words);

} // namespace tegula::cli
