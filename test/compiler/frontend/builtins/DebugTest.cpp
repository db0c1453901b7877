// Prints and assertions, at compile time and on the device.
#include "test/compiler/frontend/Harness.h"

using namespace tegula;
using namespace tegula::test;

TEST(EvalDebug, StaticPrintsAreRemarks) {
  EXPECT_EQ(
      bodyErrors("tl.static_print('B =', B, [1, 'a', None], x, sep='|')", {{"B", "#4"}, {"x", "*fp16"}}),
      "1:1-54: remark: B =|4|[1, 'a', None]|pointer<fp16>\n");
  EXPECT_EQ(bodyMessages("tl.static_print(f'{B:>4}{B + 1}{x.dtype}')", {{"B", "#4"}, {"x", "fp32"}}),
            "   45fp32\n");
}

TEST(EvalDebug, StaticAssertions) {
  EXPECT_EQ(bodyErrors("tl.static_assert(B == 4, 'never shown')\nassert B == 4", {{"B", "#4"}}), "");
  EXPECT_EQ(
      bodyErrors("tl.static_assert(B > 4, f'{B} is too small')\ntl.static_assert(B > 5)", {{"B", "#4"}}),
      "1:1-45: static assertion failed: 4 is too small\n2:1-24: static assertion failed\n");
  EXPECT_EQ(bodyErrors("tl.static_assert(n > 4)", {{"n", "i32"}}),
            "1:18-23: `tl.static_assert`: expected a condition known at compile time, found int1\n");
  EXPECT_EQ(bodyErrors("assert B > 4, 'too small'\nassert B > 5", {{"B", "#4"}}),
            "1:8-13: the assertion fails: too small\n2:8-13: the assertion fails\n");
}

TEST(EvalDebug, DevicePrints) {
  EXPECT_TRUE(
      holds(bodyIr("tl.device_print('v', n, tl.arange(0, 4), 1.5, hex=True)\nprint('w', n)", {{"n", "u8"}}),
            {"tile.print \" v: \" [false, true, false] hex values(%arg0, %0, %c1069547520_i32 : i8, "
             "tensor<4xi32>, i32)",
             "tile.print \" w: \" [false] values(%arg0 : i8)"}));
  const std::string later =
      evaluateAs("3.9", "@triton.jit\ndef k(x):\n    tl.device_print('v', x, hex=True)\n", {{"x", "fp32"}},
                 false, "k")
          .ir;
  EXPECT_TRUE(holds(later, {"tile.print \" v: \" [false] hex values(%arg0 : f32)"})) << later;
  EXPECT_TRUE(holds(bodyIr("tl.device_print('here')"), {"tile.print \" here\" []"}));
  EXPECT_EQ(bodyErrors("tl.device_print('\xc3\xa9')"),
            "1:17-20: `tl.device_print`: expected printable ASCII as the prefix\n");
  EXPECT_EQ(bodyErrors("tl.device_print(n)", {{"n", "i32"}}),
            "1:17-18: `tl.device_print`: expected a string, found int32\n");
  EXPECT_EQ(bodyErrors("tl.device_print('x', 'y')"), "1:22-25: expected a number or a tensor, found str\n");
}

TEST(EvalDebug, PrefixesOfPrintsAreBetweenBlanksAndEndInAColonBeforeValues) {
  const std::pair<const char *, const char *> withValue[] = {
      {"x", " x: "},  {"x ", " x: "}, {"x:", " x: "}, {"x: ", " x: "},
      {" x", " x: "}, {"", ": "},     {":", ": "},    {"a b", " a b: "}};
  for (const auto &[written, printed] : withValue)
    EXPECT_TRUE(holds(bodyIr("tl.device_print('" + std::string(written) + "', n)", {{"n", "i32"}}),
                      {"tile.print \"" + std::string(printed) + "\" [true]"}))
        << written;
  const std::pair<const char *, const char *> alone[] = {
      {"no arg", " no arg"}, {"x", "x"}, {"", ""}, {"a: ", " a: "}};
  for (const auto &[written, printed] : alone)
    EXPECT_TRUE(holds(bodyIr("tl.device_print('" + std::string(written) + "')"),
                      {"tile.print \"" + std::string(printed) + "\" []"}))
        << written;
  EXPECT_TRUE(holds(bodyIr("tl.device_print('ab\\n')"), {"tile.print \" ab\\0A\" []"}));
}

TEST(EvalDebug, DeviceAssertionsNeedTheDebugSwitch) {
  const char *body = "i = tl.arange(0, 4)\ntl.device_assert(i < n, 'large', mask=i > 1)\ntl.device_assert(n "
                     "> 0)\nassert n > 1, 'py'";
  NamedArguments arguments = {{"n", "i32"}};
  EXPECT_EQ(bodyIr(body, arguments).find("tile.assert"), std::string::npos);
  EXPECT_TRUE(
      holds(bodyIr(body, arguments, /*debug=*/true),
            {"arith.cmpi slt", "arith.cmpi sgt", "arith.xori", "arith.ori", "tile.assert %",
             "\"large\" : tensor<4xi1>", "tile.assert %", "\"\" : i1", "tile.assert %", "\"py\" : i1"}));
  EXPECT_EQ(bodyErrors("assert n > 1, n", arguments),
            "1:15-16: expected a string as the message, found int32\n");
  EXPECT_EQ(bodyErrors("tl.assume(tl.arange(0, 4) > n)", arguments),
            "1:11-30: `tl.assume`: expected a scalar condition, found int1[4]\n");
}
