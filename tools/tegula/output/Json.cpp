#include "tools/tegula/output/Json.h"

#include "compiler/frontend/syntax/text/Source.h"

#include <fmt/format.h>

#include <cmath>

namespace tegula::cli {

static void appendString(std::string &out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    uint32_t codePoint = 0;
    const uint32_t length = decodeUtf8(text, codePoint);
    if (length == 0)
      out += "\xEF\xBF\xBD";
    else if (codePoint == '"' || codePoint == '\\')
      out += fmt::format("\\{}", char(codePoint));
    else if (codePoint == '\n')
      out += "\\n";
    else if (codePoint < 0x20 || codePoint == 0x7F)
      out += fmt::format("\\u{:04x}", codePoint);
    else
      out += text.substr(0, length);
    text.remove_prefix(length ? length : 1);
  }
  out += '"';
}

bool Json::isPlain() const {
  return !std::holds_alternative<Array>(value) && !std::holds_alternative<Object>(value);
}

void Json::append(std::string &out, size_t indent) const {
  if (const bool *truth = std::get_if<bool>(&value))
    out += *truth ? "true" : "false";
  else if (const int64_t *integer = std::get_if<int64_t>(&value))
    out += fmt::format("{}", *integer);
  else if (const uint64_t *integer = std::get_if<uint64_t>(&value))
    out += fmt::format("{}", *integer);
  else if (const double *number = std::get_if<double>(&value))
    out += std::isfinite(*number) ? fmt::format("{}", *number) : fmt::format("\"{}\"", *number);
  else if (const std::string *text = std::get_if<std::string>(&value))
    appendString(out, *text);
  else if (isPlain())
    out += "null";
  else {
    const auto *elements = std::get_if<Array>(&value);
    const auto *members = std::get_if<Object>(&value);
    const size_t count = elements ? elements->size() : members->size();
    auto at = [&](size_t i) -> const Json & { return elements ? (*elements)[i] : (*members)[i].second; };
    bool isShort = true;
    for (size_t i = 0; i < count; ++i)
      isShort &= at(i).isPlain();
    const std::string lineEnd = isShort ? "" : "\n" + std::string(indent + 2, ' ');
    out += elements ? '[' : '{';
    for (size_t i = 0; i < count; ++i) {
      out += i == 0 ? "" : isShort ? ", " : ",";
      out += lineEnd;
      if (members) {
        appendString(out, (*members)[i].first);
        out += ": ";
      }
      at(i).append(out, indent + 2);
    }
    if (!isShort)
      out += "\n" + std::string(indent, ' ');
    out += elements ? ']' : '}';
  }
}

std::string Json::text() const {
  std::string out;
  append(out, 0);
  return out + '\n';
}

} // namespace tegula::cli
