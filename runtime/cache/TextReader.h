// Takes a file apart from its front: words and numbers that end in a character, and bytes.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tegula::cache {

/// Everything is nothing where the text ends too early.
struct TextReader {
  std::string_view rest;

  std::optional<std::string_view> upTo(char end) {
    const size_t at = rest.find(end);
    if (at == std::string_view::npos)
      return std::nullopt;
    const std::string_view found = rest.substr(0, at);
    rest.remove_prefix(at + 1);
    return found;
  }
  std::optional<uint64_t> numberUpTo(char end) {
    const std::optional<std::string_view> text = upTo(end);
    uint64_t number = 0;
    if (!text || text->empty() ||
        std::from_chars(text->data(), text->data() + text->size(), number).ptr != text->data() + text->size())
      return std::nullopt;
    return number;
  }
  std::optional<std::string> bytes(uint64_t count) {
    if (count > rest.size())
      return std::nullopt;
    std::string found(rest.substr(0, count));
    rest.remove_prefix(count);
    return found;
  }
};

} // namespace tegula::cache
