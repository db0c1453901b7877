// The subject of `tegula explain`: a kernel, and the options of its compilation or its launch, given or
// documented.
#pragma once

#include "dialect/image/Result.h"
#include "tools/tegula/arguments/Input.h"
#include "tools/tegula/command/Commands.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace tegula::cli {

/// Parses the words behind `tegula` of a documented command; nothing where they are none that says what a
/// kernel is compiled for.
using ReadDocumented = std::function<std::optional<ExplainCommand>(std::span<const std::string> words)>;

/// The options that hold.
struct Subject {
  ExplainCommand command;
  Input input;
  std::string specFrom; ///< "options" or "docstring"

  /// Returns true if it is launched, not only compiled.
  bool isRun() const { return !command.grid.empty(); }
};

/// Reads the file. Where `command` has neither a launch nor a signature, those are taken of the first command
/// in the file that is about the kernel; what `command` has otherwise comes before. Errors: Io;
/// InvalidArgument where there is no such command, or the file is none of kernels.
runtime::Result<Subject> readSubject(const ExplainCommand &command, const ReadDocumented &readDocumented);

} // namespace tegula::cli
