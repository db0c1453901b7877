// Shows the line of a place in a program: for messages about places that become known after compilation.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tegula {

class ParsedSource;

/// The line and a caret under the column (both from 1), each ending in a newline. Empty where the place is in
/// none of the program's files, or in a line that no person wrote.
std::string excerptAt(const ParsedSource &program, std::string_view file, uint32_t line, uint32_t column);

} // namespace tegula
