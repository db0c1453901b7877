// mma.sync in every shape and type against plain triple loops; its messages; the transposes of ldmatrix.

#include "test/runtime/emulator/Operands.h"
#include "test/runtime/emulator/RunPtx.h"
#include "test/runtime/emulator/golden/MatrixForms.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace tegula::runtime::test {
namespace {

using golden::decodeElement;
using golden::Matrices;
using golden::MatrixForm;

/// The sum of products at one cell, and that of their magnitudes.
struct Sum {
  long double value, magnitude;
};

Sum sumAt(const MatrixForm &form, const Matrices &x, unsigned row, unsigned column) {
  const long double value = decodeElement(form.sum, x.c[row * 8 + column]);
  Sum sum{value, std::fabs(value)};
  for (unsigned k = 0; k < form.k; ++k) {
    const long double product = (long double)(decodeElement(form.a, x.a[row * form.k + k])) *
                                (long double)(decodeElement(form.b, x.b[k * 8 + column]));
    sum.value += product;
    sum.magnitude += std::fabs(product);
  }
  return sum;
}

/// The encoding of a small integer.
uint64_t encode(const std::string &type, int value) {
  const unsigned bits = golden::elementBits(type);
  if (type[0] == 's' || type[0] == 'u')
    return uint64_t(int64_t(value)) & ((uint64_t(1) << bits) - 1);
  const uint64_t wide = std::bit_cast<uint64_t>(double(value));
  if (type == "f64" || value == 0)
    return type == "f64" ? wide : 0;
  const unsigned fraction = type == "f16"    ? 10
                            : type == "bf16" ? 7
                            : type == "e4m3" ? 3
                            : type == "e5m2" ? 2
                                             : 23;
  const unsigned exponent = bits - 1 - fraction;
  const uint64_t field = (wide >> 52 & 0x7ff) - 1023 + (uint64_t(1) << (exponent - 1)) - 1;
  return uint64_t(value < 0) << (bits - 1) | field << fraction |
         (wide & ((uint64_t(1) << 52) - 1)) >> (52 - fraction);
}

std::vector<uint64_t> multiplyOnce(const MatrixForm &form, const Matrices &x) {
  EmulatorDevice device;
  auto d = golden::multiply(device, form, {x});
  EXPECT_TRUE(bool(d)) << form.text() << ": " << (d ? "" : d.error().text);
  return d ? d->front() : std::vector<uint64_t>(x.c.size(), 0xdead);
}

class Matrix : public ::testing::TestWithParam<MatrixForm> {};

TEST_P(Matrix, SmallIntegersMultiplyExactly) {
  const MatrixForm &form = GetParam();
  Operands random(1);
  for (int round = 0; round < 4; ++round) {
    Matrices x;
    const auto fill = [&](std::vector<uint64_t> &to, unsigned count, const std::string &type) {
      for (unsigned i = 0; i < count; ++i)
        to.push_back(encode(type, type == "u8" ? int(random.next() % 4) : int(random.next() % 7) - 3));
    };
    fill(x.a, form.m * form.k, form.a);
    fill(x.b, form.k * 8, form.b);
    fill(x.c, form.m * 8, form.sum);
    const std::vector<uint64_t> d = multiplyOnce(form, x);
    for (unsigned row = 0; row < form.m; ++row)
      for (unsigned column = 0; column < 8; ++column)
        ASSERT_EQ(decodeElement(form.sum, d[row * 8 + column]), double(sumAt(form, x, row, column).value))
            << form.text() << " at " << row << ", " << column;
  }
}

TEST_P(Matrix, RandomValuesMultiplyAsALoopDoes) {
  const MatrixForm &form = GetParam();
  for (const golden::Pattern pattern : {golden::Pattern::NearOne, golden::Pattern::Accumulator}) {
    const Matrices x = golden::matricesFor(form, pattern);
    const std::vector<uint64_t> d = multiplyOnce(form, x);
    for (unsigned row = 0; row < form.m; ++row)
      for (unsigned column = 0; column < 8; ++column) {
        const Sum sum = sumAt(form, x, row, column);
        const double found = decodeElement(form.sum, d[row * 8 + column]);
        if (form.sum == "s32") {
          const auto exact = int64_t(sum.value);
          const int64_t clamped = std::clamp<int64_t>(exact, INT32_MIN, INT32_MAX);
          ASSERT_EQ(int64_t(found),
                    form.modifiers == ".satfinite" ? clamped : int64_t(int32_t(uint32_t(exact))))
              << form.text();
          continue;
        }
        if (std::isinf(found)) { // beyond half precision
          ASSERT_GT(std::fabs(sum.value), 65500) << form.text();
          continue;
        }
        // Each of the terms loses less than a quarter of a unit of the sum of magnitudes, the result a unit.
        const int places = form.sum == "f64" ? 52 : form.sum == "f16" ? 10 : 23;
        const long double bound =
            (form.sum == "f64" ? form.k : 2 + form.k / 4) * std::ldexp(sum.magnitude, -places);
        ASSERT_LE(std::fabs((long double)(found)-sum.value), bound)
            << form.text() << " at " << row << ", " << column;
      }
  }
}

TEST_P(Matrix, SpecialsReachTheSumsThatTheyEnterAndNoOthers) {
  const MatrixForm &form = GetParam();
  for (unsigned round = 0; round < 20; ++round) {
    Matrices x = golden::matricesFor(form, golden::Pattern::NearOne);
    golden::scatterSpecials(x, form, round);
    const std::vector<uint64_t> d = multiplyOnce(form, x);
    for (unsigned row = 0; row < form.m; ++row)
      for (unsigned column = 0; column < 8; ++column) {
        const Sum sum = sumAt(form, x, row, column);
        const double found = decodeElement(form.sum, d[row * 8 + column]);
        if (!std::isfinite(sum.value))
          ASSERT_TRUE(std::isnan(sum.value) ? std::isnan(found) : found == double(sum.value))
              << form.text() << " at " << row << ", " << column << ", round " << round;
        else if (form.sum != "s32")
          ASSERT_LE(std::fabs((long double)(found)-sum.value),
                    std::ldexp(sum.magnitude, form.sum == "f16" ? -7 : -18))
              << form.text() << " at " << row << ", " << column << ", round " << round;
      }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Matrix, ::testing::ValuesIn(golden::matrixForms(false)), [](const auto &info) {
  std::string name = info.param.text().substr(17);
  for (char &c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)))
      c = '_';
  return name;
});

} // namespace
} // namespace tegula::runtime::test
