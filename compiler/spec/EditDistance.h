// Counts the edits between a misspelt name and a known one.
#pragma once

#include <cstddef>
#include <string_view>

namespace tegula {

/// The edits (a character inserted, removed, changed, or swapped with its neighbour) between two names. Its
/// time is the product of their lengths: bound them first.
size_t editDistance(std::string_view a, std::string_view b);

} // namespace tegula
