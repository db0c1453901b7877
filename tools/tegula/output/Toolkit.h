// Programs of a CUDA toolkit besides its assembler, where one is installed. Only `--emit=sass` needs them.
#pragma once

#include "dialect/image/Result.h"

#include <string>
#include <string_view>

namespace tegula::cli {

/// Machine code as the toolkit's disassembler prints it. Errors: Unavailable where there is none, with what
/// was looked for; Driver with what it said.
runtime::Result<std::string> disassemble(std::string_view machineCode);

} // namespace tegula::cli
