#include "tools/tegula/lsp/Connection.h"

namespace tegula::cli {

namespace json = llvm::json;

bool nestsTooDeep(llvm::StringRef text) {
  constexpr unsigned limit = 200;
  unsigned depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (inString) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        inString = false;
    } else if (c == '"') {
      inString = true;
    } else if (c == '{' || c == '[') {
      if (++depth > limit)
        return true;
    } else if ((c == '}' || c == ']') && depth) {
      --depth;
    }
  }
  return false;
}

std::optional<json::Value> Connection::read() {
  std::string text;
  while (!input.isEndOfInput() && !input.hasError()) {
    if (llvm::failed(input.readMessage(text)) || nestsTooDeep(text))
      continue;
    llvm::Expected<json::Value> message = json::parse(text);
    if (message)
      return std::move(*message);
    llvm::consumeError(message.takeError());
  }
  return std::nullopt;
}

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
  const std::string body = llvm::formatv("{0}", message).str();
  std::lock_guard lock(mutex);
  out << "Content-Length: " << body.size() << "\r\n\r\n" << body;
  out.flush();
}

void Connection::fail(const json::Value &id, llvm::lsp::ErrorCode code, const std::string &message) {
  std::lock_guard lock(mutex);
  transport.reply(id, llvm::make_error<llvm::lsp::LSPError>(message, code));
}

} // namespace tegula::cli
