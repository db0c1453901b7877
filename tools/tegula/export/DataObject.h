// Writes bytes as an object file, so that a program can be linked with them and needs no compiler for that.
#pragma once

#include <string>
#include <string_view>

namespace tegula::cli {

/// Returns a relocatable ELF file for the machine that this runs on: `bytes` as constant data, 64 bytes
/// aligned, from the symbol `name` to the symbol `name`_end.
std::string dataObject(const std::string &name, std::string_view bytes);

} // namespace tegula::cli
