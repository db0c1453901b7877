// Tensors side by side, taken apart, and picked from.
#include "test/compiler/frontend/Harness.h"

using namespace tegula;
using namespace tegula::test;

namespace {

const NamedArguments arguments = {{"p", "*fp32"}, {"q", "*i32"}, {"n", "i32"}, {"f", "fp32"}};

/// The body of a kernel in which `x` and `y` have 16 x 32 elements, `i` 64 integers.
std::string with(const std::string &body) {
  return "x = tl.load(p + tl.arange(0, 16)[:, None] * 32 + tl.arange(0, 32)[None, :])\ny = x + 1\n"
         "i = tl.load(q + tl.arange(0, 64))\n" +
         body;
}

std::string ir(const std::string &body) { return bodyIr(with(body), arguments); }
std::string typeOf(const std::string &result) {
  return bodyMessages(with("tl.static_print(" + result + ")"), arguments);
}
std::string errors(const std::string &body) { return bodyErrors(with(body), arguments); }

} // namespace

TEST(EvalJoin, ShapesFollowFromTheOperands) {
  EXPECT_EQ(typeOf("tl.join(x, y)"), "fp32[16, 32, 2]\n");
  EXPECT_EQ(typeOf("tl.join(n, 1)"), "int32[2]\n");
  EXPECT_EQ(typeOf("tl.join(x, f)"), "fp32[16, 32, 2]\n");
  EXPECT_EQ(typeOf("tl.interleave(x, y)"), "fp32[16, 64]\n");
  EXPECT_EQ(typeOf("tl.interleave(n, n)"), "int32[2]\n");
  EXPECT_EQ(typeOf("tl.cat(i, i, can_reorder=True)"), "int32[128]\n");
  EXPECT_EQ(typeOf("tl.cat(x, y)"), "fp32[32, 32]\n");
  EXPECT_EQ(typeOf("tl.cat(x, y, dim=-1)"), "fp32[16, 64]\n");
  EXPECT_EQ(typeOf("tl.split(tl.reshape(x, [8, 32, 2]))"), "(fp32[8, 32], fp32[8, 32])\n");
  EXPECT_EQ(typeOf("tl.join(n, n).split()"), "(int32, int32)\n");
  EXPECT_EQ(typeOf("tl.reshape(tl.full([1, 1], 1, tl.int8), [])"), "int8\n");
}

TEST(EvalJoin, PartsKeepTheirOrder) {
  EXPECT_TRUE(holds(ir("tl.device_print('z', tl.cat(x, y, dim=0))"),
                    {"tile.join %", "tensor<16x32xf32> -> tensor<16x32x2xf32>", "tile.trans %", "[2, 0, 1]",
                     "tile.reshape %", "tensor<2x16x32xf32> -> tensor<32x32xf32>"}));
  EXPECT_TRUE(holds(ir("tl.device_print('z', tl.interleave(i, i + 1))"),
                    {"tile.join %", "tensor<64xi32> -> tensor<64x2xi32>", "tile.reshape %",
                     "tensor<64x2xi32> -> tensor<128xi32>"}));
  EXPECT_TRUE(holds(ir("a, b = tl.split(tl.reshape(i, [32, 2]))\ntl.device_print('z', b)"),
                    {"tile.reshape", "tile.split %", "tensor<32x2xi32> -> tensor<32xi32>"}));
}

TEST(EvalJoin, WhatIsWrong) {
  EXPECT_EQ(errors("z = tl.join(x, i)"),
            "4:5-18: `tl.join`: expected tensors of one type, found fp32[16, 32] "
            "and int32[64]\n");
  EXPECT_EQ(errors("z = tl.join(x, 'a')"), "4:16-19: `tl.join`: expected a number or a tensor, found str\n");
  EXPECT_EQ(errors("z = tl.join('a', x)"), "4:13-16: `tl.join`: expected a number or a tensor, found str\n");
  EXPECT_EQ(errors("z = tl.cat(x, y, dim=2)"),
            "4:18-23: `tl.cat`: invalid axis 2, expected one from -2 to 1\n");
  EXPECT_EQ(errors("z = tl.cat(n, n)"), "4:5-17: `tl.cat`: invalid axis 0, a scalar has none\n");
  EXPECT_EQ(errors("a, b = tl.split(x)"),
            "4:17-18: `tl.split`: expected a tensor whose last dimension is 2, found fp32[16, 32]\n"
            "  1:5-76: the tensor is made here\n");
  EXPECT_EQ(errors("a, b = tl.split(n)"),
            "4:17-18: `tl.split`: expected a tensor whose last dimension is 2, found int32\n");
}

TEST(EvalJoin, IntegersThatDifferInSignTakeTheFirstOnesType) {
  EXPECT_EQ(typeOf("tl.join(i, i.to(tl.uint32))"), "int32[64, 2]\n");
  EXPECT_EQ(typeOf("tl.cat(i.to(tl.uint32), i)"), "uint32[128]\n");
}

TEST(EvalGather, PicksAlongAnAxis) {
  EXPECT_TRUE(
      holds(ir("tl.device_print('z', tl.gather(x, tl.zeros([16, 8], tl.int32), 1))"),
            {"tile.gather %", "[%", "] axis 1 : tensor<16x32xf32>, tensor<16x8xi32> -> tensor<16x8xf32>"}));
  EXPECT_EQ(typeOf("i.gather(i, 0)"), "int32[64]\n");
  EXPECT_EQ(errors("z = tl.gather(x, y, 1)"),
            "4:18-19: `tl.gather`: expected integers as indices, found fp32[16, 32]\n");
  EXPECT_EQ(
      errors("z = tl.gather(x, i, 1)"),
      "4:18-19: `tl.gather`: expected indices of the source's shape [16, 32] but for dimension 1, found "
      "int32[64]\n");
  EXPECT_EQ(errors("z = tl.gather(i, i, 1)"),
            "4:21-22: `tl.gather`: invalid axis 1, expected one from -1 to 0\n");
}
