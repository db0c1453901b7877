// Floats of eight bits: names, memory, conversions, constants, and arithmetic by way of fp16.
#include "test/compiler/frontend/Harness.h"

using namespace tegula;
using namespace tegula::test;

namespace {

std::string printed(const std::string &text, const NamedArguments &arguments = {}) {
  return bodyIr("tl.store(q, " + text + ")", arguments);
}

const NamedArguments scalars = {{"q", "*fp32"}, {"a", "fp8e4nv"}, {"b", "fp8e4nv"},
                                {"c", "fp8e5"}, {"i", "i32"},     {"h", "fp16"}};

std::string typeOf(const std::string &text) {
  return bodyMessages("tl.static_print((" + text + ").dtype)", scalars);
}

} // namespace

TEST(EvalFloat8, NamesAndQuestions) {
  EXPECT_EQ(bodyMessages(
                "tl.static_print(p.dtype, p.dtype.element_ty, tl.float8e5, tl.float8e4nv.primitive_bitwidth, "
                "tl.float8e4nv.fp_mantissa_width, tl.float8e5.fp_mantissa_width, tl.float8e5.itemsize)",
                {{"p", "*fp8e4nv"}}),
            "pointer<fp8e4nv> fp8e4nv fp8e5 8 3 2 1\n");
  EXPECT_EQ(bodyMessages("t: tl.constexpr = tl.float8e5\n"
                         "tl.static_print(t.is_fp8(), t.is_fp8e5(), t.is_fp8e4nv(), t.is_floating(), "
                         "t.is_standard_floating(), tl.float16.is_fp8(), t.is_int(), t == tl.float8e5)"),
            "True True False True False False False True\n");
}

TEST(EvalFloat8, Memory) {
  std::string ir = bodyIr("i = tl.arange(0, 64)\n"
                          "x = tl.load(p + i, mask=i < n, other=0.0)\n"
                          "tl.store(q + i, x, mask=i < n)\n"
                          "tl.store(q, 1000.0)\n",
                          {{"p", "*fp8e4nv:16"}, {"q", "*fp8e5"}, {"n", "i32"}});
  EXPECT_TRUE(holds(ir, {"%arg0: !tile.ptr<f8E4M3FN> {tile.param = #tile.param<\"p\", \"*fp8e4nv\", 16>}",
                         "%arg1: !tile.ptr<f8E5M2>", "dense<0.000000e+00> : tensor<64xf8E4M3FN>",
                         "tile.load %", "tensor<64x!tile.ptr<f8E4M3FN>>",
                         // By way of fp32, which holds both.
                         "arith.extf", "tensor<64xf8E4M3FN> to tensor<64xf32>", "arith.truncf",
                         "tensor<64xf32> to tensor<64xf8E5M2>", "tile.store", "!tile.ptr<f8E5M2>>",
                         "arith.truncf", ": f32 to f8E5M2"}) ||
              holds(ir, {"tile.store", "arith.constant 1.024000e+03 : f8E5M2"}))
      << ir;
}

TEST(EvalFloat8, Conversions) {
  struct {
    const char *text;
    std::initializer_list<std::string_view> parts;
  } cases[] = {
      {"a.to(tl.float16)", {"arith.extf %arg1 : f8E4M3FN to f16"}},
      {"a.to(tl.bfloat16)", {"arith.extf %arg1 : f8E4M3FN to bf16"}},
      {"a.to(tl.float32)", {"arith.extf %arg1 : f8E4M3FN to f32"}},
      {"c.to(tl.float8e4nv)", {"arith.extf %arg3 : f8E5M2 to f32", "arith.truncf", "f32 to f8E4M3FN"}},
      {"h.to(tl.float8e4nv)", {"arith.truncf %arg5 : f16 to f8E4M3FN"}},
      {"h.to(tl.float32).to(tl.float8e5)", {"arith.truncf %arg5 : f16 to f8E5M2"}},
      {"h.to(tl.float8e5, fp_downcast_rounding='rtz')", {"arith.truncf %arg5 toward_zero : f16 to f8E5M2"}},
      {"h.to(tl.bfloat16).to(tl.float8e5)", {"arith.truncf", "bf16 to f8E5M2"}},
      {"h.to(tl.float64).to(tl.float8e5)", {"f64 to f32", "arith.truncf", "f32 to f8E5M2"}},
      {"a.to(tl.int32)", {"f8E4M3FN to f32", "arith.fptosi", "f32 to i32"}},
      {"i.to(tl.float8e4nv)", {"arith.sitofp %arg4 : i32 to f32", "arith.truncf", "f32 to f8E4M3FN"}},
      {"a.to(tl.int1)", {"f8E4M3FN to f16", "arith.cmpf une", ": f16"}},
      {"a.to(tl.uint8, bitcast=True)", {"arith.bitcast %arg1 : f8E4M3FN to i8"}},
      {"a.to(tl.float8e5, bitcast=True)", {"arith.bitcast %arg1 : f8E4M3FN to f8E5M2"}},
      {"i.to(tl.int8).to(tl.float8e5, bitcast=True)", {"arith.bitcast", "i8 to f8E5M2"}},
  };
  for (const auto &c : cases)
    EXPECT_TRUE(holds(printed(c.text, scalars), c.parts)) << c.text << printed(c.text, scalars);
}

TEST(EvalFloat8, ConstantsSaturate) {
  struct {
    const char *text, *constant;
  } cases[] = {
      {"tl.full([4], 1.3, tl.float8e4nv)", "dense<1.250000e+00> : tensor<4xf8E4M3FN>"},
      {"tl.full([4], 1000, tl.float8e4nv)", "dense<4.480000e+02> : tensor<4xf8E4M3FN>"},
      {"tl.full([4], -1e9, tl.float8e4nv)", "dense<-4.480000e+02> : tensor<4xf8E4M3FN>"},
      {"tl.full([4], float('inf'), tl.float8e5)", "dense<5.734400e+04> : tensor<4xf8E5M2>"},
      {"tl.full([4], float('nan'), tl.float8e5)", "dense<0x7"},
      {"tl.zeros([4], tl.float8e5)", "dense<0.000000e+00> : tensor<4xf8E5M2>"},
      {"tl.full([4], 1e-9, tl.float8e4nv)", "dense<0.000000e+00> : tensor<4xf8E4M3FN>"},
  };
  for (const auto &c : cases) {
    std::string ir = bodyIr("x = " + std::string(c.text) + "\n" +
                                "tl.store((p if x.dtype == tl.float8e4nv else q) + tl.arange(0, 4), x)",
                            {{"p", "*fp8e4nv"}, {"q", "*fp8e5"}});
    EXPECT_TRUE(holds(ir, {c.constant})) << c.text << ir;
  }
}

TEST(EvalFloat8, ArithmeticHappensInFp16) {
  EXPECT_EQ(typeOf("a + b"), "fp8e4nv\n");
  EXPECT_EQ(typeOf("a / b"), "fp8e4nv\n");
  EXPECT_EQ(typeOf("a * 1.5"), "fp8e4nv\n");
  EXPECT_EQ(typeOf("2 - c"), "fp8e5\n");
  EXPECT_EQ(typeOf("-a"), "fp8e4nv\n");
  EXPECT_EQ(typeOf("abs(a)"), "fp8e4nv\n");
  EXPECT_EQ(typeOf("a + c"), "fp16\n");
  EXPECT_EQ(typeOf("a + h"), "fp16\n");
  EXPECT_EQ(typeOf("a * h.to(tl.float32)"), "fp32\n");
  EXPECT_EQ(typeOf("a * h.to(tl.bfloat16)"), "fp32\n");
  EXPECT_EQ(typeOf("a < b"), "int1\n");
  EXPECT_EQ(typeOf("tl.maximum(a, b)"), "fp8e4nv\n");
  EXPECT_EQ(typeOf("tl.where(a < b, a, b)"), "fp8e4nv\n");
  EXPECT_EQ(typeOf("tl.fdiv(a, b)"), "fp8e4nv\n");
  EXPECT_EQ(typeOf("tl.fma(a, b, a)"), "fp8e4nv\n");
  EXPECT_TRUE(holds(printed("a + b", scalars), {"arith.extf %arg1 : f8E4M3FN to f16", "arith.extf %arg2",
                                                "arith.addf", ": f16", "arith.truncf", "f16 to f8E4M3FN"}));
  EXPECT_TRUE(holds(printed("a / b", scalars), {"f16 to f32", "arith.divf", ": f32", "f32 to f8E4M3FN"}));
  EXPECT_TRUE(holds(printed("tl.where(a < b, a, b)", scalars),
                    {"arith.cmpf olt", ": f16", "arith.select", ": f8E4M3FN"}));
  EXPECT_TRUE(holds(printed("tl.maximum(a, b)", scalars), {"arith.maxnumf", ": f16", "f16 to f8E4M3FN"}));
  EXPECT_TRUE(holds(printed("abs(a)", scalars), {"arith.bitcast", "arith.andi", ": i8", "arith.bitcast"}));
  EXPECT_TRUE(holds(printed("tl.fma(a, b, a)", scalars), {"math.fma", ": f16", "f16 to f8E4M3FN"}));
  EXPECT_TRUE(holds(bodyIr("x = tl.zeros([64], tl.float8e5) + c\ntl.store(q, tl.sum(x))", scalars),
                    {"tile.reduce", "tensor<64xf8E5M2> -> f8E5M2", "arith.addf", ": f16", "tile.yield"}));
}

TEST(EvalFloat8, Printing) {
  EXPECT_TRUE(holds(bodyIr("tl.device_print('x', a)", scalars),
                    {"arith.bitcast", "f8E4M3FN to i8", "tile.print \" x: \" [false]"}));
  EXPECT_TRUE(holds(bodyIr("tl.device_print('x', a, hex=True)", scalars),
                    {"arith.bitcast", "f8E4M3FN to i8", "tile.print"}));
}

TEST(EvalFloat8, Mistakes) {
  EXPECT_EQ(bodyErrors("x = a + i", scalars), "1:5-10: `+`: expected two floats, found fp8e4nv and int32\n"
                                              "  help: cast the integer to a float\n");
  EXPECT_EQ(bodyErrors("x = i / c", scalars), "1:5-10: `/`: expected two floats, found int32 and fp8e5\n"
                                              "  help: cast the integer to a float\n");
  EXPECT_EQ(bodyErrors("x = a & b", scalars), "1:5-10: `&`: invalid operands of type fp8e4nv and fp8e4nv, expected integers\n");
  EXPECT_EQ(
      bodyErrors("x = tl.exp(a)", scalars),
      "1:12-13: `tl.exp`: expected fp32 or fp64, found fp8e4nv\n  help: cast it first: `.to(tl.float32)`\n");
  EXPECT_EQ(bodyErrors("x = a.to(tl.int16, bitcast=True)", scalars),
            "1:5-33: expected a type of 8 bits like fp8e4nv to reinterpret it as, found int16\n");
  std::string atomic = bodyErrors("x = tl.atomic_add(p, 1.0)", {{"p", "*fp8e5"}});
  EXPECT_TRUE(holds(atomic, {"fp16, bf16, fp32 or fp64", "found", "fp8e5"})) << atomic;
}
