#include "runtime/host/ScalarBits.h"

#include "compiler/spec/SmallFloat.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace tegula {

HostValue HostValue::floating(double value) { return {Float, {}, std::bit_cast<uint64_t>(value)}; }

double HostValue::asDouble() const {
  switch (kind) {
  case Float:
    return std::bit_cast<double>(bits);
  case Int:
    return double(int64_t(bits));
  default:
    return double(bits);
  }
}

std::optional<BoundValue> compileTimeValue(const HostValue &value) {
  switch (value.kind) {
  case HostValue::None:
    return BoundValue{};
  case HostValue::Bool:
    return BoundValue{value.bits != 0};
  case HostValue::Int:
    return BoundValue{int64_t(value.bits)};
  case HostValue::UInt:
    return BoundValue{value.bits};
  case HostValue::Float:
    return BoundValue{value.asDouble()};
  default:
    return std::nullopt;
  }
}

bool isSignedKind(ScalarKind kind) {
  return kind == ScalarKind::Int8 || kind == ScalarKind::Int16 || kind == ScalarKind::Int32 ||
         kind == ScalarKind::Int64;
}

bool integerFits(const HostValue &value, ScalarKind kind) {
  if (kind == ScalarKind::Int1)
    return value.bits <= 1;
  const uint32_t width = scalarKindBytes(kind) * 8;
  const bool negative = value.kind == HostValue::Int && int64_t(value.bits) < 0;
  if (!isSignedKind(kind))
    return !negative && (width == 64 || value.bits >> width == 0);
  if (value.kind == HostValue::UInt && value.bits > uint64_t(INT64_MAX))
    return false;
  const int64_t top = int64_t(value.bits) >> (width - 1);
  return top == 0 || top == -1;
}

static bool isSmallFloat(ScalarKind kind) {
  return isFloatKind(kind) && kind != ScalarKind::Float32 && kind != ScalarKind::Float64;
}

/// The integer that a number stands for in an integer type.
static uint64_t integerBits(ScalarKind kind, const HostValue &value) {
  if (value.kind != HostValue::Float)
    return value.bits;
  const double number = std::trunc(value.asDouble());
  if (std::isnan(number))
    return 0;
  if (!isSignedKind(kind))
    return number <= 0 ? 0 : number >= 0x1p64 ? UINT64_MAX : uint64_t(number);
  return uint64_t(number <= -0x1p63 ? INT64_MIN : number >= 0x1p63 ? INT64_MAX : int64_t(number));
}

template <typename T> static void put(std::byte *to, T value) { std::memcpy(to, &value, sizeof value); }

void encodeScalar(ScalarKind kind, const HostValue &value, std::byte *to) {
  switch (kind) {
  case ScalarKind::Float16:
  case ScalarKind::BFloat16:
    return put(to, smallFloat(kind).bitsOf(value.asDouble()));
  case ScalarKind::Float8E4M3:
  case ScalarKind::Float8E5M2:
  case ScalarKind::Float8E4B15:
  case ScalarKind::Float8E4B8:
  case ScalarKind::Float8E5B16:
    return put(to, uint8_t(smallFloat(kind).bitsOf(value.asDouble())));
  case ScalarKind::Float32:
    return put(to, float(value.asDouble()));
  case ScalarKind::Float64:
    return put(to, value.asDouble());
  case ScalarKind::Int1:
    return put(to, uint8_t(value.kind == HostValue::Float ? value.asDouble() != 0 : value.bits != 0));
  case ScalarKind::Int8:
  case ScalarKind::UInt8:
    return put(to, uint8_t(integerBits(kind, value)));
  case ScalarKind::Int16:
  case ScalarKind::UInt16:
    return put(to, uint16_t(integerBits(kind, value)));
  case ScalarKind::Int32:
  case ScalarKind::UInt32:
    return put(to, uint32_t(integerBits(kind, value)));
  case ScalarKind::Int64:
  case ScalarKind::UInt64:
    return put(to, integerBits(kind, value));
  }
}

HostValue decodeScalar(ScalarKind kind, const std::byte *from) {
  uint64_t bits = 0;
  const uint32_t bytes = scalarKindBytes(kind);
  std::memcpy(&bits, from, bytes);
  if (isSmallFloat(kind))
    return HostValue::floating(smallFloat(kind).valueOf(uint16_t(bits)));
  switch (kind) {
  case ScalarKind::Float32:
    return HostValue::floating(std::bit_cast<float>(uint32_t(bits)));
  case ScalarKind::Float64:
    return HostValue::floating(std::bit_cast<double>(bits));
  case ScalarKind::Int1:
    return HostValue::boolean(bits != 0);
  default:
    if (!isSignedKind(kind))
      return HostValue::unsignedInteger(bits);
    const uint32_t unused = 64 - bytes * 8;
    return HostValue::integer(int64_t(bits << unused) >> unused);
  }
}

} // namespace tegula
