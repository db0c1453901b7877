// The trust of compiled code in accesses, checked: dividends of `%` and `//` are not negative.
#pragma once

#include "compiler/interp/machine/Machine.h"

namespace tegula::interp {

/// Elements of one access that compiled code may take at once, because it trusts that they are neighbours in
/// memory, or have one address, and share a bit of the mask (`compiler/analysis/README.md`, "What is
/// trusted").
struct TrustedRuns {
  Handler run = nullptr; ///< of the access itself
  /// For each axis, so many aligned elements: neighbours, and those of one address; 1 where nothing is
  /// trusted.
  llvm::SmallVector<unsigned, 4> elements, groups;
  int maskOperand = -1;                ///< -1 where there is no mask
  mlir::Operation *division = nullptr; ///< which divides what is trusted; null where none was found
  bool unlessOverflow = false;         ///< only an overflow makes that negative
};

/// Finds the trusted runs of each access of `function` that has some.
llvm::DenseMap<mlir::Operation *, TrustedRuns> findTrustedRuns(mlir::func::FuncOp function);

/// Handler of an access with `Step::trusted`: checks the runs, and goes on.
mlir::LogicalResult runTrusted(Machine &machine, const Step &step);

} // namespace tegula::interp
