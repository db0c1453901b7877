// Tensors: making them, broadcasting, new axes, other shapes and orders.
#include "test/compiler/frontend/Harness.h"

using namespace tegula;
using namespace tegula::test;

namespace {

std::string printed(const std::string &text, const NamedArguments &arguments = {}) {
  return bodyIr("tl.device_print('x', " + text + ")", arguments);
}

std::string typeOf(const std::string &text, const NamedArguments &arguments = {}) {
  return bodyMessages("tl.static_print((" + text + ").type)", arguments);
}

} // namespace

TEST(EvalShape, Creation) {
  EXPECT_TRUE(holds(printed("tl.arange(4, 12)"), {"tile.arange 4 to 12 : tensor<8xi32>"}));
  EXPECT_TRUE(holds(printed("tl.full([2, 4], 7, tl.int16)"), {"arith.constant dense<7> : tensor<2x4xi16>"}));
  EXPECT_TRUE(holds(printed("tl.full((8,), n, tl.float32)", {{"n", "i32"}}),
                    {"arith.sitofp %arg0 : i32 to f32", "tile.splat", "tensor<8xf32>"}));
  EXPECT_TRUE(holds(printed("tl.full([], 1.5, tl.float64)"), {"arith.constant 1.500000e+00 : f64"}));
  EXPECT_TRUE(
      holds(printed("tl.zeros([4, 4], dtype=tl.bfloat16)"), {"dense<0.000000e+00> : tensor<4x4xbf16>"}));
  EXPECT_TRUE(holds(printed("tl.zeros_like(tl.arange(0, 8))"), {"dense<0> : tensor<8xi32>"}));
  EXPECT_TRUE(holds(printed("tl.program_id(axis=2)"), {"tile.program_id z"}));
  EXPECT_TRUE(holds(printed("tl.num_programs(1)"), {"tile.num_programs y"}));
  EXPECT_TRUE(holds(printed("tl.full([4], -1.5, tl.int32)"), {"dense<-1> : tensor<4xi32>"}));
  EXPECT_TRUE(holds(printed("tl.full([4], 2, tl.int1)"), {"dense<true> : tensor<4xi1>"}));
}

TEST(EvalShape, NewAxesAndBroadcast) {
  std::string ir = printed("tl.arange(0, 4)[:, None] * 8 + tl.arange(0, 8)[None, :]");
  EXPECT_TRUE(holds(ir, {"tile.expand_dims", ", 1 : tensor<4xi32> -> tensor<4x1xi32>", "arith.muli",
                         ": tensor<4x1xi32>", ", 0 : tensor<8xi32> -> tensor<1x8xi32>", "tile.broadcast",
                         "tensor<4x1xi32> -> tensor<4x8xi32>", "tile.broadcast",
                         "tensor<1x8xi32> -> tensor<4x8xi32>", "arith.addi", "tensor<4x8xi32>"}));
  EXPECT_EQ(typeOf("tl.arange(0, 4)[None, :, None]"), "int32[1, 4, 1]\n");
  EXPECT_EQ(typeOf("tl.arange(0, 4)[None]"), "int32[1, 4]\n");
  EXPECT_EQ(typeOf("tl.arange(0, 4)[..., None]"), "int32[4, 1]\n");
  EXPECT_EQ(typeOf("n[None]", {{"n", "fp32"}}), "fp32[1]\n");
  // Missing sides are added in front.
  EXPECT_EQ(typeOf("tl.arange(0, 4)[:, None] + tl.arange(0, 8)"), "int32[4, 8]\n");
}

TEST(EvalShape, ExplicitBroadcasts) {
  EXPECT_TRUE(holds(printed("tl.broadcast_to(n, (4, 8))", {{"n", "i32"}}),
                    {"tile.splat %arg0 : i32 -> tensor<4x8xi32>"}));
  EXPECT_TRUE(
      holds(printed("tl.arange(0, 4)[:, None].broadcast_to(4, 8)"), {"tile.broadcast", "tensor<4x8xi32>"}));
  EXPECT_EQ(bodyMessages("a, b = tl.broadcast(tl.arange(0, 4)[:, None], tl.arange(0, 2)[None, :])\n"
                         "tl.static_print(a.shape, b.shape)"),
            "[4, 2] [4, 2]\n");
}

TEST(EvalShape, OtherShapesAndOrders) {
  NamedArguments none;
  EXPECT_TRUE(holds(printed("tl.arange(0, 32).reshape(4, 8)"),
                    {"tile.reshape", "tensor<32xi32> -> tensor<4x8xi32>"}));
  EXPECT_TRUE(holds(printed("tl.reshape(tl.arange(0, 32), (4, 8), can_reorder=True)"), {"tile.reshape"}));
  EXPECT_TRUE(holds(printed("tl.arange(0, 32).view([2, 16])"), {"tensor<2x16xi32>"}));
  EXPECT_TRUE(holds(printed("tl.ravel(tl.zeros([4, 8], tl.int8) + n)", {{"n", "i8"}}),
                    {"tile.reshape", "tensor<32xi8>"}));
  EXPECT_EQ(typeOf("tl.zeros([4, 8], tl.int8).T"), "int8[8, 4]\n");
  EXPECT_EQ(typeOf("tl.trans(tl.zeros([4, 8, 2], tl.int8))"), "int8[4, 2, 8]\n");
  EXPECT_EQ(typeOf("tl.trans(tl.zeros([4, 8, 2], tl.int8), 2, 0, 1)"), "int8[2, 4, 8]\n");
  EXPECT_EQ(typeOf("tl.permute(tl.zeros([4, 8, 2], tl.int8), (1, 2, 0))"), "int8[8, 2, 4]\n");
  EXPECT_EQ(typeOf("tl.expand_dims(tl.arange(0, 4), -1)"), "int32[4, 1]\n");
  EXPECT_EQ(typeOf("tl.expand_dims(tl.arange(0, 4), [0, 2])"), "int32[1, 4, 1]\n");
  EXPECT_EQ(typeOf("tl.squeeze(tl.zeros([4, 1], tl.int8), 1)"), "int8[4]\n");
  EXPECT_EQ(typeOf("tl.unsqueeze(tl.arange(0, 4), 0)"), "int32[1, 4]\n");
}

TEST(EvalShape, Attributes) {
  EXPECT_EQ(
      bodyMessages(
          "x = tl.zeros([4, 8], tl.float16)\n"
          "tl.static_print(x.shape, x.shape[1], x.numel, x.dtype, x.type, x.type.scalar, x.type.element_ty)"),
      "[4, 8] 8 32 fp16 fp16[4, 8] fp16 fp16\n");
  EXPECT_EQ(
      bodyMessages(
          "tl.static_print(p.dtype, p.dtype.element_ty, q.dtype.element_ty.element_ty, p.type.is_ptr())",
          {{"p", "*bf16"}, {"q", "**i8"}}),
      "pointer<bf16> bf16 int8 True\n");
  EXPECT_EQ(
      bodyMessages(
          "d = x.dtype\ntl.static_print(d.is_floating(), d.is_fp16(), d.is_int(), d.primitive_bitwidth, "
          "d.itemsize, d == tl.float16, d in (tl.float32, tl.bfloat16), d.name)",
          {{"x", "fp16"}}),
      "True True False 16 2 True False fp16\n");
  EXPECT_EQ(
      bodyMessages("tl.static_print(x.dtype.is_int_signed(), x.dtype.is_int_unsigned(), x.dtype.is_uint32(), "
                   "x.dtype.is_bool(), x.type.is_block(), tl.arange(0, 2).type.is_block())",
                   {{"x", "u32"}}),
      "False True True False False True\n");
}
