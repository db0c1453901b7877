#include "tools/tegula/output/JsonMessage.h"

#include "llvm/Support/FormatVariadic.h"

#include <fmt/format.h>

namespace tegula::cli {

static bool nestsTooDeep(std::string_view text) {
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

llvm::Expected<llvm::json::Value> parseMessage(std::string_view text) {
  if (nestsTooDeep(text))
    return llvm::createStringError("brackets nest too deep");
  return llvm::json::parse(text);
}

std::optional<llvm::json::Value> readMessage(llvm::lsp::JSONTransportInput &input) {
  std::string text;
  while (!input.isEndOfInput() && !input.hasError()) {
    if (llvm::failed(input.readMessage(text)))
      continue;
    llvm::Expected<llvm::json::Value> message = parseMessage(text);
    if (message)
      return std::move(*message);
    llvm::consumeError(message.takeError());
  }
  return std::nullopt;
}

std::string framed(const llvm::json::Value &message) {
  const std::string body = llvm::formatv("{0}", message).str();
  return fmt::format("Content-Length: {}\r\n\r\n{}", body.size(), body);
}

} // namespace tegula::cli
