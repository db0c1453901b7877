// An array as text for `--print`.
#pragma once

#include "compiler/spec/KernelSpec.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace tegula::cli {

/// "fp32[2,3] [[1, 2, 3], [4, 5, 6]]". Of a side longer than twice `edge`, the first and last `edge`
/// elements are shown and the rest is "...".
std::string formatArray(ScalarKind type, const std::vector<int64_t> &shape, std::span<const std::byte> data,
                        size_t edge = 4);

} // namespace tegula::cli
