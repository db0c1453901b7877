// What a CUDA toolkit offers beside its assembler, where one is installed. Nothing needs it but
// `--emit=sass`.
#pragma once

#include "dialect/image/Result.h"

#include <string>
#include <string_view>

namespace tegula::cli {

/// Machine code as the toolkit's disassembler prints it. Errors: Unavailable where there is none, with what
/// was looked for; Driver with what it said.
runtime::Result<std::string> disassemble(std::string_view machineCode);

} // namespace tegula::cli
