// Lines of an older version of a text in a newer one: what the two begin and end with stays where it was.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tegula::cli {

class LineMap {
public:
  LineMap(std::string_view before, std::string_view now);

  /// The line, from 0, of the newer text that line `before` of the older one became; nothing where it was
  /// changed.
  std::optional<uint32_t> find(uint32_t before) const;

private:
  uint32_t front = 0;      ///< lines that both begin with
  uint32_t backBefore = 0; ///< the first line of those that both end with, in the older text
  uint32_t backNow = 0;    ///< and in the newer one
};

} // namespace tegula::cli
