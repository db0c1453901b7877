// Runs the text of a stage in the reference interpreter.
#pragma once

#include "compiler/interp/values/Memory.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string>

namespace tegula::random {

/// Runs the programs of `grid` of the only function of `text`, the IR of a stage before the lower one, in the
/// reference interpreter. `bitsOf` gives the argument for a parameter's name. Gives the fault that ended the
/// run, or why there was none, or an empty string.
std::string runStage(const std::string &text, std::array<uint32_t, 3> grid,
                     const std::function<uint64_t(const std::string &)> &bitsOf, interp::Memory &memory,
                     uint64_t stepLimit);

} // namespace tegula::random
