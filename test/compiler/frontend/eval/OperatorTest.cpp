// Operators and casts: which ops they become.
#include "test/compiler/frontend/Harness.h"

using namespace tegula;
using namespace tegula::test;

namespace {

/// The text of the op that computes `text` of `a` (and `b`).
void expectOps(const std::string &text, const char *a, const char *b,
               std::initializer_list<std::string_view> ops) {
  NamedArguments arguments = {{"a", a}};
  if (b)
    arguments.push_back({"b", b});
  EXPECT_TRUE(holds(bodyIr("x = " + text, arguments), ops)) << text << " of " << a;
}

} // namespace

TEST(EvalOperator, FloatArithmeticMayContract) {
  expectOps("a + b", "fp32", "fp32", {"arith.addf %arg0, %arg1 fastmath<contract> : f32"});
  expectOps("a - b", "fp16", "fp16", {"arith.subf %arg0, %arg1 fastmath<contract> : f16"});
  expectOps("a * b", "bf16", "bf16", {"arith.mulf %arg0, %arg1 fastmath<contract> : bf16"});
}

TEST(EvalOperator, DivisionOfFloats) {
  expectOps("a / b", "fp32", "fp32", {"arith.divf %arg0, %arg1 fastmath<afn> : f32"});
  expectOps("a / b", "fp64", "fp64", {"arith.divf %arg0, %arg1 : f64"});
  expectOps("a / b", "fp16", "fp16",
            {"arith.extf %arg0 : f16 to f32", "arith.extf %arg1", "arith.divf", "afn"});
  expectOps("a / b", "i32", "i32", {"arith.sitofp %arg0 : i32 to f32", "arith.sitofp %arg1", "arith.divf"});
  expectOps("a / b", "u32", "u32", {"arith.uitofp %arg0 : i32 to f32", "arith.uitofp %arg1", "arith.divf"});
  expectOps("a % b", "fp32", "fp32", {"arith.remf %arg0, %arg1 : f32"});
}

TEST(EvalOperator, IntegerDivisionTruncatesAsInC) {
  expectOps("a // b", "i32", "i32", {"arith.divsi %arg0, %arg1 : i32"});
  expectOps("a % b", "i64", "i64", {"arith.remsi %arg0, %arg1 : i64"});
  expectOps("a // b", "u32", "u32", {"arith.divui %arg0, %arg1 : i32"});
  expectOps("a % b", "u8", "u8", {"arith.remui %arg0, %arg1 : i8"});
  // Numbers known at compile time divide as in Python.
  EXPECT_EQ(bodyMessages("tl.static_print(-7 // 2, -7 % 2, 7 // -2, 7 % -2)"), "-4 1 -4 -1\n");
  // A scalar that was assigned a number is a run-time value: it divides as in C.
  EXPECT_TRUE(holds(bodyIr("m = -7\nx = m // 2\ntl.device_print('x', x)"), {"arith.constant -3 : i32"}));
}

TEST(EvalOperator, Bits) {
  expectOps("a & b", "i32", "i32", {"arith.andi %arg0, %arg1 : i32"});
  expectOps("a | b", "u8", "u8", {"arith.ori %arg0, %arg1 : i8"});
  expectOps("a ^ b", "i1", "i1", {"arith.xori %arg0, %arg1 : i1"});
  expectOps("a << b", "i32", "i32", {"arith.shli %arg0, %arg1 : i32"});
  expectOps("a >> b", "i32", "i32", {"arith.shrsi %arg0, %arg1 : i32"});
  expectOps("a >> b", "u32", "u32", {"arith.shrui %arg0, %arg1 : i32"});
  // The left operand's sign decides, though both are promoted to an unsigned type.
  expectOps("a >> b", "i32", "u32", {"arith.shrsi"});
  expectOps("1 << a", "i64", nullptr, {"arith.constant 1 : i64", "arith.shli"});
}

TEST(EvalOperator, Unary) {
  expectOps("-a", "i32", nullptr, {"arith.constant 0 : i32", "arith.subi %c0_i32, %arg0 : i32"});
  // Negation subtracts from +0: the language has no negative zero here.
  expectOps("-a", "fp32", nullptr, {"arith.constant 0.000000e+00 : f32", "arith.subf"});
  expectOps("~a", "i32", nullptr, {"arith.constant -1 : i32", "arith.xori"});
  expectOps("not a", "i1", nullptr, {"arith.constant true", "arith.xori"});
  expectOps("not a", "i32", nullptr, {"arith.cmpi ne, %arg0, %c0_i32", "arith.xori"});
  EXPECT_TRUE(holds(bodyIr("x = +a\ntl.device_print('x', x)", {{"a", "i32"}}),
                    {"tile.print \" x: \" [true] values(%arg0 : i32)"}));
}

TEST(EvalOperator, ComparisonsAreOrderedButForInequality) {
  struct Case {
    const char *op, *real, *isSigned, *isUnsigned;
  };
  for (Case c :
       {Case{"==", "oeq", "eq", "eq"}, Case{"!=", "une", "ne", "ne"}, Case{"<", "olt", "slt", "ult"},
        Case{"<=", "ole", "sle", "ule"}, Case{">", "ogt", "sgt", "ugt"}, Case{">=", "oge", "sge", "uge"}}) {
    std::string text = std::string("a ") + c.op + " b";
    expectOps(text, "fp32", "fp32", {"arith.cmpf " + std::string(c.real) + ", %arg0, %arg1 : f32"});
    expectOps(text, "i32", "i32", {"arith.cmpi " + std::string(c.isSigned) + ", %arg0, %arg1 : i32"});
    expectOps(text, "u16", "u16", {"arith.cmpi " + std::string(c.isUnsigned) + ", %arg0, %arg1 : i16"});
  }
}

TEST(EvalOperator, AndOrOnRuntimeValuesAreBitwiseOnTruths) {
  expectOps("a and b", "i1", "i1", {"arith.andi %arg0, %arg1 : i1"});
  expectOps("a or b", "i32", "i1", {"arith.cmpi ne, %arg0, %c0_i32", "arith.ori"});
  // What is known at compile time decides at once, and what follows is not even looked at.
  EXPECT_EQ(bodyErrors("x = False and nothing\ny = True or nothing\nz = False and a", {{"a", "i32"}}), "");
  EXPECT_TRUE(holds(bodyIr("if True and a > 0:\n    tl.device_print('x', a)", {{"a", "i32"}}), {"scf.if"}));
}

TEST(EvalOperator, PointersTakeIntegers) {
  expectOps("a + b", "*fp32", "i32", {"tile.addptr %arg0, %arg1 : !tile.ptr<f32>, i32"});
  expectOps("b + a", "*fp32", "i64", {"tile.addptr %arg0, %arg1 : !tile.ptr<f32>, i64"});
  expectOps("a + b", "*fp32", "i16", {"tile.addptr %arg0, %arg1 : !tile.ptr<f32>, i16"});
  expectOps("a + b", "*fp32", "u32", {"arith.extui %arg1 : i32 to i64", "tile.addptr"});
  expectOps("a + b", "*fp32", "u64", {"tile.addptr %arg0, %arg1 : !tile.ptr<f32>, i64"});
  expectOps("a - b", "*fp32", "i32", {"arith.subi %c0_i32, %arg1", "tile.addptr"});
  expectOps("a - b", "*fp32", "u32", {"arith.extui", "arith.subi", "tile.addptr"});
  expectOps("a + 5", "*fp32", nullptr, {"arith.constant 5 : i32", "tile.addptr"});
  expectOps("a + 0", "*fp32", nullptr, {"return"});
}

TEST(EvalOperator, ScalarsStayScalarUntilTheyMeetATensor) {
  EXPECT_TRUE(holds(bodyIr("i = tl.arange(0, 64) + (a * 2 + 1)\ntl.device_print('i', i)", {{"a", "i32"}}),
                    {"arith.muli %arg0, %c2_i32 : i32", "arith.addi", ": i32", "tile.splat", "arith.addi",
                     "tensor<64xi32>"}));
  // Numbers become constant tensors without a splat.
  std::string ir = bodyIr("i = tl.arange(0, 64) * 3\ntl.device_print('i', i)");
  EXPECT_TRUE(holds(ir, {"arith.constant dense<3> : tensor<64xi32>", "arith.muli"}));
  EXPECT_EQ(ir.find("splat"), ir.npos);
}

TEST(EvalOperator, Casts) {
  struct Case {
    const char *from, *to, *op;
  };
  for (Case c : {
           Case{"fp32", "float16", "arith.truncf %arg0 : f32 to f16"},
           Case{"fp32", "bfloat16", "arith.truncf %arg0 : f32 to bf16"},
           Case{"fp64", "float16", "arith.truncf %arg0 : f64 to f16"},
           Case{"fp16", "float64", "arith.extf %arg0 : f16 to f64"},
           Case{"i8", "int32", "arith.extsi %arg0 : i8 to i32"},
           Case{"i8", "uint32", "arith.extsi %arg0 : i8 to i32"},
           Case{"u8", "int32", "arith.extui %arg0 : i8 to i32"},
           Case{"i1", "int32", "arith.extui %arg0 : i1 to i32"},
           Case{"i64", "int8", "arith.trunci %arg0 : i64 to i8"},
           Case{"i32", "int1", "arith.cmpi ne, %arg0, %c0_i32"},
           Case{"fp32", "int1", "arith.cmpf une, %arg0"},
           Case{"fp32", "int32", "arith.fptosi %arg0 : f32 to i32"},
           Case{"fp32", "uint8", "arith.fptoui %arg0 : f32 to i8"},
           Case{"i32", "float32", "arith.sitofp %arg0 : i32 to f32"},
           Case{"u32", "float32", "arith.uitofp %arg0 : i32 to f32"},
           Case{"i1", "float32", "arith.uitofp %arg0 : i1 to f32"},
           Case{"*fp32", "int64", "tile.ptr_to_int %arg0 : !tile.ptr<f32> -> i64"},
           Case{"*fp32", "int1", "tile.ptr_to_int"},
       })
    expectOps("a.to(tl." + std::string(c.to) + ")", c.from, nullptr, {c.op});
  expectOps("a.to(tl.bfloat16)", "fp16", nullptr,
            {"arith.extf %arg0 : f16 to f32", "arith.truncf", "f32 to bf16"});
  expectOps("a.to(tl.int32)", "fp16", nullptr,
            {"arith.extf %arg0 : f16 to f32", "arith.fptosi", "f32 to i32"});
  expectOps("a.to(tl.pointer_type(tl.float16))", "i64", nullptr,
            {"tile.int_to_ptr %arg0 : i64 -> !tile.ptr<f16>"});
  expectOps("a.to(tl.pointer_type(tl.int8))", "*fp32", nullptr,
            {"tile.bitcast %arg0 : !tile.ptr<f32> -> !tile.ptr<i8>"});
  expectOps("a.to(tl.float16, fp_downcast_rounding='rtz')", "fp32", nullptr,
            {"arith.truncf %arg0 toward_zero : f32 to f16"});
  expectOps("tl.cast(a, tl.int32, bitcast=True)", "fp32", nullptr, {"arith.bitcast %arg0 : f32 to i32"});
  EXPECT_TRUE(
      holds(bodyIr("y = a.to(tl.float32, fp_downcast_rounding='rtne')", {{"a", "fp32"}}), {"{\n  return"}));
  // A change of sign alone is not an op.
  EXPECT_TRUE(holds(bodyIr("tl.device_print('x', a.to(tl.uint32))", {{"a", "i32"}}),
                    {"tile.print \" x: \" [false] values(%arg0"}));
}

TEST(EvalOperator, Select) {
  EXPECT_TRUE(holds(
      bodyIr("i = tl.arange(0, 4)\nx = tl.where(i < n, i, -1)\ntl.device_print('x', x)", {{"n", "i32"}}),
      {"arith.cmpi slt", "arith.constant dense<-1>", "arith.select", ": tensor<4xi1>, tensor<4xi32>"}));
  EXPECT_TRUE(
      holds(bodyIr("tl.store(tl.where(n > 0, p, q), 1.0)", {{"n", "i32"}, {"p", "*fp32"}, {"q", "*fp32"}}),
            {"arith.select", ": !tile.ptr<f32>", "tile.store"}));
}

TEST(EvalOperator, SanitizedArithmeticAssertsInDebugKernels) {
  NamedArguments arguments = {{"a", "i32"}, {"b", "i32"}};
  EXPECT_TRUE(holds(bodyIr("x = a + b", arguments, /*debug=*/true),
                    {"arith.extsi %arg0 : i32 to i64", "arith.addi", "arith.cmpi sge", "arith.cmpi sle",
                     "tile.assert", "int32 overflow in `+`", "arith.addi %arg0, %arg1 : i32"}));
  EXPECT_EQ(bodyIr("x = a + b", arguments).find("tile.assert"), std::string::npos);
}

TEST(EvalOperator, OneRunTimeOperandBesideConstantsIsTheValueItself) {
  EXPECT_EQ(bodyMessages("tl.static_print((n and 7).dtype, (True and n).dtype, (0 or n).dtype, n or 5, n and 0)\n",
                         {{"n", "i32"}}),
            "int32 int32 int32 5 0\n");
}

TEST(EvalOperator, AScalarGainsAnAxisForEachNoneWhateverElseStandsInTheIndex) {
  EXPECT_TRUE(holds(bodyIr("x = n[:, None] * 2 + n[None, :]\ntl.device_print('x', x)", {{"n", "i32"}}),
                    {"tensor<1xi32>"}));
  EXPECT_EQ(bodyMessages("n = tl.program_id(0)\ntl.static_print(n[:, None].shape, n[None, None, :].shape)"),
            "[1] [1, 1]\n");
}

TEST(EvalOperator, ChainsOfComparisonsJoinRunTimeValues) {
  EXPECT_TRUE(holds(bodyIr("tl.device_print('c', 0 < n < 5)", {{"n", "i32"}}),
                    {"arith.cmpi", "arith.cmpi", "arith.andi"}));
  EXPECT_TRUE(holds(bodyIr("i = tl.arange(0, 8)\ntl.device_print('c', 2 <= i < n)", {{"n", "i32"}}),
                    {"arith.cmpi", "arith.cmpi", "arith.andi", "tensor<8xi1>"}));
  // What is known decides early, and what it leaves out is not computed.
  EXPECT_EQ(bodyMessages("tl.static_print(1 < 0 < 2, 0 < 1 < 2)"), "False True\n");
  EXPECT_EQ(bodyErrors("tl.static_assert(not (1 < 0 < n))", {{"n", "i32"}}), "");
}
