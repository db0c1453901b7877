// Compile-time values for a person.
#pragma once

#include "compiler/spec/BoundValue.h"

#include <string>

namespace tegula {

/// As Python writes it; the inverse of what `-D` reads.
std::string valueText(const BoundValue &value);

} // namespace tegula
