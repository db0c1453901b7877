// Floats of every type of the language as doubles.
#pragma once

#include "compiler/spec/KernelSpec.h"

#include <cstdint>

namespace tegula::random {

/// The value of `bits`, which are of a float type.
double real(ScalarKind type, uint64_t bits);
/// The nearest value of a float type. Requires that none of eight bits is beyond its largest.
uint64_t nearest(ScalarKind type, double value);

} // namespace tegula::random
