// The types that code takes registers for: LLVM declares them by their width alone.
#pragma once

#include "runtime/emulator/ptx/Type.h"
#include "tools/tegula/threads/CodeLines.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::cli {

/// Types by the names of registers, which functions of one module share.
using RegisterTypes = std::map<std::string, runtime::ptx::Type, std::less<>>;

/// Reads them off the instructions: a float where one does arithmetic of floats on the register, else an
/// integer with a sign or without where one takes it for such.
RegisterTypes registerTypes(const CodeLines &code);

/// The registers that an instruction writes, as its text says.
std::vector<std::string> writtenRegisters(std::string_view instruction);

} // namespace tegula::cli
