// The operands of recorded matrix products.
#include "test/runtime/emulator/golden/MatrixForms.h"

#include <bit>
#include <cmath>

namespace tegula::golden {
namespace {

class Generator {
public:
  explicit Generator(uint64_t seed) : state(seed) {}
  uint64_t next() { // splitmix64
    uint64_t x = state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }
  int between(int low, int high) { return low + int(next() >> 32) % (high - low + 1); }
  bool oneIn(unsigned count) { return (next() >> 40) % count == 0; }

private:
  uint64_t state;
};

/// A binary format of a matrix element: fraction bits, exponent bits. tf32 has the layout of f32.
struct Layout {
  unsigned fraction, exponent;
  int bias() const { return (1 << (exponent - 1)) - 1; }
  unsigned width() const { return 1 + exponent + fraction; }
  uint64_t top() const { return (uint64_t(1) << exponent) - 1; }
};

Layout layoutOf(const std::string &type) {
  if (type == "f16")
    return {10, 5};
  if (type == "bf16")
    return {7, 8};
  if (type == "e4m3")
    return {3, 4};
  if (type == "e5m2")
    return {2, 5};
  return type == "f64" ? Layout{52, 11} : Layout{23, 8};
}

uint64_t assemble(const Layout &layout, bool negative, int exponent, uint64_t fraction) {
  int field = exponent + layout.bias();
  const int most = int(layout.top()) - 1;
  field = field < 0 ? 0 : field > most ? most : field;
  return uint64_t(negative) << (layout.width() - 1) | uint64_t(field) << layout.fraction |
         (fraction & ((uint64_t(1) << layout.fraction) - 1));
}

uint64_t specialBits(const Layout &layout, Generator &random) {
  const uint64_t infinity = layout.top() << layout.fraction,
                 ones = infinity | ((uint64_t(1) << layout.fraction) - 1);
  const uint64_t magnitudes[] = {0, infinity, infinity, infinity | 1, ones, infinity - 1, 1};
  const uint64_t magnitude = magnitudes[random.next() % std::size(magnitudes)];
  return magnitude | (random.next() & 1) << (layout.width() - 1);
}

/// An element of A or B, or with `isSum` of C.
uint64_t elementFor(const std::string &type, Pattern pattern, bool isSum, Generator &random) {
  const uint64_t bits = random.next();
  if (type == "s32")
    return pattern == Pattern::Overflow ? (bits & 1 ? 0x7fffffff - (bits >> 50) : 0x80000000 + (bits >> 50))
                                        : bits >> 32;
  if (type == "s8" || type == "u8")
    return pattern == Pattern::Overflow ? (bits & 1 ? 0x7f : 0xff)
           : pattern == Pattern::Zeros  ? bits >> 63
                                        : bits >> 56;
  const Layout layout = layoutOf(type);
  const int least = 1 - layout.bias(); // of normal numbers
  const bool narrow = layout.exponent < 8;
  const auto around = [&](int exponent, int spread) {
    return assemble(layout, bits & 1, exponent + random.between(-spread, spread), bits >> 8);
  };
  switch (pattern) {
  case Pattern::NearOne:
  case Pattern::Cancel:
    return around(isSum && pattern == Pattern::Cancel ? -20 : 0, 2);
  case Pattern::Wide:
    return around(0, layout.exponent == 4 ? 5 : 12);
  case Pattern::Subnormal:
    // Products of halves end far above the subnormals of single precision, those of wide exponents among
    // them.
    if (isSum && !narrow)
      return around(type == "f64" ? least - 1 : layout.bias() == 127 ? -127 : 0, 2);
    return narrow ? around(least - 1, 2) : around(least / 2, 4);
  case Pattern::Special:
    return random.oneIn(40) ? specialBits(layout, random) : around(0, 2);
  case Pattern::RandomBits: {
    const uint64_t raw = bits & (layout.width() == 64 ? ~uint64_t(0) : (uint64_t(1) << layout.width()) - 1);
    const bool isSpecial = (raw >> layout.fraction & layout.top()) == layout.top();
    return isSpecial ? raw & ~(uint64_t(1) << (layout.fraction + layout.exponent - 1)) : raw;
  }
  case Pattern::Accumulator:
    return around(0, isSum ? 30 : 2);
  case Pattern::Overflow:
    return assemble(layout, random.oneIn(8),
                    isSum ? layout.bias() : (narrow ? layout.bias() : layout.bias() / 2), bits >> 8);
  case Pattern::Zeros:
    return random.oneIn(16) ? around(0, 0) : (bits & 1) << (layout.width() - 1);
  }
  return 0;
}

} // namespace

const char *nameOf(Pattern pattern) {
  static const char *const names[] = {"near one",    "wide",   "subnormal", "special", "random bits",
                                      "accumulator", "cancel", "overflow",  "zeros"};
  return names[unsigned(pattern)];
}

Matrices matricesFor(const MatrixForm &form, Pattern pattern) {
  uint64_t seed = 1469598103934665603u; // FNV-1a of the text: a form's operands stay when others come and go
  for (const char c : form.text())
    seed = (seed ^ uint8_t(c)) * 1099511628211u;
  Generator random(seed + unsigned(pattern));
  Matrices out;
  for (unsigned i = 0; i < form.m * form.k; ++i)
    out.a.push_back(elementFor(form.a, pattern, false, random));
  for (unsigned i = 0; i < form.k * 8; ++i)
    out.b.push_back(elementFor(form.b, pattern, false, random));
  for (unsigned i = 0; i < form.m * 8; ++i)
    out.c.push_back(elementFor(form.sum, pattern, true, random));
  if (pattern != Pattern::Cancel || form.sum == "s32")
    return out;
  // Neighbours along K cancel, but for the last bit of some.
  const uint64_t sign = uint64_t(1) << (layoutOf(form.b).width() - 1);
  for (unsigned row = 0; row < form.m; ++row)
    for (unsigned k = 1; k < form.k; k += 2)
      out.a[row * form.k + k] = out.a[row * form.k + k - 1];
  for (unsigned k = 1; k < form.k; k += 2)
    for (unsigned column = 0; column < 8; ++column)
      out.b[k * 8 + column] = out.b[(k - 1) * 8 + column] ^ sign ^ uint64_t(random.oneIn(3));
  return out;
}

void scatterSpecials(Matrices &matrices, const MatrixForm &form, unsigned round) {
  Generator random(round + 1);
  const auto scatter = [&](std::vector<uint64_t> &elements, const std::string &type) {
    if (type[0] == 's' || type[0] == 'u')
      return;
    const Layout layout = layoutOf(type);
    const uint64_t infinity = layout.top() << layout.fraction, quiet = uint64_t(1) << (layout.fraction - 1);
    const uint64_t ones = infinity | ((uint64_t(1) << layout.fraction) - 1);
    const uint64_t magnitudes[] = {ones, infinity | quiet, infinity, infinity, 0, quiet};
    for (unsigned count = random.next() % 3; count; --count)
      elements[random.next() % elements.size()] =
          magnitudes[random.next() % std::size(magnitudes)] | (random.next() & 1) << (layout.width() - 1);
  };
  scatter(matrices.a, form.a), scatter(matrices.b, form.b), scatter(matrices.c, form.sum);
}

double decodeElement(const std::string &type, uint64_t bits) {
  if (type == "s8")
    return int8_t(bits);
  if (type == "u8")
    return double(bits);
  if (type == "s32")
    return int32_t(bits);
  if (type == "f64")
    return std::bit_cast<double>(bits);
  if (type == "tf32")
    bits &= ~uint64_t(0x1fff);
  const Layout layout = layoutOf(type);
  const int field = int(bits >> layout.fraction & layout.top());
  const uint64_t fraction = bits & ((uint64_t(1) << layout.fraction) - 1);
  const double sign = bits >> (layout.width() - 1) & 1 ? -1 : 1;
  if (uint64_t(field) == layout.top() && type != "e4m3")
    return fraction ? NAN : sign * INFINITY;
  if (type == "e4m3" && (bits & 0x7f) == 0x7f)
    return NAN;
  const double hidden = field ? double(uint64_t(1) << layout.fraction) : 0;
  return sign *
         std::ldexp(double(fraction) + hidden, (field ? field : 1) - layout.bias() - int(layout.fraction));
}

} // namespace tegula::golden
