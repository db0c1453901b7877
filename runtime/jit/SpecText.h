// A KernelSpec as text: equal texts mean equal specs. The key of every table of compiled kernels.
#pragma once

#include "compiler/KernelSpec.h"

#include <string>

namespace tegula::jit {

std::string specText(const KernelSpec &spec);

} // namespace tegula::jit
