// A server of the Model Context Protocol (revision 2025-06-18) over lines of JSON-RPC: programs that write
// kernels list, check, explain, compile, run and debug them.
#pragma once

#include "dialect/Outcome.h"
#include "tools/tegula/command/Options.h"
#include "tools/tegula/command/OwnProcess.h"
#include "tools/tegula/mcp/Tools.h"

#include "llvm/Support/JSON.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tegula::cli {

/// A reason to refuse a request.
struct McpRefusal {
  int code; ///< of JSON-RPC 2.0
  std::string text;
};

class McpServer {
public:
  /// Carries out a call of a tool.
  using Run = std::function<runtime::Result<Finished>(const ToolCall &)>;

  /// Offers the tools among `commands`, which must outlive this.
  McpServer(std::span<const CommandTable> commands, Run run) : commands(commands), run(std::move(run)) {}

  /// Returns the answer to a message, a line without its end; nothing for a notification.
  std::optional<std::string> answer(std::string_view line) const;

private:
  using Answer = Outcome<llvm::json::Value, McpRefusal>;
  Answer result(llvm::StringRef method, const llvm::json::Object &params) const;
  Answer callTool(const llvm::json::Object &params) const;

  std::span<const CommandTable> commands;
  Run run;
};

/// Serves on standard input and output until the input ends. Returns an exit status.
int serveMcp(std::span<const CommandTable> commands);

} // namespace tegula::cli
