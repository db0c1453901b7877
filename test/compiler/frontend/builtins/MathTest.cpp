// Every elementwise function: its op, its precision, the types it takes.
#include "test/compiler/frontend/Harness.h"

#include <regex>

using namespace tegula;
using namespace tegula::test;

namespace {

constexpr std::string_view libdevice = "from triton.language.extra import libdevice\n";

std::string kernel(const std::string &call, const NamedArguments &arguments) {
  std::string text(libdevice);
  text += "@triton.jit\ndef k(";
  for (const auto &argument : arguments)
    text += argument.first + ", ";
  return text + "):\n    tl.device_print('y', " + call + ")\n";
}

std::string ir(const std::string &call, const NamedArguments &arguments = {{"x", "fp32"}, {"y", "fp32"}}) {
  Evaluated result = evaluate(kernel(call, arguments), arguments);
  EXPECT_EQ(result.errors, "") << call;
  return result.ir;
}

} // namespace

TEST(EvalMath, FunctionsOfOneFloat) {
  struct Case {
    const char *name, *single;
  };
  for (Case c : {
           Case{"exp", "math.exp %arg0 fastmath<afn> : f32"},
           Case{"exp2", "math.exp2 %arg0 fastmath<afn> : f32"},
           Case{"log", "math.log %arg0 : f32"},
           Case{"log2", "math.log2 %arg0 : f32"},
           Case{"sin", "math.sin %arg0 : f32"},
           Case{"cos", "math.cos %arg0 : f32"},
           Case{"sqrt", "math.sqrt %arg0 fastmath<afn> : f32"},
           Case{"sqrt_rn", "math.sqrt %arg0 : f32"},
           Case{"rsqrt", "math.rsqrt %arg0 fastmath<afn> : f32"},
           Case{"erf", "math.erf %arg0 : f32"},
           Case{"floor", "math.floor %arg0 : f32"},
           Case{"ceil", "math.ceil %arg0 : f32"},
           Case{"abs", "math.absf %arg0 : f32"},
       })
    for (const std::string &call :
         {"tl." + std::string(c.name) + "(x)", "tl.math." + std::string(c.name) + "(x)",
          "x." + std::string(c.name) + "()"})
      EXPECT_TRUE(holds(ir(call), {c.single})) << call;
  // fp64 is always accurate.
  for (const char *name : {"exp", "sqrt", "rsqrt", "log", "sin"})
    EXPECT_EQ(ir("tl." + std::string(name) + "(x)", {{"x", "fp64"}}).find("fastmath"), std::string::npos)
        << name;
}

TEST(EvalMath, FunctionsOfFloatsRefuseShortTypes) {
  for (const char *name :
       {"exp", "exp2", "log", "log2", "sin", "cos", "sqrt", "rsqrt", "erf", "floor", "ceil"})
    for (auto [type, shown] :
         {std::pair("fp16", "fp16"), std::pair("bf16", "bf16"), std::pair("i32", "int32")}) {
      std::string text = "y = tl." + std::string(name) + "(x)";
      EXPECT_EQ(bodyErrors(text, {{"x", type}}), "1:" + std::to_string(text.size() - 1) + "-" +
                                                     std::to_string(text.size()) + ": `tl." + name +
                                                     "`: expected fp32 or fp64, found " + shown +
                                                     "\n  help: cast it first: `.to(tl.float32)`\n");
    }
  EXPECT_EQ(bodyErrors("y = tl.sqrt_rn(x)", {{"x", "fp64"}}),
            "1:16-17: `tl.sqrt_rn`: expected fp32, found fp64\n  help: cast it first: `.to(tl.float32)`\n");
}

TEST(EvalMath, IntegerAbsoluteValue) {
  EXPECT_TRUE(holds(ir("tl.abs(x)", {{"x", "i32"}}), {"math.absi %arg0 : i32"}));
  EXPECT_TRUE(holds(ir("abs(x)", {{"x", "i32"}}), {"math.absi %arg0 : i32"}));
  EXPECT_TRUE(holds(ir("tl.abs(x)", {{"x", "u32"}}), {"tile.print \" y: \" [false] values(%arg0"}));
}

TEST(EvalMath, MaximumAndMinimum) {
  EXPECT_TRUE(holds(ir("tl.maximum(x, y)"), {"arith.maxnumf %arg0, %arg1 : f32"}));
  EXPECT_TRUE(
      holds(ir("tl.minimum(x, y, propagate_nan=tl.PropagateNan.ALL)"), {"arith.minimumf %arg0, %arg1"}));
  EXPECT_TRUE(holds(ir("tl.maximum(x, 0.0, tl.PropagateNan.NONE)"), {"arith.maxnumf"}));
  EXPECT_TRUE(holds(ir("tl.maximum(x, y)", {{"x", "i32"}, {"y", "i32"}}), {"arith.maxsi"}));
  EXPECT_TRUE(holds(ir("tl.minimum(x, y)", {{"x", "u32"}, {"y", "u32"}}), {"arith.minui"}));
  EXPECT_TRUE(holds(ir("min(x, y, 3.0)"), {"arith.minnumf %arg0, %arg1", "arith.minnumf"}));
  // bf16 is compared in fp32.
  EXPECT_TRUE(
      holds(ir("tl.maximum(x, y)", {{"x", "bf16"}, {"y", "bf16"}}), {"arith.extf", "arith.maxnumf", "f32"}));
  EXPECT_TRUE(holds(ir("tl.clamp(x, 0.0, 6.0)"), {"arith.maxnumf", "arith.minnumf"}));
  EXPECT_TRUE(holds(ir("tl.clamp(x, 0.0, 6.0, tl.PropagateNan.ALL)"), {"arith.maximumf", "arith.minimumf"}));
}

TEST(EvalMath, Division) {
  EXPECT_TRUE(holds(ir("tl.fdiv(x, y)"), {"arith.divf %arg0, %arg1 fastmath<afn> : f32"}));
  // Which rounds from Triton 3.8 on.
  EXPECT_TRUE(holds(ir("tl.fdiv(x, y, ieee_rounding=True)"), {"arith.divf %arg0, %arg1 fastmath<afn> : f32"}));
  EXPECT_TRUE(holds(ir("tl.div_rn(x, y)"), {"arith.divf %arg0, %arg1 : f32"}));
  EXPECT_TRUE(holds(ir("tl.fdiv(x, y)", {{"x", "fp16"}, {"y", "fp16"}}),
                    {"arith.extf", "arith.divf", "arith.truncf", "to f16"}));
  EXPECT_TRUE(holds(ir("tl.cdiv(x, 4)", {{"x", "i32"}}), {"arith.addi %arg0, %c3_i32", "arith.divsi"}));
  EXPECT_TRUE(
      holds(ir("x.cdiv(y)", {{"x", "i32"}, {"y", "i32"}}), {"arith.subi", "arith.addi", "arith.divsi"}));
  EXPECT_TRUE(holds(ir("triton.cdiv(x, 4)", {{"x", "i32"}}), {"arith.divsi"}));
}

TEST(EvalMath, Others) {
  EXPECT_TRUE(holds(ir("tl.fma(x, y, 1.0)"), {"math.fma %arg0, %arg1, %cst : f32"}));
  EXPECT_TRUE(holds(ir("tl.umulhi(x, y)", {{"x", "u32"}, {"y", "u32"}}),
                    {"arith.mului_extended %arg0, %arg1 : i32"}));
  EXPECT_TRUE(
      holds(ir("tl.sigmoid(x)"), {"arith.subf", "math.exp", "afn", "arith.addf", "arith.divf", "afn"}));
  EXPECT_TRUE(holds(ir("x.sigmoid()"), {"math.exp"}));
  EXPECT_TRUE(holds(ir("tl.add(x, y)"), {"arith.addf"}));
  EXPECT_TRUE(holds(ir("tl.sub(x, y)"), {"arith.subf"}));
  EXPECT_TRUE(holds(ir("tl.mul(x, y)"), {"arith.mulf"}));
  EXPECT_TRUE(holds(ir("x.logical_and(y > 0)", {{"x", "i1"}, {"y", "i32"}}), {"arith.andi"}));
  EXPECT_TRUE(holds(ir("x.logical_or(y > 0)", {{"x", "i1"}, {"y", "i32"}}), {"arith.ori"}));
}

TEST(EvalMath, Swizzle) {
  std::string text =
      bodyIr("a, b = tl.swizzle2d(i, j, 8, 4, 2)\ntl.device_print('', a, b)", {{"i", "i32"}, {"j", "i32"}});
  EXPECT_TRUE(holds(text, {"arith.muli", "arith.divsi", "arith.minsi", "arith.remsi"}));
  // Two groups of two rows of two: walked down before along. All is known, so constants are printed.
  std::string seen;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 2; ++j) {
      std::string ir = bodyIr("a, b = tl.swizzle2d(" + std::to_string(i) + ", " + std::to_string(j) +
                              ", 4, 2, 2)\ntl.device_print('', a, b)");
      std::smatch match;
      ASSERT_TRUE(std::regex_search(ir, match, std::regex("tile.print.*values\\(%c(\\d)_i32\\w*, %c(\\d)_i32")))
          << ir;
      seen += match[1].str() + match[2].str() + " ";
    }
  EXPECT_EQ(seen, "00 10 01 11 20 30 21 31 ");
}

TEST(EvalMath, Libdevice) {
  struct Case {
    const char *call, *op;
  };
  for (Case c : {
           Case{"tanh(x)", "math.tanh %arg0 : f32"},
           Case{"log1p(x)", "math.log1p %arg0"},
           Case{"expm1(x)", "math.expm1 %arg0"},
           Case{"rsqrt(x)", "fastmath<afn>"},
           Case{"add_rd(x, y)", "tile.rounded  add  rm %arg0, %arg1 : f32, f32 -> f32"},
           Case{"sub_ru(x, y)", "tile.rounded  add  rp %arg0"},
           Case{"float2uint_rz(x)", "tile.rounded  cast_unsigned  rz %arg0 : f32 -> i32"},
           Case{"pow(x, y)", "math.powf %arg0, %arg1 : f32"},
           Case{"pow(x, 2.0)", "math.powf %arg0, %cst"},
           Case{"pow(x, 3)", "math.fpowi %arg0, %c3_i32 : f32, i32"},
           Case{"pow(x, tl.arange(0, 8))", "math.fpowi %1, %0 : tensor<8xf32>, tensor<8xi32>"},
           Case{"fast_expf(x)", "math.exp %arg0 fastmath<afn>"},
           Case{"round(x)", "math.round %arg0"},
           Case{"rint(x)", "math.roundeven %arg0"},
           Case{"nearbyint(x)", "math.roundeven %arg0"},
           Case{"trunc(x)", "math.trunc %arg0"},
           Case{"fast_dividef(x, y)", "arith.divf %arg0, %arg1 fastmath<afn>"},
           Case{"erf(x)", "math.erf %arg0"},
           Case{"div_rn(x, y)", "arith.divf %arg0, %arg1 : f32"},
           Case{"isnan(x)", "arith.cmpf une, %arg0, %arg0"},
           Case{"isinf(x)", "arith.cmpf oeq"},
           Case{"finitef(x)", "arith.cmpf olt"},
           Case{"tan(x)", "math.tan %arg0"},
           Case{"atan(x)", "math.atan %arg0"},
           Case{"atan2(x, y)", "math.atan2 %arg0, %arg1"},
           Case{"asin(x)", "math.asin %arg0"},
           Case{"acos(x)", "math.acos %arg0"},
           Case{"sinh(x)", "math.sinh %arg0"},
           Case{"cosh(x)", "math.cosh %arg0"},
           Case{"log10(x)", "math.log10 %arg0"},
           Case{"exp10(x)", "math.powf"},
           Case{"copysign(x, y)", "math.copysign %arg0, %arg1"},
           Case{"llrint(x)", "tile.rounded  cast  rn %arg0 : f32 -> i64"},
           Case{"hypot(x, y)", "math.sqrt"},
           Case{"fma(x, y, x)", "math.fma %arg0, %arg1, %arg0"},
           Case{"fmod(x, y)", "tile.rounded  div  rz"},
           Case{"signbit(x)", "arith.cmpf olt"},
       }) {
    EXPECT_TRUE(holds(ir("libdevice." + std::string(c.call)), {c.op})) << c.call;
    // Where older kernels look for them.
    EXPECT_TRUE(holds(ir("tl.extra.cuda.libdevice." + std::string(c.call)), {c.op})) << c.call;
  }
  EXPECT_TRUE(
      holds(ir("libdevice.ffs(x)", {{"x", "i32"}}), {"math.cttz %arg0", "arith.addi", "arith.select"}));
  EXPECT_TRUE(holds(ir("libdevice.popc(x)", {{"x", "i64"}}), {"math.ctpop %arg0 : i64", "arith.trunci"}));
  EXPECT_TRUE(holds(ir("libdevice.clz(x)", {{"x", "i32"}}), {"math.ctlz %arg0 : i32"}));
  EXPECT_TRUE(holds(ir("tl.math.tanh(x)"), {"math.tanh"}));
}

TEST(EvalMath, RandomNumbersFollowTheReference) {
  // Known answers of Philox 4x32-10 (Random123's kat_vectors): zeros, then ones.
  EXPECT_EQ(bodyMessages("a, b, c, d = tl.philox(0, 0, 0, 0, 0)\n"
                         "tl.static_print(a.dtype)"),
            "uint32\n");
  std::string zeros = bodyIr("a, b, c, d = tl.philox(0, 0, 0, 0, 0)\ntl.device_print('', a, b, c, d)");
  for (uint32_t word : {0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u})
    EXPECT_TRUE(holds(zeros, {"arith.constant " + std::to_string(int32_t(word)) + " : i32"})) << zeros;
  std::string ones =
      bodyIr("a, b, c, d = tl.philox(0xFFFFFFFFFFFFFFFF, -1, -1, -1, -1)\ntl.device_print('', a, b, c, d)");
  for (uint32_t word : {0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu})
    EXPECT_TRUE(holds(ones, {"arith.constant " + std::to_string(int32_t(word)) + " : i32"})) << ones;
  EXPECT_TRUE(
      holds(bodyIr("x = tl.rand(seed, tl.arange(0, 8))\ntl.device_print('x', x)", {{"seed", "i32"}}),
            {"arith.extui", "arith.muli", "arith.trunci", "arith.select", "arith.sitofp", "arith.mulf"}));
  EXPECT_TRUE(holds(bodyIr("x = tl.randn(seed, tl.arange(0, 8))\ntl.device_print('x', x)", {{"seed", "i64"}}),
                    {"math.log", "math.sqrt", "math.cos"}));
  EXPECT_EQ(bodyMessages("a, b, c, d = tl.randint4x(1, tl.arange(0, 4))\ntl.static_print(a.dtype, d.shape)\n"
                         "e = tl.rand4x(1, 2)\nf = tl.randn4x(1, 2)\ntl.static_print(e[3].dtype, len(f))"),
            "uint32 [4]\nfp32 4\n");
}

TEST(EvalMath, LibdeviceAbsTakesFloatsAndIntegers) {
  NamedArguments arguments = {{"x", "fp32"}, {"y", "fp64"}, {"i", "i32"}, {"j", "i64"}, {"h", "fp16"}};
  EXPECT_TRUE(holds(bodyIr("a = tl.extra.libdevice.abs(x)\nb = tl.extra.libdevice.abs(y)\n"
                           "c = tl.extra.libdevice.abs(i)\nd = tl.extra.libdevice.abs(j)\n"
                           "tl.device_print('', a, b, c, d)\n",
                           arguments),
                    {"math.absf %arg0 : f32", "math.absf %arg1 : f64", "math.absi %arg2 : i32", "math.absi %arg3 : i64"}));
  EXPECT_TRUE(holds(bodyErrors("a = tl.extra.libdevice.abs(h)\n", arguments), {"expected fp32 or fp64, found fp16"}));
}
