// Numbers of the host as scalars of the language, byte by byte.
#pragma once

#include "compiler/spec/BoundValue.h"

#include <cstddef>
#include <cstdint>

namespace tegula {

/// A scalar type or none, in one byte.
class MaybeScalar {
public:
  constexpr MaybeScalar() = default;
  constexpr MaybeScalar(ScalarKind kind) : code(uint8_t(kind)) {}
  constexpr explicit operator bool() const { return code != none; }
  constexpr ScalarKind operator*() const { return ScalarKind(code); }
  constexpr ScalarKind value_or(ScalarKind other) const { return code == none ? other : ScalarKind(code); }
  bool operator==(const MaybeScalar &) const = default;

private:
  static constexpr uint8_t none = 255;
  uint8_t code = none;
};

/// A value as the host has it, laid out as `tegula_argument` and the C++ API's `Argument`. An integer past
/// the range of int64_t is a UInt; None has no bits; Default leaves the parameter to the default in its
/// declaration; the items of a Tuple, `bits` many, are the values behind it.
struct HostValue {
  enum Kind : uint8_t { None, Bool, Int, UInt, Float, Pointer, Default, Tuple };
  Kind kind = None;
  /// The type that a pointer points to, or that a number was given, if any.
  MaybeScalar type;
  uint64_t bits = 0; ///< the integer in two's complement, the double's bits, or the address

  static HostValue none() { return {}; }
  static HostValue boolean(bool value) { return {Bool, {}, value}; }
  static HostValue integer(int64_t value) { return {Int, {}, uint64_t(value)}; }
  static HostValue unsignedInteger(uint64_t value) {
    return {value > uint64_t(INT64_MAX) ? UInt : Int, {}, value};
  }
  static HostValue floating(double value);
  static HostValue pointer(uint64_t address, ScalarKind element) { return {Pointer, element, address}; }

  bool isInteger() const { return kind == Bool || kind == Int || kind == UInt; }
  double asDouble() const;
};

/// Returns what is known of `value` when compiling; nothing where it is a pointer, a default or a tuple.
std::optional<BoundValue> compileTimeValue(const HostValue &value);

bool isSignedKind(ScalarKind kind);

/// Returns true if the integer `value` is in the range of `kind`, which is an integer type. Int1 takes 0 and
/// 1.
bool integerFits(const HostValue &value, ScalarKind kind);

/// Writes `value`, a number, as `kind` to the `scalarKindBytes(kind)` bytes at `to`. Floats are rounded
/// to nearest even, integers keep their low bits; a float given for an integer is truncated to zero
/// and clamped.
void encodeScalar(ScalarKind kind, const HostValue &value, std::byte *to);

/// Reads a scalar of `kind`.
HostValue decodeScalar(ScalarKind kind, const std::byte *from);

} // namespace tegula
