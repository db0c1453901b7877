// The tables of `tegula debug` and `tegula dap`, and their work.
#pragma once

#include "tools/tegula/command/DebugCommand.h"
#include "tools/tegula/command/Options.h"

namespace tegula::cli {

struct CommandValues;

/// The options of `tegula debug`; those of a command of its own are parsed into `command`, which has to
/// outlive the table.
CommandTable debugTable(CommandValues &values, DebugCommand &command);
/// The same with a command that the table keeps.
CommandTable debugTable(CommandValues &values);
CommandTable dapTable(CommandValues &values);

/// `--grid` and `--arg`, and the options that compile and run share; they are in CommandTables.cpp.
std::vector<Option> launchOptions(std::string &grid, std::vector<std::string> &arguments,
                                  const std::string &meaningOfNames);
std::vector<Option> kernelOptions(KernelOptions &options);

/// Each returns an exit status and has printed what there was to say. `dapCommand` speaks the Debug Adapter
/// Protocol on standard input and output.
int debugCommand(const DebugCommand &command);
int dapCommand();

} // namespace tegula::cli
