// Loads, stores and hints.
#include "test/compiler/frontend/Harness.h"

using namespace tegula;
using namespace tegula::test;

namespace {

const NamedArguments pointers = {{"p", "*fp32"}, {"n", "i32"}, {"b", "*i1"}, {"h", "*fp16"}};

std::string ir(const std::string &body) { return bodyIr("i = tl.arange(0, 64)\n" + body, pointers); }

} // namespace

TEST(EvalMemory, LoadsOfTensorsAndScalars) {
  EXPECT_TRUE(holds(ir("x = tl.load(p + i)"), {"tile.load %", " : tensor<64x!tile.ptr<f32>>"}));
  EXPECT_TRUE(holds(ir("x = tl.load(p)"), {"tile.load %arg0 : !tile.ptr<f32>"}));
  EXPECT_TRUE(holds(ir("x = tl.load(p, mask=n > 0, other=1)"),
                    {"arith.cmpi sgt", "arith.constant 1.000000e+00 : f32", "tile.load %arg0, %"}));
  EXPECT_TRUE(
      holds(ir("x = tl.load(p + i, i < n, float('-inf'), cache_modifier='.cg', "
               "eviction_policy='evict_last', volatile=True)"),
            {"dense<0xFF800000> : tensor<64xf32>", "tile.load", "cache = cg evict = evict_last volatile"}));
  // A mask that is always true is none; a scalar one is spread.
  EXPECT_TRUE(holds(ir("x = tl.load(p + i, mask=True)"), {"tile.load %2 :"}));
  EXPECT_TRUE(
      holds(ir("x = tl.load(p + i, mask=n > 0)"), {"tile.splat", "i1 -> tensor<64xi1>", "tile.load"}));
}

TEST(EvalMemory, OtherTakesTheElementsType) {
  EXPECT_TRUE(holds(ir("x = tl.load(h + i, i < n, other=0.1)"),
                    {"arith.constant dense<9.997550e-02> : tensor<64xf16>"}));
  EXPECT_TRUE(holds(ir("x = tl.load(h + i, i < n, other=n)"),
                    {"arith.sitofp %arg1 : i32 to f16", "tile.splat", "tile.load"}));
  // A number has its own type first: fp32 loses digits that fp64 would have held.
  EXPECT_TRUE(
      holds(bodyIr("tl.store(d, 0.1)", {{"d", "*fp64"}}), {"arith.constant 0.10000000149011612 : f64"}));
  EXPECT_TRUE(holds(bodyIr("tl.store(d, 1e-300)", {{"d", "*fp64"}}), {"1.000000e-300 : f64"}));
}

TEST(EvalMemory, MaskAndPointerGrowTogether) {
  EXPECT_TRUE(holds(ir("x = tl.load(p + i[:, None] * n + i[None, :], mask=(i < n)[:, None])"),
                    {"tile.broadcast", "tensor<64x1xi1> -> tensor<64x64xi1>", "tile.load"}));
  EXPECT_TRUE(holds(ir("x = tl.load((p + i)[None, :], mask=(i < n)[:, None], other=0.0)"),
                    {"tile.load", "tensor<64x64x!tile.ptr<f32>>"}));
}

TEST(EvalMemory, OtherMayBeLargerThanPointerAndMask) {
  EXPECT_TRUE(holds(ir("x = tl.load(p + i, i < n, other=tl.zeros([4, 1], tl.float32))"),
                    {"tile.load", "tensor<4x64x!tile.ptr<f32>>"}));
}

TEST(EvalMemory, Stores) {
  EXPECT_TRUE(holds(ir("tl.store(p + i, i, i < n)"),
                    {"arith.sitofp", "tile.store %", " : tensor<64x!tile.ptr<f32>>"}));
  EXPECT_TRUE(holds(ir("tl.store(p + i, 1)"), {"arith.constant dense<1.000000e+00>", "tile.store"}));
  EXPECT_TRUE(holds(ir("tl.store(p, n)"), {"arith.sitofp %arg1", "tile.store %arg0, %"}));
  EXPECT_TRUE(
      holds(ir("tl.store(h + i, tl.load(p + i), cache_modifier='.wt', eviction_policy='evict_first')"),
            {"arith.truncf", "tensor<64xf16>", "tile.store", "cache = wt evict = evict_first"}));
  EXPECT_TRUE(holds(ir("(p + i).store(1.0)"), {"tile.store"}));
}

TEST(EvalMemory, TruthsAreBytes) {
  EXPECT_TRUE(holds(ir("x = tl.load(b + i, i < n, other=True)"),
                    {"tile.bitcast", "tensor<64x!tile.ptr<i1>> -> tensor<64x!tile.ptr<i8>>",
                     "dense<1> : tensor<64xi8>", "tile.load", "tensor<64x!tile.ptr<i8>>", "arith.cmpi ne",
                     "tensor<64xi8>"}));
  EXPECT_TRUE(
      holds(ir("tl.store(b + i, i)"), {"tile.bitcast", "arith.trunci", "tensor<64xi8>", "tile.store"}));
}

TEST(EvalMemory, Hints) {
  EXPECT_TRUE(
      holds(ir("j = tl.max_contiguous(tl.multiple_of(i + n, 64), 64)\ntl.store(p + j, 0.0)"),
            {"tile.hint %", "divisibility = [64] : tensor<64xi32>", "tile.hint %", "contiguity = [64]"}));
  EXPECT_TRUE(holds(ir("m = tl.multiple_of(n, 16)\ntl.store(p + m, 0.0)"),
                    {"tile.hint %arg1 divisibility = [16] : i32"}));
  EXPECT_TRUE(holds(ir("j = tl.max_constancy((i + n)[:, None], [4, 1])\ntl.device_print('j', j)"),
                    {"constancy = [4, 1]"}));
  // Of pointers, of numbers known at compile time, and what the author knows besides.
  EXPECT_TRUE(holds(ir("q = tl.multiple_of(p, 16)\ntl.store(q, 0.0)"),
                    {"tile.hint %arg0 divisibility = [16] : !tile.ptr<f32>"}));
  EXPECT_TRUE(holds(ir("q = tl.multiple_of(p + i, (16,))\ntl.store(q, 0.0)"),
                    {"divisibility = [16]", "x!tile.ptr<f32>>"}));
  EXPECT_TRUE(holds(ir("tl.store(p + tl.max_contiguous(tl.multiple_of(8, 4), 1), 0.0)"), {"%c8_i32"}));
  EXPECT_TRUE(holds(ir("tl.assume(n > 0)\ntl.assume(True)\ntl.store(p + n, 0.0)"),
                    {"arith.cmpi sgt", "tile.assume", "tile.addptr"}));
  EXPECT_TRUE(holds(ir("tl.assume(n > 0)"), {"arith.cmpi sgt", "tile.assume"}));
  EXPECT_EQ(ir("tl.assume(True)").find("assume"), std::string::npos);
}

TEST(EvalMemory, ConstPointersCannotBeWritten) {
  EXPECT_EQ(fileErrors("@triton.jit\ndef k(p: tl.const):\n    tl.store(p, tl.load(p))\n", {{"p", "*fp32"}}),
            "3:14-15: `tl.store`: Cannot store to a constant pointer, found const_pointer<fp32>\n");
}
