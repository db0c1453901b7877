// Arithmetic of a run against the bytes that it moved.
#pragma once

#include "tools/insight/Document.h"

#include <optional>
#include <string>
#include <string_view>

namespace tegula::explain {

/// The arithmetic of one execution of an instruction.
struct Flops {
  std::string kind;                  ///< "fp32", or "products of fp16" for the matrix units
  uint64_t ofThread = 0, ofWarp = 0; ///< one of the two is 0
};

/// Returns what the instruction on a line of PTX computes; nothing where that is no arithmetic in floating
/// point and no product of matrices. A fused multiply-add is two, a product of m by n by k 2mnk.
std::optional<Flops> flopsOf(std::string_view line);

/// Counts the arithmetic and the bytes of `run`, of code for `target`.
Roofline rooflineOf(const Run &run, std::string_view target);

/// Returns a line about the arithmetic that takes the largest part of its peak: how much there is for each
/// byte, and which roof is the lower one there. Empty where nothing was computed or moved.
std::string rooflineText(const Roofline &roofline, std::string_view target);

} // namespace tegula::explain
