// Branches and loops, known at compile time or run on the device.
#include "test/compiler/frontend/Harness.h"

using namespace tegula;
using namespace tegula::test;

namespace {

const NamedArguments arguments = {{"n", "i32"}, {"x", "fp32"}, {"p", "*fp32"}};

} // namespace

TEST(EvalControl, KnownBranchesAreTakenAtCompileTime) {
  std::string ir = bodyIr("if MODE == 'a':\n    tl.device_print('a')\nelif MODE == 'b':\n    undefined_name\n"
                          "else:\n    tl.device_print('c')\ny = 1 if B > 4 else undefined_name\n",
                          {{"MODE", "#'a'"}, {"B", "#8"}});
  EXPECT_TRUE(holds(ir, {"tile.print \"a\""}));
  EXPECT_EQ(ir.find("scf"), ir.npos);
  // A scalar that was assigned a constant is known as well.
  EXPECT_EQ(bodyIr("flag = True\nif flag:\n    tl.device_print('a')").find("scf"), std::string::npos);
}

TEST(EvalControl, ChangedVariablesAreResultsOfABranch) {
  EXPECT_TRUE(holds(
      bodyIr("y = x\nz = x\nif n > 0:\n    y = x + 1.0\nelif n < -5:\n    y = x * 2.0\ntl.store(p, y + z)",
             arguments),
      {"arith.cmpi sgt", "%1 = scf.if", "-> (f32) {", "arith.addf", "scf.yield", "} else {", "arith.cmpi slt",
       "scf.if", "-> (f32) {", "arith.mulf", "scf.yield", "} else {", "scf.yield %arg1", "scf.yield",
       "arith.addf", "tile.store"}));
  // Defined on both sides.
  EXPECT_TRUE(holds(bodyIr("if n:\n    y = 1\nelse:\n    y = 2\ntl.store(p, y)", arguments),
                    {"arith.cmpi ne", "scf.if", "-> (i32)", "scf.yield %c1_i32", "scf.yield %c2_i32"}));
  // Tuples are taken apart; what stays the same is no result.
  EXPECT_TRUE(
      holds(bodyIr("t = (x, n)\nif n > 0:\n    t = (x * 2.0, n)\ntl.store(p + t[1], t[0])", arguments),
            {"-> (f32, i32)"}));
  EXPECT_TRUE(holds(bodyIr("if n > 0:\n    tl.store(p, x)", arguments),
                    {"scf.if %0 {", "tile.store", "}", "return"}));
}

TEST(EvalControl, ConditionalExpressions) {
  EXPECT_TRUE(holds(bodyIr("y = x if n > 0 else 0.0\ntl.store(p, y)", arguments),
                    {"scf.if", "-> (f32)", "scf.yield %arg1", "arith.constant 0.000000e+00", "scf.yield"}));
}

TEST(EvalControl, EarlyReturnsPutTheRestOnTheOtherSide) {
  EXPECT_TRUE(
      holds(bodyIr("if n < 0:\n    return\ntl.store(p, x)\nif n > 5:\n    tl.store(p, 1.0)\n    "
                   "return\ntl.store(p, 2.0)",
                   arguments),
            {"arith.cmpi slt", "scf.if %0 {", "} else {", "tile.store %arg2, %arg1", "arith.cmpi sgt",
             "scf.if", "1.000000e+00", "tile.store", "} else {", "2.000000e+00", "tile.store", "return"}));
  Evaluated helper = evaluate(R"(
@triton.jit
def f(x, n):
    if n > 0:
        if n > 10:
            return x * 2.0
        x = x + 1.0
    return x
@triton.jit
def k(p, n):
    tl.store(p, f(tl.load(p), n))
)",
                              {{"p", "*fp32"}, {"n", "i32"}}, false, "k");
  EXPECT_EQ(helper.errors, "");
  EXPECT_TRUE(holds(helper.ir, {"scf.if", "-> (f32)", "scf.if", "-> (f32)", "arith.mulf", "scf.yield",
                                "} else {", "arith.addf", "scf.yield", "tile.store"}));
}

TEST(EvalControl, StaticRangesUnroll) {
  std::string ir = bodyIr(
      "for i in tl.static_range(1, 4):\n    tl.device_print('', tl.zeros([1 << i], tl.int8))", arguments);
  EXPECT_TRUE(holds(ir, {"tensor<2xi8>", "tensor<4xi8>", "tensor<8xi8>"}));
  EXPECT_EQ(ir.find("scf"), ir.npos);
  EXPECT_EQ(bodyMessages("for name, i in [('a', 1), ('b', 2)]:\n    tl.static_print(name, i)"), "a 1\nb 2\n");
  EXPECT_EQ(bodyMessages("y = [a * 2 for a in (n, x)]\ntl.static_print(y)", arguments), "[int32, fp32]\n");
}

TEST(EvalControl, LoopsCarryWhatTheyAssign) {
  EXPECT_TRUE(holds(bodyIr("acc = 0.0\ncount = 0\nfor i in range(n):\n    acc += tl.load(p + i)\n    t = "
                           "acc\n    count += 1\ntl.store(p, acc)",
                           arguments),
                    {"%0:2 = scf.for %arg3 = %c0_i32", "to %arg0 step %c1_i32",
                     "iter_args(%arg4 = %cst, %arg5 = %c0_i32", "-> (f32, i32)  : i32", "tile.load",
                     "arith.addf", "arith.addi", "scf.yield", "tile.store %arg2, %0#0"}));
  EXPECT_TRUE(
      holds(bodyIr("for i in tl.range(0, 16, 4, num_stages=2):\n    tl.device_print('i', i)", arguments),
            {"scf.for %arg3 = %c0_i32 to %c16_i32 step %c4_i32", ": i32 {", "tile.print"}));
  // Downwards, the variable is computed from an upward count.
  EXPECT_TRUE(
      holds(bodyIr("for i in range(n, 0, -2):\n    tl.device_print('i', i)", arguments),
            {"scf.for %arg3 = %c0_i32 to %arg0 step %c2_i32", "arith.subi %arg0, %arg3", "tile.print"}));
  EXPECT_TRUE(holds(bodyIr("for i in range(0, m):\n    tl.device_print('i', i)", {{"m", "u64"}}),
                    {"scf.for unsigned", ": i64"}));
}

TEST(EvalControl, VariablesOfLoopsWithinStartAnew) {
  EXPECT_TRUE(
      holds(bodyIr("for i in range(n):\n    for j in tl.static_range(2):\n        tl.store(p + j, x)\n"
                   "for i in range(n):\n    for j in range(n):\n        tl.store(p + j, x)\n"
                   "for j in range(n):\n    for i in tl.static_range(2):\n        tl.store(p + i, x)\n",
                   arguments),
            {"scf.for", ": i32 {", "scf.for", "scf.for", "scf.for"}));
}

TEST(EvalControl, WhileLoops) {
  EXPECT_TRUE(holds(bodyIr("i = n\nwhile i > 1:\n    i = i // 2\ntl.store(p, i)", arguments),
                    {"scf.while (%arg3 = %arg0) : (i32) -> i32", "arith.cmpi sgt, %arg3", "scf.condition",
                     "do {", "arith.divsi", "scf.yield", "tile.store"}));
  // A loop that is known not to run.
  EXPECT_TRUE(holds(bodyIr("while False:\n    tl.device_print('x')"), {"return"}));
}

TEST(EvalControl, NumbersOfTheLaunchMayBeReassigned) {
  EXPECT_TRUE(holds(bodyIr("for i in range(4):\n    m = m + 1\ntl.device_print('m', m)", {{"m", "i32=1"}}),
                    {"scf.for", "iter_args(", "= %c1_i32"}));
}

TEST(EvalControl, EarlyReturnsOfEveryShape) {
  auto helper = [](const std::string &body, const std::string &use = "tl.store(p, f(x, n))") {
    Evaluated result =
        evaluate("@triton.jit\ndef f(x, n):\n" + body + "@triton.jit\ndef k(p, x, n):\n    " + use + "\n",
                 {{"p", "*fp32"}, {"x", "fp32"}, {"n", "i32"}}, false, "k");
    EXPECT_EQ(result.errors, "");
    return result.ir;
  };
  EXPECT_TRUE(holds(
      helper("    if n > 0:\n        return x\n    elif n < -5:\n        return x * 2.0\n    else:\n        "
             "return 0.0\n"),
      {"scf.if", "-> (f32)", "scf.if", "-> (f32)", "scf.yield"}));
  EXPECT_TRUE(holds(
      helper("    if n > 0:\n        for i in range(n):\n            x += 1.0\n        return x\n    x = x * "
             "2.0\n    return x\n"),
      {"scf.if", "-> (f32)", "scf.for", "else", "arith.mulf"}));
  EXPECT_TRUE(holds(helper("    if n > 0:\n        return x, n\n    return x * 2.0, 1\n",
                           "a, b = f(x, n)\n    tl.store(p + b, a)"),
                    {"scf.if", "-> (f32, i32)"}));
  // The caller goes on, even within a loop.
  EXPECT_TRUE(holds(helper("    if n > 0:\n        return x\n    return -x\n",
                           "for i in range(n):\n        tl.store(p + i, f(x, i))\n    tl.store(p, 1.0)"),
                    {"scf.for", "scf.if", "-> (f32)", "tile.store", "tile.store"}));
  EXPECT_TRUE(holds(
      helper("    if n > 0:\n        return\n    tl.device_print('x', x)\n", "f(x, n)\n    tl.store(p, x)"),
      {"scf.if", "else", "tile.print", "tile.store"}));
  // A `return` on a side that is not taken does not count.
  EXPECT_EQ(helper("    if n is None:\n        return 1\n    return x\n").find("scf"), std::string::npos);
  EXPECT_TRUE(holds(
      bodyIr(
          "pid = tl.program_id(0)\nif pid >= n:\n    return\nacc = 0.0\nfor i in range(pid, n):\n    acc += "
          "tl.load(p + i)\ntl.store(p, acc)",
          arguments),
      {"scf.if", "} else {", "scf.for", "tile.store", "return"}));
}

TEST(EvalControl, WhatBranchesMayChange) {
  // Pointers, tuples and tensors.
  EXPECT_TRUE(holds(bodyIr("t = (p, 1.0)\nif n > 0:\n    t = (p + n, x)\ntl.store(t[0], t[1])", arguments),
                    {"scf.if", "-> (!tile.ptr<f32>, f32)"}));
  EXPECT_TRUE(
      holds(bodyIr("y = tl.arange(0, 8) * x\nif n > 0:\n    y += 1.0\nelse:\n    if n < -8:\n        y *= "
                   "2.0\ntl.store(p + tl.arange(0, 8), y)",
                   arguments),
            {"scf.if", "-> (tensor<8xf32>)", "scf.if", "-> (tensor<8xf32>)"}));
  EXPECT_TRUE(holds(bodyIr("a, b = (x, n) if n > 0 else (0.0, 1)\ntl.store(p + b, a)", arguments),
                    {"scf.if", "-> (f32, i32)"}));
  EXPECT_TRUE(holds(bodyIr("q = p + 4 if n > 0 else p\ntl.store(q, x)", arguments),
                    {"scf.if", "-> (!tile.ptr<f32>)"}));
  EXPECT_TRUE(holds(bodyIr("y = tl.arange(0, 8)\nz = y + 1 if n > 0 else y\ntl.store(p + z, x)", arguments),
                    {"scf.if", "-> (tensor<8xi32>)"}));
}

TEST(EvalControl, TruthsOfEveryKind) {
  EXPECT_TRUE(holds(bodyIr("if n > 0 and x > 0.0 and not (n > 8 or x > 2.0):\n    tl.store(p, x)", arguments),
                    {"arith.andi", "arith.ori", "arith.xori", "arith.andi", "scf.if"}));
  // What is known is decided; the rest is run.
  EXPECT_EQ(bodyIr("if w is not None and tl.load(w) > 0:\n    tl.store(p, x)",
                   {{"w", "#none"}, {"p", "*fp32"}, {"x", "fp32"}})
                .find("scf"),
            std::string::npos);
  EXPECT_TRUE(holds(bodyIr("if w is not None and tl.load(w) > 0:\n    tl.store(p, x)",
                           {{"w", "*fp32"}, {"p", "*fp32"}, {"x", "fp32"}}),
                    {"tile.load", "scf.if"}));
  EXPECT_TRUE(holds(bodyIr("y = x if w is None else x + tl.load(w)\nif not w:\n    y = 1.0\ntl.store(p, y)",
                           {{"w", "#none"}, {"p", "*fp32"}, {"x", "fp32"}}),
                    {"tile.store %arg0, %cst"}));
  EXPECT_TRUE(holds(bodyIr("if A == 'leaky_relu':\n    x = tl.where(x >= 0, x, 0.01 * x)\nelif A in ('relu', "
                           "'relu6'):\n    x = "
                           "undefined\ntl.store(p, x)",
                           {{"A", "#'leaky_relu'"}, {"p", "*fp32"}, {"x", "fp32"}}),
                    {"arith.select"}));
  // A flag of a loop is carried.
  EXPECT_TRUE(holds(
      bodyIr("first = True\nfor i in range(n):\n    if first:\n        tl.store(p + i, x)\n    first = False",
             arguments),
      {"scf.for", "%true", "-> (i1)", "scf.if"}));
}

TEST(EvalControl, FunctionsAreChosenAtCompileTime) {
  const std::string functions =
      "@triton.jit\ndef a(x):\n    return x + 1.0\n@triton.jit\ndef b(x):\n    return x * 2.0\n"
      "@triton.jit\ndef apply(f: tl.constexpr, x):\n    return f(x)\n@triton.jit\ndef k(p, x, n, M: "
      "tl.constexpr):\n    ";
  const NamedArguments given = {{"p", "*fp32"}, {"x", "fp32"}, {"n", "i32"}, {"M", "#'b'"}};
  for (const char *body :
       {"f = a if M == 'a' else b\n    tl.store(p, f(x))", "tl.store(p, apply(b, x))",
        "if M == 'a':\n        f = a\n    else:\n        f = b\n    for i in range(n):\n        x = "
        "apply(f, x)\n    tl.store(p, x)",
        "for f in (b, b):\n        tl.store(p, f(x))"}) {
    Evaluated result = evaluate(functions + body + "\n", given, false, "k");
    EXPECT_EQ(result.errors, "") << body;
    EXPECT_TRUE(holds(result.ir, {"arith.mulf"}));
    EXPECT_EQ(result.ir.find("arith.addf"), result.ir.npos);
  }
  EXPECT_EQ(fileErrors(functions + "f = a if n > 0 else b\n", given, "k"),
            "12:9-26: Ternary expression with dynamic condition has inconsistent types: expected one type on "
            "both sides of the branch, found "
            "function `a` and "
            "function `b`\n");
}

TEST(EvalControl, ConstantsOfUnrolledLoops) {
  EXPECT_EQ(
      bodyMessages("for i in tl.static_range(3):\n    at: tl.constexpr = i * 4\n    tl.static_print(at)"),
      "0\n4\n8\n");
  EXPECT_TRUE(
      holds(bodyIr("for i in range(n):\n    at: tl.constexpr = 8\n    tl.store(p + tl.arange(0, at), x)",
                   arguments),
            {"scf.for", "tile.arange 0 to 8"}));
}

TEST(EvalControl, ReturnsOfTwoTypes) {
  const NamedArguments given = {{"x", "fp32"}, {"n", "i32"}};
  auto errors = [&](const std::string &body) {
    return fileErrors("@triton.jit\ndef f(x, n):\n" + body + "@triton.jit\ndef k(x, n):\n    y = f(x, n)\n",
                      given, "k");
  };
  EXPECT_EQ(errors("    if n > 0:\n        return x\n    return n\n"),
            "5:5-13: Inconsistent return types: expected one type on both sides of the branch, found fp32 "
            "and int32\n"
            "  8:9-16: `f` is called here\n"
            "  4:9-17: fp32 is returned here\n");
  EXPECT_EQ(errors("    if n > 0:\n        return x, n\n    return\n"),
            "5:5-11: Inconsistent return types: expected one type on both sides of the branch, found (fp32, "
            "int32) and None\n"
            "  8:9-16: `f` is called here\n"
            "  4:9-20: (fp32, int32) is returned here\n");
}

TEST(EvalControl, WhatAFunctionReturnsThatEndsWithoutReturnIsUndefined) {
  auto evaluated = [&](const std::string &body) {
    return evaluate("@triton.jit\ndef f(x, n):\n" + body +
                        "@triton.jit\ndef k(p, x, n):\n    y = f(x, n)\n    tl.store(p, y)\n",
                    {{"p", "*fp32"}, {"x", "fp32"}, {"n", "i32"}}, false, "k");
  };
  const std::string warning = ": the function may end without `return`: what it returns then is undefined\n"
                              "  9:9-16: `f` is called here\n";
  Evaluated made = evaluated("    if n > 0:\n        return x\n");
  EXPECT_EQ(summary(made.diagnostics), "6:9-17" + warning);
  EXPECT_TRUE(holds(made.ir, {"scf.if", "scf.yield %arg1 : f32", "} else {", "scf.yield %cst : f32"}))
      << made.ir;
  // Also where a variable says that there is no value, and nothing else gives the type.
  made = evaluated("    a = False\n    if a:\n        return x\n");
  EXPECT_TRUE(holds(made.ir, {"tile.store %arg0"})) << made.ir;
  made = evaluated("    if n > 0:\n        return x\n    elif n > 3:\n        return x + 1\n");
  EXPECT_TRUE(holds(made.ir, {"scf.if", "scf.if", "tile.store"})) << made.ir;
}

TEST(EvalControl, ALoopWhoseVariableSaysThatItNeverEndsIsOne) {
  // What stands in the condition itself is refused, as in Triton.
  Evaluated made =
      evaluate("@triton.jit\ndef k(n):\n    i = 0\n    while i < 10:\n        tl.device_print('', n)\n",
               {{"n", "i32"}}, false, "k");
  EXPECT_EQ(summary(made.diagnostics), "6:11-17: the loop never ends: its condition is always true\n");
  EXPECT_TRUE(holds(made.ir, {"scf.while", "scf.condition(%true)", "tile.print"})) << made.ir;
}

TEST(EvalControl, Errors) {
  struct Case {
    const char *body, *errors;
  };
  for (
      Case c : {
          Case{"if tl.arange(0, 4) > 2:\n    pass",
               "1:4-23: expected a scalar condition, found int1[4]\n"
               "  help: choose between the elements of tensors with `tl.where`\n"},
          Case{"if n > 0:\n    y = 1\nelse:\n    y = 2.0\nz = y",
               "1:4-9: Mismatched type for y: expected one type on both sides of the branch, found int32 and "
               "fp32\n"
               "  2:5-6: the first side leaves it with int32\n"
               "  4:5-6: the other side leaves it with fp32\n"},
          Case{"if n > 0:\n    y = 1\nz = y", "3:5-6: `y` may have no value here\n"
                                              "  2:5-6: it is assigned only in a branch or a loop\n"
                                              "  help: give it a value before the branch or loop\n"},
          Case{"z = 1 if n > 0 else x", "1:5-22: Ternary expression with dynamic condition has inconsistent "
                                        "types: expected one type on both sides "
                                        "of the branch, found int32 and fp32\n"},
          Case{"acc = 0\nfor i in range(n):\n    acc = acc + x",
               "3:5-8: expected `acc` to keep its type around the loop, found int32 before and fp32 after "
               "its body\n"
               "  1:1-4: its value before the loop is set here\n"
               "  help: convert it with `.to(...)`\n"},
          Case{"for i in range(x):\n    pass",
               "1:10-18: expected integer scalars as the bounds of a loop, found fp32\n"},
          Case{"for i in range(n):\n    return",
               "2:5-11: Cannot have `return` statements inside `while` or `for` statements in triton\n"},
          Case{"for i in range(n):\n    if i > 2:\n        return",
               "2:8-13: Cannot have `return` statements inside `while` or `for` statements in triton under a "
               "run-time condition\n"},
          Case{"for i in range(n):\n    if i > 2:\n        break",
               "3:9-14: `break` cannot be used in a kernel\n"
               "  help: loops of a kernel run to their end: put the rest of the body under an `if`\n"},
          Case{"for i in n:\n    pass",
               "1:10-11: expected something to iterate over at compile time, found int32\n"},
          Case{"for i in range(n):\n    y = i\nz = y", "3:5-6: `y` may have no value here\n"
                                                       "  2:5-6: it is assigned only in a branch or a loop\n"
                                                       "  help: give it a value before the branch or loop\n"},
          Case{"for i in range(n):\n    pass\nelse:\n    pass",
               "1:1-19: `else` after a loop cannot be used in a kernel\n"},
          Case{"y = 1\nfor i in range(n):\n    if i > 2:\n        w = 1\n        y = w\n    z = w",
               "6:9-10: `w` may have no value here\n"
               "  4:9-10: it is assigned only in a branch or a loop\n"
               "  help: give it a value before the branch or loop\n"},
          Case{"for i in range(n):\n    print('', (i := 2))\nz = 1", ""},
          Case{"j = 0\nfor i in range(n):\n    j = 1\n    for j in range(n):\n        pass",
               "4:9-10: `j` may have no value at the end of the loop's body\n"},
          Case{"while True:\n    pass", "1:7-11: the loop never ends: its condition is always true\n"},
          Case{
              "c: tl.constexpr = 4\nfor i in range(n):\n    c = 5",
              "3:5-6: `c` is declared `constexpr` and already has a value\n  1:1-2: it got its value here\n"},
          Case{
              "for i in tl.static_range(n):\n    pass",
              "1:10-28: `tl.static_range`: expected integers known at compile time as bounds, found int32\n"},
          Case{"t = (x, n)\nif n > 0:\n    t = (n, x)\n",
               "2:4-9: Mismatched type for t: expected one type on both sides of the branch, found (int32, "
               "fp32) and "
               "(fp32, "
               "int32)\n"
               "  3:5-6: the first side leaves it with (int32, fp32)\n"
               "  1:1-2: the other side leaves it with (fp32, int32)\n"},
          Case{"s = 'a'\nif n > 0:\n    s = 'b'\n",
               "2:4-9: Mismatched type for s: expected one type on both sides of the branch, found str and "
               "str\n"
               "  3:5-6: the first side leaves it with str\n"
               "  1:1-2: the other side leaves it with str\n"
               "  help: what is known at compile time must be the same on both sides\n"},
          Case{"y = None\nif n > 0:\n    y = x\n", "2:4-9: Mismatched type for y: expected one type on both "
                                                   "sides of the branch, found fp32 and None\n"
                                                   "  3:5-6: the first side leaves it with fp32\n"
                                                   "  1:1-2: the other side leaves it with None\n"},
          Case{"y = [i for i in (1, 2) if n]",
               "1:27-28: expected a value known at compile time as a comprehension's filter, found int32\n"},
          Case{"if n > 0:\n    if x > 0:\n        w = 1\n    v = 1\nelse:\n    w = 2\n    v = 1\nz = w + v",
               "8:5-6: `w` may have no value here\n"
               "  3:9-10: it is assigned only in a branch or a loop\n"
               "  help: give it a value before the branch or loop\n"},
      })
    EXPECT_EQ(bodyErrors(c.body, arguments), c.errors) << c.body;
}
