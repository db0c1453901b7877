// Tells whether branches do the same with other values.
#pragma once

#include "dialect/tile/Tile.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace tegula {

/// Returns whether values of the type may be chosen among.
bool isScalar(mlir::Type type);

/// The ops of a branch that are needed to compute `value` before it, that of `value` itself last. False where
/// that would do more than compute scalars.
bool findScalarSlice(mlir::Value value, mlir::Block *branch, llvm::SetVector<mlir::Operation *> &slice);

/// Returns what is known of the divisibility of a number, as far as widths of accesses depend on it.
unsigned divisibilityOf(const llvm::APInt &value);

/// The number that a constant, or each of its elements, is; null for other values.
mlir::TypedAttr numberOf(mlir::Value value);

/// The correspondence of two branches that load, compute and store alike.
///
/// They may differ in parameters of which the same is known, constants that are compared or added and divided
/// by the same powers of two, and scalars that can be computed before. Loops, atomics, prints and assertions
/// match nothing.
class BranchMatch {
public:
  BranchMatch(mlir::Block *branch, mlir::Block *other) : branch(branch), other(other) {}

  /// Returns whether they correspond: the members below are filled in.
  bool find();

  /// The value of the other branch by that of the first.
  llvm::DenseMap<mlir::Value, mlir::Value> counterpart;
  /// Values of the first, or from outside, that the other one has others for.
  llvm::SmallSetVector<mlir::Value, 16> differing;

private:
  bool matchValues(mlir::Operation *user, mlir::Value a, mlir::Value b);
  bool matchOps(mlir::Operation *a, mlir::Operation *b);

  mlir::Block *branch, *other;
};

} // namespace tegula
