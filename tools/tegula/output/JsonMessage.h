// Messages in JSON from another program, and to one: editors, debuggers and clients of tools send them.
#pragma once

#include "llvm/Support/JSON.h"
#include "llvm/Support/LSP/Transport.h"

#include <optional>
#include <string>
#include <string_view>

namespace tegula::cli {

/// Parses a message. Errors: what is no JSON, or nests deeper than any message does: the parser would follow
/// it down the stack.
llvm::Expected<llvm::json::Value> parseMessage(std::string_view text);

/// Returns the next message that is JSON, as editors and debuggers send them; nothing at the end of the
/// input. What is no message is passed over.
std::optional<llvm::json::Value> readMessage(llvm::lsp::JSONTransportInput &input);

/// Returns the message behind a head with its length, as editors and debuggers read it.
std::string framed(const llvm::json::Value &message);

} // namespace tegula::cli
