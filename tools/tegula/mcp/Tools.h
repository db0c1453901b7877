// The subcommands as tools of the Model Context Protocol: what they take as JSON Schema, and a call as words
// of a command line. Both come from the subcommands' tables.
#pragma once

#include "tools/tegula/command/Options.h"

#include "llvm/Support/JSON.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::cli {

/// Seconds that a call may take where it does not say how many, and at most.
inline constexpr int64_t defaultCallSeconds = 60, mostCallSeconds = 3600;

/// A call of a tool.
struct ToolCall {
  std::vector<std::string> words;    ///< of the command line, the subcommand first
  std::optional<std::string> source; ///< text that stands for the file, on standard input
  int64_t seconds = defaultCallSeconds;
};

/// Returns the subcommand that is the tool `name`, or null where none is.
const CommandTable *findTool(std::span<const CommandTable> commands, std::string_view name);

/// Describes the tools among `commands`: name, description and `inputSchema` of each.
llvm::json::Array describeTools(std::span<const CommandTable> commands);

/// Reads the arguments of a call. Errors: InvalidArgument, which names the argument.
runtime::Result<ToolCall> readCall(const CommandTable &tool, const llvm::json::Object &arguments);

} // namespace tegula::cli
