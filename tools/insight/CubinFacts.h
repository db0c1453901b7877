// Facts read off machine code: barriers, and the line of PTX that each instruction comes from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::explain {

struct CubinFacts {
  std::optional<uint32_t> barriers; ///< named barriers of the kernel
  /// Offsets of instructions in the kernel's code, ascending, and for each the line of PTX. Empty where the
  /// assembler wrote no such table.
  std::vector<uint64_t> addresses;
  std::vector<uint32_t> ptxLines;
};

/// Reads the first kernel of an ELF file; nothing where `bytes` are none.
std::optional<CubinFacts> readCubin(std::string_view bytes);

} // namespace tegula::explain
