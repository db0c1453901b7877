#include "runtime/emulator/numeric/Numeric.h"

#include <cfenv>

namespace tegula::runtime::ptx {

/// Returns true if dropping `rest` out of a quantum of twice `halfway` moves the kept magnitude up.
static bool roundsUp(bool negative, bool keptIsOdd, uint64_t rest, uint64_t halfway, Rounding rounding) {
  switch (rounding) {
  case Rounding::Nearest:
    return rest > halfway || (rest == halfway && keptIsOdd);
  case Rounding::NearestAway:
    return rest >= halfway;
  case Rounding::Zero:
    return false;
  case Rounding::Down:
    return rest != 0 && negative;
  case Rounding::Up:
    return rest != 0 && !negative;
  }
  return false;
}

static uint64_t overflowed(bool negative, const Format &format, Rounding rounding) {
  const bool toInfinity = rounding == Rounding::Nearest || rounding == Rounding::NearestAway ||
                          (rounding == Rounding::Up && !negative) || (rounding == Rounding::Down && negative);
  return format.infinity() - (toInfinity ? 0 : 1);
}

uint64_t packRounded(bool negative, uint64_t significand, int exponent, const Format &format,
                     Rounding rounding) {
  const int lead = 63 - std::countl_zero(significand);
  const int lowest = format.minExponent - (format.precision - 1); // exponent of the smallest subnormal
  int quantum = exponent + lead - (format.precision - 1);
  if (quantum < lowest)
    quantum = lowest;
  const int drop = quantum - exponent;
  uint64_t kept;
  if (drop <= 0) {
    kept = significand << -drop; // fits: the leading bit lands at or below precision - 1
  } else if (drop > 64) {
    kept = roundsUp(negative, false, 1, 2, rounding) ? 1 : 0;
  } else {
    kept = drop == 64 ? 0 : significand >> drop;
    const uint64_t rest = drop == 64 ? significand : significand & ((uint64_t(1) << drop) - 1);
    kept += roundsUp(negative, kept & 1, rest, uint64_t(1) << (drop - 1), rounding);
  }
  const uint64_t signBit = negative ? format.sign() : 0;
  // The hidden bit of `kept` carries into the exponent field and makes it right by itself.
  const uint64_t biased = uint64_t(quantum - lowest);
  if (biased > format.infinity() >> (format.precision - 1))
    return signBit | overflowed(negative, format, rounding);
  const uint64_t magnitude = (biased << (format.precision - 1)) + kept;
  if (magnitude >= format.infinity())
    return signBit | overflowed(negative, format, rounding);
  return signBit | magnitude;
}

uint64_t roundTo(double value, const Format &format, Rounding rounding) {
  if (std::isnan(value))
    return format.nan;
  const bool negative = std::signbit(value);
  const uint64_t signBit = negative ? format.sign() : 0;
  if (std::isinf(value))
    return signBit | format.infinity();
  if (value == 0)
    return signBit;
  const uint64_t bits = bitsOfDouble(value);
  const int field = int(bits >> 52 & 0x7ff);
  const uint64_t fraction = bits & ((uint64_t(1) << 52) - 1);
  const uint64_t significand = field ? fraction | uint64_t(1) << 52 : fraction;
  return packRounded(negative, significand, (field ? field : 1) - 1075, format, rounding);
}

double toDouble(uint64_t bits, const Format &format) {
  const uint64_t field = (bits & format.infinity()) >> (format.precision - 1);
  const uint64_t fraction = bits & ((uint64_t(1) << (format.precision - 1)) - 1);
  const uint64_t signBit = bits & format.sign() ? uint64_t(1) << 63 : 0;
  if (field == format.infinity() >> (format.precision - 1))
    return asDouble(signBit | 0x7ff0000000000000 | fraction << (53 - format.precision));
  if (field == 0) {
    if (format == doubleFormat)
      return asDouble(bits);
    const double magnitude = std::ldexp(double(fraction), format.minExponent - (format.precision - 1));
    return signBit ? -magnitude : magnitude;
  }
  const uint64_t exponent = field - 1 + uint64_t(format.minExponent + 1023);
  return asDouble(signBit | exponent << 52 | fraction << (53 - format.precision));
}

uint64_t integerTo(bool negative, uint64_t magnitude, const Format &format, Rounding rounding) {
  return magnitude == 0 ? 0 : packRounded(negative, magnitude, 0, format, rounding);
}

double roundToIntegral(double value, Rounding rounding) {
  switch (rounding) {
  case Rounding::Zero:
    return std::trunc(value);
  case Rounding::Down:
    return std::floor(value);
  case Rounding::Up:
    return std::ceil(value);
  default:
    return std::nearbyint(value); // the host stays in round-to-nearest-even
  }
}

static int hostMode(Rounding rounding) {
  switch (rounding) {
  case Rounding::Zero:
    return FE_TOWARDZERO;
  case Rounding::Down:
    return FE_DOWNWARD;
  case Rounding::Up:
    return FE_UPWARD;
  default:
    return FE_TONEAREST;
  }
}

uint64_t convertNan(uint64_t bits, const Format &from, const Format &to) {
  const int shift = to.precision - from.precision;
  const uint64_t payload = bits & ((uint64_t(1) << (from.precision - 1)) - 1);
  const uint64_t moved = shift >= 0 ? payload << shift : payload >> -shift;
  const uint64_t quiet = uint64_t(1) << (to.precision - 2);
  return (bits & from.sign() ? to.sign() : 0) | to.infinity() | moved | quiet;
}

uint64_t doubleInMode(FloatOp op, uint64_t a, uint64_t b, uint64_t c, Rounding rounding) {
  // volatile keeps the arithmetic between the two mode switches.
  volatile double x = asDouble(a), y = asDouble(b), z = asDouble(c), result = 0;
  std::fesetround(hostMode(rounding));
  switch (op) {
  case FloatOp::Add:
    result = x + y;
    break;
  case FloatOp::Subtract:
    result = x - y;
    break;
  case FloatOp::Multiply:
    result = x * y;
    break;
  case FloatOp::Fma:
    result = std::fma(double(x), double(y), double(z));
    break;
  case FloatOp::Divide:
    result = x / y;
    break;
  default:
    result = std::sqrt(double(x));
    break;
  }
  std::fesetround(FE_TONEAREST);
  return doubleResult(result, a, b, c);
}

} // namespace tegula::runtime::ptx
