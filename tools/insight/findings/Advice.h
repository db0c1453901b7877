// Advice for who knows what the launch passed.
#pragma once

#include "compiler/driver/Remark.h"

#include <cstdint>
#include <map>
#include <string>

namespace tegula::explain {

/// Returns what to change about a missed optimisation. `numbers` are the integers that a launch passed, by
/// parameter: what they rule out is not said.
std::string changeOf(const Remark &remark, const std::map<std::string, int64_t> &numbers);

/// Returns the cause of a remark in the words that fit what the launch passed: "`stride` is 512" for what the
/// compiler does not know to be 1.
std::string causeOf(const Remark &remark, const std::string &text,
                    const std::map<std::string, int64_t> &numbers);

} // namespace tegula::explain
