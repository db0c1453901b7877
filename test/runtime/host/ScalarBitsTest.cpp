#include "runtime/host/ScalarBits.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>

using namespace tegula;

namespace {

/// The nearest of all values of a 16-bit format, found by looking at each of them.
uint16_t nearestBySearch(double value, double (*decode)(uint16_t), uint16_t infinity) {
  uint16_t best = 0;
  double bestDistance = INFINITY;
  for (uint32_t bits = 0; bits < infinity; ++bits) {
    const double distance = std::fabs(decode(uint16_t(bits)) - value);
    if (distance < bestDistance || (distance == bestDistance && bits % 2 == 0)) {
      best = uint16_t(bits);
      bestDistance = distance;
    }
  }
  return best;
}

TEST(ScalarBits, HalfRoundsToNearestEven) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-27, 15);
  for (int i = 0; i < 200; ++i) {
    const double value = std::exp2(exponent(random));
    EXPECT_EQ(halfBits(value), nearestBySearch(value, halfValue, 0x7c00)) << value;
  }
  EXPECT_EQ(halfBits(1.0), 0x3c00);
  EXPECT_EQ(halfBits(-2.0), 0xc000);
  EXPECT_EQ(halfBits(1 + 0x1p-11), 0x3c00) << "a tie goes to the even neighbour";
  EXPECT_EQ(halfBits(1 + 3 * 0x1p-11), 0x3c02);
  EXPECT_EQ(halfBits(1 + 0x1p-11 + 0x1p-40), 0x3c01) << "not rounded twice";
  EXPECT_EQ(halfBits(65519.999), 0x7bff);
  EXPECT_EQ(halfBits(65520), 0x7c00) << "half way to the next power overflows";
  EXPECT_EQ(halfBits(1e300), 0x7c00);
  EXPECT_EQ(halfBits(0x1p-24), 0x0001);
  EXPECT_EQ(halfBits(0x1p-25), 0x0000);
  EXPECT_EQ(halfBits(-0x1p-25), 0x8000);
  EXPECT_EQ(halfBits(0x1.1p-25), 0x0001);
  EXPECT_EQ(halfBits(std::nan("")) & 0x7fff, 0x7e00);
  EXPECT_EQ(halfBits(5e-324), 0);
}

TEST(ScalarBits, EveryHalfAndBfloatComesBack) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    if (!std::isnan(halfValue(uint16_t(bits))))
      ASSERT_EQ(halfBits(halfValue(uint16_t(bits))), bits);
    // Subnormal bfloat16 values are normal doubles, so these too come back.
    if (!std::isnan(bfloatValue(uint16_t(bits))))
      ASSERT_EQ(bfloatBits(bfloatValue(uint16_t(bits))), bits);
  }
}

TEST(ScalarBits, BfloatRoundsToNearestEven) {
  EXPECT_EQ(bfloatBits(1 + 0x1p-8), 0x3f80);
  EXPECT_EQ(bfloatBits(1 + 3 * 0x1p-8), 0x3f82);
  EXPECT_EQ(bfloatBits(3.4e38), 0x7f80) << "3.4e38 is nearer to infinity than to the largest bfloat16";
  EXPECT_EQ(bfloatBits(3.3895e38), 0x7f7f);
}

TEST(ScalarBits, EightBitsRoundToNearestEvenAndSaturate) {
  struct {
    uint8_t (*encode)(double);
    double (*decode)(uint8_t);
    uint8_t largest;
  } formats[] = {{e4m3Bits, e4m3Value, 0x7e}, {e5m2Bits, e5m2Value, 0x7b}};
  for (const auto &format : formats) {
    for (uint32_t bits = 0; bits < 0x100; ++bits)
      if ((bits & 0x7f) <= format.largest) {
        ASSERT_EQ(format.encode(format.decode(uint8_t(bits))), bits);
      }
    // Each number, each point half way to the next and what lies beside it.
    for (uint8_t bits = 0; bits < format.largest; ++bits) {
      const double low = format.decode(bits), high = format.decode(uint8_t(bits + 1)),
                   half = (low + high) / 2;
      ASSERT_LT(low, high);
      EXPECT_EQ(format.encode(half), bits + bits % 2) << half;
      EXPECT_EQ(format.encode(-half), 0x80 + bits + bits % 2) << half;
      EXPECT_EQ(format.encode(std::nextafter(half, 0)), bits);
      EXPECT_EQ(format.encode(std::nextafter(half, 1e9)), bits + 1);
    }
    for (double large : {format.decode(format.largest) * 1.01, 1e9, double(INFINITY)}) {
      EXPECT_EQ(format.encode(large), format.largest);
      EXPECT_EQ(format.encode(-large), 0x80 | format.largest);
    }
    EXPECT_EQ(format.encode(std::nan("")), 0x7f);
    EXPECT_EQ(format.encode(-std::nan("")), 0x7f);
    EXPECT_TRUE(std::isnan(format.decode(0x7f)) && std::isnan(format.decode(0xff)));
    EXPECT_EQ(format.encode(5e-324), 0);
  }
  EXPECT_EQ(e4m3Value(0x7e), 448);
  EXPECT_EQ(e4m3Value(0x01), 0x1p-9);
  EXPECT_EQ(e5m2Value(0x7b), 57344);
  EXPECT_TRUE(std::isinf(e5m2Value(0x7c)));
}

HostValue roundTrip(ScalarKind kind, HostValue value) {
  std::byte bytes[8] = {};
  encodeScalar(kind, value, bytes);
  return decodeScalar(kind, bytes);
}

TEST(ScalarBits, IntegersComeBack) {
  EXPECT_EQ(int64_t(roundTrip(ScalarKind::Int8, HostValue::integer(-128)).bits), -128);
  EXPECT_EQ(int64_t(roundTrip(ScalarKind::Int16, HostValue::integer(-2)).bits), -2);
  EXPECT_EQ(int64_t(roundTrip(ScalarKind::Int32, HostValue::integer(INT32_MIN)).bits), INT32_MIN);
  EXPECT_EQ(int64_t(roundTrip(ScalarKind::Int64, HostValue::integer(INT64_MIN)).bits), INT64_MIN);
  EXPECT_EQ(roundTrip(ScalarKind::UInt8, HostValue::integer(200)).bits, 200u);
  EXPECT_EQ(roundTrip(ScalarKind::UInt64, HostValue::unsignedInteger(UINT64_MAX)).bits, UINT64_MAX);
  EXPECT_EQ(roundTrip(ScalarKind::UInt64, HostValue::unsignedInteger(UINT64_MAX)).kind, HostValue::UInt);
  EXPECT_EQ(roundTrip(ScalarKind::Int1, HostValue::integer(5)).bits, 1u);
  EXPECT_EQ(roundTrip(ScalarKind::Float64, HostValue::floating(0.1)).asDouble(), 0.1);
  EXPECT_EQ(roundTrip(ScalarKind::Float32, HostValue::integer(7)).asDouble(), 7.0);
  EXPECT_EQ(roundTrip(ScalarKind::Float8E4M3, HostValue::floating(1000)).asDouble(), 448);
  EXPECT_EQ(roundTrip(ScalarKind::Float8E5M2, HostValue::integer(-7)).asDouble(), -7);
}

TEST(ScalarBits, FloatsForIntegersAreClamped) {
  EXPECT_EQ(int64_t(roundTrip(ScalarKind::Int64, HostValue::floating(-2.9)).bits), -2);
  EXPECT_EQ(int64_t(roundTrip(ScalarKind::Int64, HostValue::floating(1e30)).bits), INT64_MAX);
  EXPECT_EQ(int64_t(roundTrip(ScalarKind::Int64, HostValue::floating(-1e30)).bits), INT64_MIN);
  EXPECT_EQ(roundTrip(ScalarKind::UInt64, HostValue::floating(-1)).bits, 0u);
  EXPECT_EQ(roundTrip(ScalarKind::UInt64, HostValue::floating(1e30)).bits, UINT64_MAX);
  EXPECT_EQ(roundTrip(ScalarKind::Int64, HostValue::floating(std::nan(""))).bits, 0u);
}

TEST(ScalarBits, IntegerFits) {
  EXPECT_TRUE(integerFits(HostValue::integer(127), ScalarKind::Int8));
  EXPECT_FALSE(integerFits(HostValue::integer(128), ScalarKind::Int8));
  EXPECT_TRUE(integerFits(HostValue::integer(-128), ScalarKind::Int8));
  EXPECT_FALSE(integerFits(HostValue::integer(-129), ScalarKind::Int8));
  EXPECT_FALSE(integerFits(HostValue::integer(-1), ScalarKind::UInt64));
  EXPECT_TRUE(integerFits(HostValue::unsignedInteger(UINT64_MAX), ScalarKind::UInt64));
  EXPECT_FALSE(integerFits(HostValue::unsignedInteger(UINT64_MAX), ScalarKind::Int64));
  EXPECT_TRUE(integerFits(HostValue::unsignedInteger(UINT32_MAX), ScalarKind::UInt32));
  EXPECT_FALSE(integerFits(HostValue::integer(int64_t(1) << 32), ScalarKind::UInt32));
  EXPECT_FALSE(integerFits(HostValue::integer(2), ScalarKind::Int1));
}

} // namespace
