// The grid by which the warps of a program share out the results of its dots.
#pragma once

#include "dialect/layout/Fragments.h"
#include "dialect/tile/Tile.h"

#include "llvm/ADT/DenseSet.h"

namespace tegula {

/// The least that one warp computes of a result without computing something twice.
struct WarpUnit {
  int64_t m, n;
};

/// The dots of which another dot's operand `a` is computed element by element: attention's scores, the first
/// product of a perceptron. These and the ones they feed are *chained*.
///
/// A chained dot gives each warp whole rows. Its result is then the other's operand without leaving the
/// thread (a result's fragments lie like those of an operand a of two bytes), and what is reduced along a
/// row stays within four lanes. Dots whose results have one shape are treated alike, since they may meet.
class DotChains {
public:
  explicit DotChains(llvm::ArrayRef<tile::DotOp> dots);
  bool contains(tile::DotOp dot) const;

private:
  llvm::DenseSet<llvm::ArrayRef<int64_t>> shapes; ///< of results; types own them
};

/// The grid of `warps` warps, a power of two, for a result of `shape` (M by N, or batches first). Warps go to
/// batches first, which share nothing. Alone in the world, the grid is the one for which warps compute
/// little twice and then read little of shared memory: a warp reads its box's rows of `a` and columns of
/// `b`, so boxes are nearly square. Chained, as many warps as there are units go along the rows.
WarpGrid chooseWarpGrid(llvm::ArrayRef<int64_t> shape, WarpUnit unit, unsigned warps, bool chained);

} // namespace tegula
