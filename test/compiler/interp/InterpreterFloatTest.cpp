// Floats: one rounding each, whatever the format.
#include "compiler/interp/values/Floats.h"
#include "test/compiler/interp/InterpreterFixture.h"

#include "llvm/ADT/APFloat.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>

using namespace tegula::interp;

namespace {

struct FormatCase {
  Element::Kind kind;
  const llvm::fltSemantics &semantics;
  unsigned bits;
};

const FormatCase formats[] = {{Element::Float16, llvm::APFloat::IEEEhalf(), 16},
                              {Element::BFloat16, llvm::APFloat::BFloat(), 16},
                              {Element::Float32, llvm::APFloat::IEEEsingle(), 32}};

llvm::APFloat apFloat(const FormatCase &format, uint64_t bits) {
  return llvm::APFloat(format.semantics, llvm::APInt(format.bits, bits));
}

/// The bits of an exact result, any NaN being one.
uint64_t bitsOf(const FormatCase &format, const llvm::APFloat &value) {
  return value.isNaN() ? encodeFloat(format.kind, std::nan("")) : value.bitcastToAPInt().getZExtValue();
}

const auto nearestEven = llvm::APFloat::rmNearestTiesToEven;

} // namespace

// Every value of the small formats survives the way to double and back.
TEST(InterpreterFloats, DecodeAndEncodeAreInverse) {
  for (const FormatCase &format : formats)
    for (uint64_t bits = 0; bits < 0x10000; ++bits) {
      const uint64_t wide = format.bits == 32 ? bits * 0x10001 : bits;
      const llvm::APFloat value = apFloat(format, wide);
      if (!value.isNaN())
        EXPECT_EQ(encodeFloat(format.kind, decodeFloat(format.kind, wide)), wide);
      else
        EXPECT_TRUE(std::isnan(decodeFloat(format.kind, wide)));
    }
}

// Arithmetic in double and one rounding is the arithmetic of the format, as LLVM's own computes it.
TEST(InterpreterFloats, RoundOnce) {
  std::mt19937_64 random(7);
  for (const FormatCase &format : formats)
    for (int i = 0; i < 20000; ++i) {
      const uint64_t mask = (uint64_t(1) << format.bits) - 1;
      // Neighbouring exponents, so that digits meet.
      const uint64_t a = random() & mask, b = i % 2 ? random() & mask : (a ^ (random() & mask >> 3)) & mask,
                     c = i % 3 ? random() & mask : (a ^ (random() & mask >> 4)) & mask;
      const double x = decodeFloat(format.kind, a), y = decodeFloat(format.kind, b),
                   z = decodeFloat(format.kind, c);
      llvm::APFloat sum = apFloat(format, a), product = sum, quotient = sum, fused = sum;
      sum.add(apFloat(format, b), nearestEven);
      product.multiply(apFloat(format, b), nearestEven);
      quotient.divide(apFloat(format, b), nearestEven);
      fused.fusedMultiplyAdd(apFloat(format, b), apFloat(format, c), nearestEven);
      ASSERT_EQ(encodeFloat(format.kind, x + y), bitsOf(format, sum)) << a << " + " << b;
      ASSERT_EQ(encodeFloat(format.kind, x * y), bitsOf(format, product)) << a << " * " << b;
      ASSERT_EQ(encodeFloat(format.kind, x / y), bitsOf(format, quotient)) << a << " / " << b;
      ASSERT_EQ(fusedMultiplyAdd(format.kind, x, y, z), bitsOf(format, fused))
          << a << " * " << b << " + " << c;
    }
}

TEST(InterpreterFloats, NarrowInBothDirections) {
  std::mt19937_64 random(11);
  for (const FormatCase &format : formats)
    for (int i = 0; i < 20000; ++i) {
      uint64_t bits = random();
      if (i % 2) // around what the format holds
        bits = (bits & 0x800fffffffffffff) | (uint64_t(1023 - 30 + random() % 60) << 52);
      for (bool towardZero : {false, true}) {
        llvm::APFloat exact(std::bit_cast<double>(bits));
        bool loses = false;
        exact.convert(format.semantics, towardZero ? llvm::APFloat::rmTowardZero : nearestEven, &loses);
        ASSERT_EQ(encodeFloat(format.kind, std::bit_cast<double>(bits), towardZero), bitsOf(format, exact))
            << bits;
      }
    }
}

// Formats of eight bits, all values both ways; what is too large becomes the largest, as `cvt.satfinite` has
// it.
TEST(InterpreterFloats, EightBitsSaturate) {
  struct {
    Element::Kind kind;
    const llvm::fltSemantics &semantics;
    uint64_t greatest;
  } const cases[] = {{Element::Float8E4M3, llvm::APFloat::Float8E4M3FN(), 0x7e},
                     {Element::Float8E5M2, llvm::APFloat::Float8E5M2(), 0x7b}};
  std::mt19937_64 random(17);
  for (const auto &[kind, semantics, greatest] : cases) {
    for (uint64_t bits = 0; bits < 256; ++bits) {
      llvm::APFloat value(semantics, llvm::APInt(8, bits));
      const double decoded = decodeFloat(kind, bits);
      bool loses = false;
      value.convert(llvm::APFloat::IEEEdouble(), nearestEven, &loses);
      if (value.isNaN())
        EXPECT_TRUE(std::isnan(decoded)) << bits;
      else
        EXPECT_EQ(decoded, value.convertToDouble()) << bits;
      if (value.isFinite())
        EXPECT_EQ(encodeFloat(kind, decoded), bits);
    }
    for (int i = 0; i < 40000; ++i) {
      const uint64_t bits = (random() & 0x800fffffffffffff) | (uint64_t(1023 - 20 + random() % 40) << 52);
      for (bool towardZero : {false, true}) {
        llvm::APFloat exact(std::bit_cast<double>(bits));
        bool loses = false;
        exact.convert(semantics, towardZero ? llvm::APFloat::rmTowardZero : nearestEven, &loses);
        const uint64_t sign = bits >> 63 << 7;
        const uint64_t expected = exact.isFinite() ? exact.bitcastToAPInt().getZExtValue() : sign | greatest;
        ASSERT_EQ(encodeFloat(kind, std::bit_cast<double>(bits), towardZero), expected) << bits;
      }
    }
    EXPECT_EQ(encodeFloat(kind, HUGE_VAL), greatest);
    EXPECT_EQ(encodeFloat(kind, -HUGE_VAL), greatest | 0x80);
    EXPECT_EQ(encodeFloat(kind, std::nan("")), 0x7fu);
  }
  EXPECT_EQ(evaluate("%r = arith.truncf %a : f32 to f8E4M3FN", "f32", {0x43e80000 /* 464 */}, "f8E4M3FN"),
            0x7eu);
  EXPECT_EQ(evaluate("%r = arith.extf %a : f8E5M2 to f32", "f8E5M2", {0x7b}, "f32"), 0x47600000u /* 57344 */);
  EXPECT_EQ(evaluate("%r = arith.bitcast %a : f8E4M3FN to i8", "f8E4M3FN", {0xff}, "i8"), 0xffu);
}

TEST(InterpreterFloats, Tf32RoundsTiesAwayFromZero) {
  EXPECT_EQ(roundToTf32(0x3f800fff), 0x3f800000u);
  EXPECT_EQ(roundToTf32(0x3f801000), 0x3f802000u);
  EXPECT_EQ(roundToTf32(0xbf803000), 0xbf804000u);
  EXPECT_EQ(roundToTf32(0x7f7fffff), 0x7f800000u);
  EXPECT_EQ(roundToTf32(0x7f800000), 0x7f800000u);
  EXPECT_EQ(roundToTf32(0x7fc00123), 0x7fc00123u);
}

TEST(InterpreterFloats, IntegersRoundOnce) {
  std::mt19937_64 random(13);
  for (const FormatCase &format : formats)
    for (int i = 0; i < 20000; ++i) {
      const uint64_t value = random() >> random() % 64;
      llvm::APFloat exact(format.semantics);
      exact.convertFromAPInt(llvm::APInt(64, value), false, nearestEven);
      ASSERT_EQ(encodeFloat(format.kind, roundToOdd(value, false)), bitsOf(format, exact)) << value;
    }
}

TEST(InterpreterFloats, MinimaMaximaAndComparisons) {
  const uint64_t nan = 0x7fc00000, one = 0x3f800000, zero = 0, minusZero = 0x80000000;
  EXPECT_EQ(evaluate("%r = arith.maxnumf %a, %b : f32", "f32", {nan, one}), one);
  EXPECT_EQ(evaluate("%r = arith.minnumf %a, %b : f32", "f32", {one, nan}), one);
  EXPECT_EQ(evaluate("%r = arith.maximumf %a, %b : f32", "f32", {nan, one}), 0x7fffffffu);
  EXPECT_EQ(evaluate("%r = arith.minimumf %a, %b : f32", "f32", {one, nan}), 0x7fffffffu);
  for (auto [a, b] : {std::pair(zero, minusZero), std::pair(minusZero, zero)}) {
    EXPECT_EQ(evaluate("%r = arith.maximumf %a, %b : f32", "f32", {a, b}), zero);
    EXPECT_EQ(evaluate("%r = arith.minnumf %a, %b : f32", "f32", {a, b}), minusZero);
  }
  const char *names[] = {"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                         "ueq",   "ugt", "uge", "ult", "ule", "une", "uno", "true"};
  const int less[] = {0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 1};
  const int unordered[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
  for (size_t i = 0; i < 16; ++i) {
    std::string body = std::string("%r = arith.cmpf ") + names[i] + ", %a, %b : f32";
    EXPECT_EQ(evaluate(body, "f32", {zero, one}, "i1"), uint64_t(less[i])) << names[i];
    EXPECT_EQ(evaluate(body, "f32", {nan, one}, "i1"), uint64_t(unordered[i])) << names[i];
  }
}

TEST(InterpreterFloats, SignsAndFunctions) {
  const auto f = [](double x) { return uint64_t(std::bit_cast<uint32_t>(float(x))); };
  EXPECT_EQ(evaluate("%r = arith.negf %a : f32", "f32", {0}), 0x80000000u);
  EXPECT_EQ(evaluate("%r = math.absf %a : f32", "f32", {f(-2)}), f(2));
  EXPECT_EQ(evaluate("%r = math.copysign %a, %b : f32", "f32", {f(2), f(-1)}), f(-2));
  EXPECT_EQ(evaluate("%r = arith.remf %a, %b : f32", "f32", {f(-7), f(4)}), f(-3));
  EXPECT_EQ(evaluate("%r = math.fma %a, %b, %c : f32", "f32", {f(2), f(3), f(4)}), f(10));
  EXPECT_EQ(evaluate("%r = math.exp2 %a : f32", "f32", {f(-3)}), f(0.125));
  EXPECT_EQ(evaluate("%r = math.exp %a : f32", "f32", {f(1)}), f(std::exp(1.0)));
  EXPECT_EQ(evaluate("%r = math.log2 %a : f64", "f64", {std::bit_cast<uint64_t>(8.0)}),
            std::bit_cast<uint64_t>(3.0));
  EXPECT_EQ(evaluate("%r = math.rsqrt %a : f32", "f32", {f(4)}), f(0.5));
  EXPECT_EQ(evaluate("%r = math.floor %a : f32", "f32", {f(-1.5)}), f(-2));
  EXPECT_EQ(evaluate("%r = math.ceil %a : f32", "f32", {f(-1.5)}), f(-1));
  EXPECT_EQ(evaluate("%r = math.trunc %a : f32", "f32", {f(-1.5)}), f(-1));
  EXPECT_EQ(evaluate("%r = math.round %a : f32", "f32", {f(2.5)}), f(3));
  EXPECT_EQ(evaluate("%r = math.roundeven %a : f32", "f32", {f(2.5)}), f(2));
  EXPECT_EQ(evaluate("%r = math.powf %a, %b : f32", "f32", {f(2), f(10)}), f(1024));
  auto power = [&](float base, int32_t n) {
    return evaluate("%n = arith.bitcast %b : f32 to i32\n%r = math.fpowi %a, %n : f32, i32", "f32",
                    {f(base), uint32_t(n)});
  };
  EXPECT_EQ(power(-2, 1), f(-2));
  EXPECT_EQ(power(-2, 2), f(4));
  EXPECT_EQ(power(-2, 3), f(-8));
  EXPECT_EQ(power(-0.0f, -1), f(-INFINITY));
  EXPECT_EQ(power(-1, INT32_MAX), f(-1));
  EXPECT_EQ(power(0, 0), f(1));
  EXPECT_EQ(evaluate("%r = arith.truncf %a : f32 to f16", "f32", {f(65520)}, "f16"), 0x7c00u);
  EXPECT_EQ(evaluate("%r = arith.truncf %a to_nearest_even : f32 to bf16", "f32", {0x3f808000}, "bf16"),
            0x3f80u);
  EXPECT_EQ(evaluate("%r = arith.truncf %a toward_zero : f32 to bf16", "f32", {0x3f80ffff}, "bf16"), 0x3f80u);
  EXPECT_EQ(evaluate("%r = arith.extf %a : f16 to f32", "f16", {1}, "f32"), f(std::ldexp(1.0, -24)));
}
