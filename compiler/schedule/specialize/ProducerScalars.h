// The scalars that a producer computes by itself, for its loops and copies.
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace tegula {

/// Scalars, computed again by the producer: in its body, or in its copies of loops.
class ScalarSlice {
public:
  /// Computes ops of `from` at the end of `to`.
  void add(mlir::Block *from, mlir::Block *to) { places[from] = {to, nullptr}; }
  /// `copy`, at the end of the place of `loop`, is its copy. Ops of its body are computed before `end`, or at
  /// its end.
  void add(mlir::scf::ForOp loop, mlir::scf::ForOp copy, mlir::Operation *end = nullptr);

  /// Returns the producer's copy of `value`, computed if it is not yet.
  mlir::Value get(mlir::Value value);

private:
  /// A block and, perhaps, an op before whose place its end is.
  llvm::DenseMap<mlir::Block *, std::pair<mlir::Block *, mlir::Operation *>> places;
  mlir::IRMapping copies;
};

} // namespace tegula
