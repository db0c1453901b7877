#include "compiler/spec/PackedFloat.h"

#include <algorithm>
#include <cmath>

namespace tegula {

bool isPackedKind(ScalarKind kind) { return kind >= ScalarKind::Float8E4B15; }

PackedFormat packedFormat(ScalarKind kind) {
  switch (kind) {
  case ScalarKind::Float8E4B15:
    return {3, 15, 0x7e, false, PackedRounding::ToNearestAway};
  case ScalarKind::Float8E4B8:
    return {3, 8, 0x7f, true, PackedRounding::ToNearestEven};
  default:
    return {2, 16, 0x7f, true, PackedRounding::ToNearestEven};
  }
}

double packedValue(ScalarKind kind, uint8_t bits) {
  const PackedFormat format = packedFormat(kind);
  if (format.hasNan && bits == 0x80)
    return std::nan("");
  const int magnitude = bits & 0x7f, one = 1 << format.fraction;
  const int exponent = magnitude >> format.fraction;
  const int units = exponent ? one + (magnitude & (one - 1)) : magnitude;
  const double value = std::ldexp(units, std::max(exponent, 1) - format.bias - format.fraction);
  return bits >> 7 ? -value : value;
}

uint8_t packedBits(ScalarKind kind, double value) {
  const PackedFormat format = packedFormat(kind);
  if (std::isnan(value))
    return format.hasNan ? 0x80 : format.largest;
  const double magnitude = std::min(std::fabs(value), packedValue(kind, format.largest));
  const int least = 1 - format.bias;
  const int exponent = magnitude == 0 ? least : std::max(std::ilogb(magnitude), least);
  // In units of the last place: exact, as a power of two scales it.
  const double units = std::ldexp(magnitude, format.fraction - exponent);
  const int rounded =
      int(format.nearest == PackedRounding::ToNearestAway ? std::round(units) : std::nearbyint(units));
  // The leading one counts as a step of the exponent.
  const int code = std::min(((exponent - least) << format.fraction) + rounded, int(format.largest));
  const bool isNegative = std::signbit(value) && (code != 0 || !format.hasNan);
  return uint8_t(code | (isNegative ? 0x80 : 0));
}

} // namespace tegula
