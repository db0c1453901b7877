// The fundamental types of PTX and what the emulator needs to know of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tegula::runtime::ptx {

/// A PTX type suffix without its dot. Packed types hold two elements, the first in the low half.
enum class Type : uint8_t {
  None,
  Pred,
  B8,
  B16,
  B32,
  B64,
  B128,
  U8,
  U16,
  U32,
  U64,
  S8,
  S16,
  S32,
  S64,
  F16,
  F16x2,
  BF16,
  BF16x2,
  TF32,
  F32,
  F32x2,
  F64,
  U16x2,
  S16x2,
};

/// Width in bits; 1 for a predicate, 0 for `None`.
constexpr unsigned bitsOf(Type type) {
  switch (type) {
  case Type::None:
    return 0;
  case Type::Pred:
    return 1;
  case Type::B8:
  case Type::U8:
  case Type::S8:
    return 8;
  case Type::B16:
  case Type::U16:
  case Type::S16:
  case Type::F16:
  case Type::BF16:
    return 16;
  case Type::B32:
  case Type::U32:
  case Type::S32:
  case Type::F32:
  case Type::F16x2:
  case Type::BF16x2:
  case Type::U16x2:
  case Type::S16x2:
  case Type::TF32:
    return 32;
  case Type::B64:
  case Type::U64:
  case Type::S64:
  case Type::F64:
  case Type::F32x2:
    return 64;
  case Type::B128:
    return 128;
  }
  return 0;
}

constexpr bool isSigned(Type type) { return type >= Type::S8 && type <= Type::S64; }
constexpr bool isUnsigned(Type type) { return type >= Type::U8 && type <= Type::U64; }
constexpr bool isInteger(Type type) { return type >= Type::U8 && type <= Type::S64; }
constexpr bool isUntyped(Type type) { return type >= Type::B8 && type <= Type::B128; }
/// A scalar floating-point type.
constexpr bool isFloat(Type type) {
  return type == Type::F16 || type == Type::BF16 || type == Type::F32 || type == Type::F64;
}

/// A type of 16-bit floats, or of pairs of them.
constexpr bool isHalf(Type type) {
  return type == Type::F16 || type == Type::BF16 || type == Type::F16x2 || type == Type::BF16x2;
}

/// All ones in the low `bits` bits; `bits` may be 64 and more.
constexpr uint64_t lowMask(unsigned bits) { return bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1; }

/// `value`'s low `bits` bits read as two's complement.
constexpr int64_t signExtend(uint64_t value, unsigned bits) {
  return bits >= 64 ? int64_t(value) : int64_t(value << (64 - bits)) >> (64 - bits);
}

/// The type spelt `name`, for example "f16x2"; empty when `name` is no type known here.
std::optional<Type> parseType(std::string_view name);
/// The PTX spelling, without the dot.
std::string_view nameOf(Type type);

} // namespace tegula::runtime::ptx
