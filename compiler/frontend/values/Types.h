// The types of the language: what `dtype` and `type` are in a kernel. Signs live here only; integers of
// the IR have none.
#pragma once

#include "compiler/spec/KernelSpec.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>
#include <string_view>

namespace mlir {
class MLIRContext;
class Type;
} // namespace mlir

namespace tegula::eval {

/// Integers known at compile time: wide enough for every 64-bit value, signed or not, and for the
/// results of single operations on them.
using Int = __int128;

/// A scalar type, or a pointer to (pointers to) one.
struct Dtype {
  ScalarKind scalar = ScalarKind::Int32;
  uint8_t pointerDepth = 0;
  bool isConst = false; ///< a pointer through which nothing may be stored

  bool operator==(const Dtype &) const = default;

  bool isPointer() const { return pointerDepth != 0; }
  bool isBool() const { return !isPointer() && scalar == ScalarKind::Int1; }
  /// Booleans are integers, unsigned ones of one bit.
  bool isInt() const { return !isPointer() && scalar <= ScalarKind::UInt64; }
  bool isSigned() const { return isInt() && scalar >= ScalarKind::Int8 && scalar <= ScalarKind::Int64; }
  bool isUnsigned() const { return isInt() && !isSigned(); }
  bool isFloat() const { return !isPointer() && scalar >= ScalarKind::Float16; }
  bool isFloat8() const { return isFloat() && scalar >= ScalarKind::Float8E4M3; }
  /// A float without a type of the IR: its bits are an integer there, and conversions are computed
  /// (`tracing/PackedFloats`).
  bool isPackedFloat() const { return isFloat() && scalar >= ScalarKind::Float8E4B15; }
  bool is(ScalarKind kind) const { return !isPointer() && scalar == kind; }
  /// Bits of a value: 1 for a boolean, 64 for a pointer.
  unsigned bits() const;
  /// Bits of the significand that are stored; of a float only.
  unsigned mantissaBits() const;
  /// Returns the bias of the stored exponent; of a float only.
  unsigned exponentBias() const;
  Dtype pointee() const { return {scalar, uint8_t(pointerDepth - 1), false}; }
  Dtype pointerTo() const { return {scalar, uint8_t(pointerDepth + 1), false}; }
};

using Shape = llvm::ArrayRef<int64_t>;

/// Returns the number of elements of a tensor of this shape.
int64_t elementsOf(Shape shape);

/// The language's own name: "int32", "bf16", "pointer<fp32>".
std::string typeName(Dtype dtype);
/// "fp32[64, 32]"; a scalar's shape is empty and not shown.
std::string typeName(Dtype dtype, Shape shape);
/// "[64, 32]".
std::string shapeText(Shape shape);

/// `int32`, `float32`, `bfloat16`, ...: the names under which `tl` holds its types.
std::optional<Dtype> dtypeByAttribute(std::string_view name);
/// The inverse: the name under which `tl` holds the type.
std::string_view dtypeAttribute(ScalarKind kind);
/// `fp32`, `i32`, `int32`, `*fp32`, ...: the names that strings may hold.
std::optional<Dtype> dtypeByName(std::string_view name);
/// The names of `dtypeByAttribute`.
llvm::SmallVector<std::string_view> dtypeAttributes();

mlir::Type toMlir(mlir::MLIRContext *context, Dtype dtype);
/// The scalar itself for an empty shape, else a tensor of it.
mlir::Type toMlir(mlir::MLIRContext *context, Dtype dtype, Shape shape);

/// The least and largest value of an integer type.
Int minOf(Dtype dtype);
Int maxOf(Dtype dtype);
inline bool fits(Int value, Dtype dtype) { return minOf(dtype) <= value && value <= maxOf(dtype); }

std::string toString(Int value);

} // namespace tegula::eval
