// cvt between all pairs of types, and comparisons, against definitions written out here.

#include "test/runtime/emulator/Operands.h"
#include "test/runtime/emulator/RunPtx.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tegula::runtime::test {
namespace {

constexpr size_t samples = 2048;
using Wide = __int128;

Wide extend(uint64_t value, unsigned bits, bool isSigned) {
  value = bits == 64 ? value : value & ((uint64_t(1) << bits) - 1);
  return isSigned && value >> (bits - 1) & 1 ? Wide(value) - (Wide(1) << bits) : Wide(value);
}
uint64_t cut(Wide value, unsigned bits) {
  return bits == 64 ? uint64_t(value) : uint64_t(value) & ((uint64_t(1) << bits) - 1);
}
char letter(unsigned bits) { return bits <= 16 ? 'h' : bits == 32 ? 'r' : 'd'; }
std::string name(bool isSigned, unsigned bits) { return (isSigned ? "s" : "u") + std::to_string(bits); }

TEST(Convert, IntegersTruncateExtendAndSaturate) {
  Operands operands(1);
  const std::vector<uint64_t> a = operands.integers(64, samples);
  for (unsigned from : {8u, 16u, 32u, 64u})
    for (unsigned to : {8u, 16u, 32u, 64u})
      for (int signs = 0; signs < 4; ++signs)
        for (bool saturate : {false, true}) {
          const bool fromSigned = signs & 1, toSigned = signs & 2;
          // The result register is the widest, so that the extension shows too.
          const std::vector<uint64_t> found =
              evaluate("cvt" + std::string(saturate ? ".sat." : ".") + name(toSigned, to) + "." +
                           name(fromSigned, from) + " %do, %" + letter(from) + "a;",
                       64, a);
          for (size_t i = 0; i < samples; ++i) {
            const Wide value = extend(a[i], from, fromSigned);
            const Wide low = toSigned ? -(Wide(1) << (to - 1)) : 0,
                       high = (Wide(1) << (toSigned ? to - 1 : to)) - 1;
            const Wide kept = saturate ? std::clamp(value, low, high) : extend(uint64_t(value), to, toSigned);
            ASSERT_EQ(found[i], uint64_t(kept))
                << name(toSigned, to) << " " << name(fromSigned, from) << saturate;
          }
        }
}

long double rounded(long double value, const std::string &mode) {
  return mode == "rni"   ? std::nearbyint(value)
         : mode == "rzi" ? std::trunc(value)
         : mode == "rmi" ? std::floor(value)
                         : std::ceil(value);
}

TEST(Convert, FloatsToIntegersClampAndRound) {
  for (bool isDouble : {false, true}) {
    Operands operands(2);
    std::vector<uint64_t> a(samples);
    for (uint64_t &bits : a) {
      const double value = std::ldexp(double(int64_t(operands.next()) >> 30), int(operands.next() % 70) - 38);
      bits = isDouble ? std::bit_cast<uint64_t>(value) : std::bit_cast<uint32_t>(float(value));
    }
    for (const std::string mode : {"rni", "rzi", "rmi", "rpi"})
      for (unsigned to : {8u, 16u, 32u, 64u})
        for (bool isSigned : {false, true}) {
          const std::vector<uint64_t> found =
              evaluate("cvt." + mode + "." + name(isSigned, to) + (isDouble ? ".f64 %" : ".f32 %") +
                           letter(to) + "o, %" + (isDouble ? "d" : "r") + "a;",
                       to < 16 ? 16 : to, a);
          for (size_t i = 0; i < samples; ++i) {
            const long double value =
                isDouble ? std::bit_cast<double>(a[i]) : std::bit_cast<float>(uint32_t(a[i]));
            const Wide low = isSigned ? -(Wide(1) << (to - 1)) : 0,
                       high = (Wide(1) << (isSigned ? to - 1 : to)) - 1;
            const Wide kept = std::clamp(Wide(std::clamp(rounded(value, mode), -1e30L, 1e30L)), low, high);
            ASSERT_EQ(found[i], cut(kept, to < 16 ? 16 : to))
                << mode << name(isSigned, to) << " of " << double(value);
          }
        }
  }
  // NaN: zero, or the top bit where 64 bits are involved.
  EXPECT_EQ(evaluate("cvt.rzi.s32.f32 %ro, %ra;", 32, {0x7fc00000}), (std::vector<uint64_t>{0}));
  EXPECT_EQ(evaluate("cvt.rzi.s64.f32 %do, %ra;", 64, {0x7fc00000}),
            (std::vector<uint64_t>{uint64_t(1) << 63}));
  EXPECT_EQ(evaluate("cvt.rzi.u32.f64 %ro, %da;", 32, {0x7ff8000000000000}),
            (std::vector<uint64_t>{uint64_t(1) << 31}));
}

TEST(Convert, HalvesToSinglesAndBack) {
  std::vector<uint64_t> all(65536);
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = i;
  const std::vector<uint64_t> wide = evaluate("cvt.f32.f16 %ro, %ha;", 32, all),
                              brain = evaluate("cvt.f32.bf16 %ro, %ha;", 32, all);
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(brain[i], i << 16);
    const int exponent = int(i >> 10 & 31), fraction = int(i & 1023);
    if (exponent == 31 && fraction) {
      EXPECT_EQ(wide[i], 0x7fffffffu);
      continue;
    }
    const double size = exponent == 31 ? INFINITY
                        : exponent     ? std::ldexp(1024 + fraction, exponent - 25)
                                       : std::ldexp(fraction, -24);
    ASSERT_EQ(wide[i], std::bit_cast<uint32_t>(float(i & 0x8000 ? -size : size)));
  }
  const std::vector<uint64_t> back = evaluate("cvt.rn.f16.f32 %ho, %ra;", 16, wide),
                              packed = evaluate("cvt.rn.f16x2.f32 %ro, %ra, %rb;", 32, wide, wide);
  for (size_t i = 0; i < all.size(); ++i) {
    const bool nan = (i & 0x7fff) > 0x7c00;
    ASSERT_EQ(back[i], nan ? 0x7fff : i);
    ASSERT_EQ(packed[i], back[i] << 16 | back[i]);
  }
}

TEST(Convert, SpecialForms) {
  EXPECT_EQ(evaluate("cvt.rn.relu.f16.f32 %ho, %ra;", 16, {0xbf800000, 0x3f800000}),
            (std::vector<uint64_t>{0, 0x3c00}));
  EXPECT_EQ(evaluate("cvt.rn.satfinite.f16.f32 %ho, %ra;", 16, {0x7f800000, 0x501502f9}),
            (std::vector<uint64_t>{0x7bff, 0x7bff}));
  EXPECT_EQ(evaluate("cvt.rna.tf32.f32 %ro, %ra;", 32, {0x3f801000, 0x3f800fff, 0x7fc00000}),
            (std::vector<uint64_t>{0x3f802000, 0x3f800000, 0x7fffe000}));
  EXPECT_EQ(evaluate("cvt.sat.f32.f32 %ro, %ra;", 32, {0x40000000, 0xbf800000, 0x7fc00000, 0x3f000000}),
            (std::vector<uint64_t>{0x3f800000, 0, 0, 0x3f000000}));
  EXPECT_EQ(evaluate("cvt.rmi.f32.f32 %ro, %ra;", 32, {0x3fc00000, 0xbfc00000}),
            (std::vector<uint64_t>{0x3f800000, 0xc0000000}));
  EXPECT_EQ(evaluate("cvt.rz.bf16x2.f32 %ro, %ra, %rb;", 32, {0x3f81ffff}, {0xbf800001}),
            (std::vector<uint64_t>{0x3f81bf80}));
  EXPECT_EQ(evaluate("cvt.ftz.f64.f32 %do, %ra;", 64, {1}), (std::vector<uint64_t>{0}));
  EXPECT_EQ(evaluate("cvt.rn.sat.f32.s32 %ro, %ra;", 32, {5, 0xffffffff}),
            (std::vector<uint64_t>{0x3f800000, 0}));
}

/// The values of the 8-bit formats, by their definitions; NaN for NaNs.
double eightValue(bool isE4M3, uint64_t bits) {
  const int mantissa = isE4M3 ? 3 : 2, bias = isE4M3 ? 7 : 15;
  const int field = int(bits & 0x7f) >> mantissa, fraction = int(bits) & ((1 << mantissa) - 1);
  const double sign = bits & 0x80 ? -1 : 1;
  if (isE4M3 ? (bits & 0x7f) == 0x7f : (bits & 0x7f) > 0x7c)
    return NAN;
  if (!isE4M3 && (bits & 0x7f) == 0x7c)
    return sign * INFINITY;
  return sign * (field ? std::ldexp(fraction + (1 << mantissa), field - bias - mantissa)
                       : std::ldexp(fraction, 1 - bias - mantissa));
}

/// The nearest encoding: the largest beyond it, ties to the even one.
uint64_t nearestEight(bool isE4M3, double value) {
  if (std::isnan(value))
    return 0x7f;
  const uint64_t largest = isE4M3 ? 0x7e : 0x7b, sign = std::signbit(value) ? 0x80 : 0;
  const double size = std::fabs(value);
  uint64_t best = 0;
  for (uint64_t bits = 1; bits <= largest; ++bits) {
    const double here = std::fabs(eightValue(isE4M3, bits) - size),
                 before = std::fabs(eightValue(isE4M3, best) - size);
    if (here < before || (here == before && bits % 2 == 0))
      best = bits;
  }
  return sign | (size > eightValue(isE4M3, largest) ? largest : best);
}

TEST(Convert, EightBitFloatsAndBack) {
  Operands operands(7);
  std::vector<uint64_t> all(256), singles = operands.floatings(32, 23, samples);
  for (uint64_t i = 0; i < 256; ++i)
    all[i] = i << 8 | (255 - i);
  for (const bool isE4M3 : {true, false}) {
    const std::string name = isE4M3 ? "e4m3x2" : "e5m2x2";
    const std::vector<uint64_t> halves = evaluate("cvt.rn.f16x2." + name + " %ro, %ha;", 32, all);
    for (uint64_t i = 0; i < 256; ++i) {
      const double value = eightValue(isE4M3, i);
      const uint64_t bits = halves[i] >> 16;
      EXPECT_EQ(halves[255 - i] & 0xffff, bits);
      if (std::isnan(value)) {
        EXPECT_EQ(bits, 0x7fffu);
        continue;
      }
      const int exponent = int(bits >> 10 & 31), fraction = int(bits & 1023);
      const double size = exponent == 31 ? INFINITY
                          : exponent     ? std::ldexp(1024 + fraction, exponent - 25)
                                         : std::ldexp(fraction, -24);
      EXPECT_EQ(bits >> 15, i >> 7);
      EXPECT_EQ(size, std::fabs(value)) << name << i;
    }
    // Every value comes back, and so do numbers between two of them to the nearer.
    const std::vector<uint64_t> back = evaluate("cvt.rn.satfinite." + name + ".f16x2 %ho, %ra;", 16, halves);
    for (uint64_t i = 0; i < 256; ++i)
      EXPECT_EQ(back[i], nearestEight(isE4M3, eightValue(isE4M3, i)) << 8 |
                             nearestEight(isE4M3, eightValue(isE4M3, 255 - i)));
    for (size_t i = 0; i + 1 < 256; ++i) {
      singles.push_back(
          std::bit_cast<uint32_t>(float(eightValue(isE4M3, i) + eightValue(isE4M3, i + 1)) / 2));
      singles.push_back(singles.back() + 1);
    }
    std::vector<uint64_t> other(singles.rbegin(), singles.rend());
    const std::vector<uint64_t> packed =
        evaluate("cvt.rn.satfinite." + name + ".f32 %ho, %ra, %rb;", 16, singles, other);
    const std::vector<uint64_t> rectified =
        evaluate("cvt.rn.satfinite.relu." + name + ".f32 %ho, %ra, %rb;", 16, singles, other);
    for (size_t i = 0; i < singles.size(); ++i) {
      const auto value = [](uint64_t bits) { return double(std::bit_cast<float>(uint32_t(bits))); };
      const uint64_t high = nearestEight(isE4M3, value(singles[i])),
                     low = nearestEight(isE4M3, value(other[i]));
      ASSERT_EQ(packed[i], high << 8 | low) << name << std::hex << singles[i];
      const auto relu = [](double x, uint64_t bits) { return x <= 0 ? 0 : bits; }; // -0 too
      ASSERT_EQ(rectified[i], relu(value(singles[i]), high) << 8 | relu(value(other[i]), low));
    }
  }
}

TEST(Convert, IntegersToFloatsInEveryDirection) {
  Operands operands(4);
  const std::vector<uint64_t> a = operands.integers(64, samples);
  for (const std::string mode : {"rn", "rz", "rm", "rp"})
    for (bool isSigned : {false, true}) {
      const std::vector<uint64_t> found =
          evaluate("cvt." + mode + ".f32." + name(isSigned, 64) + " %ro, %da;", 32, a);
      for (size_t i = 0; i < samples; ++i) {
        const Quad exact = isSigned ? Quad(int64_t(a[i])) : Quad(a[i]);
        const float here = std::bit_cast<float>(uint32_t(found[i]));
        const Quad error = Quad(here) - exact;
        const float other = std::nextafter(here, error > 0 ? -INFINITY : INFINITY);
        const Quad distance = error < 0 ? -error : error,
                   alternative = error > 0 ? exact - Quad(other) : Quad(other) - exact;
        if (error == 0)
          continue;
        ASSERT_GT(alternative, 0);
        if (mode == "rn")
          ASSERT_TRUE(distance < alternative || (distance == alternative && found[i] % 2 == 0)) << a[i];
        else
          ASSERT_EQ(error > 0, mode == "rp" || (mode == "rz" && exact < 0)) << mode << a[i];
      }
    }
}

bool holds(const std::string &op, double x, double y) {
  const bool unordered = std::isnan(x) || std::isnan(y);
  if (op == "num")
    return !unordered;
  if (op == "nan")
    return unordered;
  const bool either = op.size() == 3;
  const std::string base = op.substr(0, 2);
  if (unordered)
    return either;
  return base == "eq"   ? x == y
         : base == "ne" ? x != y
         : base == "lt" ? x < y
         : base == "le" ? x <= y
         : base == "gt" ? x > y
                        : x >= y;
}

TEST(Compare, FloatsOrderedAndUnordered) {
  Operands operands(5);
  const std::vector<uint64_t> a = operands.floatings(32, 23, samples);
  std::vector<uint64_t> b = operands.floatings(32, 23, samples);
  for (size_t i = 0; i < samples; i += 3)
    b[i] = a[i];
  for (const std::string op :
       {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"}) {
    const std::vector<uint64_t> found = evaluate("setp." + op + ".f32 %po, %ra, %rb;", 1, a, b),
                                set = evaluate("set." + op + ".f32.f32 %ro, %ra, %rb;", 32, a, b);
    for (size_t i = 0; i < samples; ++i) {
      const bool expected =
          holds(op, std::bit_cast<float>(uint32_t(a[i])), std::bit_cast<float>(uint32_t(b[i])));
      ASSERT_EQ(found[i], expected) << op << std::hex << a[i] << " " << b[i];
      ASSERT_EQ(set[i], expected ? 0x3f800000u : 0u);
    }
  }
}

TEST(Compare, IntegersCombineAndPair) {
  Operands operands(6);
  const std::vector<uint64_t> a = operands.integers(64, samples), b = operands.integers(64, samples);
  const std::string pred = "setp.ne.s32 %pa, %rc, 0;\n";
  for (unsigned bits : {16u, 32u, 64u})
    for (const std::string op : {"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs"}) {
      const bool isUnsigned = op == "lo" || op == "ls" || op[0] == 'h';
      const std::string base = op == "lo"   ? "lt"
                               : op == "ls" ? "le"
                               : op == "hi" ? "gt"
                               : op == "hs" ? "ge"
                                            : op;
      const std::string code = "setp." + op + "." + name(!isUnsigned, bits) + " %po, %" + letter(bits) +
                               "a, %" + letter(bits) + "b;";
      const std::vector<uint64_t> found = evaluate(code, 1, a, b);
      for (size_t i = 0; i < samples; ++i) {
        const Wide x = extend(a[i], bits, !isUnsigned), y = extend(b[i], bits, !isUnsigned);
        ASSERT_EQ(found[i], base == "eq"   ? x == y
                            : base == "ne" ? x != y
                            : base == "lt" ? x < y
                            : base == "le" ? x <= y
                            : base == "gt" ? x > y
                                           : x >= y)
            << code;
      }
    }
  const std::vector<uint64_t> x{1, 1, 2, 2}, y{1, 1, 1, 1}, z{0, 1, 0, 1};
  EXPECT_EQ(evaluate(pred + "setp.eq.and.s32 %po, %ra, %rb, %pa;", 1, x, y, z),
            (std::vector<uint64_t>{0, 1, 0, 0}));
  EXPECT_EQ(evaluate(pred + "setp.eq.or.s32 %po, %ra, %rb, !%pa;", 1, x, y, z),
            (std::vector<uint64_t>{1, 1, 1, 0}));
  EXPECT_EQ(evaluate(pred + "setp.eq.xor.s32 _|%po, %ra, %rb, %pa;", 1, x, y, z),
            (std::vector<uint64_t>{0, 1, 1, 0}));
  EXPECT_EQ(evaluate("setp.lt.f16x2 %pa|%pb, %ra, %rb;\nselp.b32 %ra, 1, 0, %pa;\nselp.b32 %ro, 2, 0, "
                     "%pb;\nor.b32 %ro, %ro, %ra;",
                     32, {0x3c004000}, {0x40003c00}),
            (std::vector<uint64_t>{2}));
  EXPECT_EQ(evaluate(pred + "not.pred %pa, %pa;\nmov.pred %pb, %pa;\nxor.pred %po, %pb, !%pa;", 1, x, y, z),
            (std::vector<uint64_t>{1, 1, 1, 1}));
}

TEST(Compare, Selections) {
  EXPECT_EQ(evaluate("slct.b32.s32 %ro, %ra, %rb, %rc;", 32, {7, 7, 7}, {9, 9, 9}, {0, 5, 0xffffffff}),
            (std::vector<uint64_t>{7, 7, 9}));
  EXPECT_EQ(evaluate("slct.b32.f32 %ro, %ra, %rb, %rc;", 32, {7, 7, 7}, {9, 9, 9},
                     {0x80000000, 0x7fc00000, 0xbf800000}),
            (std::vector<uint64_t>{7, 9, 9}));
  EXPECT_EQ(evaluate("copysign.f32 %ro, %ra, %rb;", 32, {0x80000000, 0}, {0x3f800000, 0xbf800000}),
            (std::vector<uint64_t>{0xbf800000, 0x3f800000}));
  const std::vector<uint64_t> values{0, 1, 0x00800000, 0x7f800000, 0xffc00000};
  EXPECT_EQ(evaluate("testp.finite.f32 %po, %ra;", 1, values), (std::vector<uint64_t>{1, 1, 1, 0, 0}));
  EXPECT_EQ(evaluate("testp.infinite.f32 %po, %ra;", 1, values), (std::vector<uint64_t>{0, 0, 0, 1, 0}));
  EXPECT_EQ(evaluate("testp.number.f32 %po, %ra;", 1, values), (std::vector<uint64_t>{1, 1, 1, 1, 0}));
  EXPECT_EQ(evaluate("testp.notanumber.f32 %po, %ra;", 1, values), (std::vector<uint64_t>{0, 0, 0, 0, 1}));
  EXPECT_EQ(evaluate("testp.normal.f32 %po, %ra;", 1, values), (std::vector<uint64_t>{0, 0, 1, 0, 0}));
  EXPECT_EQ(evaluate("testp.subnormal.f32 %po, %ra;", 1, values), (std::vector<uint64_t>{1, 1, 0, 0, 0}));
}

} // namespace
} // namespace tegula::runtime::test
