// A value of an interpreted program: the bits of each element, and which elements are undefined.
#pragma once

#include "mlir/IR/Types.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <string>

namespace tegula::interp {

/// The kind of a value's elements. Read off the type once for each operation.
struct Element {
  enum Kind : uint8_t {
    Integer,
    Float8E4M3, ///< without infinities
    Float8E5M2,
    Float16,
    BFloat16,
    Float32,
    Float64,
    Pointer
  } kind = Integer;
  uint8_t bits = 32; ///< 64 for pointers

  explicit Element(mlir::Type scalarOrTensor);
  bool isFloat() const { return kind != Integer && kind != Pointer; }
  /// All bits that an element of this type has.
  uint64_t mask() const { return bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1; }
  /// Bytes in memory: an `i1` takes one.
  unsigned bytes() const { return bits < 8 ? 1 : bits / 8; }
};

/// Returns whether `type` is a scalar, or a tensor of scalars, of a kind that programs compute with, or a
/// view. Buffers are none.
bool isInterpretable(mlir::Type type);

/// A scalar or a tensor in row-major order. Elements are zero-extended to 64 bits; floats are their IEEE
/// bits, pointers addresses. A view is the address of its base, its sizes, its strides.
struct Tensor {
  mlir::Type type;
  llvm::SmallVector<uint64_t, 1> bits;
  llvm::SmallVector<uint8_t, 0> undefined; ///< one an element, not 0 where it has no value; empty: all have

  Tensor() = default;
  explicit Tensor(mlir::Type type);
  static Tensor scalar(mlir::Type type, uint64_t bits);

  size_t size() const { return bits.size(); }
  bool isUndefined(size_t index) const { return !undefined.empty() && undefined[index]; }
  void setUndefined(size_t index);
  /// Sets element `index` to that of `from` at `at`.
  void setElement(size_t index, const Tensor &from, size_t at) {
    bits[index] = from.bits[at];
    if (from.isUndefined(at))
      setUndefined(index);
  }
};

/// 1 for scalars; of a view, how many numbers it is made of.
size_t elementCount(mlir::Type type);
/// The sides of a tensor, nothing for a scalar.
llvm::ArrayRef<int64_t> shapeOf(mlir::Type type);
/// Returns the distance of elements that follow each other along `dim`; one for a scalar.
size_t strideOf(llvm::ArrayRef<int64_t> shape, size_t dim);
/// "(3, 0)": the indices of element `index` in row-major order; empty for scalars.
std::string elementName(mlir::Type type, size_t index);

/// A tensor of `type` whose element `i` is the source's element `from(i)`.
template <typename From> Tensor rearranged(const Tensor &source, mlir::Type type, From from) {
  Tensor result(type);
  for (size_t i = 0; i < result.size(); ++i)
    result.setElement(i, source, from(i));
  return result;
}

/// The value of an integer of `bits` bits, its top bit being the sign.
inline int64_t signExtend(uint64_t value, unsigned bits) {
  return int64_t(value << (64 - bits)) >> (64 - bits);
}

} // namespace tegula::interp
