// Loops in full: what `tl.range` and `tl.condition` take, bounds of every type, and what goes round.
#include "test/compiler/frontend/Harness.h"

using namespace tegula;
using namespace tegula::test;

namespace {

const NamedArguments arguments = {{"n", "i32"},   {"l", "i64"},  {"u", "u32"}, {"x", "fp32"},
                                  {"p", "*fp32"}, {"q", "*i32"}, {"B", "#64"}};

std::string ir(const std::string &body) { return bodyIr(body, arguments); }

} // namespace

TEST(EvalLoop, KeywordsOfRangeAreHints) {
  auto loop = [](const std::string &iterable) {
    return ir("for i in " + iterable + ":\n    tl.store(q + i, i)");
  };
  EXPECT_TRUE(holds(loop("tl.range(0, n, num_stages=3)"), {"} {tile.loop = #tile.loop<stages = 3>}"}));
  EXPECT_TRUE(holds(loop("tl.range(0, 16, 1, 2, 4)"), {"#tile.loop<stages = 2, unroll = 4>"}));
  EXPECT_TRUE(holds(loop("tl.range(n, flatten=True, warp_specialize=True, disable_licm=True, "
                         "disallow_acc_multi_buffer=True)"),
                    {"#tile.loop<flatten, single_acc, specialize, no_licm>"}));
  // Hints only: what is too much is cut, and what says nothing is not there.
  EXPECT_TRUE(
      holds(loop("tl.range(n, loop_unroll_factor=1000, num_stages=99)"), {"<stages = 32, unroll = 32>"}));
  EXPECT_TRUE(holds(loop("tl.range(n, num_stages=0)"), {"<stages = 1>"})) << "nothing is pipelined";
  for (const char *plain : {"tl.range(n)", "tl.range(n, num_stages=None)", "range(n)"})
    EXPECT_EQ(loop(plain).find("tile.loop"), std::string::npos) << plain;
  for (const char *hint : {"num_stages=2", "flatten=True"}) {
    EXPECT_TRUE(holds(bodyErrors("for i in range(n, " + std::string(hint) + "):\n    pass", arguments),
                      {"1:19-", "`range` has no hints, and this has no effect\n  help: write `tl.range`\n"}));
  }
}

TEST(EvalLoop, ConditionOfWhile) {
  EXPECT_TRUE(holds(ir("i = n\nwhile tl.condition(i > 0, disable_licm=True):\n    i -= 1\ntl.store(q, i)"),
                    {"scf.while", "arith.cmpi sgt", "scf.condition", "do {", "arith.subi",
                     "attributes {tile.loop = #tile.loop<no_licm>}"}));
  EXPECT_EQ(ir("i = n\nwhile tl.condition(i > 0):\n    i -= 1\ntl.store(q, i)").find("tile.loop"),
            std::string::npos);
}

TEST(EvalLoop, BoundsOfEveryIntegerType) {
  EXPECT_TRUE(holds(
      ir("for i in range(0, l, B):\n    tl.store(p + i, x)"),
      {"scf.for %arg6 = %", "to %arg1 step", ": i64", "tile.addptr %arg4, %arg6 : !tile.ptr<f32>, i64"}));
  EXPECT_TRUE(
      holds(ir("for i in range(n, l):\n    tl.store(p + i, x)"), {"arith.extsi %arg0", "scf.for", "i64"}));
  EXPECT_TRUE(holds(ir("for i in range(u):\n    tl.store(p + i, x)"),
                    {"scf.for unsigned", ": i32", "arith.extui", "tile.addptr"}));
  EXPECT_TRUE(holds(ir("for i in range(0, n, step=4):\n    tl.store(p + i, x)"), {"step %c4_i32"}));
  EXPECT_TRUE(holds(ir("for i in tl.range(n, step=4):\n    tl.store(p + i, x)"),
                    {"= %c0_i32 to %arg0 step %c4_i32"}));
  EXPECT_TRUE(holds(ir("for i in range(0, n, tl.num_programs(0)):\n    tl.store(p + i, x)"),
                    {"tile.num_programs", "scf.for"}));
  EXPECT_TRUE(holds(ir("for i in range(l - 1, -1, -1):\n    tl.store(p + i, x)"),
                    {"scf.for", "arith.subi %arg6, %c-1_i64", "arith.subi", ": i64"}));
  EXPECT_TRUE(
      holds(ir("for i in range(tl.cdiv(n, B)):\n    tl.store(p + i, x)"), {"arith.divsi", "scf.for"}));
}

TEST(EvalLoop, StepsThatCountDownwards) {
  // Assigned before, it is a scalar, but a known one.
  EXPECT_TRUE(holds(ir("step = -2\nfor i in range(n, 0, step):\n    tl.store(p + i, x)"),
                    {"scf.for", "to %arg0 step %c2_i32", "arith.subi %arg0"}));
  EXPECT_EQ(bodyErrors("step = 0\nfor i in range(n, 0, step):\n    pass", arguments),
            "2:10-27: `range`: expected a step other than 0\n");
  // One that is not counts upwards, which a debug kernel checks.
  EXPECT_EQ(ir("for i in range(0, 8, n):\n    tl.store(p + i, x)").find("tile.assert"), std::string::npos);
  EXPECT_TRUE(holds(bodyIr("for i in range(0, 8, n):\n    tl.store(p, x)", arguments, /*debug=*/true),
                    {"arith.cmpi sgt, %arg0, %c0_i32", "tile.assert", "the step of a loop", "scf.for"}));
}

TEST(EvalLoop, TheKindOfLoopMayBeChosen) {
  for (const char *kind : {"#true", "#false"}) {
    NamedArguments chosen = arguments;
    chosen.push_back({"UNROLL", kind});
    std::string text =
        bodyIr("for i in (tl.static_range if UNROLL else range)(0, 4):\n    tl.store(p + i, x)", chosen);
    EXPECT_EQ(text.find("scf.for") == text.npos, std::string_view(kind) == "#true");
    text = bodyIr("loop = tl.static_range if UNROLL else tl.range\nfor i in loop(4):\n    tl.store(p + i, x)",
                  chosen);
    EXPECT_EQ(text.find("scf.for") == text.npos, std::string_view(kind) == "#true");
  }
}

TEST(EvalLoop, CarriesPointersTuplesAndTensors) {
  EXPECT_TRUE(
      holds(ir("ptr = p + tl.arange(0, 64)\nacc = tl.zeros([64], tl.float32)\nfor i in range(n):\n    acc += "
               "tl.load(ptr)\n    ptr += B\ntl.store(ptr, acc)"),
            {"scf.for", "-> (tensor<64x!tile.ptr<f32>>, tensor<64xf32>)", "tile.addptr", "tile.store"}));
  EXPECT_TRUE(
      holds(ir("state = (0.0, 1, p)\nfor i in range(n):\n    state = (state[0] + x, state[1] * 2, state[2] + "
               "1)\ntl.store(state[2] + state[1], state[0])"),
            {"scf.for", "-> (f32, i32, !tile.ptr<f32>)"}));
  EXPECT_TRUE(holds(ir("a, b = 0, 1\nfor i in range(n):\n    a, b = b, a + b\ntl.store(q, a)"),
                    {"scf.for", "-> (i32, i32)", "arith.addi", "scf.yield"}));
  // Numbers become scalars with a type of their own before the loop.
  EXPECT_TRUE(holds(ir("m = -float('inf')\nl_ = 0.0\nfor i in range(n):\n    v = tl.load(p + i)\n    m = "
                       "tl.maximum(m, v)\n "
                       "   l_ += v\ntl.store(p, m + l_)"),
                    {"0xFF800000", "scf.for", "-> (f32, f32)"}));
}

TEST(EvalLoop, NestsWithBranches) {
  EXPECT_TRUE(
      holds(ir("acc = 0.0\nfor i in range(n):\n    if i % 2 == 0:\n        t = tl.load(p + i)\n        acc "
               "+= t\n    "
               "else:\n        for j in range(i):\n            acc -= 1.0\ntl.store(p, acc)"),
            {"scf.for", "scf.if", "-> (f32)", "tile.load", "else", "scf.for", "-> (f32)", "arith.subf"}));
  // First set inside, used inside only.
  EXPECT_TRUE(holds(ir("for i in range(n):\n    if i > 2:\n        w = i * 2\n        tl.store(q + i, w)\n   "
                       " y = i + 1\n    "
                       "tl.store(q + i, y)\nfor i in range(n):\n    y = i * 1.5\n    tl.store(p + i, y)"),
                    {"scf.for", "scf.if", "scf.for", "arith.mulf"}));
  // Defined on both sides of a branch within.
  EXPECT_TRUE(holds(ir("for i in range(n):\n    if i > 2:\n        w = 1.0\n    else:\n        w = 2.0\n    "
                       "tl.store(p + i, w)"),
                    {"scf.for", "scf.if", "-> (f32)"}));
  // A loop under a branch, and a while with a changing pointer.
  EXPECT_TRUE(holds(
      ir("i = 0\nptr = q\nwhile (tl.load(ptr) != 0) and i < n:\n    ptr += 1\n    i += 1\ntl.store(q, i)"),
      {"scf.while", "tile.load", "arith.andi", "scf.condition", "tile.addptr"}));
}

TEST(EvalLoop, Errors) {
  struct Case {
    const char *body, *errors;
  };
  for (
      Case c : {
          Case{"for i in tl.range(n, num_stages=n):\n    pass",
               "1:22-34: `tl.range`: expected an integer known at compile time, found int32\n"
               "  help: declare it `tl.constexpr`, as a parameter or as `name: tl.constexpr = ...`\n"},
          Case{"for i in tl.range(n, num_stages=-1):\n    pass",
               "1:22-35: `tl.range`: expected a number that is not negative, found -1\n"},
          Case{"for i in tl.range(n, flatten=n):\n    pass",
               "1:22-31: `tl.range`: expected a truth known at compile time, found int32\n"},
          Case{"for i in tl.range(n, stages=2):\n    pass",
               "1:22-30: `tl.range` has no parameter `stages`\n"},
          Case{"for i in range(0, n, 0):\n    pass", "1:10-24: `range`: expected a step other than 0\n"},
          Case{
              "for i in tl.static_range(n):\n    pass",
              "1:10-28: `tl.static_range`: expected integers known at compile time as bounds, found int32\n"},
          Case{"for i in tl.static_range(0, B, x):\n    pass",
               "1:10-34: `tl.static_range`: expected integers known at compile time as bounds, found fp32\n"},
          Case{"for i in range(tl.arange(0, 4)):\n    pass",
               "1:10-32: expected integer scalars as the bounds of a loop, found int32[4]\n"},
          Case{"for i in range(0, p):\n    pass",
               "1:10-21: expected integer scalars as the bounds of a loop, found pointer<fp32>\n"},
          Case{"for i in range('a'):\n    pass",
               "1:10-20: `range`: expected integers known at compile time as bounds, found str\n"},
          Case{
              "m = 0.0\nfor i in range(n):\n    m = tl.maximum(m, tl.load(p + tl.arange(0, 8)))",
              "3:5-6: expected `m` to keep its type around the loop, found fp32 before and fp32[8] after its "
              "body\n  1:1-2: its value before the loop is set here\n"
              "  help: make it before the loop with the shape it gets, as `tl.full` does\n"},
          Case{"t = (1, 2.0)\nfor i in range(n):\n    t = (1, 2)",
               "3:5-6: expected `t` to keep its type around the loop, found (int32, fp32) before and (int32, "
               "int32) after its body\n  1:1-2: its value before the loop is set here\n"},
          Case{
              "t = (1, 2)\nwhile n > 0:\n    t = (1, 2, 3)",
              "3:5-6: expected `t` to keep its type around the loop, found (int32, int32) before and (int32, "
              "int32, int32) after its body\n  1:1-2: its value before the loop is set here\n"},
          Case{"m = None\nfor i in range(n):\n    m = x",
               "3:5-6: expected `m` to keep its type around the loop, found None before and fp32 after its "
               "body\n  1:1-2: its value before the loop is set here\n"
               "  help: give it a value of that type before the loop\n"},
          Case{"while tl.condition(n, disable_licm=n):\n    pass",
               "1:23-37: `tl.condition`: expected a truth known at compile time, found int32\n"},
          Case{"while tl.arange(0, 4) > n:\n    pass",
               "1:7-26: expected a scalar condition, found int1[4]\n"
               "  help: choose between the elements of tensors with `tl.where`\n"},
          Case{"for i in tl.static_range(2):\n    if n > i:\n        return",
               "2:8-13: Cannot have `return` statements inside `while` or `for` statements in triton under a "
               "run-time condition\n"},
          Case{"while n > 0:\n    return",
               "2:5-11: Cannot have `return` statements inside `while` or `for` statements in triton\n"},
      })
    EXPECT_EQ(bodyErrors(c.body, arguments), c.errors) << c.body;
}

TEST(EvalLoop, ANamedExpressionGoesRoundTheLoop) {
  EXPECT_TRUE(holds(bodyIr("a = 0\nfor i in range(n):\n    tl.store(q + i, (a := a + 1))\ntl.store(q, a)\n",
                           {{"n", "i32"}, {"q", "*i32"}}),
                    {"scf.for", "iter_args(", ") -> (i32)", "scf.yield"}));
  EXPECT_EQ(bodyErrors("while (n := n - 1) > 0:\n    pass\n", {{"n", "i32"}}),
            "1:8-9: `n` cannot be assigned in the condition of a loop that runs on the device\n"
            "  help: assign it before the loop and at the end of its body\n");
}

TEST(EvalLoop, AStarredTargetGoesRoundTheLoop) {
  EXPECT_TRUE(holds(bodyIr("a = 0\nr = [1, 2]\nfor i in range(n):\n    a, *r = (r[1], r[0] + 1, i)\n"
                           "    tl.store(q + i, a)\n",
                           {{"n", "i32"}, {"q", "*i32"}}),
                    {"scf.for", "iter_args(", ") -> (i32, i32, i32)"}));
}

TEST(EvalLoop, ANamedExpressionOfAComprehensionOutlivesIt) {
  EXPECT_EQ(bodyMessages("y = 1\nz = [y := i for i in (3.0, 4)]\ntl.static_print(y.dtype)\n"), "int32\n");
  EXPECT_EQ(bodyMessages("y = 1\nz = [y := i for i in (4, 3.0)]\ntl.static_print(y.dtype)\n"), "fp32\n");
}
