// The layouts of a dot's operands and result, for matrix units and for threads that multiply by themselves.
#pragma once

#include "compiler/distribute/WarpGridChoice.h"
#include "compiler/target/MatrixUnits.h"

#include <optional>

namespace tegula {

/// The layouts of a dot.
struct DotLayoutChoice {
  tile::LayoutAttr a, b, result;
  WarpGrid grid;
  int64_t rows, columns; ///< that each warp computes
};

/// Returns the layouts for `instruction`: the fragments of `dialect/layout/Fragments.h`.
DotLayoutChoice layoutsForUnit(tile::DotOp dot, const MatrixInstruction &instruction, unsigned warps,
                               bool chained);

/// Returns how groups of four of `warps` warps share out a result of `m` by `n`: along rows as far as there
/// are 64 for each, then along columns. Nothing where there are fewer warps or rows than one group has, or
/// too few columns for a group: 32 bytes of b wherever they are contiguous.
std::optional<GroupGrid> chooseGroupGrid(int64_t m, int64_t n, unsigned warps);

/// Returns the layouts for `instruction` of warp groups: `a` and the result as its registers hold them. `b`,
/// which the unit reads from memory, is like that of a warp's instruction, so that one conversion precedes
/// the dot.
DotLayoutChoice layoutsForGroups(tile::DotOp dot, const MatrixInstruction &instruction,
                                 const GroupGrid &groups);

/// Returns the layouts for fused multiplications and additions: each thread has boxes of up to four by four
/// results, all threads have work, and of each operand a thread holds all of K for its rows (columns).
DotLayoutChoice layoutsForThreads(tile::DotOp dot, unsigned warps, bool chained);

} // namespace tegula
