#include "tools/tegula/arguments/Generators.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

using namespace tegula;
using namespace tegula::cli;

namespace {

ArrayArgument parsed(const std::string &text) {
  auto argument = parseArgument(text);
  EXPECT_TRUE(argument) << argument.error().text;
  return std::get<ArrayArgument>(argument->value);
}
template <typename T> std::vector<T> elements(const std::string &text, uint64_t seed = 0) {
  auto bytes = generate(parsed(text), philoxFor(seed, "x"));
  EXPECT_TRUE(bytes);
  std::vector<T> values(bytes->size() / sizeof(T));
  if (!bytes->empty())
    std::memcpy(values.data(), bytes->data(), bytes->size());
  return values;
}

TEST(Generators, PhiloxGivesThePublishedNumbers) {
  // Known answers of Random123's philox4x32-10: counter and key all zero.
  auto [low, high] = Philox{0}.block(0);
  EXPECT_EQ(low, 0xe169c58d6627e8d5ull);
  EXPECT_EQ(high, 0x9b00dbd8bc57ac4cull);
}

TEST(Generators, PortableFunctionsAgreeWithTheLibrary) {
  for (int i = 1; i <= 1000; ++i) {
    const double x = i / 1000.0;
    EXPECT_NEAR(portableLog(x), std::log(x), 1e-15 + 4e-16 * std::fabs(std::log(x)));
    auto [sine, cosine] = portableSinCos(x);
    EXPECT_NEAR(sine, std::sin(2 * M_PI * x), 1e-15);
    EXPECT_NEAR(cosine, std::cos(2 * M_PI * x), 1e-15);
  }
  EXPECT_NEAR(portableLog(0x1p-53), -53 * M_LN2, 1e-13);
}

TEST(Generators, SameSeedSameBytes) {
  // Golden values: what another machine has to make, too.
  const std::vector<float> normal = elements<float>("x=randn:fp32[4]", 7);
  EXPECT_EQ(normal, (std::vector<float>{-0x1.e5fc02p-4f, 0x1.b7cb86p-1f, -0x1.2a1084p+0f, 0x1.1c70b2p-2f}));
  EXPECT_EQ(elements<int32_t>("x=randint(0,99):i32[4]", 7), (std::vector<int32_t>{31, 27, 51, 46}));
  const std::vector<float> again = elements<float>("x=randn:fp32[1000]", 7);
  EXPECT_TRUE(std::equal(normal.begin(), normal.end(), again.begin()))
      << "an element depends on its place alone";
  EXPECT_NE(elements<float>("x=randn:fp32[4]", 8), normal);
  auto other = generate(parsed("x=randn:fp32[4]"), philoxFor(7, "y"));
  EXPECT_NE(std::memcmp(other->data(), normal.data(), 16), 0);
}

TEST(Generators, NormalNumbers) {
  const std::vector<double> values = elements<double>("x=randn:fp64[100001]");
  double sum = 0, squares = 0, fourth = 0;
  for (double value : values) {
    ASSERT_TRUE(std::isfinite(value));
    sum += value;
    squares += value * value;
    fourth += value * value * value * value;
  }
  const double n = double(values.size());
  EXPECT_NEAR(sum / n, 0, 0.02);
  EXPECT_NEAR(squares / n, 1, 0.03);
  EXPECT_NEAR(fourth / n, 3, 0.2);
}

TEST(Generators, UniformNumbersStayBelowOne) {
  double sum = 0;
  for (float value : elements<float>("x=rand:fp32[100000]")) {
    ASSERT_GE(value, 0.0f);
    ASSERT_LT(value, 1.0f);
    sum += value;
  }
  EXPECT_NEAR(sum / 100000, 0.5, 0.01);
  for (uint16_t bits : elements<uint16_t>("x=rand:bf16[100000]"))
    ASSERT_LT(bits, 0x3f80) << "bf16 must not round up to 1";
  for (uint16_t bits : elements<uint16_t>("x=rand:fp16[100000]"))
    ASSERT_LT(bits, 0x3c00);
  for (uint8_t bits : elements<uint8_t>("x=rand:fp8e4nv[10000]"))
    ASSERT_LT(bits, 0x38);
  for (uint8_t bits : elements<uint8_t>("x=rand:fp8e5[10000]"))
    ASSERT_LT(bits, 0x3c);
}

TEST(Generators, Integers) {
  std::vector<int> seen(10);
  for (int32_t value : elements<int32_t>("x=randint(-3,6):i32[10000]")) {
    ASSERT_GE(value, -3);
    ASSERT_LE(value, 6);
    ++seen[value + 3];
  }
  for (int count : seen)
    EXPECT_NEAR(count, 1000, 200);
  const std::string whole = "x=randint(-9223372036854775808,9223372036854775807):i64[64]";
  bool negative = false, positive = false;
  for (int64_t value : elements<int64_t>(whole)) {
    negative |= value < -(int64_t(1) << 62);
    positive |= value > int64_t(1) << 62;
  }
  EXPECT_TRUE(negative && positive);
}

TEST(Generators, PlainContents) {
  EXPECT_EQ(elements<int8_t>("x=arange:i8[5]"), (std::vector<int8_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(elements<float>("x=full(-1.5):fp32[3]"), (std::vector<float>{-1.5f, -1.5f, -1.5f}));
  EXPECT_EQ(elements<uint16_t>("x=full(1):bf16[1]"), (std::vector<uint16_t>{0x3f80}));
  EXPECT_EQ(elements<uint64_t>("x=zeros:u64[2]"), (std::vector<uint64_t>{0, 0}));
  EXPECT_EQ(elements<float>("x=randn:fp32[0]").size(), 0u);
}

TEST(Generators, TooLarge) {
  auto bytes = generate(parsed("x=zeros:fp64[1099511627776]"), philoxFor(0, "x"));
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().text, "an array of 8796093022208 bytes is larger than this machine's memory");
}

} // namespace
