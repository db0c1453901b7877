// The plan by which the blocks of a cluster share a program's long rows, where they may.
#pragma once

#include "compiler/analysis/Decision.h"
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>

namespace tegula {

/// The rows of a kernel, of which each block of a cluster gets a part: every axis of so many elements.
struct RowSpread {
  int64_t elements = 0; ///< of a whole row
  unsigned blocks = 1;  ///< that share one: 2, 4 or 8

  int64_t perBlock() const { return elements / blocks; }
  /// Returns the axis of `type` along which blocks have parts of it.
  std::optional<unsigned> axisOf(mlir::Type type) const;
  /// Returns `type` as a block has it.
  mlir::Type partOf(mlir::Type type) const;
  /// Returns whether `op` reduces rows, so that their parts have to come together.
  bool reducesRows(mlir::Operation *op) const;
};

/// Decides how the blocks of a cluster share the rows of `kernel`, a kernel of the `tile` form. As many do as
/// a caller has `asked` for; with 0 as many as leave each a part that its threads can hold.
Decision<RowSpread> spreadOf(mlir::func::FuncOp kernel, unsigned asked);

} // namespace tegula
