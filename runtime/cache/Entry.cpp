#include "runtime/cache/Entry.h"
#include "runtime/cache/Checksum.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>
#include <vector>

namespace tegula::cache {

static constexpr std::string_view magic = "tegula cache 4\n";

std::string encode(std::string_view key, const Sections &sections) {
  std::string content = fmt::format("{} {}\n", key.size(), sections.size());
  for (const auto &[name, bytes] : sections)
    content += fmt::format("{} {}\n", name, bytes.size());
  content += key;
  for (const auto &[name, bytes] : sections)
    content += bytes;
  return fmt::format("{}{}\n{}", magic, checksum(content), content);
}

namespace {

/// Takes a file apart from its front; everything is nothing where it ends too early.
struct Reader {
  std::string_view rest;

  std::optional<std::string_view> upTo(char end) {
    const size_t at = rest.find(end);
    if (at == std::string_view::npos)
      return std::nullopt;
    const std::string_view found = rest.substr(0, at);
    rest.remove_prefix(at + 1);
    return found;
  }
  std::optional<size_t> numberUpTo(char end) {
    const std::optional<std::string_view> text = upTo(end);
    size_t number = 0;
    if (!text || text->empty() ||
        std::from_chars(text->data(), text->data() + text->size(), number).ptr != text->data() + text->size())
      return std::nullopt;
    return number;
  }
  std::optional<std::string> bytes(size_t count) {
    if (count > rest.size())
      return std::nullopt;
    std::string found(rest.substr(0, count));
    rest.remove_prefix(count);
    return found;
  }
};

} // namespace

std::optional<Entry> decode(std::string_view bytes) {
  if (!bytes.starts_with(magic))
    return std::nullopt;
  Reader reader{bytes.substr(magic.size())};
  const std::optional<std::string_view> sum = reader.upTo('\n');
  if (!sum || checksum(reader.rest) != *sum)
    return std::nullopt;
  const std::optional<size_t> keyBytes = reader.numberUpTo(' '), count = reader.numberUpTo('\n');
  if (!keyBytes || !count)
    return std::nullopt;
  std::vector<std::pair<std::string, size_t>> table;
  for (size_t i = 0; i < *count; ++i) {
    const std::optional<std::string_view> name = reader.upTo(' ');
    const std::optional<size_t> size = reader.numberUpTo('\n');
    if (!name || !size)
      return std::nullopt;
    table.emplace_back(*name, *size);
  }
  std::optional<std::string> key = reader.bytes(*keyBytes);
  if (!key)
    return std::nullopt;
  Entry entry{std::move(*key), {}};
  for (auto &[name, size] : table) {
    std::optional<std::string> section = reader.bytes(size);
    if (!section)
      return std::nullopt;
    entry.sections.insert_or_assign(std::move(name), std::move(*section));
  }
  if (!reader.rest.empty())
    return std::nullopt;
  return entry;
}

} // namespace tegula::cache
