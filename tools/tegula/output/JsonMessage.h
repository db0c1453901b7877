// Messages in JSON from another program, and to one: editors, debuggers and clients of tools send them.
#pragma once

#include "llvm/Support/JSON.h"

#include <string>
#include <string_view>

namespace tegula::cli {

/// Parses a message. Errors: what is no JSON, or nests deeper than any message does: the parser would follow
/// it down the stack.
llvm::Expected<llvm::json::Value> parseMessage(std::string_view text);

/// Returns the message behind a head with its length, as editors and debuggers read it.
std::string framed(const llvm::json::Value &message);

} // namespace tegula::cli
