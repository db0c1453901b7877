// The fundamental types of PTX and what the emulator needs to know of them.
#pragma once

#include <cstddef>
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

/// A type in numbers and words.
struct TypeFacts {
  std::string_view name; ///< the PTX spelling, without the dot
  unsigned bits;         ///< width; 1 for a predicate, 0 for `None`
};
/// By the types' numbers.
inline constexpr TypeFacts typeFacts[] = {
    {"none", 0},   {"pred", 1}, {"b8", 8},     {"b16", 16},  {"b32", 32},    {"b64", 64},  {"b128", 128},
    {"u8", 8},     {"u16", 16}, {"u32", 32},   {"u64", 64},  {"s8", 8},      {"s16", 16},  {"s32", 32},
    {"s64", 64},   {"f16", 16}, {"f16x2", 32}, {"bf16", 16}, {"bf16x2", 32}, {"tf32", 32}, {"f32", 32},
    {"f32x2", 64}, {"f64", 64}, {"u16x2", 32}, {"s16x2", 32}};

constexpr unsigned bitsOf(Type type) { return typeFacts[size_t(type)].bits; }
constexpr std::string_view nameOf(Type type) { return typeFacts[size_t(type)].name; }

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

} // namespace tegula::runtime::ptx
