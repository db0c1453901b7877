// `tl.dot`: the op that it becomes, the rules of types and shapes, and each of its messages.
#include "test/compiler/frontend/Harness.h"

using namespace tegula;
using namespace tegula::test;

namespace {

/// A tensor of `shape` and `type`, as text.
std::string zeros(const std::string &shape, const std::string &type) {
  return "tl.zeros([" + shape + "], tl." + type + ")";
}

/// Operands `a`, `b` and `c` by their shapes and types, and a line that uses them.
std::string body(const std::string &a, const std::string &b, const std::string &line) {
  return "a = " + a + "\nb = " + b + "\n" + line;
}

std::string irOf(const std::string &a, const std::string &b, const std::string &arguments = "") {
  return bodyIr(body(a, b, "tl.device_print('x', tl.dot(a, b" + arguments + "))"));
}

std::string errorsOf(const std::string &a, const std::string &b, const std::string &arguments = "") {
  return bodyErrors(body(a, b, "c = tl.dot(a, b" + arguments + ")"));
}

} // namespace

TEST(EvalDot, TypesOfOperandsAndSums) {
  struct {
    const char *type, *arguments, *element, *sum;
  } cases[] = {
      {"float16", "", "f16", "f32"},
      {"float16", ", out_dtype=tl.float16", "f16", "f16"},
      {"bfloat16", "", "bf16", "f32"},
      {"bfloat16", ", out_dtype=tl.float16", "bf16", "f32"},
      {"float64", "", "f64", "f64"},
      {"int8", "", "i8", "i32"},
      {"int8", ", out_dtype=tl.int32", "i8", "i32"},
      {"float8e4nv", "", "f8E4M3FN", "f32"},
      {"float8e5", ", out_dtype=tl.float16", "f8E5M2", "f16"},
  };
  for (const auto &c : cases) {
    std::string ir = irOf(zeros("64, 32", c.type), zeros("32, 16", c.type), c.arguments);
    std::string zero = std::string(c.sum) == "i32" ? "dense<0>" : "dense<0.000000e+00>";
    std::string a = "tensor<64x32x" + std::string(c.element) + ">",
                b = "tensor<32x16x" + std::string(c.element) + ">";
    EXPECT_TRUE(holds(ir, {zero + " : tensor<64x16x" + c.sum + ">", "tile.dot ",
                           " : " + a + ", " + b + " -> tensor<64x16x" + c.sum + ">"}))
        << c.type << ir;
    EXPECT_EQ(ir.find("precision"), ir.npos) << c.type;
  }
  // Both kinds of fp8 go together.
  EXPECT_TRUE(holds(irOf(zeros("16, 32", "float8e4nv"), zeros("32, 16", "float8e5")),
                    {"tile.dot", ": tensor<16x32xf8E4M3FN>, tensor<32x16xf8E5M2> -> tensor<16x16xf32>"}));
}

TEST(EvalDot, PrecisionOfProductsOfFp32) {
  struct {
    const char *arguments, *precision;
  } cases[] = {
      {"", " tf32 :"},
      {", allow_tf32=True", " tf32 :"},
      {", allow_tf32=False", ""},
      {", input_precision='tf32'", " tf32 :"},
      {", input_precision='TF32x3'", " tf32x3 :"},
      {", input_precision='ieee'", ""},
      {", input_precision=None, allow_tf32=None", " tf32 :"},
  };
  for (const auto &c : cases) {
    std::string ir = irOf(zeros("16, 16", "float32"), zeros("16, 16", "float32"), c.arguments);
    if (*c.precision)
      EXPECT_TRUE(holds(ir, {"tile.dot", "precision ", c.precision, "tensor<16x16xf32>"})) << c.arguments;
    else
      EXPECT_EQ(ir.find("precision"), ir.npos) << c.arguments;
  }
}

TEST(EvalDot, AccumulatorsShapesAndImprecision) {
  // One row, one column, the least K, batches, and a dimension in common that is long.
  for (auto [a, b, c] : {std::tuple("1, 16", "16, 1", "1x1"), std::tuple("4, 32, 64", "4, 64, 16", "4x32x16"),
                         std::tuple("16, 1024", "1024, 16", "16x16")})
    EXPECT_TRUE(holds(irOf(zeros(a, "float16"), zeros(b, "float16")),
                      {"tile.dot", "-> tensor<" + std::string(c) + "xf32>"}));
  std::string ir = bodyIr("a = (tl.arange(0, 16)[:, None] + tl.arange(0, 32)[None, :]).to(tl.float16)\n"
                          "c = tl.full([16, 16], 1.5, tl.float32)\n"
                          "d = tl.dot(a, a.T, c)\n"
                          "d = tl.dot(a, tl.trans(a), acc=d)\n"
                          "d += tl.dot(a, a.T)\n"
                          "tl.device_print('x', d)");
  EXPECT_TRUE(holds(ir, {"dense<1.500000e+00> : tensor<16x16xf32>", "tile.trans", "tile.dot", "tile.trans",
                         "tile.dot", "tile.dot", "arith.addf"}));
  EXPECT_TRUE(
      holds(irOf(zeros("16, 64", "float8e5"), zeros("64, 16", "float8e5"), ", max_num_imprecise_acc=32"),
            {"tile.dot", " max_imprecise ", "32 :"}));
  // None of them at all is one at a time; other types have no such sums.
  EXPECT_TRUE(
      holds(irOf(zeros("16, 64", "float8e5"), zeros("64, 16", "float8e5"), ", max_num_imprecise_acc=0"),
            {"tile.dot", " max_imprecise ", "1 :"}));
  EXPECT_EQ(irOf(zeros("16, 64", "float16"), zeros("64, 16", "float16"), ", max_num_imprecise_acc=4096")
                .find("max_imprecise"),
            std::string::npos);
}

TEST(EvalDot, BeforeUnitsForFp8ProductsAreThoseOfFp16) {
  Evaluated old = evaluateFor("sm_80",
                              body("tl.broadcast_to(x, (16, 32))", "tl.broadcast_to(x, (32, 16))",
                                   "tl.device_print('x', tl.dot(a, b, max_num_imprecise_acc=32))"),
                              {{"x", "fp8e5"}});
  EXPECT_EQ(old.errors, "");
  EXPECT_TRUE(holds(old.ir, {"arith.extf", "f8E5M2> to tensor<16x32xf16>", "tile.dot",
                             ": tensor<16x32xf16>, tensor<32x16xf16> -> tensor<16x16xf32>"}))
      << old.ir;
  EXPECT_EQ(old.ir.find("max_imprecise"), old.ir.npos);
  for (const char *other : {"float8e4nv", "float8e5"})
    EXPECT_EQ(summary(evaluateFor("sm_80", body(zeros("16, 32", "float8e4nv"), zeros("32, 16", other),
                                                "c = tl.dot(a, b)"))
                          .diagnostics),
              "3:5-17: `tl.dot`: type fp8e4nv not supported in this architecture: expected a target of sm_89 "
              "or later, "
              "found sm_80\n"
              "  help: cast both operands to fp16, which holds every fp8e4nv\n");
  EXPECT_EQ(evaluateFor("sm_89",
                        body(zeros("16, 32", "float8e4nv"), zeros("32, 16", "float8e5"), "c = tl.dot(a, b)"))
                .errors,
            "");
}

TEST(EvalDot, WrongTypes) {
  EXPECT_EQ(
      errorsOf(zeros("16, 32", "uint8"), zeros("32, 16", "uint8")),
      "3:12-13: `tl.dot`: expected elements of fp8, fp16, bf16, fp32, fp64 or int8, found uint8[16, 32]\n"
      "  help: matrix units multiply signed bytes here: cast to int8 what fits into it\n");
  EXPECT_EQ(
      errorsOf(zeros("16, 32", "int8"), zeros("32, 16", "int16")),
      "3:15-16: `tl.dot`: expected elements of fp8, fp16, bf16, fp32, fp64 or int8, found int16[32, 16]\n");
  EXPECT_EQ(
      errorsOf("1.0", "2.0"),
      "3:5-17: `tl.dot`: expected two operands of as many dimensions, 2 or more, found fp32 and fp32\n"
      "  1:5-8: the operand of type fp32 is made here\n  2:5-8: the operand of type fp32 is made here\n");
  EXPECT_EQ(
      bodyErrors("b = tl.zeros([16, 16], tl.float16)\nc = tl.dot(p, b)", {{"p", "*fp16"}}),
      "2:12-13: `tl.dot`: expected elements of fp8, fp16, bf16, fp32, fp64 or int8, found pointer<fp16>\n");
  for (auto [a, b] : {std::pair("float16", "float32"), std::pair("float8e5", "float16"),
                      std::pair("bfloat16", "float16")}) {
    std::string errors = errorsOf(zeros("32, 32", a), zeros("32, 32", b));
    EXPECT_TRUE(holds(errors, {"3:5-17: `tl.dot`: expected operands of one type, or both of fp8, found ",
                               "[32, 32] and ", "[32, 32]\n", "is made here", "is made here",
                               "help: cast one of them"}))
        << errors;
  }
  EXPECT_EQ(errorsOf(zeros("16, 16", "float32"), zeros("16, 16", "float32"), ", out_dtype=tl.bfloat16"),
            "3:18-39: `tl.dot`: expected an `out_dtype` of fp32 or fp16, found bf16\n"
            "  help: sum in fp32 and cast the result with `.to(tl.bfloat16)`\n");
  EXPECT_EQ(errorsOf(zeros("16, 16", "float16"), zeros("16, 16", "float16"), ", out_dtype=tl.float64"),
            "3:18-38: `tl.dot`: expected an `out_dtype` of fp32 or fp16, found fp64\n");
}

TEST(EvalDot, WrongShapes) {
  struct {
    const char *a, *b, *type, *expected;
  } cases[] = {
      {"16", "16, 16", "float16",
       "expected two operands of as many dimensions, 2 or more, found fp16[16] and fp16[16, 16]"},
      {"2, 16, 16", "16, 16", "float16",
       "expected two operands of as many dimensions, 2 or more, found fp16[2, 16, 16] and fp16[16, 16]"},
      {"2, 2, 16, 16", "2, 4, 16, 16", "float16",
       "expected as many matrices in both operands, found fp16[2, 2, 16, 16] and fp16[2, 4, 16, 16]"},
      {"2, 16, 16", "4, 16, 16", "float16",
       "expected as many matrices in both operands, found fp16[2, 16, 16] and fp16[4, 16, 16]"},
      {"16, 32", "16, 32", "float16",
       "expected as many columns on the left as rows on the right, found fp16[16, 32] and fp16[16, 32]"},
      {"16, 8", "8, 16", "float16",
       "Input shapes should have M >= 1, N >= 1 and K >= 16 for fp16, found fp16[16, 8] and fp16[8, 16]"},
      {"16, 4", "4, 16", "float32",
       "Input shapes should have M >= 1, N >= 1 and K >= 8 for fp32, found fp32[16, 4] and fp32[4, 16]"},
      {"16, 2", "2, 16", "float64",
       "Input shapes should have M >= 1, N >= 1 and K >= 4 for fp64, found fp64[16, 2] and fp64[2, 16]"},
      {"16, 16", "16, 16", "int8",
       "Input shapes should have M >= 1, N >= 1 and K >= 32 for int8, found int8[16, 16] and int8[16, 16]"},
      {"16, 16", "16, 16", "float8e5",
       "Input shapes should have M >= 1, N >= 1 and K >= 32 for fp8e5, found fp8e5[16, 16] and fp8e5[16, "
       "16]"},
  };
  for (const auto &c : cases) {
    std::string errors = errorsOf(zeros(c.a, c.type), zeros(c.b, c.type));
    EXPECT_TRUE(holds(errors, {"3:5-17: `tl.dot`: " + std::string(c.expected) + "\n", "1:5-",
                               "the operand of type ", " is made here\n", "2:5-", "the operand of type "}))
        << errors;
  }
  // The product may not be larger than any tensor.
  EXPECT_EQ(errorsOf(zeros("32768, 16", "float16"), zeros("16, 32768", "float16")),
            "3:5-17: expected at most 1048576 elements in a tensor, found more\n");
}

TEST(EvalDot, WrongAccumulators) {
  std::string operands = "a = tl.zeros([16, 32], tl.float16)\n";
  EXPECT_EQ(bodyErrors(operands + "c = tl.zeros([16, 32], tl.float32)\nd = tl.dot(a, a.T, c)"),
            "3:20-21: `tl.dot`: expected an accumulator of type fp32[16, 16], found fp32[16, 32]\n"
            "  2:5-35: the accumulator is made here\n");
  EXPECT_EQ(bodyErrors(operands +
                       "c = tl.zeros([16, 16], tl.float16)\nd = tl.dot(a, a.T, c, out_dtype=tl.float32)"),
            "3:20-21: `tl.dot`: expected an accumulator of type fp32[16, 16], found fp16[16, 16]\n"
            "  2:5-35: the accumulator is made here\n"
            "  help: `out_dtype=tl.float16` sums in fp16\n");
  EXPECT_EQ(bodyErrors(operands + "d = tl.dot(a, a.T, 0.0)"),
            "2:20-23: `tl.dot`: expected an accumulator of type fp32[16, 16], found fp32\n");
  EXPECT_EQ(
      bodyErrors("a = tl.zeros([32, 32], tl.int8)\nc = tl.zeros([32, 32], tl.float32)\nd = tl.dot(a, a, c)"),
      "3:18-19: `tl.dot`: expected an accumulator of type int32[32, 32], found fp32[32, 32]\n"
      "  2:5-35: the accumulator is made here\n");
}

TEST(EvalDot, PartsOfBf16TakeThreeProductsOrSix) {
  auto products = [](const std::string &precision) {
    const std::string single = zeros("16, 16", "float32");
    const std::string text = irOf(single, single, ", input_precision='" + precision + "'");
    size_t count = 0;
    for (size_t at = text.find("tile.dot "); at != text.npos; at = text.find("tile.dot ", at + 1))
      ++count;
    return count;
  };
  EXPECT_EQ(products("bf16x3"), 3u);
  EXPECT_EQ(products("BF16x6"), 6u);
}

TEST(EvalDot, WrongPrecisions) {
  std::string single = zeros("16, 16", "float32"), eight = zeros("32, 32", "float8e5");
  EXPECT_EQ(errorsOf(single, single, ", input_precision='tf23'"),
            "3:18-40: `tl.dot`: expected 'tf32', 'tf32x3', 'ieee', 'bf16x3' or 'bf16x6', found 'tf23'\n"
            "  help: did you mean `tf32`?\n");
  EXPECT_EQ(errorsOf(single, single, ", input_precision='x', allow_tf32=True"),
            "3:39-54: `tl.dot`: expected `input_precision` or `allow_tf32`, found both\n");
  EXPECT_EQ(errorsOf(eight, eight, ", max_num_imprecise_acc=64"),
            "3:18-42: `tl.dot`: max_num_imprecise_acc (64) must be <= K (32)\n");
  EXPECT_EQ(errorsOf(eight, eight, ", max_num_imprecise_acc=-1"),
            "3:18-42: `tl.dot`: expected a number of additions, found -1\n");
}

TEST(EvalDot, ScaledProductsMultiplySixteenBits) {
  const std::string product =
      bodyIr("x = tl.load(p + tl.arange(0, 32)[:, None] * 32 + tl.arange(0, 32)[None, :])\n"
             "c = tl.dot_scaled(x, tl.load(p + tl.arange(0, 64)).reshape(32, 2), 'e2m1', x, None, 'e2m1', "
             "rhs_k_pack=True)[:, :]\n"
             "tl.store(q + tl.arange(0, 32)[:, None] * 32 + tl.arange(0, 32)[None, :], c)",
             {{"p", "*u8"}, {"q", "*fp32"}});
  EXPECT_TRUE(holds(product, {"tile.join", "tensor<32x64xbf16>", "tile.dot",
                              "tensor<32x64xbf16>, tensor<64x32xbf16> -> tensor<32x32xf32>"}));
  EXPECT_EQ(bodyErrors("c = tl.dot_scaled(1, 2)"),
            "1:5-24: `tl.dot_scaled`: missing argument `lhs_format`\n");
}
