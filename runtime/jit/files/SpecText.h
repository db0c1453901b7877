// A KernelSpec as text: equal texts mean equal specs. The key of every table of compiled kernels.
#pragma once

#include "compiler/spec/KernelSpec.h"

#include <string>

namespace tegula::jit {

std::string specText(const KernelSpec &spec);

/// A parameter in the spelling of signatures: "*fp32:16", "i32=1", "none"; empty for a value that has none
/// there.
std::string signatureText(const ArgSpec &spec);

} // namespace tegula::jit
