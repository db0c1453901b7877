// What a kernel may depend on of the device it is compiled for.
#pragma once

#include "compiler/frontend/values/Types.h"
#include "compiler/target/Target.h"

namespace tegula::eval {

/// 90 of the target "sm_90a"; 0 where the target is none of CUDA's.
Int capability(const KernelSpec &spec);

/// Whether the target has `feature`; false where it is none that is known.
bool targetHas(const KernelSpec &spec, bool Target::*feature);
/// "expected a target of sm_89 or later", which is the first to have `feature`.
std::string targetExpected(bool Target::*feature);

} // namespace tegula::eval
