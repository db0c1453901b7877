// Values that a pipelined loop carries from iteration to iteration.
#pragma once

#include "compiler/schedule/pipeline/StageAssignment.h"
#include "dialect/tgpu/Tgpu.h"

#include "mlir/IR/PatternMatch.h"

#include <map>

namespace tegula {

/// Lets `loop`, which becomes another, carry a value more that starts as `init`; `makeNext` makes what is
/// handed on, in the body.
void carryValue(mlir::RewriterBase &rewriter, mlir::scf::ForOp &loop, mlir::Value init,
                llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::BlockArgument)> makeNext);

/// The pipeline states that a loop carries: for the ops of each stage that work with buffers of so many
/// slots, the slot that their iteration has, and the phase of that slot's barrier.
class CarriedStates {
public:
  /// The states serve what stands at `loc`: the first load that is pipelined.
  CarriedStates(mlir::RewriterBase &rewriter, mlir::scf::ForOp &loop, StageAssignment &stages,
                mlir::Location loc)
      : rewriter(rewriter), loop(loop), stages(stages), loc(loc) {}

  /// Carries the state of `slots` slots, if there are several, for ops of `stage`. It begins at slot 0, in
  /// phase 0.
  void carry(unsigned slots, unsigned stage);
  /// Reads the slot off that state, once the loop carries all that it is to. One slot is always the first.
  mlir::Value slot(unsigned slots, unsigned stage);
  /// Reads the parity of the phase.
  mlir::Value phase(unsigned slots, unsigned stage) { return part<tgpu::PipelinePhaseOp>(slots, stage); }

private:
  /// Returns the result of the `Op` that reads the state, made at the begin of the body where there is none.
  template <typename Op> mlir::Value part(unsigned slots, unsigned stage);

  mlir::RewriterBase &rewriter;
  mlir::scf::ForOp &loop;
  StageAssignment &stages;
  mlir::Location loc;
  std::map<std::pair<unsigned, unsigned>, unsigned> positions; ///< by slots and stage
};

} // namespace tegula
