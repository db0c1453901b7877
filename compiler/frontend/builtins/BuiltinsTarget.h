// What a kernel may depend on of the device it is compiled for.
#pragma once

#include "compiler/frontend/values/Types.h"

namespace tegula::eval {

/// 90 of the target "sm_90a"; 0 where the target is none of CUDA's.
Int capability(const KernelSpec &spec);

} // namespace tegula::eval
