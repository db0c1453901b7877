// The specialisation that --sig and -D describe.
#pragma once

#include "compiler/spec/KernelSpec.h"
#include "dialect/image/Result.h"
#include "tools/tegula/arguments/KernelChoice.h"

#include <string>

namespace tegula::cli {

/// The spec that `options` describe for the architecture `arch`. Errors: InvalidArgument for a parameter that
/// is not covered, an unknown one, type or architecture; Compile where heuristics cannot be computed.
runtime::Result<KernelSpec> specOf(const SpecOptions &options, const KernelChoice &choice,
                                   const std::string &arch);

/// "unknown architecture `sm_91`: expected sm_75, ... or sm_120a; did you mean `sm_90a`?"
runtime::Error unknownTarget(const std::string &name);

} // namespace tegula::cli
