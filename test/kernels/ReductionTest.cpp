// Reductions from source to numbers: every type, shape and number of warps, compared with sums and extremes
// computed on the host. Values are small integers, so that every order of adding gives the same.
#include "test/kernels/ElementwiseTestRun.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fmt/format.h>
#include <random>

using namespace tegula;
using namespace tegula::e2e;

namespace {

const char Header[] = "import triton\nimport triton.language as tl\n\n\n";

/// Small whole numbers, bits of `type`.
std::vector<Bits> numbers(std::mt19937 &random, Dtype type, size_t count) {
  std::vector<Bits> bits;
  bool isFloat = type == Dtype::f16 || type == Dtype::bf16 || type == Dtype::f32 || type == Dtype::f64;
  for (size_t i = 0; i < count; ++i) {
    Bits value = random() % 3;
    bits.push_back(isFloat ? fromReal(type, (long double)value) : value);
  }
  return bits;
}

/// Returns the reduction of `values` by `op`.
long double reduced(const std::string &op, const std::vector<long double> &values) {
  long double result = values.front();
  for (size_t i = 1; i < values.size(); ++i) {
    if (op == "sum")
      result += values[i];
    else if (op == "max")
      result = std::max(result, values[i]);
    else
      result = std::min(result, values[i]);
  }
  return result;
}

struct Case {
  Dtype type;
  int rows, columns, axis, warps;
  std::string op;
};

/// Reduces a matrix of `rows` by `columns` and compares each result, read back as f32 or as the type.
void check(std::mt19937 &random, const Case &c) {
  SCOPED_TRACE(fmt::format("tl.{} of {} {}x{} over axis {}, {} warps", c.op, languageName(c.type), c.rows,
                           c.columns, c.axis, c.warps));
  int kept = c.axis == 0 ? c.columns : c.rows;
  std::string source =
      std::string(Header) + fmt::format("@triton.jit\n"
                                        "def kernel(x, out, R: tl.constexpr, C: tl.constexpr):\n"
                                        "    i = tl.arange(0, R)[:, None] * C + tl.arange(0, C)[None, :]\n"
                                        "    v = tl.load(x + i)\n"
                                        "    r = tl.{}(v, axis={})\n"
                                        "    tl.store(out + tl.arange(0, {}), r.to(tl.float32))\n",
                                        c.op, c.axis, kept);
  std::vector<Bits> input = numbers(random, c.type, size_t(c.rows) * c.columns);
  Memory x(c.type, input), out(Dtype::f32, std::vector<Bits>(kept));
  std::vector<Argument> arguments{x.pointer(), out.pointer()};
  try {
    Program::parse("reduction.py", source)
        .kernel("kernel")
        .constexpr_("R", c.rows)
        .constexpr_("C", c.columns)
        .numWarps(c.warps)
        .launchWith(device(), 1, arguments.data(), arguments.size());
  } catch (const Error &error) {
    ADD_FAILURE() << error.what() << "\n" << source;
    return;
  }
  std::vector<Bits> found = out.read();
  for (int k = 0; k < kept; ++k) {
    std::vector<long double> values;
    for (int a = 0; a < (c.axis == 0 ? c.rows : c.columns); ++a)
      values.push_back(
          toReal(c.type, input[c.axis == 0 ? size_t(a) * c.columns + k : size_t(k) * c.columns + a]));
    ASSERT_EQ(toReal(Dtype::f32, found[k]), reduced(c.op, values)) << "result " << k;
  }
}

} // namespace

TEST(Reduction, AllTypesShapesAndWarps) {
  std::mt19937 random(1);
  const Dtype types[] = {Dtype::i8,  Dtype::i16,  Dtype::i32, Dtype::i64,
                         Dtype::f16, Dtype::bf16, Dtype::f32, Dtype::f64};
  const char *ops[] = {"sum", "max", "min"};
  for (int i = 0; i < 48; ++i)
    check(random, {types[i % 8], 1 << random() % 7, 1 << random() % 7, int(random() % 2), 1 << random() % 6,
                   ops[random() % 3]});
}
