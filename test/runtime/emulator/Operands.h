// Operands for property tests: corner cases and random values, the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tegula::runtime::test {

/// The float of 128 bits, which every compiler of x86-64 has, and which on aarch64 is `long double`.
#if defined(__aarch64__)
using Quad = long double;
#else
using Quad = __float128;
#endif

class Operands {
public:
  explicit Operands(uint64_t seed) : state(seed) {}

  uint64_t next() {
    state += 0x9e3779b97f4a7c15;
    uint64_t mixed = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return mixed ^ (mixed >> 31);
  }
  /// An integer of `bits` bits, often near a power of two or zero.
  uint64_t integer(unsigned bits) {
    const uint64_t pick = next();
    uint64_t value = next();
    switch (pick % 4) {
    case 0:
      value = (uint64_t(1) << (pick >> 8) % bits) + (pick >> 20) % 3 - 1;
      break;
    case 1:
      value = 0 - (pick >> 8) % 5;
      break;
    case 2:
      value = (pick >> 8) % 70;
      break;
    default:
      break;
    }
    return bits == 64 ? value : value & ((uint64_t(1) << bits) - 1);
  }
  /// A floating-point pattern: specials, close exponents (so that sums cancel), or any bits.
  uint64_t floating(unsigned bits, unsigned mantissa) {
    const uint64_t pick = next(), sign = (pick >> 5 & 1) << (bits - 1);
    const uint64_t ones = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
    const uint64_t infinity = ones >> 1 >> mantissa << mantissa;
    const uint64_t bias = (infinity >> mantissa) / 2;
    switch (pick % 8) {
    case 0: {
      const uint64_t specials[] = {0,
                                   1,
                                   (uint64_t(1) << mantissa) - 1,
                                   uint64_t(1) << mantissa,
                                   infinity - 1,
                                   infinity,
                                   infinity + 1,
                                   bias << mantissa,
                                   (bias << mantissa) + 1};
      return sign | specials[(pick >> 8) % 9];
    }
    case 1:
      return next() & ones;
    default:
      return sign |
             (((bias + (pick >> 8) % 12 - 6) << mantissa) + (next() & ((uint64_t(1) << mantissa) - 1)));
    }
  }
  std::vector<uint64_t> integers(unsigned bits, size_t count) {
    std::vector<uint64_t> out(count);
    for (uint64_t &value : out)
      value = integer(bits);
    return out;
  }
  std::vector<uint64_t> floatings(unsigned bits, unsigned mantissa, size_t count) {
    std::vector<uint64_t> out(count);
    for (uint64_t &value : out)
      value = floating(bits, mantissa);
    return out;
  }

private:
  uint64_t state;
};

} // namespace tegula::runtime::test
