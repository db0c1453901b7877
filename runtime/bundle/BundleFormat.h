// The words of the form that Bundle.h describes.
#pragma once

#include <array>
#include <string_view>

namespace tegula::bundle {

inline constexpr std::string_view magic = "tegula bundle 1\n";
/// The words for the forms of entries, in their order.
inline constexpr std::array<std::string_view, 4> formWords = {"kernel", "plain", "shared", "note"};
/// Stands in the table for what an entry does not have.
inline constexpr std::string_view nothingWord = "-";
/// The section of a note.
inline constexpr std::string_view noteSection = "note";

} // namespace tegula::bundle
