// The step between neighbours of a tensor along an axis, where it is a known number.
#pragma once

#include "compiler/analysis/integers/AxisInfoAnalysis.h"

namespace tegula {

/// Returns by how many elements (pointers) or how much (integers) the value at one position along `axis`
/// differs from that at the position before, if the program adds and multiplies known numbers to that end.
/// For remarks: it looks at a bounded number of ops and proves nothing about wrap-around.
std::optional<int64_t> knownStride(mlir::Value value, unsigned axis, const AxisInfoAnalysis &facts);

} // namespace tegula
