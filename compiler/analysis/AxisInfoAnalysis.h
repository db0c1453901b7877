// The facts of AxisInfo for every value of a function.
#pragma once

#include "compiler/analysis/AxisInfo.h"

#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/IR/Operation.h"

#include <memory>

namespace tegula {

/// Runs the analysis, and integer ranges with it, over `top` and all that it contains. An analysis in
/// the sense of the pass manager: `getAnalysis<AxisInfoAnalysis>()`. Facts of arguments are read from
/// `tile.param`.
class AxisInfoAnalysis {
public:
  explicit AxisInfoAnalysis(mlir::Operation *top);

  /// The facts of an integer or pointer, or tensor of these; of anything in unreachable code, and of any
  /// value made since the analysis ran, nothing is known.
  AxisInfo of(mlir::Value value) const;

private:
  std::unique_ptr<mlir::DataFlowSolver> solver;
};

/// The rule of one op: facts of its only result from those of its operands, all of them computed.
/// `isNonNegative` tells whether a value, read as signed, is known not to be below zero.
AxisInfo transferAxisInfo(mlir::Operation *op, llvm::ArrayRef<const AxisInfo *> operands,
                          llvm::function_ref<bool(mlir::Value)> isNonNegative);

} // namespace tegula
