// The subject of `tegula explain`: a kernel, and the options of its compilation or its launch, given or
// documented.
#pragma once

#include "dialect/image/Result.h"
#include "tools/tegula/arguments/DocumentedLaunch.h"
#include "tools/tegula/arguments/Input.h"
#include "tools/tegula/command/Commands.h"

#include <functional>
#include <string>
#include <vector>

namespace tegula::cli {

/// The command that is supposed where neither options nor a documented command say what a kernel is for.
struct Supposed {
  ExplainCommand command;
  std::vector<std::string> guessed; ///< parameters that nothing says anything of
};
using Suppose = std::function<runtime::Result<Supposed>(const ExplainCommand &command, const Input &input)>;

/// The options that hold.
struct Subject {
  ExplainCommand command;
  Input input;
  std::string specFrom;             ///< "options", "docstring" or "text"
  std::vector<std::string> guessed; ///< parameters that nothing says anything of

  /// Returns true if it is launched, not only compiled.
  bool isRun() const { return !command.grid.empty(); }
};

/// Reads the file. Where `command` has neither a launch nor a signature, those are taken of the first command
/// in the file that is about the kernel, and where there is none of `suppose`; what `command` has otherwise
/// comes before. Errors: Io; InvalidArgument where the file is none of kernels; those of `suppose`.
runtime::Result<Subject> readSubject(const ExplainCommand &command, const ReadDocumented &readDocumented,
                                     const Suppose &suppose);

} // namespace tegula::cli
