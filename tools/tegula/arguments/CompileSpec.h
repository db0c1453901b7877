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

/// Adds the type that `text` spells for the parameter `name` of `kernel`, or for a part of one, to `spec`.
/// Errors: InvalidArgument for an unknown parameter, one that takes a value when compiling, an unknown type,
/// and a second type for one parameter.
runtime::Result<void> addType(KernelSpec &spec, const KernelInfo &kernel, const std::string &name,
                              const std::string &text);

/// "unknown architecture `sm_91`: expected sm_75, ... or sm_120a; did you mean `sm_90a`?"
runtime::Error unknownTarget(const std::string &name);

} // namespace tegula::cli
