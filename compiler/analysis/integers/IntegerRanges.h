// Ranges of integers: upstream's analysis, seeded by what is known of arguments and assumed by the author.
#pragma once

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"

#include <memory>
#include <optional>

namespace tegula {

/// The kinds of facts that an analysis may take for granted without a proof: see README.md, "What is
/// trusted".
enum class Trust {
  Nothing, ///< all arithmetic wraps round, and a number may be negative unless it cannot be
  Signs,   ///< sums and products of numbers of 32 bits or more that are not negative are not either, nor is
           ///< what `%` and `//` divide
};

/// Returns the range of a quotient or remainder by a number that may be zero, which upstream does not give:
/// dividing by zero has no meaning, and no other divisor gives a result farther from zero than the dividend.
/// Nothing for other ops.
std::optional<mlir::ConstantIntRanges> rangeOfDivision(mlir::Operation *op,
                                                       llvm::ArrayRef<mlir::ConstantIntRanges> operands);

/// Upstream's ranges, which also
/// - begin with `nonneg` of `tile.param` and with what `tile.assume` says of a value and a constant;
/// - see through ops that only rearrange elements, and through divisions by a number that may be zero;
/// - keep the sign of what a loop counts up, and know that it ends on a step: 0, 4096, ... below an unknown
///   bound is at most 2^31 - 4096, so that a sum with a place in a block of 4096 does not overflow.
class IntegerRanges : public mlir::dataflow::IntegerRangeAnalysis {
public:
  using Lattice = mlir::dataflow::IntegerValueRangeLattice;

  /// Assumptions are read from what `top` contains.
  IntegerRanges(mlir::DataFlowSolver &solver, mlir::Operation *top, Trust trust);

  mlir::LogicalResult visitOperation(mlir::Operation *op, llvm::ArrayRef<const Lattice *> operands,
                                     llvm::ArrayRef<Lattice *> results) override;
  void visitNonControlFlowArguments(mlir::Operation *op, const mlir::RegionSuccessor &successor,
                                    llvm::ArrayRef<Lattice *> arguments, unsigned first) override;
  void setToEntryState(Lattice *lattice) override;

private:
  using Range = mlir::ConstantIntRanges;

  void collectAssumptions(mlir::Operation *top);
  /// `range` as far as the author's assumptions about `value` leave it.
  Range assumed(mlir::Value value, const Range &range) const;
  std::optional<Range> infer(mlir::Operation *op, llvm::ArrayRef<const Lattice *> operands) const;
  void update(Lattice *lattice, const mlir::IntegerValueRange &range);

  Trust trust;
  llvm::DenseMap<mlir::Value, Range> assumptions;
  llvm::DenseMap<mlir::Value, unsigned> growths; ///< how often the range of each value has grown
};

/// The ranges of all integers of a kernel by `IntegerRanges` alone, with what is trusted, found when one is
/// asked for.
class RangeFacts {
public:
  explicit RangeFacts(mlir::Operation *kernel) : kernel(kernel) {}

  /// Returns the range of `value`, an integer or a tensor of such; nothing for one that is never reached, or
  /// made since the analysis ran.
  std::optional<mlir::ConstantIntRanges> of(mlir::Value value);

private:
  mlir::Operation *kernel;
  std::unique_ptr<mlir::DataFlowSolver> solver;
  bool isKnown = false; ///< once the solver has run
};

} // namespace tegula
