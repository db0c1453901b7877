// Floats of 8 and 16 bits; the interpreter's tests compare them with LLVM's.
#include "compiler/spec/SmallFloat.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace tegula;

namespace {

constexpr ScalarKind kinds[] = {ScalarKind::Float8E4B15, ScalarKind::Float8E4B8, ScalarKind::Float8E5B16};

const SmallFloat &half = smallFloat(ScalarKind::Float16), &bfloat = smallFloat(ScalarKind::BFloat16),
                 &e4m3 = smallFloat(ScalarKind::Float8E4M3), &e5m2 = smallFloat(ScalarKind::Float8E5M2);

/// The nearest of all values of a 16-bit format, found by looking at each of them.
uint16_t nearestBySearch(double value, const SmallFloat &format) {
  uint16_t best = 0;
  double bestDistance = INFINITY;
  for (uint32_t bits = 0; bits < format.infinity; ++bits) {
    const double distance = std::fabs(format.valueOf(uint16_t(bits)) - value);
    if (distance < bestDistance || (distance == bestDistance && bits % 2 == 0)) {
      best = uint16_t(bits);
      bestDistance = distance;
    }
  }
  return best;
}

TEST(SmallFloat, HalfRoundsToNearestEven) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-27, 15);
  for (int i = 0; i < 200; ++i) {
    const double value = std::exp2(exponent(random));
    EXPECT_EQ(half.bitsOf(value), nearestBySearch(value, half)) << value;
  }
  EXPECT_EQ(half.bitsOf(1.0), 0x3c00);
  EXPECT_EQ(half.bitsOf(-2.0), 0xc000);
  EXPECT_EQ(half.bitsOf(1 + 0x1p-11), 0x3c00) << "a tie goes to the even neighbour";
  EXPECT_EQ(half.bitsOf(1 + 3 * 0x1p-11), 0x3c02);
  EXPECT_EQ(half.bitsOf(1 + 0x1p-11 + 0x1p-40), 0x3c01) << "not rounded twice";
  EXPECT_EQ(half.bitsOf(65519.999), 0x7bff);
  EXPECT_EQ(half.bitsOf(65520), 0x7c00) << "half way to the next power overflows";
  EXPECT_EQ(half.bitsOf(1e300), 0x7c00);
  EXPECT_EQ(half.bitsOf(0x1p-24), 0x0001);
  EXPECT_EQ(half.bitsOf(0x1p-25), 0x0000);
  EXPECT_EQ(half.bitsOf(-0x1p-25), 0x8000);
  EXPECT_EQ(half.bitsOf(0x1.1p-25), 0x0001);
  EXPECT_EQ(half.bitsOf(std::nan("")), 0x7e00);
  EXPECT_EQ(half.bitsOf(5e-324), 0);
}

TEST(SmallFloat, EveryHalfAndBfloatComesBack) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    if (!std::isnan(half.valueOf(uint16_t(bits))))
      ASSERT_EQ(half.bitsOf(half.valueOf(uint16_t(bits))), bits);
    // Subnormal bfloat16 values are normal doubles, so these too come back.
    if (!std::isnan(bfloat.valueOf(uint16_t(bits))))
      ASSERT_EQ(bfloat.bitsOf(bfloat.valueOf(uint16_t(bits))), bits);
  }
}

TEST(SmallFloat, BfloatRoundsToNearestEven) {
  EXPECT_EQ(bfloat.bitsOf(1 + 0x1p-8), 0x3f80);
  EXPECT_EQ(bfloat.bitsOf(1 + 3 * 0x1p-8), 0x3f82);
  EXPECT_EQ(bfloat.bitsOf(3.4e38), 0x7f80) << "3.4e38 is nearer to infinity than to the largest bfloat16";
  EXPECT_EQ(bfloat.bitsOf(3.3895e38), 0x7f7f);
}

TEST(SmallFloat, EightBitsRoundToNearestEvenAndSaturate) {
  for (const SmallFloat &format : {e4m3, e5m2}) {
    for (uint32_t bits = 0; bits < 0x100; ++bits)
      if ((bits & 0x7f) <= format.largest) {
        ASSERT_EQ(format.bitsOf(format.valueOf(uint16_t(bits))), bits);
      }
    // Each number, each point half way to the next, and the numbers on either side of that point.
    for (uint8_t bits = 0; bits < format.largest; ++bits) {
      const double low = format.valueOf(bits), high = format.valueOf(uint8_t(bits + 1)),
                   middle = (low + high) / 2;
      ASSERT_LT(low, high);
      EXPECT_EQ(format.bitsOf(middle), bits + bits % 2) << middle;
      EXPECT_EQ(format.bitsOf(-middle), 0x80 + bits + bits % 2) << middle;
      EXPECT_EQ(format.bitsOf(std::nextafter(middle, 0)), bits);
      EXPECT_EQ(format.bitsOf(std::nextafter(middle, 1e9)), bits + 1);
    }
    for (double large : {format.valueOf(format.largest) * 1.01, 1e9, double(INFINITY)}) {
      EXPECT_EQ(format.bitsOf(large), format.largest);
      EXPECT_EQ(format.bitsOf(-large), 0x80 | format.largest);
    }
    EXPECT_EQ(format.bitsOf(std::nan("")), 0x7f);
    EXPECT_EQ(format.bitsOf(-std::nan("")), 0x7f);
    EXPECT_TRUE(std::isnan(format.valueOf(0x7f)) && std::isnan(format.valueOf(0xff)));
    EXPECT_EQ(format.bitsOf(5e-324), 0);
  }
  EXPECT_EQ(e4m3.valueOf(0x7e), 448);
  EXPECT_EQ(e4m3.valueOf(0x01), 0x1p-9);
  EXPECT_EQ(e5m2.valueOf(0x7b), 57344);
  EXPECT_TRUE(std::isinf(e5m2.valueOf(0x7c)));
}

TEST(SmallFloat, EveryNumberComesBack) {
  for (ScalarKind kind : kinds)
    for (int bits = 0; bits < 256; ++bits) {
      const double value = smallFloat(kind).valueOf(uint8_t(bits));
      // The language never makes the largest codes of this format.
      const bool isLeftOut = kind == ScalarKind::Float8E4B15 && (bits & 0x7f) == 0x7f;
      EXPECT_EQ(smallFloat(kind).bitsOf(value), isLeftOut ? bits - 1 : bits) << int(kind);
    }
}

TEST(SmallFloat, KnownNumbers) {
  EXPECT_EQ(smallFloat(ScalarKind::Float8E4B15).valueOf(0x7f), 1.875);
  EXPECT_EQ(smallFloat(ScalarKind::Float8E4B15).valueOf(0x81), -std::ldexp(1, -17));
  EXPECT_EQ(smallFloat(ScalarKind::Float8E4B8).valueOf(0x7f), 240);
  EXPECT_EQ(smallFloat(ScalarKind::Float8E5B16).valueOf(0xff), -57344);
  EXPECT_TRUE(std::isnan(smallFloat(ScalarKind::Float8E4B8).valueOf(0x80)));
  EXPECT_TRUE(std::signbit(smallFloat(ScalarKind::Float8E4B15).valueOf(0x80)));
}

TEST(SmallFloat, WhatLiesBeyondAndBetween) {
  EXPECT_EQ(smallFloat(ScalarKind::Float8E4B8).bitsOf(1e9), 0x7f);
  EXPECT_EQ(smallFloat(ScalarKind::Float8E4B8).bitsOf(-INFINITY), 0xff);
  EXPECT_EQ(smallFloat(ScalarKind::Float8E4B8).bitsOf(NAN), 0x80);
  EXPECT_EQ(smallFloat(ScalarKind::Float8E4B8).bitsOf(-1e-9), 0);
  EXPECT_EQ(smallFloat(ScalarKind::Float8E4B15).bitsOf(NAN), 0x7e);
  EXPECT_EQ(smallFloat(ScalarKind::Float8E4B15).bitsOf(-1e-9), 0x80);
  // Half way between 1 and 1.125: to even, and away from zero.
  EXPECT_EQ(smallFloat(ScalarKind::Float8E4B8).bitsOf(1.0625), smallFloat(ScalarKind::Float8E4B8).bitsOf(1));
  EXPECT_EQ(smallFloat(ScalarKind::Float8E4B15).bitsOf(1.0625),
            smallFloat(ScalarKind::Float8E4B15).bitsOf(1.125));
}

} // namespace
