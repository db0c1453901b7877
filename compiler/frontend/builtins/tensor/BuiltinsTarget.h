// Facts about the target that a kernel may depend on.
#pragma once

#include "compiler/frontend/values/Types.h"
#include "compiler/target/Target.h"

namespace tegula::eval {

/// 90 of the target "sm_90a"; 0 where the target is none of CUDA's.
Int capability(const KernelSpec &spec);

/// Returns true if the target is known and has `feature`.
bool targetHas(const KernelSpec &spec, bool Target::*feature);
/// "expected a target of sm_89 or later", which is the first to have `feature`.
std::string targetExpected(bool Target::*feature);

} // namespace tegula::eval
