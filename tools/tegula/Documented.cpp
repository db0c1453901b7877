#include "tools/tegula/Documented.h"

#include "tools/tegula/CommandTables.h"
#include "tools/tegula/Subcommands.h"
#include "tools/tegula/arguments/Input.h"
#include "tools/tegula/output/Status.h"

#include <fmt/format.h>

namespace tegula::cli {

using runtime::Result;

/// Reads the words of `tegula run` and `tegula compile`; options that have no part in what a kernel costs or
/// computes are left. Errors: InvalidArgument.
static Result<LaunchWords> readWords(std::span<const std::string> words) {
  CommandValues values;
  const std::vector<CommandTable> tables = commandTables(values);
  const CommandTable *table = words.empty() ? nullptr : findCommand(tables, words[0]);
  if (!table || (words[0] != "run" && words[0] != "compile"))
    return usageError("it neither runs nor compiles");
  TRY(parseOptions(*table, words.subspan(1)));
  LaunchWords read;
  if (words[0] == "compile") {
    static_cast<SpecOptions &>(read) = values.compile;
    read.arch = values.compile.arch;
    return read;
  }
  static_cast<KernelOptions &>(read) = values.run;
  static_cast<LaunchOptions &>(read) = values.run;
  read.world = values.run.world;
  return read;
}

std::optional<LaunchWords> readDocCommand(std::span<const std::string> words) {
  Result<LaunchWords> read = readWords(words);
  return read ? std::optional(std::move(*read)) : std::nullopt;
}

ExplainCommand asExplained(const LaunchWords &words) {
  ExplainCommand command;
  static_cast<SubjectOptions &>(command) = words;
  return command;
}

Result<ExplainCommand> readDocumented(std::span<const std::string> words) {
  const LaunchWords read = TRY(readWords(words));
  if (words[0] == "run" && read.grid.empty())
    return usageError("expected a grid: --grid=X[,Y[,Z]]");
  if (!read.world.empty())
    return usageError("it is a launch on several ranks");
  return asExplained(read);
}

Result<void> completeLaunch(DebugCommand &command) {
  const auto missing =
      usageError("expected a grid: --grid=X[,Y[,Z]], or a line `tegula run` in the text of FILE");
  if (!command.grid.empty())
    return {};
  if (!command.arguments.empty() || command.file == "-")
    return missing;
  const Input input = TRY(readInput(command));
  const auto readLaunch = [](std::span<const std::string> words) -> Result<ExplainCommand> {
    ExplainCommand read = TRY(readDocumented(words));
    if (read.grid.empty())
      return usageError("it launches nothing");
    return read;
  };
  const std::optional<ExplainCommand> documented =
      input.stage ? std::nullopt : findDocumented(input.path, input.text, command.kernel, readLaunch);
  if (!documented)
    return missing;
  ExplainCommand completed;
  static_cast<KernelOptions &>(completed) = command;
  complete(completed, *documented);
  static_cast<KernelOptions &>(command) = completed;
  static_cast<LaunchOptions &>(command) = completed;
  return {};
}

} // namespace tegula::cli
