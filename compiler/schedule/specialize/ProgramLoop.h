// The loop around the programs of a block, as pairs of blocks run it.
#pragma once

#include "compiler/analysis/Decision.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tegula {

/// The loop around the programs of a block, as the producer or the consumers have it, and what depends on it.
class ProgramLoop {
public:
  explicit ProgramLoop(mlir::scf::ForOp loop) : loop(loop), number(loop.getInductionVar()) {}

  mlir::scf::ForOp get() const { return loop; }

  /// Returns whether `value` may differ between the two programs of a pair, in the same iteration of each
  /// loop.
  bool isOfProgram(mlir::Value value) const;
  /// Returns whether `value` changes from one iteration of a loop within a program to the next.
  bool isOfIteration(mlir::Value value) const;
  /// Decides whether both programs of a pair execute `op` as often.
  Decision<> isExecutedAsOften(mlir::Operation *op) const;

private:
  mlir::scf::ForOp loop;
  mlir::Value number; ///< of a program
};

/// A loop that runs a whole number of pairs of programs.
struct RoundedLoop {
  mlir::Value program; ///< the number of the iteration's, the last one where there is none of its own
  mlir::Value last;    ///< the number of the last program
  mlir::Value isThere; ///< whether the iteration has a program of its own
};

/// Rounds the iterations of `loop` up to a multiple of the blocks of a cluster.
RoundedLoop roundUp(mlir::OpBuilder &builder, mlir::scf::ForOp loop);

} // namespace tegula
