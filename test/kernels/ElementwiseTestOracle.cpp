#include "test/kernels/ElementwiseTestOracle.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace tegula;
using namespace tegula::e2e;

namespace {

/// IEEE's parameters: `precision` counts the implicit bit.
struct Format {
  int precision, smallestExponent, largestExponent;
  Bits infinity() const { return Bits(largestExponent - smallestExponent + 2) << (precision - 1); }
};

Format formatOf(Dtype type) {
  switch (type) {
  case Dtype::f16:
    return {11, -14, 15};
  case Dtype::bf16:
    return {8, -126, 127};
  case Dtype::f32:
    return {24, -126, 127};
  default:
    return {53, -1022, 1023};
  }
}

Bits maskOf(unsigned bits) { return bits == 64 ? ~Bits(0) : (Bits(1) << bits) - 1; }

} // namespace

bool e2e::isFloat(Dtype type) { return type >= Dtype::f16; }
bool e2e::isSigned(Dtype type) { return type >= Dtype::i8 && type <= Dtype::i64; }

unsigned e2e::bitsOf(Dtype type) {
  static constexpr unsigned table[] = {1, 8, 16, 32, 64, 8, 16, 32, 64, 16, 16, 32, 64};
  return table[size_t(type)];
}
unsigned e2e::bytesOf(Dtype type) { return (bitsOf(type) + 7) / 8; }

std::string e2e::languageName(Dtype type) {
  static constexpr const char *table[] = {"int1",     "int8",    "int16",  "int32",  "int64",
                                          "uint8",    "uint16",  "uint32", "uint64", "float16",
                                          "bfloat16", "float32", "float64"};
  return std::string("tl.") + table[size_t(type)];
}

Bits e2e::fromInt(Dtype type, uint64_t value) { return value & maskOf(bitsOf(type)); }

uint64_t e2e::extend(Dtype type, Bits bits) {
  unsigned unused = 64 - bitsOf(type);
  return isSigned(type) ? uint64_t(int64_t(bits << unused) >> unused) : bits & maskOf(bitsOf(type));
}

Bits e2e::smallest(Dtype integer) { return isSigned(integer) ? Bits(1) << (bitsOf(integer) - 1) : 0; }

bool e2e::isNan(Dtype type, Bits bits) {
  return isFloat(type) && (bits & maskOf(bitsOf(type) - 1)) > formatOf(type).infinity();
}

long double e2e::toReal(Dtype type, Bits bits) {
  if (!isFloat(type)) {
    uint64_t value = extend(type, bits);
    return isSigned(type) ? (long double)(int64_t(value)) : (long double)(value);
  }
  Format format = formatOf(type);
  Bits magnitude = bits & maskOf(bitsOf(type) - 1);
  bool negative = (bits >> (bitsOf(type) - 1)) & 1;
  if (magnitude > format.infinity())
    return std::numeric_limits<long double>::quiet_NaN();
  long double value = std::numeric_limits<long double>::infinity();
  if (magnitude < format.infinity()) {
    Bits exponent = magnitude >> (format.precision - 1), fraction = magnitude & maskOf(format.precision - 1);
    if (exponent != 0)
      fraction |= Bits(1) << (format.precision - 1);
    int scale = format.smallestExponent + (exponent == 0 ? 0 : int(exponent) - 1) - (format.precision - 1);
    value = std::ldexp((long double)(fraction), scale);
  }
  return negative ? -value : value;
}

Bits e2e::fromReal(Dtype type, long double value, bool towardZero) {
  Format format = formatOf(type);
  Bits sign = std::signbit(value) ? Bits(1) << (bitsOf(type) - 1) : 0;
  if (std::isnan(value))
    return format.infinity() | Bits(1) << (format.precision - 2);
  value = std::fabs(value);
  if (value == 0 || std::isinf(value))
    return sign | (value == 0 ? 0 : format.infinity());
  int exponent = std::max(std::ilogb(value), format.smallestExponent);
  if (exponent > format.largestExponent)
    return sign | (format.infinity() - (towardZero ? 1 : 0));
  long double units = std::ldexp(value, format.precision - 1 - exponent);
  // A carry out of the fraction lands in the exponent, as it should.
  Bits magnitude = (Bits(exponent - format.smallestExponent) << (format.precision - 1)) +
                   Bits(towardZero ? std::trunc(units) : std::nearbyint(units));
  return sign | magnitude;
}

Bits e2e::convert(Dtype from, Bits bits, Dtype to, bool towardZero) {
  if (to == Dtype::i1)
    return isFloat(from) ? toReal(from, bits) != 0 : extend(from, bits) != 0;
  if (isFloat(to))
    return fromReal(to, toReal(from, bits), towardZero);
  if (!isFloat(from))
    return fromInt(to, extend(from, bits));
  long double whole = std::trunc(toReal(from, bits));
  return fromInt(to, whole < 0 ? uint64_t(int64_t(whole)) : uint64_t(whole));
}

double e2e::ulpsApart(Dtype type, Bits found, long double expected) {
  constexpr double never = std::numeric_limits<double>::infinity();
  bool foundNan = isNan(type, found);
  if (foundNan || std::isnan(expected))
    return foundNan && std::isnan(expected) ? 0 : never;
  if (found == fromReal(type, expected))
    return 0;
  Format format = formatOf(type);
  auto finite = [&](long double value) {
    return std::isinf(value) ? std::copysign(std::ldexp(1.0L, format.largestExponent + 1), value) : value;
  };
  long double is = toReal(type, found);
  if ((expected == 0 && is == 0) || std::isinf(expected))
    return never; // the wrong zero, or no infinity
  int exponent = std::min(
      std::max(expected == 0 ? format.smallestExponent : std::ilogb(expected), format.smallestExponent),
      format.largestExponent);
  long double ulp = std::ldexp(1.0L, exponent - (format.precision - 1));
  return double(std::fabs(finite(is) - finite(expected)) / ulp);
}

std::string e2e::spelling(Op op) {
  static constexpr const char *table[] = {"+",  "-",  "*",  "/",  "//", "%",  "&", "|", "^",
                                          "<<", ">>", "==", "!=", "<",  "<=", ">", ">="};
  return table[size_t(op)];
}
bool e2e::isShift(Op op) { return op == Op::Shl || op == Op::Shr; }
bool e2e::divides(Op op) { return op == Op::Div || op == Op::FloorDiv || op == Op::Mod; }
bool e2e::compares(Op op) { return op >= Op::Eq; }

std::optional<Dtype> e2e::commonType(Op op, Side left, Side right) {
  auto rank = [](Dtype type) { return isFloat(type) ? 2 : type == Dtype::i1 ? 0 : 1; };
  auto isShort = [](Dtype type) { return type == Dtype::f16 || type == Dtype::bf16; };
  auto both = [&]() -> std::optional<Dtype> {
    Dtype a = left.type, b = right.type;
    if (left.isNumber != right.isNumber) {
      Dtype number = left.isNumber ? a : b, tensor = left.isNumber ? b : a;
      if (rank(number) <= rank(tensor))
        return divides(op) && isShort(tensor) ? Dtype::f32 : tensor;
    }
    for (Dtype wide : {Dtype::f64, Dtype::f32, Dtype::f16})
      if (a == wide || b == wide)
        return wide == Dtype::f16 && divides(op) ? Dtype::f32 : wide;
    if (a == Dtype::bf16 || b == Dtype::bf16)
      return a == b && !divides(op) ? Dtype::bf16 : Dtype::f32;
    if (isSigned(a) == isSigned(b))
      return bitsOf(a) >= bitsOf(b) ? a : b;
    if (divides(op))
      return std::nullopt;
    Dtype plain = isSigned(a) ? b : a, withSign = isSigned(a) ? a : b;
    return bitsOf(plain) >= bitsOf(withSign) ? plain : withSign;
  };
  std::optional<Dtype> common = both();
  bool wantsIntegers = op == Op::FloorDiv || (op >= Op::And && op <= Op::Shr);
  return common && isFloat(*common) && wantsIntegers ? std::nullopt : common;
}

Dtype e2e::resultType(Op op, Dtype common) {
  if (op >= Op::Eq)
    return Dtype::i1;
  return op == Op::Div && !isFloat(common) ? Dtype::f32 : common;
}

namespace {

template <typename T> bool compare(Op op, T x, T y) {
  switch (op) {
  case Op::Eq:
    return x == y;
  case Op::Ne:
    return x != y;
  case Op::Lt:
    return x < y;
  case Op::Le:
    return x <= y;
  case Op::Gt:
    return x > y;
  default:
    return x >= y;
  }
}

uint64_t applyInt(Op op, Dtype type, uint64_t x, uint64_t y, bool arithmeticShift) {
  bool withSign = isSigned(type);
  switch (op) {
  case Op::Add:
    return x + y;
  case Op::Sub:
    return x - y;
  case Op::Mul:
    return x * y;
  case Op::FloorDiv:
    return withSign ? uint64_t(int64_t(x) / int64_t(y)) : x / y;
  case Op::Mod:
    return withSign ? uint64_t(int64_t(x) % int64_t(y)) : x % y;
  case Op::And:
    return x & y;
  case Op::Or:
    return x | y;
  case Op::Xor:
    return x ^ y;
  case Op::Shl:
    return x << y;
  default:
    if (!arithmeticShift)
      return fromInt(type, x) >> y;
    unsigned unused = 64 - bitsOf(type);
    return uint64_t((int64_t(x << unused) >> unused) >> y);
  }
}

/// `%` on floats is x - trunc(x / y) * y with a rounded quotient and a fused difference, so it is not fmod:
/// where the quotient rounds up to a whole number the result has the other sign.
template <typename T> T remainder(T x, T y) { return std::isinf(y) ? x : std::fma(-std::trunc(x / y), y, x); }

/// Correctly rounded, by the host's own arithmetic in fp64, else in double and rounded once more: which is
/// harmless, for double has more than twice the bits and two.
Bits applyFloat(Op op, Dtype type, double x, double y) {
  double result = op == Op::Add        ? x + y
                  : op == Op::Sub      ? x - y
                  : op == Op::Mul      ? x * y
                  : op == Op::Div      ? x / y
                  : type == Dtype::f32 ? double(remainder(float(x), float(y)))
                                       : remainder(x, y);
  return fromReal(type, result);
}

} // namespace

Outcome e2e::apply(Op op, Dtype common, Bits x, Bits y, bool arithmeticShift) {
  if (isFloat(common)) {
    double a = double(toReal(common, x)), b = double(toReal(common, y));
    if (op >= Op::Eq)
      return {compare(op, a, b)};
    // div.full is documented to be off by two.
    return {applyFloat(op, common, a, b), op == Op::Div && common == Dtype::f32 ? 2.0 : 0.0};
  }
  if (op == Op::Div)
    return apply(op, Dtype::f32, convert(common, x, Dtype::f32), convert(common, y, Dtype::f32), false);
  uint64_t a = extend(common, x), b = extend(common, y);
  if (op >= Op::Eq)
    return {isSigned(common) ? compare(op, int64_t(a), int64_t(b)) : compare(op, a, b)};
  return {fromInt(common, applyInt(op, common, a, b, arithmeticShift))};
}

uint64_t Random::next() {
  state += 0x9e3779b97f4a7c15;
  uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

double Random::real(double low, double high) { return low + (high - low) * (double(next() >> 11) * 0x1p-53); }

std::vector<Bits> e2e::specialBits(Dtype type) {
  std::vector<Bits> values;
  if (type == Dtype::i1)
    return {0, 1};
  if (!isFloat(type)) {
    for (uint64_t value : {0, 1, 2, -1, -2})
      values.push_back(fromInt(type, value));
    for (uint64_t step : {0, 1, -1})
      values.push_back(fromInt(type, (uint64_t(1) << (bitsOf(type) - 1)) + step));
    return values;
  }
  Format format = formatOf(type);
  Bits sign = Bits(1) << (bitsOf(type) - 1), normal = Bits(1) << (format.precision - 1);
  for (Bits value : {Bits(0), fromReal(type, 1), fromReal(type, 0.5), fromReal(type, 2), fromReal(type, 1.5),
                     format.infinity(), format.infinity() - 1, Bits(1), normal, normal - 1, normal / 3,
                     fromReal(type, 3), fromReal(type, 0.1)}) {
    values.push_back(value);
    values.push_back(value | sign);
  }
  values.push_back(fromReal(type, std::numeric_limits<long double>::quiet_NaN()));
  return values;
}

std::vector<Bits> e2e::randomBits(Dtype type, size_t count, uint64_t seed) {
  Random random(seed);
  std::vector<Bits> values = specialBits(type);
  // Where two columns meet, their special values are to meet in every combination sooner or later.
  for (size_t i = values.size(); i > 1; --i)
    std::swap(values[i - 1], values[random.next() % i]);
  while (values.size() < count) {
    if (random.chance(0.2)) {
      std::vector<Bits> special = specialBits(type);
      values.push_back(special[random.next() % special.size()]);
    } else if (!isFloat(type)) {
      values.push_back(fromInt(type, uint64_t(int64_t(random.next()) >> (random.next() % bitsOf(type)))));
    } else if (random.chance(0.4)) {
      values.push_back(fromReal(type, random.real(-10, 10)));
    } else if (random.chance(0.5)) {
      values.push_back(fromReal(type, std::round(random.real(-300, 300)) / 8));
    } else {
      values.push_back(random.next() & maskOf(bitsOf(type)));
    }
  }
  values.resize(count);
  return values;
}
