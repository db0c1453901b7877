// Tuples that launches pass: each item a parameter of its own, or known.
#include "compiler/spec/PassedTuple.h"
#include "test/compiler/frontend/Harness.h"

using namespace tegula;
using namespace tegula::test;

TEST(EvalTupleArgument, ItsItemsAreParameters) {
  Evaluated made = evaluate("@triton.jit\ndef kernel(t, n):\n"
                            "    tl.static_assert(len(t) == 3 and t[1][1] == 1 and t[2] is None)\n"
                            "    p, (q, step), _ = t\n"
                            "    tl.store(p + n, tl.load(q) * step)\n",
                            {{"t", "(*fp32:16, (*fp32, i32=1), none)"}, {"n", "i64"}});
  EXPECT_EQ(made.errors, "");
  EXPECT_TRUE(holds(made.ir, {"%arg0: !tile.ptr<f32> {tile.param = #tile.param<\"t[0]\", \"*fp32\", 16>}",
                              "%arg1: !tile.ptr<f32> {tile.param = #tile.param<\"t[1][0]\", \"*fp32\", 1>}",
                              "%arg2: i64 {tile.param = #tile.param<\"n\", \"i64\", 1>}",
                              "tile.addptr %arg0, %arg2", "tile.load %arg1"}));
}

TEST(EvalTupleArgument, ItsItemsMayHaveNames) {
  Evaluated made =
      evaluate("@triton.jit\ndef kernel(p):\n    p.rows[0].store([0, p.n], p.rows[0].load([p.n, 0]))\n",
               {{"p", "Point(x=*fp16, n=i32, rows=(tensordesc<fp16[1,16]>,))"}});
  EXPECT_EQ(made.errors, "");
  EXPECT_TRUE(holds(made.ir, {"#tile.param<\"p[0]\", \"*fp16\", 1>", "#tile.param<\"p[1]\", \"i32\", 1>",
                              "#tile.param<\"p[2][0].base\", \"*fp16\", 16>",
                              "#tile.param<\"p[2][0].shape[1]\", \"i32\", 1, nonneg>", "tile.view_load"}));
}

TEST(EvalTupleArgument, ItGoesThroughCallsAndLoops) {
  Evaluated made =
      evaluate("@triton.jit\ndef total(items, i):\n    sum = tl.zeros([8], tl.float32)\n"
               "    for k in tl.static_range(len(items)):\n        sum += tl.load(items[k] + i)\n"
               "    return sum\n\n"
               "@triton.jit\ndef kernel(t, n):\n    i = tl.arange(0, 8)\n"
               "    for _ in range(n):\n        tl.store(t[0] + i, total(t[1:], i))\n",
               {{"t", "(*fp32, *fp32, *fp32)"}, {"n", "i32"}}, false, "kernel");
  EXPECT_EQ(made.errors, "");
  EXPECT_TRUE(holds(made.ir, {"scf.for", "tile.load", "tile.load", "tile.store"}));
}

TEST(EvalTupleArgument, ItNestsAsDeepAsASignatureMaySay) {
  std::string type = "i32", item = "t";
  for (int depth = 0; depth < maxPassedDepth; ++depth) {
    type = "(" + type + ",)";
    item += "[0]";
  }
  Evaluated made = evaluate("@triton.jit\ndef kernel(t, p):\n    tl.store(p, " + item + ")\n",
                            {{"t", type}, {"p", "*i32"}});
  EXPECT_EQ(made.errors, "");
  EXPECT_TRUE(holds(made.ir, {"#tile.param<\"" + item + "\", \"i32\", 1>", "tile.store %arg1, %arg0"}));
}

TEST(EvalTupleArgument, WhatIsWrongWithOne) {
  const std::string kernel = "@triton.jit\ndef kernel(t, c: tl.constexpr = 1):\n    pass\n";
  EXPECT_EQ(fileErrors(kernel, {{"t", "i32"}, {"c", "(i32,)"}}),
            "2:15-16: expected a value for constexpr parameter `c`, found a tuple that launches pass\n");
  EXPECT_EQ(fileErrors(kernel, {{"t", "(tensordesc<fp16[16,4]>,)"}}),
            "2:12-13: descriptor `t[0]`: Descriptor block shape must have at least 16 bytes in the last "
            "dimension, found 8\n");
  EXPECT_TRUE(holds(fileErrors(kernel, {{"t", "(i32,)"}, {"t[1]", "i32"}}),
                    {"2:5-11: kernel `kernel` has no parameter `t[1]`"}));
  EXPECT_EQ(fileErrors("@triton.jit\ndef kernel(t):\n    y = t[2]\n", {{"t", "(i32, i64)"}}),
            "3:11-12: expected an index below 2, found 2\n");
}
