// `tl.reduce` and the reductions that the language makes of it.
#include "test/compiler/frontend/Harness.h"

using namespace tegula;
using namespace tegula::test;

namespace {

const NamedArguments arguments = {{"p", "*fp32"}, {"h", "*fp16"}, {"b", "*bf16"}, {"q", "*i32"},
                                  {"s", "*i8"},   {"u", "*u8"},   {"n", "i32"}};

/// The IR of `result`, printed, with `x` an `x` of 16 x 32 elements behind `pointer`.
std::string of(const std::string &pointer, const std::string &result) {
  return bodyIr("x = tl.load(" + pointer +
                    " + tl.arange(0, 16)[:, None] * 32 + tl.arange(0, 32)[None, :])\ny = " + result +
                    "\ntl.device_print('y', y)",
                arguments);
}

/// Returns the type of `result` in the language's words.
std::string typeOf(const std::string &pointer, const std::string &result) {
  std::string text = bodyMessages("x = tl.load(" + pointer +
                                      " + tl.arange(0, 16)[:, None] * 32 + tl.arange(0, 32)[None, :])\n"
                                      "tl.static_print(" +
                                      result + ")",
                                  arguments);
  return text.substr(0, text.find('\n'));
}

/// The one op between the region's arguments and its end.
testing::AssertionResult combinesBy(const std::string &ir, const std::string &op) {
  size_t begin = ir.find("^bb0("), yield = ir.find("tile.yield", begin);
  if (begin == ir.npos || yield == ir.npos)
    return testing::AssertionFailure() << "no region in\n" << ir;
  begin = ir.find('\n', begin) + 1;
  std::string body = ir.substr(begin, ir.rfind('\n', yield) + 1 - begin);
  if (std::count(body.begin(), body.end(), '\n') == 1 && body.find(op) != body.npos)
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << "expected `" << op << "` alone, found\n" << body;
}

const std::string combine = R"(
@triton.jit
def add(a, b):
    return a + b
@triton.jit
def welford(mean1, m2_1, weight1, mean2, m2_2, weight2):
    delta = mean2 - mean1
    weight = weight1 + weight2
    ratio = tl.where(weight == 0.0, 0.0, weight2 / weight)
    return mean1 + delta * ratio, m2_1 + m2_2 + delta * delta * weight1 * ratio, weight
@triton.jit
def two(a, b):
    return a, b
@triton.jit
def widened(a, b):
    return a.to(tl.float64) + b
@triton.jit
def nothing(a, b):
    pass
@triton.jit
def prints(a, b):
    tl.device_print('a', a)
    return a + b
@triton.jit
def asserts(a, b):
    tl.device_assert(tl.max(tl.full((1,), b, tl.float32) - a, 0) > 0, 'rises')
    return a + b
@triton.jit
def barrier(a, b):
    tl.debug_barrier()
    return a + b
@triton.jit
def tensors(a, b):
    return a + tl.sum(tl.arange(0, 4) * b)
@triton.jit
def unused(a, b):
    c = tl.arange(0, 4)
    return a + b
@triton.jit
def single(a, b):
    c = tl.where(tl.full([1, 1], 1, tl.int1), a, tl.zeros([1, 1], tl.float32))
    return tl.sum(tl.expand_dims(tl.reshape(c, [1]), 0) + tl.maximum(b, 0)[None, None])
@triton.jit
def stores(a, b):
    tl.store(a.to(tl.int64).to(tl.pointer_type(tl.float32)), 1.0)
    return a + b
@triton.jit
def reads(a, b):
    return a + tl.load(b.to(tl.int64).to(tl.pointer_type(tl.float32)))
@triton.jit
def assumes(a, b):
    tl.assume(a > b)
    return a + b
@triton.jit
def chooses(a, b):
    if a > b:
        return a
    return b
@triton.jit
def mistaken(a, b):
    return a + b + undefined
def plain(a, b):
    return a + b
@triton.jit
def k(p, n):
    x = tl.load(p + tl.arange(0, 16)[:, None] * 32 + tl.arange(0, 32)[None, :])
    one = tl.full([16, 1], 1.0, tl.float32)
)";

std::string withCombine(const std::string &line) { return combine + "    " + line + "\n"; }

std::string reduceIr(const std::string &line) {
  Evaluated result = evaluate(withCombine(line), {{"p", "*fp32"}, {"n", "i32"}}, false, "k");
  EXPECT_EQ(result.errors, "");
  return result.ir;
}

std::string reduceErrors(const std::string &line) {
  return fileErrors(withCombine(line), {{"p", "*fp32"}, {"n", "i32"}}, "k");
}

} // namespace

TEST(EvalReduction, CombinesByTheUsersFunction) {
  EXPECT_TRUE(
      holds(reduceIr("tl.device_print('', tl.reduce(x, 1, add))"),
            {"tile.reduce %", "axis 1 : tensor<16x32xf32> -> tensor<16xf32> {", "^bb0(%", ": f32, %",
             ": f32):", "arith.addf", "fastmath<contract> : f32", "tile.yield", ": f32", "tile.print"}));
  EXPECT_TRUE(holds(reduceIr("tl.device_print('', x.reduce(-2, combine_fn=add))"),
                    {"axis 0 : tensor<16x32xf32> -> tensor<32xf32>"}));
  // Control flow of the function is in the region.
  EXPECT_TRUE(holds(reduceIr("tl.device_print('', tl.reduce(x, 1, chooses))"),
                    {"tile.reduce", "arith.cmpf ogt", "scf.if", "tile.yield"}));
}

TEST(EvalReduction, AllAxesAreOneFirst) {
  EXPECT_TRUE(holds(reduceIr("tl.device_print('', tl.reduce(x, None, add))"),
                    {"tile.reshape", "tensor<16x32xf32> -> tensor<512xf32>", "tile.reduce",
                     "axis 0 : tensor<512xf32> -> f32"}));
  EXPECT_TRUE(holds(reduceIr("tl.device_print('', tl.reduce(x, None, add, keep_dims=True))"),
                    {"axis 0 : tensor<512xf32> -> f32", "tile.splat", "f32 -> tensor<1x1xf32>"}));
  EXPECT_TRUE(holds(reduceIr("tl.device_print('', tl.reduce(tl.load(p), None, add, keep_dims=True))"),
                    {"tensor<1xf32> -> f32", "tile.print"}));
}

TEST(EvalReduction, KeepsDimensions) {
  EXPECT_TRUE(holds(reduceIr("tl.device_print('', x / tl.reduce(x, 1, add, keep_dims=True))"),
                    {"-> tensor<16xf32>", "tensor<16xf32> -> tensor<16x1xf32>",
                     "tensor<16x1xf32> -> tensor<16x32xf32>", "arith.divf"}));
}

TEST(EvalReduction, SeveralTensorsTogether) {
  EXPECT_TRUE(holds(reduceIr("m, v, w = tl.reduce((x, tl.zeros_like(x), one), 1, welford)\n    "
                             "tl.device_print('', m, v, w)"),
                    {"tile.reduce %",
                     "axis 1 : tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32> -> tensor<16xf32>, "
                     "tensor<16xf32>, tensor<16xf32>",
                     "f32, %", "f32, %", "f32, %", "f32, %", "f32, %", "f32):", "arith.subf", "arith.select",
                     "tile.yield %", ": f32, f32, f32"}));
  // A tuple gives a tuple.
  EXPECT_TRUE(holds(reduceIr("(m,) = tl.reduce((x,), 1, add)\n    tl.device_print('', m)"), {"tile.reduce"}));
}

TEST(EvalReduction, Errors) {
  const int line = int(std::count(combine.begin(), combine.end(), '\n')) + 1;
  std::string at = std::to_string(line) + ":";
  auto check = [&](const char *call, const std::string &errors) {
    EXPECT_EQ(reduceErrors(call), at + errors) << call;
  };
  check("y = tl.reduce(x, 2, add)", "22-23: `tl.reduce`: invalid axis 2, expected one from -2 to 1\n");
  check("y = tl.reduce(tl.load(p), 0, add)", "31-32: `tl.reduce`: invalid axis 0, a scalar has none\n");
  check("y = tl.reduce(x, n, add)",
        "22-23: `tl.reduce`: expected an integer known at compile time, found int32\n"
        "  help: declare it `tl.constexpr`, as a parameter or as `name: tl.constexpr = ...`\n");
  check("y = tl.reduce(p, 0, add)",
        "19-20: `tl.reduce`: expected tensors of numbers to reduce, found pointer<fp32>\n");
  check("y = tl.reduce('x', 0, add)",
        "19-22: `tl.reduce`: expected tensors of numbers to reduce, found str\n");
  check("y = tl.reduce((), 0, add)",
        "19-21: `tl.reduce`: expected one or more tensors to reduce, found an empty tuple\n");
  check("y = tl.reduce((x, tl.arange(0, 8)), 0, add)",
        "19-39: the tensors to reduce: expected shapes that broadcast, found [16, 32] and [8]\n"
        "  " +
            std::to_string(line - 2) + ":9-80: the operand of shape [16, 32] is made here\n");
  check("y = tl.reduce(x, 0, tl.maximum)",
        "25-35: `tl.reduce`: expected a `@triton.jit` function that combines "
        "two elements, found function `tl.maximum`\n");
  check("y = tl.reduce(x, 0, x.sum)", "25-30: `tl.reduce`: expected a `@triton.jit` function that combines "
                                      "two elements, found function `sum`\n");
  check("y = tl.reduce(x, 0, 1)",
        "25-26: `tl.reduce`: expected a `@triton.jit` function that combines two elements, found int\n");
  check("y = tl.reduce(x, 0, add, keep_dims=n)",
        "30-41: `tl.reduce`: expected a truth known at compile time, found int32\n");
}

TEST(EvalReduction, TensorsOfOneElementAreScalarsInTheFunction) {
  std::string ir = evaluate(withCombine("y = tl.reduce(x, 0, single)\ntl.device_print('y', y)"),
                            {{"p", "*fp32"}, {"n", "i32"}}, false, "k")
                       .ir;
  size_t begin = ir.find("^bb0("), end = ir.find("tile.yield", begin);
  ASSERT_NE(end, ir.npos) << ir;
  std::string body = ir.substr(begin, end - begin);
  EXPECT_EQ(body.find("tensor<"), body.npos) << body;
  EXPECT_TRUE(holds(body, {"arith.maxnumf", "arith.addf"}));
  // What nothing uses goes, whatever it is.
  ir = evaluate(withCombine("y = tl.reduce(x, 0, unused)\ntl.device_print('y', y)"),
                {{"p", "*fp32"}, {"n", "i32"}}, false, "k")
           .ir;
  EXPECT_TRUE(combinesBy(ir, "arith.addf"));
}

TEST(EvalReduction, TheFunctionMayAssertAndPrint) {
  std::string ir =
      evaluate(withCombine("y = tl.reduce(x, 0, prints)"), {{"p", "*fp32"}, {"n", "i32"}}, false, "k").ir;
  EXPECT_TRUE(holds(ir, {"tile.reduce", "tile.print \" a: \" [false] values(%", ": f32", "tile.yield"}))
      << ir;
  ir = evaluate(withCombine("y = tl.reduce(x, 0, asserts)"), {{"p", "*fp32"}, {"n", "i32"}}, /*debug=*/true,
                "k")
           .ir;
  EXPECT_TRUE(holds(ir, {"tile.reduce", "tile.assert %", "\"rises\" : i1", "tile.yield"})) << ir;
}

TEST(EvalReduction, ErrorsOfTheFunction) {
  struct Case {
    const char *function, *message;
  };
  for (Case c : {
           Case{"two", "`tl.reduce`: expected `two` to return 1 value, found 2"},
           Case{"widened", "`tl.reduce`: expected `widened` to return fp32, found fp64"},
           Case{"nothing", "`tl.reduce`: expected `nothing` to return fp32, found None"},
           Case{"barrier", "`tl.reduce`: expected a function that only combines two scalars, but `barrier` "
                           "waits for other threads"},
           Case{"assumes", "`tl.reduce`: expected a function that only combines two scalars, but `assumes` "
                           "states what holds"},
           Case{"tensors", "`tl.reduce`: expected a function that only combines two scalars, but `tensors` "
                           "makes a tensor"},
           Case{
               "stores",
               "`tl.reduce`: expected a function that only combines two scalars, but `stores` writes memory"},
           Case{"reads",
                "`tl.reduce`: expected a function that only combines two scalars, but `reads` reads memory"},
           Case{"mistaken", "name `undefined` is not defined"},
           Case{"welford", "`welford`: missing argument `weight1`"},
           Case{"plain",
                "expected a `@triton.jit` function to call from a kernel, found the plain function `plain`"},
       }) {
    std::string argument = std::string_view(c.function) == "stores" || std::string_view(c.function) == "reads"
                               ? "x.to(tl.float32)"
                               : "x";
    Evaluated result = evaluate(withCombine("y = tl.reduce(" + argument + ", 0, " + c.function + ")"),
                                {{"p", "*fp32"}, {"n", "i32"}}, false, "k");
    ASSERT_FALSE(result.diagnostics.empty()) << c.function;
    EXPECT_EQ(result.diagnostics[0].message, c.message);
    EXPECT_FALSE(result.diagnostics[0].sourceLine.empty());
  }
  // The place in the function is shown.
  EXPECT_TRUE(holds(reduceErrors("y = tl.reduce(x, 0, barrier)"), {"it does so here"}));
  EXPECT_TRUE(holds(reduceErrors("y = tl.reduce(x, 0, two)"), {"`two` is defined here"}));
  EXPECT_TRUE(
      holds(reduceErrors("y = tl.reduce((x, n), 0, add)"), {"`add`: expected at most 2 arguments, found 4"}));
}

TEST(EvalReduction, DebugKernelsCheckForOverflowInTheRegion) {
  const char *body = "tl.device_print('', tl.sum(tl.arange(0, 64)))";
  EXPECT_TRUE(holds(bodyIr(body, {}, /*debug=*/true),
                    {"tile.reduce", "tile.assert", "int32 overflow in `+`", "arith.addi", "tile.yield"}));
  EXPECT_EQ(bodyIr(body).find("tile.assert"), std::string::npos);
}

TEST(EvalReduction, SumsKeepTheirTypeButForShortIntegers) {
  EXPECT_EQ(typeOf("p", "tl.sum(x, 1)"), "fp32[16]");
  EXPECT_EQ(typeOf("h", "tl.sum(x, axis=0)"), "fp16[32]");
  EXPECT_EQ(typeOf("b", "x.sum(0)"), "bf16[32]");
  EXPECT_EQ(typeOf("s", "x.sum(axis=1)"), "int32[16]");
  EXPECT_EQ(typeOf("u", "tl.sum(x, 1)"), "uint32[16]");
  EXPECT_EQ(typeOf("p", "tl.sum(x > 0, 1)"), "uint32[16]");
  EXPECT_EQ(typeOf("s", "tl.sum(x, 1, dtype=tl.int8)"), "int8[16]");
  EXPECT_EQ(typeOf("h", "tl.sum(x, 1, dtype=tl.float32)"), "fp32[16]");
  EXPECT_EQ(typeOf("p", "tl.sum(x, 1, keep_dims=True)"), "fp32[16, 1]");
  EXPECT_EQ(typeOf("p", "tl.sum(x)"), "fp32");
  EXPECT_EQ(typeOf("p", "tl.sum(x, keep_dims=True)"), "fp32[1, 1]");
  EXPECT_TRUE(combinesBy(of("p", "tl.sum(x, 1)"), "fastmath<contract> : f32"));
  EXPECT_TRUE(combinesBy(of("h", "tl.sum(x, 1)"), ": f16"));
  EXPECT_TRUE(combinesBy(of("q", "tl.sum(x, 1)"), "arith.addi"));
  EXPECT_TRUE(holds(of("p", "tl.sum(x > 0, 1)"), {"arith.extui", "tile.reduce"}));
  EXPECT_TRUE(holds(of("s", "tl.sum(x, 1)"), {"arith.extsi", "tile.reduce"}));
}

TEST(EvalReduction, ExtremaAreAtLeast32BitsWide) {
  EXPECT_EQ(typeOf("p", "tl.max(x, 1)"), "fp32[16]");
  EXPECT_EQ(typeOf("h", "x.max(0)"), "fp32[32]");
  EXPECT_EQ(typeOf("b", "tl.min(x, 1)"), "fp32[16]");
  EXPECT_EQ(typeOf("s", "tl.max(x, 1)"), "int32[16]");
  EXPECT_EQ(typeOf("u", "tl.min(x, 1)"), "int32[16]");
  EXPECT_EQ(typeOf("p", "tl.max(x, keep_dims=True)"), "fp32[1, 1]");
  EXPECT_TRUE(combinesBy(of("p", "tl.max(x, 1)"), "arith.maxnumf"));
  EXPECT_TRUE(combinesBy(of("p", "tl.min(x, 1)"), "arith.minnumf"));
  EXPECT_TRUE(combinesBy(of("q", "tl.max(x, 1)"), "arith.maxsi"));
  EXPECT_TRUE(combinesBy(of("q", "tl.min(x, 1)"), "arith.minsi"));
  EXPECT_TRUE(combinesBy(of("q", "tl.max(x.to(tl.uint32), 1)"), "arith.maxui"));
  EXPECT_TRUE(combinesBy(of("q", "tl.min(x.to(tl.uint32, bitcast=True), 1)"), "arith.minui"));
}

TEST(EvalReduction, IndicesComeWithExtrema) {
  EXPECT_EQ(typeOf("p", "tl.argmax(x, 1)"), "int32[16]");
  EXPECT_EQ(typeOf("p", "x.argmin(axis=0, tie_break_left=False)"), "int32[32]");
  EXPECT_EQ(typeOf("p", "tl.argmax(x, 1, keep_dims=True)"), "int32[16, 1]");
  EXPECT_EQ(typeOf("p", "tl.argmax(x, None)"), "int32");
  EXPECT_EQ(typeOf("h", "tl.max(x, 1, return_indices=True)"), "(fp16[16], int32[16])");
  EXPECT_EQ(typeOf("b", "tl.min(x, 1, return_indices=True, return_indices_tie_break_left=False)"),
            "(fp32[16], int32[16])");
  // The extremum, and the least place of those that equal it.
  EXPECT_TRUE(holds(of("q", "tl.argmax(x, 1)"),
                    {"tile.reduce", "axis 1 : tensor<16x32xi32> ->", "arith.maxsi", "arith.cmpi eq",
                     "tile.arange 0 to 32", "arith.constant dense<2147483647>", "arith.select", "tile.reduce",
                     "axis 1", "arith.minsi"}));
  // A NaN loses, unless there is nothing else.
  EXPECT_TRUE(holds(of("p", "tl.argmin(x, 1)"), {"arith.minnumf", "arith.cmpf oeq", "arith.cmpf une",
                                                 "arith.ori", "arith.select", "arith.minsi"}));
  // With values, the two are reduced as a pair.
  EXPECT_TRUE(holds(of("q", "tl.max(x, 1, return_indices=True)[1]"),
                    {"tile.arange 0 to 32", "tensor<32xi32> -> tensor<1x32xi32>", "-> tensor<16x32xi32>",
                     "tile.reduce", "axis 1 : tensor<16x32xi32>, tensor<16x32xi32>", "arith.cmpi sgt",
                     "arith.cmpi eq", "arith.cmpi slt", "arith.andi", "arith.ori", "arith.select",
                     "arith.select", "tile.yield"}));
  EXPECT_TRUE(holds(of("p", "tl.min(x, 1, return_indices=True)[1]"),
                    {"tile.reduce", "arith.cmpf olt", "arith.cmpf une", "arith.cmpf oeq", "arith.cmpi slt",
                     "arith.cmpf oeq", "arith.select", "tile.yield"}));
  // Without an axis, the number in row-major order.
  EXPECT_TRUE(holds(of("p", "tl.max(x, None, return_indices=True)[1]"),
                    {"tile.arange 0 to 512", "tile.reduce", "tensor<512xf32>, tensor<512xi32> -> f32, i32"}));
}

TEST(EvalReduction, BitsCombine) {
  EXPECT_TRUE(combinesBy(of("q", "tl.xor_sum(x, 1)"), "arith.xori"));
  EXPECT_TRUE(combinesBy(of("q", "x.reduce_or(0)"), "arith.ori"));
  EXPECT_EQ(typeOf("s", "tl.xor_sum(x)"), "int8");
  EXPECT_EQ(typeOf("s", "tl.reduce_or(x, 1, keep_dims=True)"), "int8[16, 1]");
}

TEST(EvalReduction, Softmax) {
  std::string row =
      bodyIr("x = tl.load(p + tl.arange(0, 64))\ntl.device_print('', tl.softmax(x))", arguments);
  EXPECT_TRUE(holds(row, {"tile.reduce", "arith.maxnumf", "tile.splat", "arith.subf", "math.exp",
                          "fastmath<afn>", "tile.reduce", "arith.addf", "tile.splat", "arith.divf",
                          "fastmath<afn>", "tensor<64xf32>"}));
  EXPECT_EQ(typeOf("p", "tl.softmax(x, 1)"), "fp32[16, 32]");
  EXPECT_EQ(typeOf("h", "x.softmax(dim=-1)"), "fp32[16, 32]");
  EXPECT_TRUE(holds(of("p", "tl.softmax(x, 1)"), {"axis 1", "tensor<16x1xf32> -> tensor<16x32xf32>"}));
  EXPECT_TRUE(holds(of("p", "tl.softmax(x, ieee_rounding=True)"), {"axis 0", "axis 0", "arith.divf %"}));
  EXPECT_EQ(typeOf("p", "tl.zeros_like(x)"), "fp32[16, 32]");
  EXPECT_EQ(typeOf("p", "tl.sigmoid(x)"), "fp32[16, 32]");
}

TEST(EvalReduction, ErrorsNameTheFunctionThatWasCalled) {
  const NamedArguments some = {{"x", "fp32"}, {"n", "i32"}, {"p", "*fp32"}};
  struct Case {
    const char *body, *errors;
  };
  for (Case c : {
           Case{"y = tl.sum(tl.arange(0, 8), 1)",
                "1:5-31: `tl.sum`: invalid axis 1, expected one from -1 to 0\n"},
           Case{"y = tl.max(x, axis=0)", "1:5-22: `tl.max`: invalid axis 0, a scalar has none\n"},
           Case{"y = tl.argmax(tl.arange(0, 8), 3)",
                "1:5-34: `tl.argmax`: invalid axis 3, expected one from -1 to 0\n"},
           Case{"y = tl.softmax(tl.arange(0, 8) * 1.0, 1)",
                "1:5-41: `tl.softmax`: invalid axis 1, expected one from -1 to 0\n"},
           Case{"y = tl.sum(p + tl.arange(0, 8))", "1:5-32: `tl.sum`: expected tensors of numbers to reduce, "
                                                   "found pointer<fp32>[8]\n"},
           Case{"y = tl.sum('a')", "1:5-16: str has no attribute `dtype`\n"},
           Case{"y = tl.sum(tl.arange(0, 8), n)",
                "1:5-31: `tl.sum`: expected an integer known at compile time, found int32\n"
                "  help: declare it `tl.constexpr`, as a parameter or as `name: tl.constexpr = ...`\n"},
           Case{"y = tl.sum(tl.arange(0, 8), dtype=8)",
                "1:5-37: `tl.sum`: expected a type such as `tl.float32`, found int\n"},
           Case{"y = tl.xor_sum(x)", "1:5-18: `tl.xor_sum`: expected integers, found fp32\n"},
           Case{"y = tl.reduce_or(x, 0)", "1:5-23: `tl.reduce_or`: expected integers, found fp32\n"},
           Case{"y = tl.reduce_or(n)", "1:5-20: `tl.reduce_or`: missing argument `axis`\n"},
           Case{"y = tl.arange(0, 8).summ()",
                "1:21-25: int32[8] has no attribute `summ`\n  help: did you mean `sum`?\n"},
           Case{"y = tl.cumsum(x)", "1:5-17: `tl.cumsum`: invalid axis 0, a scalar has none\n"},
       })
    EXPECT_EQ(bodyErrors(c.body, some), c.errors) << c.body;
}
