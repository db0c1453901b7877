// Plans of how a block multiplies matrices: which registers go into which instruction, read off the three
// layouts. Pure data, no IR.
//
// An instruction takes fragments: for each of its registers a position relative to the fragment's corner,
// and for each lane another. A layout can feed it if its lane bits point where the fragment's do. The
// registers that make up a fragment at some corner are then found by position, whatever their order:
//
//      corner of the sum (row 16, column 8), k from 32:    a at (16, 32), b at (32, 8)
//      register r of the fragment of a  ->  the register of a that holds corner ^ fragment(r)
//
// Positions are those in thread 0; every other thread has them at the exclusive or with what its number
// points at. So what is left to require is that a warp's number moves the three tensors together: rows of a
// as those of the sum, columns of b as those of the sum, k of a as k of b, and batches alike.
//
// If a side of the tensor is shorter than the instruction's, the fragment wraps: lanes and registers hold
// copies, the instruction computes copies, and one of them is taken. Along k a copy would count twice, so
// there the tensor must be at least as long.
//
// Threads that multiply by themselves are the same with one element for a fragment, and with lanes bound
// by the rule for warps.
#pragma once

#include "dialect/layout/Fragments.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tegula {

/// One instruction of each warp, or of each thread: sum += a * b. Numbers of fragments.
struct DotStep {
  uint32_t a, b, sum;
};

struct DotPlan {
  using Fragment = std::vector<uint32_t>; ///< by register of the instruction: the tensor's register
  std::vector<Fragment> a, b, sum;        ///< each fragment once
  /// In the order of execution: k outermost, so that neighbours add to different sums as far as there are
  /// several, and neighbours share a fragment of a or b.
  std::vector<DotStep> steps;
  /// The source of a register of the result: a fragment of `sum` and a register of it.
  struct Source {
    uint32_t fragment, reg;
  };
  std::vector<Source> results;
};

/// Three tensors with two axes, or three with batches first.
struct DotLayouts {
  const LinearLayout &a, &b, &sum;
  unsigned threadBits; ///< five for the lane, the rest for the warp
};

/// Plans a dot by instructions of `shape` on elements of `elementBytes` (of a and b). Nothing where the
/// layouts are not such that each warp has the fragments of what it computes.
std::optional<DotPlan> planMatrixDot(const DotLayouts &layouts, const MatrixShape &shape,
                                     unsigned elementBytes);

/// Plans a dot by a multiplication and an addition for each element of a thread and each k. Nothing where a
/// thread lacks part of a row or column that it needs.
std::optional<DotPlan> planThreadDot(const DotLayouts &layouts);

} // namespace tegula
