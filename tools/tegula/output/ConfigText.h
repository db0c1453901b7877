// Configs for a person.
#pragma once

#include "compiler/frontend/Tuning.h"

#include <string>

namespace tegula::cli {

/// "BLOCK_M=128 BLOCK_N=64 num_warps=4 num_stages=3", and what else the config says.
std::string configText(const KernelConfig &config);

} // namespace tegula::cli
