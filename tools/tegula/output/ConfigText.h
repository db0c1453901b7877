// Compile-time values and configs for a person.
#pragma once

#include "compiler/frontend/Tuning.h"

#include <string>

namespace tegula::cli {

/// As Python writes it; the inverse of what `-D` reads.
std::string valueText(const BoundValue &value);

/// "BLOCK_M=128 BLOCK_N=64 num_warps=4 num_stages=3", and what else the config says.
std::string configText(const KernelConfig &config);

} // namespace tegula::cli
