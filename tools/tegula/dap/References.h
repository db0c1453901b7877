// Lines of the PTX as addresses of instructions, which the protocol hands back and forth.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tegula::cli {

/// "0x5f": a line of the PTX.
std::string referenceOf(uint32_t ptxLine);
/// The line of the PTX that a reference and an offset to it mean; 0 where they mean none.
uint32_t lineOf(std::string_view reference, int64_t offset);

} // namespace tegula::cli
