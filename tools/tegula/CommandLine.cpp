// The command line of `tegula`: which subcommand, its options, and its work.
#include "tools/tegula/CommandTables.h"
#include "tools/tegula/Subcommands.h"
#include "tools/tegula/mcp/Server.h"
#include "tools/tegula/output/Output.h"
#include "tools/tegula/output/Status.h"
#include "tools/tegula/output/Suggest.h"

#include <algorithm>

namespace tegula::cli {

using runtime::Result;

static constexpr const char *topUsage = "usage: tegula COMMAND [OPTION]...; `tegula --help` says more\n";

/// "expected a command: compile, run ..., found `complie`; did you mean `compile`?"
static int failCommand(std::span<const CommandTable> commands, const std::string &found) {
  std::string list;
  std::vector<std::string> known;
  for (const CommandTable &command : commands) {
    known.push_back(command.name);
    list += fmt::format("{}{}",
                        known.size() == 1                 ? ""
                        : known.size() == commands.size() ? " or "
                                                          : ", ",
                        command.name);
  }
  say(fmt::format("error: expected a command: {}{}\n{}", list,
                  found.empty() ? "" : fmt::format(", found `{}`{}", found, didYouMean(found, known)),
                  topUsage));
  return UsageWrong;
}

static int completionCommand(std::span<const CommandTable> commands, const std::string &shell) {
  if (shell != "bash" && shell != "zsh" && shell != "fish")
    return failUsage(fmt::format("expected bash, zsh or fish, found `{}`", shell), "completion");
  writeOut(completionScript(shell, commands));
  return Done;
}

static int helpCommand(std::span<const CommandTable> commands, const std::string &subject) {
  const CommandTable *command = findCommand(commands, subject);
  if (!subject.empty() && !command)
    return failCommand(commands, subject);
  writeOut(command ? commandHelp(*command) : generalHelp(commands));
  return Done;
}

static int runTable(const CommandTable &command, std::span<const std::string> words,
                    std::span<const CommandTable> commands, CommandValues &values) {
  if (asksForHelp(command, words))
    return helpCommand(commands, command.name);
  if (Result<void> parsed = parseOptions(command, words); !parsed)
    return failUsage(parsed.error().text, command.name);
  const std::optional<ColourMode> colour = parseColourMode(values.colour);
  if (!colour)
    return failUsage(fmt::format("expected auto, always or never after `--color`, found `{}`", values.colour),
                     command.name);
  setColour(*colour);
  if (command.name == "completion")
    return completionCommand(commands, values.shell);
  if (command.name == "help")
    return helpCommand(commands, values.subject);
  if (command.name == "mcp")
    return serveMcp(commands);
  if (command.name == "man") {
    writeOut(manualPage(commands));
    return Done;
  }
  return command.work();
}

static int runWords(std::span<const std::string> words) {
  CommandValues values;
  const std::vector<CommandTable> commands = commandTables(values);
  setColour(ColourMode::Auto);
  if (words.empty())
    return failCommand(commands, "");
  if (words[0] == "-h" || words[0] == "--help")
    return helpCommand(commands, words.size() > 1 ? words[1] : "");
  if (words[0] == "--version") {
    writeOut("tegula " TEGULA_VERSION "\n");
    return Done;
  }
  const CommandTable *command = findCommand(commands, words[0]);
  if (!command)
    return failCommand(commands, words[0]);
  return runTable(*command, words.subspan(1), commands, values);
}

int tegulaMain(int argc, char **argv) {
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  const int status = runWords(words);
  if (Result<void> written = finishOutput(); !written) {
    const int failed = fail(written.error());
    return status == Done ? failed : status;
  }
  return status;
}

} // namespace tegula::cli
