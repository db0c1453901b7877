// The promotion rules: every pair of types under every operator, against tables written from the language's
// documentation, not from the code.
#include "test/compiler/frontend/Harness.h"

#include <array>
#include <sstream>

using namespace tegula;
using namespace tegula::test;

namespace {

constexpr std::array<std::string_view, 13> types = {"i1",  "i8",  "i16",  "i32",  "i64",  "u8",  "u16",
                                                    "u32", "u64", "fp16", "bf16", "fp32", "fp64"};

std::string longName(std::string_view type) {
  if (type.starts_with('i'))
    return "int" + std::string(type.substr(1));
  return type.starts_with('u') ? "uint" + std::string(type.substr(1)) : std::string(type);
}

/// Row `a`, column `b`, both in the order of `types`: the type of `a + b`.
constexpr std::string_view sumTable[] = {
    //       i1   i8   i16  i32  i64  u8   u16  u32  u64  fp16 bf16 fp32 fp64
    /*i1  */ "i1   i8   i16  i32  i64  u8   u16  u32  u64  fp16 fp32 fp32 fp64",
    /*i8  */ "i8   i8   i16  i32  i64  u8   u16  u32  u64  fp16 fp32 fp32 fp64",
    /*i16 */ "i16  i16  i16  i32  i64  i16  u16  u32  u64  fp16 fp32 fp32 fp64",
    /*i32 */ "i32  i32  i32  i32  i64  i32  i32  u32  u64  fp16 fp32 fp32 fp64",
    /*i64 */ "i64  i64  i64  i64  i64  i64  i64  i64  u64  fp16 fp32 fp32 fp64",
    /*u8  */ "u8   u8   i16  i32  i64  u8   u16  u32  u64  fp16 fp32 fp32 fp64",
    /*u16 */ "u16  u16  u16  i32  i64  u16  u16  u32  u64  fp16 fp32 fp32 fp64",
    /*u32 */ "u32  u32  u32  u32  i64  u32  u32  u32  u64  fp16 fp32 fp32 fp64",
    /*u64 */ "u64  u64  u64  u64  u64  u64  u64  u64  u64  fp16 fp32 fp32 fp64",
    /*fp16*/ "fp16 fp16 fp16 fp16 fp16 fp16 fp16 fp16 fp16 fp16 fp16 fp32 fp64",
    /*bf16*/ "fp32 fp32 fp32 fp32 fp32 fp32 fp32 fp32 fp32 fp16 bf16 fp32 fp64",
    /*fp32*/ "fp32 fp32 fp32 fp32 fp32 fp32 fp32 fp32 fp32 fp32 fp32 fp32 fp64",
    /*fp64*/ "fp64 fp64 fp64 fp64 fp64 fp64 fp64 fp64 fp64 fp64 fp64 fp64 fp64",
};

std::string sumType(size_t a, size_t b) {
  std::istringstream row{std::string(sumTable[a])};
  std::string type;
  for (size_t i = 0; i <= b; ++i)
    row >> type;
  return type;
}

bool isFloat(size_t type) { return type >= 9; }

/// Truths count as unsigned.
bool isUnsigned(size_t type) { return type == 0 || (type >= 5 && type <= 8); }

/// The expected type of `a OP b`, or "" for an error.
std::string expected(std::string_view op, size_t a, size_t b) {
  bool floats = isFloat(a) || isFloat(b), mixed = isUnsigned(a) != isUnsigned(b);
  if (op == "+" || op == "-" || op == "*" || op == "maximum")
    return op == "maximum" && a == 10 && b == 10               ? "fp32"
           : op == "maximum" && (a == 10 || b == 10) && floats ? sumType(a == 10 ? 11 : a, b == 10 ? 11 : b)
                                                               : sumType(a, b);
  if (op == "<" || op == "==")
    return "i1";
  if (op == "&" || op == "<<" || op == ">>")
    return floats ? "" : sumType(a, b);
  // The divisions.
  if (op == "//" && floats)
    return "";
  if (!floats)
    return mixed ? "" : op == "/" ? "fp32" : sumType(a, b);
  std::string type = sumType(a, b);
  return type == "fp64" ? type : "fp32";
}

std::string expression(std::string_view op) {
  return op == "maximum" ? "tl.maximum(a, b)" : "a " + std::string(op) + " b";
}

/// Returns the type of `text` as `tl.static_print` names it, or "" after an error.
std::string typeOf(const std::string &text, const NamedArguments &arguments) {
  Evaluated result = evaluateBody("tl.static_print((" + text + ").dtype)", arguments);
  if (result.ir.empty() || result.diagnostics.empty())
    return "";
  return result.diagnostics.front().message;
}

} // namespace

TEST(EvalPromotion, EveryPairUnderEveryOperator) {
  for (std::string_view op : {"+", "-", "*", "/", "//", "%", "&", "<<", ">>", "<", "==", "maximum"})
    for (size_t a = 0; a < types.size(); ++a)
      for (size_t b = 0; b < types.size(); ++b) {
        std::string wanted = expected(op, a, b);
        EXPECT_EQ(typeOf(expression(op), {{"a", std::string(types[a])}, {"b", std::string(types[b])}}),
                  wanted.empty() ? "" : longName(wanted))
            << types[a] << " " << op << " " << types[b];
      }
}

TEST(EvalPromotion, NumbersGiveWayToTypesOfTheirKindOrHigher) {
  struct Row {
    std::string_view number;
    /// In the order of `types`: of the sum with a value of the type.
    std::string_view sums;
  };
  constexpr Row rows[] = {
      {"True", "i1   i8   i16  i32  i64  u8   u16  u32  u64  fp16 bf16 fp32 fp64"},
      {"3", "i32  i8   i16  i32  i64  u8   u16  u32  u64  fp16 bf16 fp32 fp64"},
      {"2.5", "fp32 fp32 fp32 fp32 fp32 fp32 fp32 fp32 fp32 fp16 bf16 fp32 fp64"},
      {"1e300", "fp64 fp64 fp64 fp64 fp64 fp64 fp64 fp64 fp64 fp16 bf16 fp32 fp64"},
  };
  for (const Row &row : rows) {
    std::istringstream sums{std::string(row.sums)};
    for (std::string_view type : types) {
      std::string wanted;
      sums >> wanted;
      for (const std::string &text : {"a + " + std::string(row.number), std::string(row.number) + " + a"})
        EXPECT_EQ(typeOf(text, {{"a", std::string(type)}}), longName(wanted)) << text << " for " << type;
    }
  }
}

TEST(EvalPromotion, ScalarsOfTheKernelAreNotNumbers) {
  // An assigned number is a run-time scalar with a type of its own.
  for (auto [type, wanted] :
       {std::pair("fp16", "fp32"), std::pair("bf16", "fp32"), std::pair("i8", "fp32")}) {
    Evaluated result = evaluateBody("half = 0.5\ntl.static_print((a * half).dtype)", {{"a", type}});
    ASSERT_EQ(result.diagnostics.size(), 1u);
    EXPECT_EQ(result.diagnostics[0].message, wanted);
  }
  EXPECT_EQ(typeOf("a * 0.5", {{"a", "fp16"}}), "fp16");
}

TEST(EvalPromotion, DivisionOfShortFloatsByNumbersIsInSinglePrecision) {
  for (const char *number : {"2", "2.0", "True"})
    for (const char *op : {"/", "%"})
      for (const char *type : {"fp16", "bf16"})
        EXPECT_EQ(typeOf("a " + std::string(op) + " " + number, {{"a", type}}), "fp32");
  EXPECT_EQ(typeOf("a / 2", {{"a", "u8"}}), "fp32");
  EXPECT_EQ(typeOf("a // 2", {{"a", "u8"}}), "uint8");
  EXPECT_EQ(typeOf("a / 2", {{"a", "fp64"}}), "fp64");
}

TEST(EvalPromotion, NumbersHaveTheSmallestTypeFromThirtyTwoBits) {
  struct Case {
    const char *number, *type;
  };
  for (Case c :
       {Case{"True", "int1"}, Case{"0", "int32"}, Case{"2147483647", "int32"}, Case{"-2147483648", "int32"},
        Case{"2147483648", "uint32"}, Case{"4294967295", "uint32"}, Case{"4294967296", "int64"},
        Case{"-2147483649", "int64"}, Case{"9223372036854775808", "uint64"},
        Case{"18446744073709551615", "uint64"}, Case{"0.0", "fp32"}, Case{"1e-38", "fp64"},
        Case{"3.4028234663852886e38", "fp32"}, Case{"3.5e38", "fp64"}, Case{"1.1754943508222875e-38", "fp32"},
        Case{"1e-40", "fp64"}, Case{"float('inf')", "fp32"}, Case{"float('nan')", "fp32"}})
    EXPECT_EQ(typeOf("tl.to_tensor(" + std::string(c.number) + ")", {}), c.type) << c.number;
}

TEST(EvalPromotion, NumbersMustFitTheTypeTheyGiveWayTo) {
  struct Case {
    const char *type, *text, *message;
  };
  for (Case c : {Case{"u8", "a + -1", "Scalar -1 is out of range for type uint8"},
                 Case{"u64", "a * -5", "Scalar -5 is out of range for type uint64"},
                 Case{"i8", "a + 128", "Scalar 128 is out of range for type int8"},
                 Case{"i8", "-129 - a", "Scalar -129 is out of range for type int8"},
                 Case{"u8", "a & 256", "Scalar 256 is out of range for type uint8"}}) {
    Evaluated result = evaluateBody("x = " + std::string(c.text), {{"a", c.type}});
    ASSERT_EQ(result.diagnostics.size(), 1u) << c.text;
    EXPECT_EQ(result.diagnostics[0].message, c.message);
    EXPECT_EQ(result.diagnostics[0].help, "cast the other operand to a type that holds the number");
  }
}

TEST(EvalPromotion, ComparedNumbersAreTensorsOfTheirOwnType) {
  struct Case {
    const char *type, *text;
    std::initializer_list<std::string_view> ops;
  };
  for (const Case &c : {
           Case{"fp16", "a >= 0.1", {"arith.extf %arg0 : f16 to f32", "arith.cmpf oge", "f32"}},
           Case{"fp16", "0.1 <= a", {"arith.extf %arg0 : f16 to f32", "arith.cmpf ole", "f32"}},
           Case{"fp16", "a > 0", {"arith.cmpf ogt, %arg0", "f16"}},
           Case{"i8", "a > 200", {"arith.extsi %arg0 : i8 to i32", "arith.cmpi sgt", "i32"}},
           Case{"i8", "a == True", {"arith.cmpi eq, %arg0", "i8"}},
           Case{"u8", "a >= -1", {"arith.extui %arg0 : i8 to i32", "arith.cmpi sge"}},
           Case{"u32", "a > -1", {"arith.constant -1 : i32", "arith.cmpi ugt, %arg0"}},
           Case{"i32", "a < 4294967296", {"arith.extsi %arg0 : i32 to i64", "arith.cmpi slt"}},
           Case{"i32", "a < 1e300", {"arith.sitofp %arg0 : i32 to f64", "arith.cmpf olt"}},
           // 0.1 as single precision has it.
           Case{"fp64", "a < 0.1", {"arith.constant 0.1000000014", "arith.cmpf olt", "f64"}},
       })
    EXPECT_TRUE(holds(bodyIr("x = " + std::string(c.text), {{"a", c.type}}), c.ops))
        << c.type << " " << c.text;
}

TEST(EvalPromotion, NumbersOfFunctionsAreTensorsOfTheirOwnType) {
  struct Case {
    const char *type, *text, *wanted;
  };
  for (Case c : {Case{"fp16", "tl.maximum(a, 0.0)", "fp32"}, Case{"fp16", "tl.maximum(a, 0)", "fp16"},
                 Case{"i8", "tl.minimum(a, 127)", "int32"}, Case{"i8", "tl.minimum(300, a)", "int32"},
                 Case{"u8", "tl.minimum(a, -1)", "int32"}, Case{"i32", "tl.minimum(a, 2 ** 40)", "int64"},
                 Case{"fp32", "tl.maximum(a, 1e300)", "fp64"}, Case{"bf16", "tl.maximum(a, 1)", "fp32"},
                 Case{"fp16", "tl.clamp(a, 0.0, 1.0)", "fp32"}, Case{"fp16", "tl.clamp(a, 0, 1)", "fp16"},
                 Case{"i32", "tl.clamp(a, 0.0, 1.0)", "fp32"}, Case{"fp16", "tl.fma(a, 0.5, a)", "fp32"},
                 Case{"fp16", "tl.fma(a, 2, a)", "fp16"}, Case{"bf16", "tl.fma(a, 2, a)", "fp32"},
                 Case{"fp32", "tl.div_rn(a, 3)", "fp32"}, Case{"i64", "tl.umulhi(a, 3)", "int64"},
                 Case{"i32", "tl.umulhi(a, 2 ** 31)", "uint32"}, Case{"fp16", "max(a, 0.0)", "fp32"},
                 // Where numbers give way.
                 Case{"fp16", "tl.where(a > 0, a, 0.1)", "fp16"}, Case{"i8", "tl.cdiv(a, 3)", "int8"},
                 Case{"i8", "tl.add(a, 3)", "int8"}, Case{"fp16", "a * 0.1", "fp16"}})
    EXPECT_EQ(typeOf(c.text, {{"a", c.type}}), c.wanted) << c.type << " " << c.text;
}
