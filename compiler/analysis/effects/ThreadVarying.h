// Scalars that threads of a program hold different values of, and the branches on them.
//
// All threads compute a scalar of the language alike. PTX by hand and functions of LLVM break that: they may
// ask which thread runs them, or what memory holds at a time.
#pragma once

#include "dialect/tile/Tile.h"

#include "llvm/ADT/DenseMap.h"

namespace tegula {

/// The scalars of a kernel that may differ, in one walk after another until none is new.
class ThreadVarying {
public:
  explicit ThreadVarying(mlir::func::FuncOp kernel);

  bool isEmpty() const { return causes.empty(); }
  /// Returns an op whose result is the reason that `value` may differ; null for one that does not.
  mlir::Operation *causeOf(mlir::Value value) const { return causes.lookup(value); }
  /// Returns the same for `op`, a branch or a loop, whose regions threads may run differently often.
  mlir::Operation *causeOfBranch(mlir::Operation *op) const;

private:
  bool visit(mlir::Operation *op);
  bool add(mlir::Value value, mlir::Operation *cause);
  mlir::Operation *causeAmong(mlir::ValueRange values) const;

  llvm::DenseMap<mlir::Value, mlir::Operation *> causes;
};

} // namespace tegula
