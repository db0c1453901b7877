// Makes IR for operations whose operands are known to be right: constants, casts, broadcasts. What a user
// may get wrong is checked before, in Semantics.
#pragma once

#include "compiler/frontend/values/Value.h"

#include "dialect/tile/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace tegula::eval {

/// Rounding of a float to a narrower one.
enum class Rounding : uint8_t { ToNearest, TowardZero };

class Emitter : private mlir::OpBuilder::Listener {
public:
  explicit Emitter(mlir::MLIRContext *context) : builder(context), loc(mlir::UnknownLoc::get(context)) {
    builder.setListener(this);
  }

  /// Ops inserted so far; names are none.
  uint64_t opCount() const { return inserted; }

  /// A new op at `loc`, or what it folds to.
  template <typename Op, typename... Args> mlir::Value make(Args &&...args) {
    return builder.createOrFold<Op>(loc, std::forward<Args>(args)...);
  }

  mlir::MLIRContext *context() const { return builder.getContext(); }
  mlir::Type type(Dtype dtype, Shape shape = {}) const { return toMlir(context(), dtype, shape); }
  mlir::arith::FastMathFlagsAttr flags(mlir::arith::FastMathFlags flags) const {
    return mlir::arith::FastMathFlagsAttr::get(context(), flags);
  }

  /// `value` modulo the width of an integer type; converted for a float type.
  Tensor constant(Int value, Dtype dtype, Shape shape = {});
  /// Rounded to nearest; what 8-bit floats do not reach becomes their largest, as casts have it.
  Tensor constant(double value, Dtype dtype, Shape shape = {});
  /// Makes a constant of a number known at compile time.
  Tensor constant(const Value &number, Dtype dtype, Shape shape = {});

  /// `shape` is not empty; of a scalar.
  Tensor splat(Tensor scalar, Shape shape);
  /// `shape` has the tensor's rank and differs only where the tensor's side is 1. Scalars are splat.
  Tensor broadcast(Tensor tensor, Shape shape);
  /// Inserts a side of 1 before `axis`; of a scalar, makes a tensor of one element.
  Tensor expandDims(Tensor tensor, unsigned axis);
  /// To a shape of as many elements, which is not empty.
  Tensor reshape(Tensor tensor, Shape shape);
  /// The one element of `tensor`, which has no other, as a scalar.
  Tensor onlyElement(Tensor tensor);
  Tensor permute(Tensor tensor, llvm::ArrayRef<int32_t> order);

  /// Between any scalar types but pointer and float; an address becomes 64 bits or a truth.
  Tensor cast(Tensor tensor, Dtype to, Rounding rounding = Rounding::ToNearest);
  /// Between types of one width, neither a pointer.
  Tensor bitcast(Tensor tensor, Dtype to);
  /// `tensor != 0`.
  Tensor isNonZero(Tensor tensor);

  mlir::OpBuilder builder;
  mlir::Location loc;

private:
  void notifyOperationInserted(mlir::Operation *op, mlir::OpBuilder::InsertPoint) override;
  Tensor castFloat(Tensor tensor, Dtype to, Rounding rounding);
  Tensor castPointer(Tensor tensor, Dtype to);

  uint64_t inserted = 0;
};

} // namespace tegula::eval
