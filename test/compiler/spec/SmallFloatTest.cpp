// 8-bit floats that the IR has no type for.
#include "compiler/spec/PackedFloat.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace tegula;

namespace {

constexpr ScalarKind kinds[] = {ScalarKind::Float8E4B15, ScalarKind::Float8E4B8, ScalarKind::Float8E5B16};

} // namespace

TEST(PackedFloat, EveryNumberComesBack) {
  for (ScalarKind kind : kinds)
    for (int bits = 0; bits < 256; ++bits) {
      const double value = packedValue(kind, uint8_t(bits));
      // The language never makes the largest codes of this format.
      const bool isLeftOut = kind == ScalarKind::Float8E4B15 && (bits & 0x7f) == 0x7f;
      EXPECT_EQ(packedBits(kind, value), isLeftOut ? bits - 1 : bits) << int(kind);
    }
}

TEST(PackedFloat, KnownNumbers) {
  EXPECT_EQ(packedValue(ScalarKind::Float8E4B15, 0x7f), 1.875);
  EXPECT_EQ(packedValue(ScalarKind::Float8E4B15, 0x81), -std::ldexp(1, -17));
  EXPECT_EQ(packedValue(ScalarKind::Float8E4B8, 0x7f), 240);
  EXPECT_EQ(packedValue(ScalarKind::Float8E5B16, 0xff), -57344);
  EXPECT_TRUE(std::isnan(packedValue(ScalarKind::Float8E4B8, 0x80)));
  EXPECT_TRUE(std::signbit(packedValue(ScalarKind::Float8E4B15, 0x80)));
}

TEST(PackedFloat, WhatLiesBeyondAndBetween) {
  EXPECT_EQ(packedBits(ScalarKind::Float8E4B8, 1e9), 0x7f);
  EXPECT_EQ(packedBits(ScalarKind::Float8E4B8, -INFINITY), 0xff);
  EXPECT_EQ(packedBits(ScalarKind::Float8E4B8, NAN), 0x80);
  EXPECT_EQ(packedBits(ScalarKind::Float8E4B8, -1e-9), 0);
  EXPECT_EQ(packedBits(ScalarKind::Float8E4B15, NAN), 0x7e);
  EXPECT_EQ(packedBits(ScalarKind::Float8E4B15, -1e-9), 0x80);
  // Half way between 1 and 1.125: to even, and away from zero.
  EXPECT_EQ(packedBits(ScalarKind::Float8E4B8, 1.0625), packedBits(ScalarKind::Float8E4B8, 1));
  EXPECT_EQ(packedBits(ScalarKind::Float8E4B15, 1.0625), packedBits(ScalarKind::Float8E4B15, 1.125));
}
