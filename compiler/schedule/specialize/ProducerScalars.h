// What a producer computes by itself: the scalars that its loops and copies go by.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace tegula {

/// Whether a thread alone can compute what `op` does, again and at any time.
bool isScalarOp(mlir::Operation *op);

/// The loops round `loop`, the outermost first; nothing where it stands in anything else.
std::optional<llvm::SmallVector<mlir::scf::ForOp>> loopsRound(mlir::scf::ForOp loop);

/// The op of the kernel's own block that `loop` is or stands in.
mlir::Operation *outermostOf(mlir::scf::ForOp loop);

/// Scalars, computed again by the producer: in its body, or in its copies of loops.
class ScalarSlice {
public:
  /// Whether `value`, from outside of a loop, can be had without memory, without other threads and without
  /// what the loops round it carry.
  static bool canCompute(mlir::Value value);

  /// What stands in `from` is computed at the end of `to`.
  void add(mlir::Block *from, mlir::Block *to) { places[from] = {to, nullptr}; }
  /// `copy`, at the end of the place of `loop`, is its copy.
  void add(mlir::scf::ForOp loop, mlir::scf::ForOp copy);

  /// What the producer has in place of `value`, computed if it is not yet.
  mlir::Value get(mlir::Value value);

private:
  /// A block and, perhaps, an op before whose place its end is.
  llvm::DenseMap<mlir::Block *, std::pair<mlir::Block *, mlir::Operation *>> places;
  mlir::IRMapping copies;
};

} // namespace tegula
