// A walk back from an access along the facts of AxisInfo, for `FactCauses`.
#pragma once

#include "compiler/analysis/access/FactCauses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tegula {

/// Ranks causes by how much they tell the author, least first.
enum class CauseRank : uint8_t { Computed, Constant, Loaded, Parameter };

/// The break of a chain of facts: cause and advice.
struct BrokenFact {
  CauseRank rank;
  Cause cause;
  Advice advice;
};

using MaybeBroken = std::optional<BrokenFact>;

/// The more telling of two, the first of equals.
inline MaybeBroken moreTelling(MaybeBroken a, MaybeBroken b) {
  return !a || (b && b->rank > a->rank) ? b : a;
}

/// One walk back. Each question is answered by what breaks it, or nothing where it holds.
class FactWalk {
public:
  explicit FactWalk(const AxisInfoAnalysis &facts) : facts(facts) {}

  /// Are there groups of `length` neighbours along `axis`?
  MaybeBroken contiguous(mlir::Value value, unsigned axis, int64_t length);
  /// Is each element at a multiple of `group` along `axis` a multiple of `divisor`?
  MaybeBroken multiple(mlir::Value value, unsigned axis, int64_t group, int64_t divisor,
                       mlir::Operation *user);
  /// Are there groups of `length` equal elements along `axis`?
  MaybeBroken constant(mlir::Value value, unsigned axis, int64_t length);

private:
  /// Enough for the address arithmetic of real kernels.
  static constexpr unsigned MaxVisits = 256;

  MaybeBroken contiguousSum(mlir::Operation *op, unsigned axis, int64_t length);
  /// Asks whether what is added to numbers that count up is the same for groups of them.
  MaybeBroken differing(mlir::Value summand, unsigned axis, int64_t length);
  MaybeBroken contiguousProduct(mlir::Operation *op, unsigned axis, int64_t length);
  MaybeBroken notOne(mlir::Value factor, mlir::Operation *user);
  MaybeBroken multipleOfParts(mlir::Operation *op, unsigned axis, int64_t group, int64_t divisor);
  MaybeBroken multipleProduct(mlir::Operation *op, unsigned axis, int64_t group, int64_t divisor);
  MaybeBroken multipleCarried(mlir::BlockArgument argument, int64_t group, int64_t divisor);
  MaybeBroken notMultiple(mlir::Value value, int64_t divisor, mlir::Operation *user);
  MaybeBroken constantBound(mlir::arith::CmpIOp compare, unsigned axis, int64_t length);
  MaybeBroken loaded(mlir::Value value, const llvm::Twine &fact, llvm::StringRef hint);
  MaybeBroken computed(mlir::Operation *op, const llvm::Twine &fact, llvm::StringRef change);

  /// The operand whose facts along the axis returned are those of `op`'s result, for ops that move elements.
  std::optional<std::pair<mlir::Value, unsigned>> moved(mlir::Operation *op, unsigned axis) const;

  /// The op that makes the elements of `value`, which others may have given other shapes and types since;
  /// null for an argument.
  mlir::Operation *sourceOf(mlir::Value value) const;

  AxisInfo of(mlir::Value value) const { return facts.of(value); }
  bool mayVisit() { return ++visits <= MaxVisits; }

  const AxisInfoAnalysis &facts;
  unsigned visits = 0;
};

} // namespace tegula
