// Excerpts of a line of source for messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tegula {

/// The line, cut where it is long, and a caret under `column` (from 1), as `render` shows them: two lines,
/// each ending in a newline, or none where the line is blank.
std::string excerpt(std::string_view sourceLine, uint32_t column);

} // namespace tegula
