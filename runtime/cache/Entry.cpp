#include "runtime/cache/Entry.h"
#include "runtime/cache/Checksum.h"
#include "runtime/cache/TextReader.h"

#include <fmt/format.h>

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

std::optional<Entry> decode(std::string_view bytes) {
  if (!bytes.starts_with(magic))
    return std::nullopt;
  TextReader reader{bytes.substr(magic.size())};
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
