// The form of one file of the cache.
//
//     tegula cache 4
//     <checksum of all that follows>
//     <bytes of the key> <number of sections>
//     <name> <bytes>             a line for each section
//     <the key><section><section>...
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace tegula::cache {

/// Contents of an entry, by name. The store looks into none of them; a name has no blank and no end of line.
using Sections = std::map<std::string, std::string, std::less<>>;

struct Entry {
  std::string key;
  Sections sections;
};

std::string encode(std::string_view key, const Sections &sections);

/// Nothing where the bytes are not what `encode` gave, in any place.
std::optional<Entry> decode(std::string_view bytes);

} // namespace tegula::cache
