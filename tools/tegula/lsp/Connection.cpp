#include "tools/tegula/lsp/Connection.h"

namespace tegula::cli {

namespace json = llvm::json;

void Connection::notify(llvm::StringRef method, json::Value params) {
  std::lock_guard lock(mutex);
  transport.notify(method, std::move(params));
}

void Connection::call(llvm::StringRef method, json::Value params, json::Value id) {
  std::lock_guard lock(mutex);
  transport.call(method, std::move(params), std::move(id));
}

void Connection::reply(const json::Value &id, json::Value result) {
  std::lock_guard lock(mutex);
  transport.reply(id, std::move(result));
}

void Connection::forward(const json::Value &message) {
  const std::string text = framed(message);
  std::lock_guard lock(mutex);
  out << text;
  out.flush();
}

void Connection::fail(const json::Value &id, llvm::lsp::ErrorCode code, const std::string &message) {
  std::lock_guard lock(mutex);
  transport.reply(id, llvm::make_error<llvm::lsp::LSPError>(message, code));
}

} // namespace tegula::cli
