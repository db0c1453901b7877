#include "tools/tegula/Documented.h"

#include "tools/tegula/CommandTables.h"
#include "tools/tegula/arguments/Input.h"
#include "tools/tegula/output/Status.h"

#include <fmt/format.h>

namespace tegula::cli {

using runtime::Result;

Result<ExplainCommand> readDocumented(std::span<const std::string> words) {
  // Options that have no part in what a kernel costs or computes are read and left.
  CommandValues values;
  const std::vector<CommandTable> tables = commandTables(values);
  const CommandTable *table = words.empty() ? nullptr : findCommand(tables, words[0]);
  if (!table)
    return usageError("it is none of `tegula`");
  TRY(parseOptions(*table, words.subspan(1)));
  ExplainCommand command;
  if (words[0] == "run") {
    static_cast<KernelOptions &>(command) = values.run;
    command.grid = values.run.grid;
    command.arguments = values.run.arguments;
    if (command.grid.empty())
      return usageError("expected a grid: --grid=X[,Y[,Z]]");
    if (!values.run.world.empty())
      return usageError("it is a launch on several ranks");
  } else {
    static_cast<SpecOptions &>(command) = values.compile;
    command.arch = values.compile.arch;
  }
  return command;
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
  command.grid = completed.grid;
  command.arguments = completed.arguments;
  return {};
}

} // namespace tegula::cli
