#include "runtime/host/ScalarBits.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace tegula;

namespace {

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
