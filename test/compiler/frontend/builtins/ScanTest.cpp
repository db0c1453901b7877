// `tl.associative_scan`, what the language makes of it, and what sorts.
#include "test/compiler/frontend/Harness.h"

using namespace tegula;
using namespace tegula::test;

namespace {

const NamedArguments arguments = {{"p", "*fp32"}, {"h", "*fp16"}, {"b", "*bf16"}, {"s", "*i8"},
                                  {"u", "*u16"},  {"l", "*i64"},  {"n", "i32"}};

/// The body of a kernel in which `x` has 16 x 32 elements of what `pointer` points to.
std::string with(const std::string &pointer, const std::string &body) {
  return "x = tl.load(" + pointer + " + tl.arange(0, 16)[:, None] * 32 + tl.arange(0, 32)[None, :])\n" + body;
}

std::string typeOf(const std::string &pointer, const std::string &result) {
  return bodyMessages(with(pointer, "tl.static_print(" + result + ")"), arguments);
}

std::string errors(const std::string &body) { return bodyErrors(with("p", body), arguments); }

} // namespace

TEST(EvalScan, SeveralOperandsAreCombinedTogether) {
  Evaluated result = evaluate(R"(@triton.jit
def affine(a0, b0, a1, b1):
    return a0 * a1, b0 * a1 + b1
@triton.jit
def k(p):
    x = tl.load(p + tl.arange(0, 64))
    a, b = tl.associative_scan((x, x + 1), 0, affine, reverse=True)
    tl.store(p + tl.arange(0, 64), b)
)",
                              {{"p", "*fp32"}}, false, "k");
  EXPECT_EQ(result.errors, "");
  EXPECT_TRUE(holds(result.ir, {"tile.scan %",
                                " axis 0 reverse : tensor<64xf32>, tensor<64xf32> -> tensor<64xf32>, "
                                "tensor<64xf32>",
                                "^bb0(%", "arith.mulf", "tile.yield"}));
}

TEST(EvalScan, SumsAndProductsWidenAsTheLanguageSays) {
  EXPECT_EQ(typeOf("p", "tl.cumsum(x, 1)"), "fp32[16, 32]\n");
  EXPECT_EQ(typeOf("h", "x.cumsum(-1)"), "fp16[16, 32]\n");
  EXPECT_EQ(typeOf("b", "tl.cumsum(x)"), "fp32[16, 32]\n");
  EXPECT_EQ(typeOf("s", "tl.cumsum(x, 0, reverse=True)"), "int32[16, 32]\n");
  EXPECT_EQ(typeOf("u", "tl.cumsum(x, 0)"), "uint32[16, 32]\n");
  EXPECT_EQ(typeOf("s", "tl.cumsum(x, 0, dtype=tl.int64)"), "int64[16, 32]\n");
  EXPECT_EQ(typeOf("b", "tl.cumprod(x, 1)"), "fp32[16, 32]\n");
  EXPECT_EQ(typeOf("s", "x.cumprod(1, reverse=True)"), "int8[16, 32]\n");
}

TEST(EvalScan, WhatIsWrongWithAScan) {
  EXPECT_EQ(errors("y = tl.cumsum(x, 2)"),
            "2:5-20: `tl.cumsum`: invalid axis 2, expected one from -2 to 1\n");
  EXPECT_EQ(errors("y = tl.cumsum(n, 0)"), "2:5-20: `tl.cumsum`: invalid axis 0, a scalar has none\n");
  EXPECT_EQ(errors("y = tl.associative_scan(x, n, 1)"),
            "2:28-29: `tl.associative_scan`: expected an integer known at compile time, found int32\n"
            "  help: declare it `tl.constexpr`, as a parameter or as `name: tl.constexpr = ...`\n");
  EXPECT_EQ(
      errors("y = tl.associative_scan(x, 0, 1)"),
      "2:31-32: `tl.associative_scan`: expected a `@triton.jit` function that combines two elements, found "
      "int\n");
  EXPECT_EQ(errors("y = tl.associative_scan(p, 0, 1)"),
            "2:25-26: `tl.associative_scan`: expected tensors of numbers to scan, found pointer<fp32>\n");
}

TEST(EvalScan, AScanOfTheWrongNumberOfValuesSaysWhere) {
  std::string text = fileErrors(R"(@triton.jit
def pair(a, b):
    return a, b
@triton.jit
def k(p):
    y = tl.associative_scan(tl.load(p + tl.arange(0, 64)), 0, pair)
)",
                                {{"p", "*fp32"}}, "k");
  EXPECT_EQ(text, "6:63-67: `tl.associative_scan`: expected `pair` to return 1 value, found 2\n"
                  "  2:5-9: `pair` is defined here\n");
}

TEST(EvalSort, ExchangesPartnersOfANetwork) {
  std::string ir = bodyIr(with("p", "tl.device_print('y', tl.sort(x))"), arguments);
  size_t exchanges = 0;
  for (size_t at = ir.find("tile.butterfly"); at != ir.npos; at = ir.find("tile.butterfly", at + 1))
    ++exchanges;
  EXPECT_EQ(exchanges, 5u * 6u / 2u);
  EXPECT_TRUE(holds(bodyIr(with("p", "tl.device_print('y', tl.flip(x, 0))"), arguments),
                    {"tile.butterfly %", "axis 0 mask 15 : tensor<16x32xf32>"}));
  EXPECT_TRUE(holds(bodyIr(with("p", "tl.device_print('y', tl.flip(x))"), arguments), {"axis 1 mask 31"}));
}

TEST(EvalSort, OnlyTheLastDimensionIsSorted) {
  EXPECT_EQ(errors("y = tl.sort(x, 0)"), "2:5-18: `tl.sort`: expected the last dimension, 1, found 0\n");
  EXPECT_EQ(errors("y = tl.sort(n)"), "2:5-15: `tl.sort`: expected a tensor, found a scalar\n");
  EXPECT_EQ(errors("y = tl.topk(x, 4, 0)"), "2:5-21: `tl.topk`: expected the last dimension, 1, found 0\n");
  EXPECT_EQ(errors("y = tl.topk(x, 33)"),
            "2:5-19: `tl.topk`: expected a power of two from 1 to 32, found 33\n");
  EXPECT_EQ(typeOf("p", "tl.topk(x, 4)"), "fp32[16, 4]\n");
  EXPECT_EQ(typeOf("h", "x.topk(1)"), "fp32[16, 1]\n");
  EXPECT_EQ(errors("y = tl.flip(x, 2)"), "2:5-18: `tl.flip`: invalid axis 2, expected one from -2 to 1\n");
}
