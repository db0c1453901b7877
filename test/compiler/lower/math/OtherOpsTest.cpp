// Tests what AccuracyTest does not cover: powers with integer exponents, narrow floats, approximate
// functions, classifications, and errors.
#include "test/compiler/lower/math/Evaluator.h"
#include <gtest/gtest.h>
#include <bit>
#include <cmath>
#include <limits>

using tegula::test::Approximation;
using tegula::test::Evaluator;

namespace {

uint64_t bits(float x) { return std::bit_cast<uint32_t>(x); }
uint64_t bits(double x) { return std::bit_cast<uint64_t>(x); }
float f32(uint64_t x) { return std::bit_cast<float>(static_cast<uint32_t>(x)); }

Evaluator make(const std::string &text, const std::vector<std::string> &types, const std::string &result) {
  Evaluator evaluator(text, types, result);
  EXPECT_TRUE(evaluator.valid()) << evaluator.error();
  return evaluator;
}

TEST(ExpandMath, FpowiTakesEveryExponent) {
  Evaluator power = make("%r = math.fpowi %x, %y : f32, i32", {"f32", "i32"}, "f32");
  const float bases[] = {0.0f, -0.0f, 1.0f, -1.0f, 2.0f, -2.0f, 0.5f, -3.0f, 1.0000001f, -0.9999999f, INFINITY, -INFINITY};
  const int exponents[] = {0, 1, -1, 2, -2, 3, -3, 31, -31, 127, -149, 16777217, -16777219, INT32_MAX, INT32_MIN};
  for (float base : bases)
    for (int n : exponents) {
      float found = f32(power.run({bits(base), static_cast<uint32_t>(n)}, Approximation::Worst));
      double wanted = std::pow(static_cast<double>(base), n);
      float rounded = static_cast<float>(wanted);
      if (rounded == 0 || std::isinf(rounded))
        EXPECT_EQ(bits(found), bits(rounded)) << base << " ^ " << n;
      else
        EXPECT_NEAR(found, wanted, std::fabs(wanted) * 0x1p-22) << base << " ^ " << n;
    }
  EXPECT_EQ(f32(power.run({bits(NAN), 0}, Approximation::Exact)), 1.0f);
  EXPECT_TRUE(std::isnan(f32(power.run({bits(NAN), 5}, Approximation::Exact))));
}

TEST(ExpandMath, FpowiOfDoublesWithWideExponents) {
  Evaluator power = make("%r = math.fpowi %x, %y : f64, i64", {"f64", "i64"}, "f64");
  for (int64_t n : {int64_t(7), int64_t(-12345), (int64_t(1) << 53) + 1, -(int64_t(1) << 60) - 1, INT64_MIN}) {
    for (double base : {1.5, -1 - 0x1p-52, 1 + 0x1p-50}) {
      long double wanted = powl(base, n);
      double found = std::bit_cast<double>(power.run({bits(base), static_cast<uint64_t>(n)}, Approximation::Exact));
      if (std::isinf(static_cast<double>(wanted)) || static_cast<double>(wanted) == 0)
        EXPECT_EQ(found, static_cast<double>(wanted)) << base << " ^ " << n;
      else
        EXPECT_NEAR(static_cast<double>(found / wanted), 1, 0x1p-51) << base << " ^ " << n;
    }
  }
}

/// A constant to the power of %x.
std::string powerOf(const std::string &base, const std::string &type) {
  return "%b = arith.constant " + base + " : " + type + "\n%r = math.powf %b, %x : " + type;
}

TEST(ExpandMath, TheLogarithmOfAKnownBaseIsKnown) {
  for (const std::string type : {"f32", "f64"}) {
    Evaluator known = make(powerOf("0.999", type), {type}, type);
    Evaluator unknown = make("%r = math.powf %x, %y : " + type, {type, type}, type);
    EXPECT_LT(known.size() * 2, unknown.size()) << type;
    // The same of a tensor, whose constants are splats.
    const std::string tensor = "tensor<1x" + type + ">";
    EXPECT_EQ(make(powerOf("dense<0.999>", tensor), {tensor}, tensor).size(), known.size()) << type;
  }
}

TEST(ExpandMath, PowersOfAKnownBase) {
  for (const char *base : {"0.999", "1.0e+04", "2.0", "1.0", "0.0", "-3.0", "1.0e-40", "0x7F800000"}) {
    const bool isInfinite = std::string(base).starts_with("0x");
    const float value = isInfinite ? INFINITY : std::strtof(base, nullptr);
    Evaluator power = make(powerOf(base, "f32"), {"f32"}, "f32");
    for (float y : {0.0f, -0.0f, 1.0f, -1.0f, 2.0f, 0.5f, -7.25f, 33.0f, 12345.0f, -1.0e+06f, INFINITY,
                    -INFINITY, NAN}) {
      const float wanted = static_cast<float>(std::pow(static_cast<double>(value), static_cast<double>(y)));
      const float found = f32(power.run({bits(y)}, Approximation::Worst));
      if (std::isnan(wanted))
        EXPECT_TRUE(std::isnan(found)) << base << " ^ " << y;
      else if (wanted == 0 || std::isinf(wanted))
        EXPECT_EQ(bits(found), bits(wanted)) << base << " ^ " << y;
      else
        EXPECT_NEAR(found, wanted, std::fabs(wanted) * 0x1p-22f) << base << " ^ " << y;
    }
  }
}

TEST(ExpandMath, IpowiWrapsAndTruncates) {
  Evaluator power = make("%r = math.ipowi %x, %y : i32", {"i32", "i32"}, "i32");
  auto run = [&](int32_t base, int32_t n) {
    return static_cast<int32_t>(power.run({static_cast<uint32_t>(base), static_cast<uint32_t>(n)}, Approximation::Exact));
  };
  for (int32_t base : {0, 1, -1, 2, 3, -3, 10, 12345})
    for (int32_t n : {0, 1, 2, 3, 5, 31, 32, 100, 1000001, INT32_MAX}) {
      uint32_t wanted = 1;
      uint32_t square = static_cast<uint32_t>(base);
      for (uint32_t left = n; left != 0; left >>= 1, square *= square)
        if (left & 1)
          wanted *= square;
      EXPECT_EQ(run(base, n), static_cast<int32_t>(wanted)) << base << " ^ " << n;
    }
  EXPECT_EQ(run(1, -5), 1);
  EXPECT_EQ(run(-1, -5), -1);
  EXPECT_EQ(run(-1, -4), 1);
  EXPECT_EQ(run(2, -1), 0);
  EXPECT_EQ(run(7, INT32_MIN), 0);
}

/// Every f16 and bf16 value: the result is the rounded one or its neighbour.
void checkNarrow(const std::string &type, const std::string &function, double (*reference)(double)) {
  Evaluator narrow = make("%r = math." + function + " %x : " + type, {type}, type);
  Evaluator toSingle = make("%r = arith.extf %x : " + type + " to f32", {type}, "f32");
  Evaluator toNarrow = make("%r = arith.truncf %x : f32 to " + type, {"f32"}, type);
  for (uint64_t x = 0; x < 65536; ++x) {
    double wanted = reference(f32(toSingle.run({x}, Approximation::Exact)));
    uint64_t found = narrow.run({x}, Approximation::Worst);
    double value = f32(toSingle.run({found}, Approximation::Exact));
    uint64_t rounded = toNarrow.run({bits(static_cast<float>(wanted))}, Approximation::Exact);
    if (std::isnan(wanted))
      ASSERT_TRUE(std::isnan(value)) << function << " of " << type << " bits " << x;
    else
      ASSERT_LE(std::abs(static_cast<int64_t>(found) - static_cast<int64_t>(rounded)), 1)
          << function << " of " << type << " bits " << x << ": wanted " << wanted << ", found " << value;
  }
}

TEST(ExpandMath, NarrowFloatsAreComputedInSingle) {
  for (const char *type : {"f16", "bf16"}) {
    checkNarrow(type, "exp", [](double x) { return std::exp(x); });
    checkNarrow(type, "exp2", [](double x) { return std::exp2(x); });
    checkNarrow(type, "log", [](double x) { return std::log(x); });
    checkNarrow(type, "sin", [](double x) { return std::sin(x); });
    checkNarrow(type, "tanh", [](double x) { return std::tanh(x); });
    checkNarrow(type, "sqrt", [](double x) { return std::sqrt(x); });
    checkNarrow(type, "rsqrt", [](double x) { return 1 / std::sqrt(x); });
  }
}

TEST(ExpandMath, ApproximateExpStays) {
  Evaluator exp = make("%r = math.exp %x fastmath<afn> : f32", {"f32"}, "f32");
  EXPECT_EQ(exp.size(), 1u);
  for (int step = -216; step <= 216; ++step) {
    const float x = 0.37f * float(step);
    EXPECT_NEAR(f32(exp.run({bits(x)}, Approximation::Worst)) / std::exp(static_cast<double>(x)), 1,
                0x1p-21 + std::fabs(x) * 0x1p-23);
  }
  EXPECT_EQ(f32(exp.run({bits(-INFINITY)}, Approximation::Exact)), 0);
}

TEST(ExpandMath, SincosAgreesWithSinAndCos) {
  const std::string both = "%s, %c = math.sincos %x : f32\n%r = arith.addf %s, %c : f32";
  const std::string each = "%s = math.sin %x : f32\n%c = math.cos %x : f32\n%r = arith.addf %s, %c : f32";
  Evaluator together = make(both, {"f32"}, "f32"), apart = make(each, {"f32"}, "f32");
  for (float x : {0.0f, 1.0f, -2.0f, 1e6f, -1e30f})
    EXPECT_EQ(together.run({bits(x)}, Approximation::Exact), apart.run({bits(x)}, Approximation::Exact)) << x;
}

TEST(ExpandMath, Classifications) {
  struct {
    double x;
    bool nan, infinite, finite, normal;
  } cases[] = {{1, 0, 0, 1, 1},          {-0.0, 0, 0, 1, 0},     {INFINITY, 0, 1, 0, 0},
               {-INFINITY, 0, 1, 0, 0},  {NAN, 1, 0, 0, 0},      {0x1p-1030, 0, 0, 1, 0},
               {0x1p-1022, 0, 0, 1, 1}};
  Evaluator nan = make("%r = math.isnan %x : f64", {"f64"}, "i1"), infinite = make("%r = math.isinf %x : f64", {"f64"}, "i1"),
            finite = make("%r = math.isfinite %x : f64", {"f64"}, "i1"), normal = make("%r = math.isnormal %x : f64", {"f64"}, "i1");
  for (auto &c : cases) {
    EXPECT_EQ(nan.run({bits(c.x)}, Approximation::Exact), c.nan) << c.x;
    EXPECT_EQ(infinite.run({bits(c.x)}, Approximation::Exact), c.infinite) << c.x;
    EXPECT_EQ(finite.run({bits(c.x)}, Approximation::Exact), c.finite) << c.x;
    EXPECT_EQ(normal.run({bits(c.x)}, Approximation::Exact), c.normal) << c.x;
  }
  // The smallest normal f16 is far from subnormal in f32, so classifications are made in the format itself.
  Evaluator half = make("%r = math.isnormal %x : f16", {"f16"}, "i1");
  EXPECT_EQ(half.run({0x0400}, Approximation::Exact), 1u);
  EXPECT_EQ(half.run({0x03ff}, Approximation::Exact), 0u);
}

TEST(ExpandMath, ClampKeepsNaN) {
  Evaluator clamp = make("%low = arith.constant -1.0 : f32\n%r = math.clampf %x to [%low, %y] : f32", {"f32", "f32"}, "f32");
  auto run = [&](float x) { return f32(clamp.run({bits(x), bits(2.0f)}, Approximation::Exact)); };
  EXPECT_EQ(run(-3), -1);
  EXPECT_EQ(run(0.5), 0.5);
  EXPECT_EQ(run(INFINITY), 2);
  EXPECT_TRUE(std::isnan(run(NAN)));
}

TEST(ExpandMath, RejectsWideFloats) {
  Evaluator evaluator("%r = math.sin %x : f128", {"f128"}, "f128");
  EXPECT_EQ(evaluator.error(), "'math.sin' op expected numbers of at most 64 bits, found 'f128'\n");
}

TEST(ExpandMath, RejectsIndices) {
  Evaluator evaluator("%r = math.ipowi %x, %y : index", {"index", "index"}, "index");
  EXPECT_EQ(evaluator.error(), "'math.ipowi' op expected numbers of at most 64 bits, found 'index'\n");
}

TEST(ExpandMath, RejectsDynamicShapes) {
  Evaluator evaluator("%r = math.exp %x : tensor<?xf32>", {"tensor<?xf32>"}, "tensor<?xf32>");
  EXPECT_EQ(evaluator.error(), "'math.exp' op expected a static shape, found 'tensor<?xf32>'\n");
}

} // namespace
