// Messages between an editor and the server: JSON-RPC over two streams, read one at a time and written from
// any thread.
#pragma once

#include "tools/tegula/output/JsonMessage.h"

#include <cstdio>
#include <mutex>
#include <optional>

namespace tegula::cli {

class Connection {
public:
  Connection(std::FILE *in, llvm::raw_ostream &out) : input(in), out(out), transport(in, out) {}

  /// The next message that is JSON; nothing at the end of the input. What is no message is passed over.
  std::optional<llvm::json::Value> read() { return readMessage(input); }

  void notify(llvm::StringRef method, llvm::json::Value params);
  void call(llvm::StringRef method, llvm::json::Value params, llvm::json::Value id);
  void reply(const llvm::json::Value &id, llvm::json::Value result);
  /// Hands on a message of another server as it is.
  void forward(const llvm::json::Value &message);
  void fail(const llvm::json::Value &id, llvm::lsp::ErrorCode code, const std::string &message);

private:
  llvm::lsp::JSONTransportInputOverFile input;
  std::mutex mutex; ///< guards writing
  llvm::raw_ostream &out;
  llvm::lsp::JSONTransport transport;
};

} // namespace tegula::cli
