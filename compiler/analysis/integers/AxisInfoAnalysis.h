// The facts of AxisInfo for every value of a function.
#pragma once

#include "compiler/analysis/integers/AxisInfo.h"
#include "compiler/analysis/integers/IntegerRanges.h"

#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/IR/Operation.h"

#include <memory>

namespace tegula {

/// Says whether the claims of `tile.hint` are taken for granted.
enum class Hints { Read, Unread };

/// Runs the analysis, and integer ranges with it, over `top` and all that it contains. An analysis in
/// the sense of the pass manager: `getAnalysis<AxisInfoAnalysis>()`. Facts of arguments are read from
/// `tile.param`. Unless told otherwise it trusts, as README.md says: for how memory is accessed. What changes
/// values asks for `Trust::Nothing`.
class AxisInfoAnalysis {
public:
  explicit AxisInfoAnalysis(mlir::Operation *top, Trust trust = Trust::Signs, Hints hints = Hints::Read);

  /// The facts of an integer or pointer, or tensor of these; of anything in unreachable code, and of any
  /// value made since the analysis ran, nothing is known.
  AxisInfo of(mlir::Value value) const;

  /// True where each element of `value`, read as a signed integer, is known not to be below zero.
  bool isNotNegative(mlir::Value value) const;

private:
  std::unique_ptr<mlir::DataFlowSolver> solver;
};

/// The questions that rules ask beyond the facts of their operands.
struct TransferQueries {
  /// Returns whether a value, read as signed, is known not to be below zero.
  llvm::function_ref<bool(mlir::Value)> isNotNegative;
  /// The facts of a value that the op depends on by way of others.
  llvm::function_ref<const AxisInfo &(mlir::Value)> factsOf;
  /// The trust that a dividend is not negative where that is not known.
  Trust trust = Trust::Nothing;
  Hints hints = Hints::Read;

  bool mayDivide(mlir::Value dividend) const { return trust == Trust::Signs || isNotNegative(dividend); }
};

/// The rule of one op: facts of its only result from those of its operands, all of them computed.
AxisInfo transferAxisInfo(mlir::Operation *op, llvm::ArrayRef<const AxisInfo *> operands,
                          const TransferQueries &queries);

} // namespace tegula
