// Computes the language's elementwise operations on the host, without any of the product's code.
//
// A value of any element type travels as its bits in the low end of a uint64_t. Every float format goes
// through one decoder and one rounding from long double, which holds each value of each format exactly.
#pragma once

#include <tegula/tegula.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tegula::e2e {

using Bits = uint64_t;

inline constexpr Dtype integers[] = {Dtype::i8, Dtype::i16, Dtype::i32, Dtype::i64,
                                     Dtype::u8, Dtype::u16, Dtype::u32, Dtype::u64};
inline constexpr Dtype floats[] = {Dtype::f16, Dtype::bf16, Dtype::f32, Dtype::f64};
/// All but bool.
inline constexpr Dtype numbers[] = {Dtype::i8,  Dtype::i16, Dtype::i32, Dtype::i64,  Dtype::u8,  Dtype::u16,
                                    Dtype::u32, Dtype::u64, Dtype::f16, Dtype::bf16, Dtype::f32, Dtype::f64};

bool isFloat(Dtype type);
bool isSigned(Dtype type);
/// 1 for bool.
unsigned bitsOf(Dtype type);
/// In memory: a bool takes one byte.
unsigned bytesOf(Dtype type);
/// `tl.float32`.
std::string languageName(Dtype type);

/// The exact value; NaN and infinities included.
long double toReal(Dtype type, Bits bits);
/// The nearest value of a float type, ties to even; or the nearest that is not farther from zero.
Bits fromReal(Dtype type, long double value, bool towardZero = false);
/// The low bits of a two's complement number.
Bits fromInt(Dtype type, uint64_t value);
/// Sign- or zero-extended to 64 bits, for integers and bool.
uint64_t extend(Dtype type, Bits bits);
bool isNan(Dtype type, Bits bits);
Bits smallest(Dtype integer);

/// `.to()`. A float becomes an integer by truncation; it must fit.
Bits convert(Dtype from, Bits bits, Dtype to, bool towardZero = false);

/// The distance of `found` from `expected` in units in the last place of `expected`: infinite where one is
/// NaN and the other is not. An infinity counts as the power of two behind the largest number.
double ulpsApart(Dtype type, Bits found, long double expected);

enum class Op : uint8_t { Add, Sub, Mul, Div, FloorDiv, Mod, And, Or, Xor, Shl, Shr, Eq, Ne, Lt, Le, Gt, Ge };
inline constexpr Op operators[] = {Op::Add, Op::Sub, Op::Mul, Op::Div, Op::FloorDiv, Op::Mod,
                                   Op::And, Op::Or,  Op::Xor, Op::Shl, Op::Shr,      Op::Eq,
                                   Op::Ne,  Op::Lt,  Op::Le,  Op::Gt,  Op::Ge};
std::string spelling(Op op);
bool isShift(Op op);
bool divides(Op op);
bool compares(Op op);

/// One side of an operator: a tensor, or a number of the host language with the type that its value needs.
struct Side {
  Dtype type;
  bool isNumber = false;
};
/// The type in which an operator computes; none where the language refuses the pair.
std::optional<Dtype> commonType(Op op, Side left, Side right);
Dtype resultType(Op op, Dtype common);

/// `x op y` in `common`; `arithmeticShift` chooses what `>>` fills with. `/` in fp32 may be `slack` units
/// off.
struct Outcome {
  Bits bits;
  double slack = 0;
};
Outcome apply(Op op, Dtype common, Bits x, Bits y, bool arithmeticShift);

/// A sequence of numbers that is the same on every machine (splitmix64).
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next();
  /// Uniform in [low, high).
  double real(double low, double high);
  bool chance(double probability) { return real(0, 1) < probability; }

private:
  uint64_t state;
};

/// `count` values of one type: the special ones first, then numbers small, of every magnitude, and raw bits.
std::vector<Bits> randomBits(Dtype type, size_t count, uint64_t seed);
/// Zeros, infinities, NaN, subnormals and the ends of the range; for integers the ends and what is next to
/// them.
std::vector<Bits> specialBits(Dtype type);

} // namespace tegula::e2e
