// Control flow: finds where the paths of a divergent branch reconverge.
#pragma once

#include "runtime/emulator/ptx/Module.h"

namespace tegula::runtime::ptx {

/// Sets `Inst::reconverge` of every branch in `function` to the first instruction of the branch's
/// immediate post-dominator, or to `noPc` where the paths meet only at the end of the function.
void computeReconvergence(Function &function);

} // namespace tegula::runtime::ptx
