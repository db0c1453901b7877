// Declarations shared by the rules of `AxisInfoTransfer.cpp` and `AxisInfoArithmetic.cpp`. A rule is right if
// it is right modulo 2^bits: see AxisInfo.h.
#pragma once

#include "compiler/analysis/integers/AxisInfoAnalysis.h"
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tegula {

/// The context of one visit of an op; `a` and `b` are the facts of the first two operands.
struct AxisInfoRule {
  mlir::Operation *op;
  llvm::ArrayRef<const AxisInfo *> operands;
  const TransferQueries &queries;

  mlir::Type type() const { return op->getResult(0).getType(); }
  const AxisInfo &a() const { return *operands[0]; }
  const AxisInfo &b() const { return *operands[1]; }
  /// Nothing known but the groups of equal results that equal operands give.
  AxisInfo elementwise() const;
  /// The result when every element is `value` reduced to the result's width.
  AxisInfo constant(int64_t value) const;

  AxisInfo sum(bool subtract) const;
  AxisInfo addptr() const;
  AxisInfo product(std::optional<int64_t> ca, std::optional<int64_t> cb, int64_t divisorOfB) const;
  AxisInfo quotient(std::optional<int64_t> divisor, bool floors) const;
  AxisInfo remainder(const AxisInfo &dividend, const AxisInfo &divisor, bool keepsRuns) const;
  std::optional<AxisInfo> floorRemainder() const;
  AxisInfo bitAnd() const;
  AxisInfo bitOrXor() const;
  AxisInfo compare(mlir::arith::CmpIPredicate predicate) const;
  AxisInfo select() const;
  AxisInfo minMax() const;
  AxisInfo integerCast() const;
  AxisInfo expandDims(unsigned axis) const;
  AxisInfo broadcast() const;
  AxisInfo reshape() const;
  AxisInfo trans(llvm::ArrayRef<int32_t> order) const;
  AxisInfo hint(tile::HintOp hint) const;
  AxisInfo pointerCast() const;
};

inline unsigned integerWidthOf(mlir::Type type) {
  mlir::Type element = tile::elementTypeOf(type);
  return element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
}

/// Returns the number of elements along `axis`; 1 for a scalar.
inline int64_t sizeAlong(mlir::Type type, unsigned axis) {
  auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  return tensor ? tensor.getDimSize(axis) : 1;
}

} // namespace tegula
