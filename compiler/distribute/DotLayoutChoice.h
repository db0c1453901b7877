// The layouts of a dot's operands and result, for matrix units and for threads that multiply by themselves.
#pragma once

#include "compiler/distribute/WarpGridChoice.h"
#include "compiler/target/MatrixUnits.h"

namespace tegula {

/// What a dot is laid out by.
struct DotLayoutChoice {
  tile::LayoutAttr a, b, result;
  WarpGrid grid;
  int64_t rows, columns; ///< that each warp computes
};

/// For `instruction`: the fragments of `dialect/layout/Fragments.h`.
DotLayoutChoice layoutsForUnit(tile::DotOp dot, const MatrixInstruction &instruction, unsigned warps,
                               bool chained);

/// For fused multiplications and additions: each thread has boxes of up to four by four results, all threads
/// have work, and of each operand a thread holds all of K for its rows (columns).
DotLayoutChoice layoutsForThreads(tile::DotOp dot, unsigned warps, bool chained);

} // namespace tegula
