#include "tools/tegula/arguments/Generators.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <unistd.h>

namespace tegula::cli {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

std::pair<uint64_t, uint64_t> Philox::block(uint64_t counter) const {
  std::array<uint32_t, 4> c{uint32_t(counter), uint32_t(counter >> 32), 0, 0};
  uint32_t k0 = uint32_t(key), k1 = uint32_t(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const uint64_t p0 = uint64_t(0xD2511F53u) * c[0];
    const uint64_t p1 = uint64_t(0xCD9E8D57u) * c[2];
    c = {uint32_t(p1 >> 32) ^ c[1] ^ k0, uint32_t(p1), uint32_t(p0 >> 32) ^ c[3] ^ k1, uint32_t(p0)};
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return {uint64_t(c[1]) << 32 | c[0], uint64_t(c[3]) << 32 | c[2]};
}

Philox philoxFor(uint64_t seed, std::string_view name) {
  uint64_t hash = 0xcbf29ce484222325ull; // FNV-1a of the name
  for (unsigned char c : name)
    hash = (hash ^ c) * 0x100000001b3ull;
  // One block of a generator keyed by the seed spreads the two over all bits.
  return {Philox{seed}.block(hash).first};
}

double portableLog(double x) {
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent); // in [0.5, 1)
  if (mantissa < 0.70710678118654752) {
    mantissa *= 2;
    --exponent;
  }
  // log m = 2 artanh((m - 1) / (m + 1)), whose argument is below 0.172 here.
  const double f = (mantissa - 1) / (mantissa + 1);
  const double square = f * f;
  double sum = 0;
  for (int power = 25; power >= 1; power -= 2)
    sum = sum * square + 1.0 / power;
  return 2 * f * sum + exponent * 0.69314718055994531;
}

std::pair<double, double> portableSinCos(double turns) {
  const double quarters = turns * 4;
  const double nearest = std::floor(quarters + 0.5);
  const double x = (quarters - nearest) * 1.5707963267948966; // in [-pi/4, pi/4]
  const double square = x * x;
  double sine = 1, cosine = 1; // Horner's scheme on the Taylor series
  for (int n = 18; n >= 2; n -= 2) {
    sine = 1 - sine * square / (n * (n + 1));
    cosine = 1 - cosine * square / (n * (n - 1));
  }
  sine *= x;
  switch (int64_t(nearest) & 3) {
  case 0:
    return {sine, cosine};
  case 1:
    return {cosine, -sine};
  case 2:
    return {-sine, -cosine};
  default:
    return {-cosine, sine};
  }
}

/// 53 random bits as a number in [0, 1).
static double unit(uint64_t bits) { return double(bits >> 11) * 0x1p-53; }

int precisionOf(ScalarKind type) {
  return type == ScalarKind::Float64                                         ? 53
         : type == ScalarKind::Float32                                       ? 24
         : type == ScalarKind::Float16                                       ? 11
         : type == ScalarKind::BFloat16                                      ? 8
         : type == ScalarKind::Float8E5M2 || type == ScalarKind::Float8E5B16 ? 3
                                                                             : 4;
}

/// A uniform float below 1 also after rounding to `type`: the bits beyond its precision are dropped.
static double unitIn(ScalarKind type, uint64_t bits) {
  const int precision = precisionOf(type);
  return std::ldexp(double(bits >> (64 - precision)), -precision);
}

/// Box and Muller: two normal numbers from two uniform ones.
static std::pair<double, double> normalPair(std::pair<uint64_t, uint64_t> bits) {
  const double radius = std::sqrt(-2 * portableLog(1 - unit(bits.first)));
  auto [sine, cosine] = portableSinCos(unit(bits.second));
  return {radius * cosine, radius * sine};
}

/// From `low` to `high`, both included; the bias of this reduction is below 2^-64 per value.
static int64_t integerBetween(int64_t low, int64_t high, uint64_t bits) {
  const uint64_t span = uint64_t(high) - uint64_t(low) + 1;
  if (span == 0)
    return int64_t(bits);
  return int64_t(uint64_t(low) + uint64_t((__uint128_t(bits) * span) >> 64));
}

/// The elements 2*pair and 2*pair+1.
static std::array<HostValue, 2> elementPair(const ArrayArgument &array, const Philox &random, uint64_t pair) {
  switch (array.source) {
  case ArrayArgument::Full:
    return {array.first, array.first};
  case ArrayArgument::Arange:
    return {HostValue::unsignedInteger(2 * pair), HostValue::unsignedInteger(2 * pair + 1)};
  case ArrayArgument::Rand: {
    auto [a, b] = random.block(pair);
    return {HostValue::floating(unitIn(*array.type, a)), HostValue::floating(unitIn(*array.type, b))};
  }
  case ArrayArgument::Randn: {
    auto [a, b] = normalPair(random.block(pair));
    return {HostValue::floating(a), HostValue::floating(b)};
  }
  case ArrayArgument::RandInt: {
    auto [a, b] = random.block(pair);
    const int64_t low = int64_t(array.first.bits), high = int64_t(array.second.bits);
    return {HostValue::integer(integerBetween(low, high, a)),
            HostValue::integer(integerBetween(low, high, b))};
  }
  default:
    return {HostValue::integer(0), HostValue::integer(0)};
  }
}

uint64_t physicalMemory() { return uint64_t(sysconf(_SC_PHYS_PAGES)) * uint64_t(sysconf(_SC_PAGE_SIZE)); }

Result<std::vector<std::byte>> generate(const ArrayArgument &array, const Philox &random) {
  const uint64_t count = elementCount(array.shape);
  const uint32_t size = scalarKindBytes(*array.type);
  if (count > physicalMemory() / size)
    return Error{
        ErrorKind::OutOfResources,
        fmt::format("an array of {} bytes is larger than this machine's memory", __uint128_t(count) * size)};
  std::vector<std::byte> bytes(count * size); // all zero
  if (array.source == ArrayArgument::Zeros || array.source == ArrayArgument::Empty)
    return bytes;
  for (uint64_t i = 0; i < count; i += 2) {
    const std::array<HostValue, 2> pair = elementPair(array, random, i / 2);
    encodeScalar(*array.type, pair[0], bytes.data() + i * size);
    if (i + 1 < count)
      encodeScalar(*array.type, pair[1], bytes.data() + (i + 1) * size);
  }
  return bytes;
}

} // namespace tegula::cli
