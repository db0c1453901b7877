// What the control-flow graph asks of branch instructions.
#pragma once

#include "runtime/emulator/ptx/Module.h"

namespace tegula::runtime::ptx {

/// Replaces `targets` by the instructions that `inst`, a terminator, may jump to; none for ret and exit.
void branchTargets(const Function &function, const Inst &inst, std::vector<uint32_t> &targets);

} // namespace tegula::runtime::ptx
