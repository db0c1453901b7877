// Counts things in messages: "1 config", "2 configs".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tegula {

/// Returns `number` and `noun`, which has an `s` behind it unless there is one, or is `plural` where that is
/// given: "1 entry", "0 entries".
inline std::string counted(uint64_t number, std::string_view noun, std::string_view plural = {}) {
  std::string text = std::to_string(number) + " ";
  if (number == 1 || plural.empty())
    text.append(noun).append(number == 1 ? "" : "s");
  else
    text.append(plural);
  return text;
}

} // namespace tegula
