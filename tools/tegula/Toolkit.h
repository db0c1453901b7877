// What a CUDA toolkit offers, where one is installed. Nothing needs it but `--emit=sass`.
#pragma once

#include "runtime/device/KernelImage.h"
#include "runtime/device/Result.h"

#include <initializer_list>
#include <string>
#include <string_view>

namespace tegula::cli {

/// The path of the first of the toolkit's programs `names` that is found: in CUDA_HOME, on PATH, or where toolkits
/// are usually installed. Empty where there is none.
std::string findTool(std::initializer_list<std::string_view> names);

/// The machine code that the toolkit's assembler makes of `ptx`, as its disassembler prints it. Errors:
/// Unavailable where one of the two is missing, with what was looked for; Driver with what a tool said.
runtime::Result<std::string> disassemble(std::string_view ptx, std::string_view target);

} // namespace tegula::cli
