// What a CUDA toolkit offers, where one is installed. Nothing needs it but `--emit=sass`.
#pragma once

#include "runtime/device/Result.h"

#include <string>
#include <string_view>

namespace tegula::cli {

/// The machine code that the toolkit's assembler makes of `ptx`, as its disassembler prints it. Errors:
/// Unavailable where one of the two is missing, with what was looked for; Driver with what a tool said.
runtime::Result<std::string> disassemble(std::string_view ptx, std::string_view target);

} // namespace tegula::cli
