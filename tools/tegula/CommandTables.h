// The tables of the subcommands of `tegula`.
#pragma once

#include "tools/tegula/command/Commands.h"
#include "tools/tegula/command/Options.h"

namespace tegula::cli {

/// Values that the options of all subcommands are parsed into.
struct CommandValues {
  CompileCommand compile;
  RunCommand run;
  ExplainCommand explain;
  DebugCommand debug;
  TuneCommand tune;
  BenchCommand bench;
  BundleCommand bundle;
  ListCommand list;
  CheckCommand check;
  CacheCommand cache;
  std::string shell;   ///< of `completion`
  std::string subject; ///< of `help`
  std::string colour = "auto";
};

/// The tables, in the order that help shows; their targets are in `values`, which has to outlive them.
std::vector<CommandTable> commandTables(CommandValues &values);

/// Those of `tegula bench` and the debugger, which have many options.
CommandTable benchTable(CommandValues &values);
CommandTable debugTable(CommandValues &values);
CommandTable dapTable(CommandValues &values);
/// The table of what a line of a file of specialisations may say.
CommandTable bundleLineTable(BundleLine &line);
/// The table of the options of `run` that say what a launch is, for words that are read from elsewhere.
CommandTable launchTable(ExplainCommand &command);
/// `--grid` and `--arg`; `--from`; the other options that compile and run share.
std::vector<Option> launchOptions(LaunchOptions &options, const std::string &meaningOfNames);
Option fromOption(KernelOptions &options);
std::vector<Option> kernelOptions(KernelOptions &options);
/// `--color`, which every table has.
Option colourOption(CommandValues &values);

/// The subcommand of this name, or null.
const CommandTable *findCommand(std::span<const CommandTable> commands, std::string_view name);

/// Prints "error: <text>" and where the usage of the subcommand is described; returns UsageWrong.
int failUsage(const std::string &text, std::string_view command);

} // namespace tegula::cli
