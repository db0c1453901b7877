// Instructions of the emulator's own, which are comments for the assembler: what the compiler took on trust.
#pragma once

#include "runtime/emulator/ptx/Decode.h"

namespace tegula::runtime::ptx {

bool decodeExpect(Form &form);

} // namespace tegula::runtime::ptx
