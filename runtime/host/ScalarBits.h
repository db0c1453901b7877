// Numbers of the host as scalars of the language, byte by byte.
#pragma once

#include "compiler/spec/KernelSpec.h"

#include <cstddef>
#include <cstdint>

namespace tegula {

/// A value as the host has it. An integer past the range of int64_t is a UInt; None has no bits; Default
/// leaves the parameter to the default in its declaration; the items of a Tuple, `bits` many, are the values
/// behind it.
struct HostValue {
  enum Kind : uint8_t { None, Bool, Int, UInt, Float, Pointer, Default, Tuple };
  Kind kind = None;
  /// Of a pointer, the type it points to; of a number, the type it was given, if any.
  std::optional<ScalarKind> type;
  uint64_t bits = 0; ///< the integer in two's complement, the double's bits, or the address

  static HostValue none() { return {}; }
  static HostValue boolean(bool value) { return {Bool, std::nullopt, value}; }
  static HostValue integer(int64_t value) { return {Int, std::nullopt, uint64_t(value)}; }
  static HostValue unsignedInteger(uint64_t value) {
    return {value > uint64_t(INT64_MAX) ? UInt : Int, std::nullopt, value};
  }
  static HostValue floating(double value);
  static HostValue pointer(uint64_t address, ScalarKind element) { return {Pointer, element, address}; }

  bool isInteger() const { return kind == Bool || kind == Int || kind == UInt; }
  double asDouble() const;
};

bool isFloatKind(ScalarKind kind);
bool isSignedKind(ScalarKind kind);

/// Whether the integer `value` is in the range of `kind`, which is an integer type. Int1 takes 0 and 1.
bool integerFits(const HostValue &value, ScalarKind kind);

/// Writes `value`, a number, as `kind` to the `scalarKindBytes(kind)` bytes at `to`. Floats are rounded
/// to nearest even, integers keep their low bits; a float given for an integer is truncated to zero
/// and clamped.
void encodeScalar(ScalarKind kind, const HostValue &value, std::byte *to);

/// Reads a scalar of `kind`.
HostValue decodeScalar(ScalarKind kind, const std::byte *from);

} // namespace tegula
