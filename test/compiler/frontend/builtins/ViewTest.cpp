// Block pointers and tensor descriptors.
#include "test/compiler/frontend/Harness.h"

using namespace tegula;
using namespace tegula::test;

namespace {

const NamedArguments arguments = {{"p", "*fp16"}, {"q", "*i32"}, {"b", "*i1"}, {"m", "i32"},
                                  {"n", "i32"},   {"s", "i64"},  {"u", "u32"}, {"x", "fp32"}};

const std::string block = "v = tl.make_block_ptr(p, (m, n), (n, 1), (0, 16), (16, 32), (1, 0))\n";
const std::string descriptor = "d = tl.make_tensor_descriptor(p, [m, n], [n, 1], [16, 32])\n";

std::string ir(const std::string &body) { return bodyIr(body, arguments); }
std::string errors(const std::string &body) { return bodyErrors(body, arguments); }
std::string messages(const std::string &body) { return bodyMessages(body, arguments); }

} // namespace

TEST(EvalView, ABlockPointerIsAViewAndWhereTheBlockStarts) {
  EXPECT_TRUE(holds(ir(block + "y = tl.load(v)"),
                    {"arith.extsi %arg3 : i32 to i64", "tile.view %arg0, sizes[%", "], strides[%",
                     "!tile.ptr<f16> -> !tile.view<2 x f16>", "tile.view_load %", "[%c0_i32, %c16_i32]",
                     "!tile.view<2 x f16> -> tensor<16x32xf16>"}));
  // Unsigned sides are never negative; 64 bits stay as they are.
  EXPECT_TRUE(holds(ir("v = tl.make_block_ptr(p, (u,), (s,), (m,), (16,), (0,))\ny = tl.load(v)"),
                    {"arith.extui %arg6 : i32 to i64", "tile.view", "strides[%arg5]"}));
  EXPECT_TRUE(holds(ir("v = tl.make_block_ptr(p, m, 1, 0, 16, 0)\ny = tl.load(v)"), {"!tile.view<1 x f16>"}));
}

TEST(EvalView, AdvanceMovesTheStart) {
  EXPECT_TRUE(holds(ir(block + "v = tl.advance(v, (0, 32))\nv = v.advance([m, 0])\ny = tl.load(v)"),
                    {"tile.view_load %", "[%arg3, %c48_i32]"}));
}

TEST(EvalView, AccessesSayWhatIsCheckedAndHow) {
  EXPECT_TRUE(holds(ir(block + "y = tl.load(v, boundary_check=(1, 0), padding_option='zero', "
                               "cache_modifier='.cg', eviction_policy='evict_first', volatile=True)"),
                    {"checked [0, 1] padding =", "zero cache =", "cg evict =", "evict_first volatile"}));
  EXPECT_TRUE(holds(ir(block + "y = tl.load(v, boundary_check=0, padding_option='nan')"),
                    {"checked [0] padding =", "nan"}));
  EXPECT_TRUE(holds(
      ir(block + "tl.store(v, x, boundary_check=[1], cache_modifier='.wt')"),
      {"arith.truncf %arg7 : f32 to f16", "tile.splat", "tile.view_store", "checked [1] cache =", "wt"}));
  EXPECT_TRUE(holds(ir(block + "tl.store(v, tl.load(v) * 0.5 + x)"),
                    {"tile.view_load", "arith.truncf", "tile.view_store"}));
  // An array of truths is one of bytes.
  EXPECT_TRUE(holds(ir("v = tl.make_block_ptr(b, (m,), (1,), (0,), (16,), (0,))\ny = tl.load(v)"),
                    {"tile.bitcast", "!tile.view<1 x i8> -> tensor<16xi8>"}));
}

TEST(EvalView, LoopsAndBranchesCarryThem) {
  EXPECT_TRUE(holds(ir(block + "for i in range(m):\n"
                               "    y = tl.load(v)\n"
                               "    v = tl.advance(v, (0, 32))\n"
                               "tl.store(v, 0.0)"),
                    {"scf.for", "iter_args(", "!tile.view<2 x f16>, i32, i32)", "tile.view_load", "scf.yield",
                     "tile.view_store"}));
  EXPECT_TRUE(holds(ir(block + "if m > 0:\n"
                               "    v = tl.make_block_ptr(p, (n, m), (1, n), (0, 0), (16, 32), (0, 1))\n"
                               "tl.store(v, 0.0)"),
                    {"scf.if", "-> (!tile.view<2 x f16>, i32, i32)", "tile.view_store"}));
  EXPECT_TRUE(holds(ir(descriptor + "for i in range(m):\n"
                                    "    if i > 3:\n"
                                    "        d = tl.make_tensor_descriptor(p, [n, m], [m, 1], [16, 32])\n"
                                    "    d.store([i, d.shape[1]], 0.0)"),
                    {"scf.for", "!tile.view<2 x f16>, i32, i32, i64, i64)", "tile.view_store"}));
}

TEST(EvalView, HelpersTuplesAndTypesKnowThem) {
  EXPECT_EQ(messages(block +
                     "tl.static_print(v.dtype, v.dtype.element_ty, v.type.scalar, v.dtype.is_ptr(), "
                     "v.type.is_block(), isinstance(v, tl.tensor))\n"
                     "pair = (v, m)\ny = tl.load(pair[0])\ntl.static_print(y.to(v.dtype.element_ty).dtype)"),
            "pointer<fp16[16, 32]> fp16[16, 32] pointer<fp16[16, 32]> True False True\nfp16\n");
  EXPECT_EQ(messages(descriptor + "tl.static_print(d.dtype, d.block_shape, d.shape, d.strides, d.block_type, "
                                  "isinstance(d, tl.tensor_descriptor), v is None if False else d is None)"),
            "fp16 [16, 32] [int32, int32] [int64, int64] fp16[16, 32] True False\n");
}

TEST(EvalView, DescriptorsCheckEveryDimension) {
  EXPECT_TRUE(
      holds(ir(descriptor + "y = d.load([0, n])\nd.store([0, n], y)"),
            {"tile.view_load", "checked [0, 1] padding =", "zero", "tile.view_store", "checked [0, 1]"}));
  EXPECT_TRUE(holds(ir("d = tl.make_tensor_descriptor(p, [n], [1], [64], padding_option='nan')\n"
                       "y = tl.load_tensor_descriptor(d, [m])\ntl.store_tensor_descriptor(d, [m], y)"),
                    {"tile.view_load", "checked [0] padding =", "nan", "tile.view_store"}));
}

TEST(EvalView, WhatIsWrongWithABlockPointer) {
  EXPECT_EQ(errors("v = tl.make_block_ptr(m, (n,), (1,), (0,), (16,), (0,))"),
            "1:23-24: `tl.make_block_ptr`: expected a pointer or a tensor of pointers, found int32\n");
  EXPECT_EQ(errors("v = tl.make_block_ptr(p + tl.arange(0, 16), (n,), (1,), (0,), (16,), (0,))"),
            "1:23-43: `tl.make_block_ptr`: expected one pointer, found pointer<fp16>[16]\n");
  EXPECT_EQ(errors("v = tl.make_block_ptr(p, (), (), (), (), ())"),
            "1:26-28: `tl.make_block_ptr`: expected 1 to 32 dimensions, found 0\n");
  EXPECT_EQ(errors("v = tl.make_block_ptr(p, (m, n), (1,), (0, 0), (16, 16), (1, 0))"),
            "1:34-38: `tl.make_block_ptr`: expected 2 strides, one for each dimension, found 1\n");
  EXPECT_EQ(errors("v = tl.make_block_ptr(p, (m, n), (n, 1), (0,), (16, 16), (1, 0))"),
            "1:42-46: `tl.make_block_ptr`: expected 2 offsets, one for each dimension, found 1\n");
  EXPECT_EQ(errors("v = tl.make_block_ptr(p, (m, n), (n, 1), (0, 0), (16,), (1, 0))"),
            "1:50-55: `tl.make_block_ptr`: expected a block of 2 dimensions like the shape, found 1\n");
  EXPECT_EQ(errors("v = tl.make_block_ptr(p, (m, n), (n, 1), (0, 0), (16, 16), (1, 1))"),
            "1:60-66: `tl.make_block_ptr`: expected each dimension from 0 to 1 once, found (1, 1)\n");
  EXPECT_EQ(errors("v = tl.make_block_ptr(p, (m,), (1,), (s,), (16,), (0,))"),
            "1:38-42: `tl.make_block_ptr`: expected integers of 32 bits, found int64\n"
            "  help: convert it with `.to(tl.int32)`: a block starts at coordinates of 32 bits\n");
  EXPECT_EQ(errors("v = tl.make_block_ptr(p, (m,), (1,), (3000000000,), (16,), (0,))"),
            "1:38-51: `tl.make_block_ptr`: expected numbers of type int32, found 3000000000\n");
  EXPECT_EQ(errors("v = tl.make_block_ptr(p, (x,), (1,), (0,), (16,), (0,))"),
            "1:26-30: `tl.make_block_ptr`: expected integer scalars, found fp32\n");
}

TEST(EvalView, WhatIsWrongWithAnAccess) {
  EXPECT_EQ(errors(block + "y = tl.load(v, mask=m > 0)"),
            "2:16-26: `tl.load`: a block pointer takes no mask\n"
            "  help: name the dimensions that may reach over the edge: `boundary_check=(0, 1)`\n");
  EXPECT_EQ(errors(block + "tl.store(v, 0.0, mask=m > 0)"),
            "2:18-28: `tl.store`: a block pointer takes no mask\n"
            "  help: name the dimensions that may reach over the edge: `boundary_check=(0, 1)`\n");
  EXPECT_EQ(errors(block + "y = tl.load(v, boundary_check=(0, 2))"),
            "2:16-37: `tl.load`: expected dimensions from 0 to 1, each once, found (0, 2)\n");
  EXPECT_EQ(errors(block + "y = tl.load(v, padding_option='one')"),
            "2:16-36: `tl.load`: expected 'zero' or 'nan' as the padding, found 'one'\n");
  EXPECT_EQ(errors("v = tl.make_block_ptr(q, (m,), (1,), (0,), (16,), (0,))\n"
                   "y = tl.load(v, boundary_check=(0,), padding_option='nan')"),
            "2:37-57: `tl.load`: expected floats to pad with 'nan', found int32\n");
  EXPECT_EQ(errors(block + "tl.store(v, tl.zeros([32, 16], tl.float16))"),
            "2:13-43: `tl.store`: expected a value of the block's shape [16, 32], found fp16[32, 16]\n");
  EXPECT_EQ(errors(block + "tl.store(v, 'text')"),
            "2:13-19: `tl.store`: expected a number or a tensor, found str\n");
  EXPECT_EQ(errors("v = tl.advance(p, (1,))"),
            "1:16-17: `tl.advance`: expected a block pointer, found pointer<fp16>\n");
  EXPECT_EQ(errors(block + "v = tl.advance(v, (1,))"),
            "2:19-23: `tl.advance`: expected 2 offsets, one for each dimension, found 1\n");
  EXPECT_EQ(errors("y = tl.load(p, boundary_check=(0,))"),
            "1:16-35: `tl.load`: `boundary_check` and `padding_option` are for block pointers\n");
  EXPECT_EQ(errors(block + "y = v + 1"),
            "2:5-10: `+`: expected operands of fitting types, found block pointer to fp16[16, 32] and int\n");
}

TEST(EvalView, WhatIsWrongWithADescriptor) {
  EXPECT_EQ(errors("d = tl.make_tensor_descriptor(p, [m, n], [n, 2], [16, 32])"),
            "1:42-48: `tl.make_tensor_descriptor`: expected 1 as the last stride, known at compile time\n");
  EXPECT_EQ(errors("d = tl.make_tensor_descriptor(p, [m, n], [n, 1], [16, 4])"),
            "1:50-57: `tl.make_tensor_descriptor`: Descriptor block shape must have at least 16 bytes in the "
            "last dimension, "
            "found 8\n");
  EXPECT_EQ(
      errors("d = tl.make_tensor_descriptor(p, [m, m, m, m, m, m], [m, m, m, m, m, 1], [1, 1, 1, 1, 1, 16])"),
      "1:34-52: `tl.make_tensor_descriptor`: expected 1 to 5 dimensions, found 6\n");
  EXPECT_EQ(errors(descriptor + "y = d.load([0])"),
            "2:12-15: `tensor_descriptor.load`: expected 2 offsets, one for each dimension, found 1\n");
  EXPECT_TRUE(
      holds(errors(descriptor + "y = d.gather(tl.arange(0, 8), 0)"),
            {"2:5-33: `gather`: expected a descriptor whose blocks are one row, found blocks of [16, 32]"}));
  EXPECT_EQ(errors(descriptor + "y = d.shap"),
            "2:7-11: tensor descriptor of blocks fp16[16, 32] has no attribute `shap`\n"
            "  help: did you mean `shape`?\n");
  EXPECT_EQ(errors("y = tl.load_tensor_descriptor(p, [0])"),
            "1:31-32: `tl.load_tensor_descriptor`: expected a tensor descriptor, found pointer<fp16>\n");
}

TEST(EvalView, ADescriptorOfTheHostIsPassedByItsParts) {
  Evaluated made =
      evaluate("@triton.jit\ndef kernel(d: tl.tensor_descriptor, x):\n"
               "    tl.static_assert(isinstance(d, tl.tensor_descriptor) and d.dtype == tl.float16)\n"
               "    d.store([x, d.shape[0]], d.load([0, x]))\n",
               {{"d", "tensordesc<fp16[16,32]>"}, {"x", "i32"}});
  EXPECT_EQ(made.errors, "");
  EXPECT_TRUE(holds(made.ir, {"%arg0: !tile.ptr<f16> {tile.param = #tile.param<\"d.base\", \"*fp16\", 16>}",
                              "%arg1: i32 {tile.param = #tile.param<\"d.shape[0]\", \"i32\", 1, nonneg>}",
                              "%arg2: i32 {tile.param = #tile.param<\"d.shape[1]\", \"i32\", 1, nonneg>}",
                              "%arg3: i64 {tile.param = #tile.param<\"d.strides[0]\", \"i64\", 8, nonneg>}",
                              "%arg4: i32", "tile.view %arg0", "padding =", "zero", "tile.view_store %",
                              "[%arg4, %arg1]"}));
}

TEST(EvalView, DescriptorsOfTheHostThatCannotBe) {
  const std::string kernel = "@triton.jit\ndef kernel(d, c: tl.constexpr = 1):\n    pass\n";
  auto wrong = [&](const std::string &type) { return fileErrors(kernel, {{"d", type}}); };
  EXPECT_EQ(wrong("tensordesc<fp16[16,4]>"), "2:12-13: descriptor `d`: Descriptor block shape must have at "
                                             "least 16 bytes in the last dimension, found 8\n");
  EXPECT_EQ(wrong("tensordesc<fp16[3,16]>"),
            "2:12-13: Shape element 0 must be a power of 2\n  help: it is 3\n");
  EXPECT_EQ(wrong("tensordesc<i32[16],nan>"),
            "2:12-13: descriptor `d`: expected floats to pad with 'nan', found int32\n");
  EXPECT_EQ(fileErrors(kernel, {{"d", "i32"}, {"c", "tensordesc<i32[16]>"}}),
            "2:15-16: expected a value for constexpr parameter `c`, found a tensor descriptor\n");
  EXPECT_EQ(fileErrors(kernel, {{"d", "tensordesc<i32[16]>"}, {"d.shape[0]", "i64"}}),
            "2:12-13: descriptor `d`: expected i32 as `d.shape[0]`\n");
  EXPECT_EQ(fileErrors(kernel, {{"d", "tensordesc<i32[16]>"}, {"d.base", "i64"}}),
            "2:12-13: descriptor `d`: expected a pointer to numbers as `d.base`\n");
  EXPECT_TRUE(holds(fileErrors(kernel, {{"d", "tensordesc<i32[16]>"}, {"d.shape[1]", "i32"}}),
                    {"2:5-11: kernel `kernel` has no parameter `d.shape[1]`"}));
}

TEST(EvalView, RowsAndUpdatesGoThroughPointers) {
  const NamedArguments given = {{"d", "tensordesc<i32[1,16],zero>"}, {"r", "*i32"}};
  const std::string rows =
      bodyIr("y = d.gather(tl.load(r + tl.arange(0, 8)), 4)\nd.scatter(y, tl.arange(0, 8), 0)", given);
  EXPECT_TRUE(holds(rows, {"tile.view_base", "tile.load", "tensor<8x16x!tile.ptr<i32>>", "tile.store"}));
  EXPECT_TRUE(holds(bodyIr("d.atomic_add([0, 4], tl.full((1, 16), 1, tl.int32))", given),
                    {"tile.view_base", "tile.atomic_rmw add, relaxed, gpu"}));
}
