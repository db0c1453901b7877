#include "tools/tegula/Status.h"

#include "tools/tegula/CommandTables.h"
#include "tools/tegula/Output.h"

namespace tegula::cli {

using runtime::ErrorKind;

int fail(const runtime::Error &error) {
  // Rendered diagnostics have an `error:` each.
  say(error.diagnostics ? error.text : fmt::format("error: {}\n", error.text));
  switch (error.kind) {
  case ErrorKind::InvalidArgument:
    return UsageWrong;
  case ErrorKind::Compile:
  case ErrorKind::Io:
    return InputWrong;
  default:
    return DeviceFailed;
  }
}

int failUsage(const std::string &text, std::string_view command) {
  CommandValues values;
  const std::vector<CommandTable> commands = commandTables(values);
  const CommandTable *table = findCommand(commands, command);
  say(fmt::format("error: {}\n{}`tegula {} --help` has the options\n", text, table ? usageLine(*table) : "",
                  command));
  return UsageWrong;
}

} // namespace tegula::cli
