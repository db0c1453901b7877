// Values that a pipelined loop carries from iteration to iteration.
#pragma once

#include "compiler/schedule/pipeline/StageAssignment.h"

#include "mlir/IR/PatternMatch.h"

#include <map>

namespace tegula {

/// Lets `loop`, which becomes another, carry a value more that starts as `init`; `makeNext` makes what is
/// handed on, in the body.
void carryValue(mlir::RewriterBase &rewriter, mlir::scf::ForOp &loop, mlir::Value init,
                llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::BlockArgument)> makeNext);

/// The pipeline states that a loop carries: the slot of its buffers that an iteration has, and the parity of
/// that slot's phase, each for the ops of one stage.
class CarriedStates {
public:
  CarriedStates(mlir::RewriterBase &rewriter, mlir::scf::ForOp &loop, StageAssignment &stages)
      : rewriter(rewriter), loop(loop), stages(stages) {}

  /// Carries the index of the slot, of `slots`, that the iteration has for which ops of `stage` work; it
  /// wraps.
  void carryIndex(unsigned slots, unsigned stage);
  mlir::Value index(unsigned slots, unsigned stage) const {
    return loop.getRegionIterArg(indices.at({slots, stage}));
  }

  /// Carries how often that index has wrapped, modulo 2: which phase of its barrier the iteration has.
  void carryPhase(unsigned slots, unsigned stage);
  mlir::Value phase(unsigned slots, unsigned stage) const {
    return loop.getRegionIterArg(phases.at({slots, stage}));
  }

private:
  using Positions = std::map<std::pair<unsigned, unsigned>, unsigned>; ///< by slots and stage
  /// The values from which the next state is made.
  struct Numbers {
    mlir::Value zero, one, bound, now;
  };

  /// Carries what `makeNext` makes last, unless `positions` has it; all that it makes is of `stage`.
  void
  carry(Positions &positions, unsigned slots, unsigned stage, unsigned bound,
        llvm::function_ref<llvm::SmallVector<mlir::Value, 3>(mlir::OpBuilder &, const Numbers &)> makeNext);

  mlir::RewriterBase &rewriter;
  mlir::scf::ForOp &loop;
  StageAssignment &stages;
  Positions indices, phases;
};

} // namespace tegula
