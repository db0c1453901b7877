// Integers, casts, shapes and reductions against values worked out by hand.
#include "test/compiler/interp/InterpreterFixture.h"

#include <gtest/gtest.h>

using namespace tegula::interp;

namespace {

struct IntegerCase {
  const char *op;
  const char *type;
  uint64_t a, b, expected;
};

} // namespace

TEST(InterpreterIntegers, KeepTheirWidthAndSigns) {
  const IntegerCase cases[] = {
      {"arith.addi", "i8", 200, 100, 44},
      {"arith.addi", "i64", ~0ull, 2, 1},
      {"arith.subi", "i16", 1, 2, 0xffff},
      {"arith.muli", "i32", 0x10000, 0x10001, 0x10000},
      {"arith.divsi", "i8", 0xf9, 2, 0xfd}, // -7 / 2 = -3
      {"arith.remsi", "i8", 0xf9, 2, 0xff}, // -7 % 2 = -1
      {"arith.divui", "i8", 0xf9, 2, 0x7c}, // 249 / 2
      {"arith.remui", "i8", 0xf9, 2, 1},
      {"arith.floordivsi", "i32", 0xfffffff9, 2, 0xfffffffc}, // -7 / 2 = -3.5
      {"arith.ceildivsi", "i32", 7, 2, 4},
      {"arith.ceildivsi", "i32", 0xfffffff9, 2, 0xfffffffd},
      {"arith.ceildivui", "i32", 7, 2, 4},
      {"arith.shli", "i8", 0x81, 1, 2},
      {"arith.shrui", "i8", 0x81, 1, 0x40},
      {"arith.shrsi", "i8", 0x81, 1, 0xc0},
      {"arith.maxsi", "i8", 0x80, 0x7f, 0x7f},
      {"arith.maxui", "i8", 0x80, 0x7f, 0x80},
      {"arith.minsi", "i64", 1ull << 63, 1, 1ull << 63},
      {"arith.minui", "i64", 1ull << 63, 1, 1},
      {"arith.andi", "i8", 0x3c, 0x0f, 0x0c},
      {"arith.ori", "i8", 0x3c, 0x0f, 0x3f},
      {"arith.xori", "i8", 0x3c, 0x0f, 0x33},
      {"arith.xori", "i1", 1, 1, 0},
  };
  for (const IntegerCase &c : cases)
    EXPECT_EQ(evaluate(std::string("%r = ") + c.op + " %a, %b : " + c.type, c.type, {c.a, c.b}), c.expected)
        << c.op << " " << c.type << " " << c.a << ", " << c.b;
}

TEST(InterpreterIntegers, CountAndCompare) {
  EXPECT_EQ(evaluate("%r = math.ctlz %a : i8", "i8", {1}), 7u);
  EXPECT_EQ(evaluate("%r = math.ctlz %a : i64", "i64", {0}), 64u);
  EXPECT_EQ(evaluate("%r = math.cttz %a : i32", "i32", {0}), 32u);
  EXPECT_EQ(evaluate("%r = math.cttz %a : i32", "i32", {8}), 3u);
  EXPECT_EQ(evaluate("%r = math.ctpop %a : i16", "i16", {0xf0f1}), 9u);
  EXPECT_EQ(evaluate("%r = math.absi %a : i8", "i8", {0xfe}), 2u);
  EXPECT_EQ(evaluate("%r = math.absi %a : i8", "i8", {0x80}), 0x80u);
  EXPECT_EQ(evaluate("%l, %r = arith.mului_extended %a, %b : i32", "i32", {0xffffffff, 0xffffffff}),
            0xfffffffeu);
  EXPECT_EQ(evaluate("%l, %r = arith.mulsi_extended %a, %b : i32", "i32", {0xffffffff, 2}), 0xffffffffu);
  EXPECT_EQ(evaluate("%r, %h = arith.mulsi_extended %a, %b : i64", "i64", {~0ull, 2}), ~1ull);
  const char *names[] = {"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"};
  const int negativeAndOne[] = {0, 1, 1, 1, 0, 0, 0, 0, 1, 1};
  const int same[] = {1, 0, 0, 1, 0, 1, 0, 1, 0, 1};
  for (size_t i = 0; i < 10; ++i) {
    std::string body = std::string("%r = arith.cmpi ") + names[i] + ", %a, %b : i16";
    EXPECT_EQ(evaluate(body, "i16", {0xffff, 1}, "i1"), uint64_t(negativeAndOne[i])) << names[i];
    EXPECT_EQ(evaluate(body, "i16", {5, 5}, "i1"), uint64_t(same[i])) << names[i];
  }
}

// What has no result is undefined, and stops being so where a mask decides.
TEST(InterpreterIntegers, AreUndefinedWhereTheOpHasNoResult) {
  EXPECT_TRUE(isUndefined("%r = arith.divsi %a, %b : i32", "i32", {1, 0}));
  EXPECT_TRUE(isUndefined("%r = arith.divsi %a, %b : i32", "i32", {0x80000000, 0xffffffff}));
  EXPECT_TRUE(isUndefined("%r = arith.remsi %a, %b : i8", "i8", {0x80, 0xff}));
  EXPECT_TRUE(isUndefined("%r = arith.remui %a, %b : i32", "i32", {1, 0}));
  EXPECT_TRUE(isUndefined("%r = arith.shli %a, %b : i32", "i32", {1, 32}));
  EXPECT_TRUE(isUndefined("%r = arith.shrsi %a, %b : i8", "i8", {1, 8}));
  EXPECT_TRUE(isUndefined("%d = arith.divsi %a, %b : i32\n%r = arith.addi %d, %a : i32", "i32", {1, 0}));
  EXPECT_FALSE(isUndefined("%d = arith.divsi %a, %b : i32\n%r = arith.andi %d, %b : i32", "i32", {1, 0}));
  EXPECT_TRUE(isUndefined("%d = arith.divsi %a, %b : i32\n%r = arith.andi %d, %a : i32", "i32", {1, 0}));
  EXPECT_FALSE(
      isUndefined("%c = arith.constant -1 : i32\n%d = arith.divsi %a, %b : i32\n%r = arith.ori %c, %d : i32",
                  "i32", {1, 0}));
  EXPECT_FALSE(isUndefined("%c = arith.constant true\n%d = arith.divsi %a, %b : i32\n"
                           "%r = arith.select %c, %a, %d : i32",
                           "i32", {1, 0}));
  EXPECT_TRUE(isUndefined("%c = arith.constant false\n%d = arith.divsi %a, %b : i32\n"
                          "%r = arith.select %c, %a, %d : i32",
                          "i32", {1, 0}));
}

TEST(InterpreterCasts, ChangeTypes) {
  EXPECT_EQ(evaluate("%r = arith.extsi %a : i8 to i32", "i8", {0x80}, "i32"), 0xffffff80u);
  EXPECT_EQ(evaluate("%r = arith.extui %a : i8 to i32", "i8", {0x80}, "i32"), 0x80u);
  EXPECT_EQ(evaluate("%r = arith.extsi %a : i1 to i32", "i1", {1}, "i32"), 0xffffffffu);
  EXPECT_EQ(evaluate("%r = arith.trunci %a : i32 to i8", "i32", {0x1234}, "i8"), 0x34u);
  EXPECT_EQ(evaluate("%r = arith.bitcast %a : f32 to i32", "f32", {0x3f800000}, "i32"), 0x3f800000u);
  EXPECT_EQ(evaluate("%r = arith.sitofp %a : i32 to f32", "i32", {0xffffffff}, "f32"), 0xbf800000u);
  EXPECT_EQ(evaluate("%r = arith.uitofp %a : i32 to f32", "i32", {0xffffffff}, "f32"), 0x4f800000u);
  EXPECT_EQ(evaluate("%r = arith.uitofp %a : i1 to f16", "i1", {1}, "f16"), 0x3c00u);
  // 2^62 + 2^54 + 1 lies just above the middle of two bf16: through double it would tie down to even.
  EXPECT_EQ(evaluate("%r = arith.sitofp %a : i64 to bf16", "i64", {(1ull << 62) + (1ull << 54) + 1}, "bf16"),
            0x5e81u);
  EXPECT_EQ(evaluate("%r = arith.sitofp %a : i64 to bf16", "i64", {(1ull << 62) + (1ull << 54)}, "bf16"),
            0x5e80u);
  EXPECT_EQ(evaluate("%r = arith.fptosi %a : f32 to i8", "f32", {0xc2ff0000}, "i8"), 0x81u); // -127.5
  EXPECT_EQ(evaluate("%r = arith.fptoui %a : f64 to i64", "f64", {0x43e8000000000000}, "i64"),
            0xc000000000000000u);
  EXPECT_TRUE(isUndefined("%r = arith.fptosi %a : f32 to i8", "f32", {0x43000000}, "i8"));   // 128
  EXPECT_TRUE(isUndefined("%r = arith.fptoui %a : f32 to i8", "f32", {0xbf800000}, "i8"));   // -1
  EXPECT_FALSE(isUndefined("%r = arith.fptoui %a : f32 to i8", "f32", {0xbf000000}, "i8"));  // -0.5
  EXPECT_TRUE(isUndefined("%r = arith.fptosi %a : f32 to i32", "f32", {0x7fc00000}, "i32")); // NaN
}

TEST(InterpreterCasts, PointersAreNumbers) {
  std::vector<Array> arrays{{4, {7, 8}}, {8, {0}}};
  Outcome outcome = run(R"(func.func @f(%x: !tile.ptr<i32>, %out: !tile.ptr<i64>) {
    %c4 = arith.constant 4 : i64
    %i = tile.ptr_to_int %x : !tile.ptr<i32> -> i64
    %j = arith.addi %i, %c4 : i64
    %p = tile.int_to_ptr %j : i64 -> !tile.ptr<i32>
    %q = tile.bitcast %p : !tile.ptr<i32> -> !tile.ptr<i16>
    %v = tile.load %q : !tile.ptr<i16>
    %w = arith.extui %v : i16 to i64
    tile.store %out, %w : !tile.ptr<i64>
    return
  })",
                        arrays);
  EXPECT_EQ(outcome.text, "");
  EXPECT_EQ(arrays[1].elements[0], 8u);
}

namespace {

/// Stores the tensor `%r`, of `shape` (as "2x4"), to the only array.
std::vector<uint64_t> tensorOf(const std::string &body, const std::string &shape, size_t count) {
  std::vector<Array> arrays{{4, std::vector<uint64_t>(count)}};
  std::string n = std::to_string(count), flat = "tensor<" + n + "x", full = "tensor<" + shape + "x";
  Outcome outcome =
      run("func.func @f(%out: !tile.ptr<i32>) {\n" + body + "\n%flat = tile.reshape %r : " + full +
              "i32> -> " + flat + "i32>\n%i = tile.arange 0 to " + n + " : " + flat +
              "i32>\n%ps = tile.splat %out : !tile.ptr<i32> -> " + flat +
              "!tile.ptr<i32>>\n%p = tile.addptr %ps, %i : " + flat + "!tile.ptr<i32>>, " + flat +
              "i32>\ntile.store %p, %flat : " + flat + "!tile.ptr<i32>>\nreturn\n}",
          arrays);
  EXPECT_EQ(outcome.text, "");
  return arrays[0].elements;
}

const std::string square = "%a = tile.arange 0 to 8 : tensor<8xi32>\n"
                           "%x = tile.reshape %a : tensor<8xi32> -> tensor<2x4xi32>\n";

} // namespace

TEST(InterpreterShapes, MoveElements) {
  using Values = std::vector<uint64_t>;
  EXPECT_EQ(tensorOf("%r = tile.arange 3 to 7 : tensor<4xi32>", "4", 4), (Values{3, 4, 5, 6}));
  EXPECT_EQ(tensorOf("%c = arith.constant 9 : i32\n%r = tile.splat %c : i32 -> tensor<2x1xi32>", "2x1", 2),
            (Values{9, 9}));
  EXPECT_EQ(tensorOf("%r = arith.constant dense<[1, 2]> : tensor<2xi32>", "2", 2), (Values{1, 2}));
  EXPECT_EQ(tensorOf("%r = arith.constant dense<-1> : tensor<2xi32>", "2", 2),
            (Values{0xffffffff, 0xffffffff}));
  EXPECT_EQ(tensorOf(square + "%r = tile.trans %x, [1, 0] : tensor<2x4xi32> -> tensor<4x2xi32>", "4x2", 8),
            (Values{0, 4, 1, 5, 2, 6, 3, 7}));
  EXPECT_EQ(tensorOf("%a = tile.arange 0 to 2 : tensor<2xi32>\n"
                     "%e = tile.expand_dims %a, 1 : tensor<2xi32> -> tensor<2x1xi32>\n"
                     "%r = tile.broadcast %e : tensor<2x1xi32> -> tensor<2x4xi32>",
                     "2x4", 8),
            (Values{0, 0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(tensorOf("%a = tile.arange 0 to 4 : tensor<4xi32>\n"
                     "%e = tile.expand_dims %a, 0 : tensor<4xi32> -> tensor<1x4xi32>\n"
                     "%r = tile.broadcast %e : tensor<1x4xi32> -> tensor<2x4xi32>",
                     "2x4", 8),
            (Values{0, 1, 2, 3, 0, 1, 2, 3}));
  // Dimension d of the result is dimension order[d] of the source, of three.
  EXPECT_EQ(tensorOf("%a = tile.arange 0 to 8 : tensor<8xi32>\n"
                     "%x = tile.reshape %a : tensor<8xi32> -> tensor<1x2x4xi32>\n"
                     "%r = tile.trans %x, [2, 0, 1] : tensor<1x2x4xi32> -> tensor<4x1x2xi32>",
                     "4x1x2", 8),
            (Values{0, 4, 1, 5, 2, 6, 3, 7}));
  EXPECT_EQ(tensorOf("%c = arith.constant true\n%a = tile.arange 0 to 2 : tensor<2xi32>\n"
                     "%b = tile.arange 5 to 7 : tensor<2xi32>\n%r = arith.select %c, %b, %a : tensor<2xi32>",
                     "2", 2),
            (Values{5, 6}));
}

TEST(InterpreterReductions, CombineAlongAnyAxis) {
  using Values = std::vector<uint64_t>;
  const std::string add = " {\n^bb0(%p: i32, %q: i32):\n%s = arith.addi %p, %q : i32\ntile.yield %s : i32\n}";
  EXPECT_EQ(tensorOf(square + "%r = tile.reduce %x axis 1 : tensor<2x4xi32> -> tensor<2xi32>" + add, "2", 2),
            (Values{6, 22}));
  EXPECT_EQ(tensorOf(square + "%r = tile.reduce %x axis 0 : tensor<2x4xi32> -> tensor<4xi32>" + add, "4", 4),
            (Values{4, 6, 8, 10}));
  EXPECT_EQ(
      tensorOf("%a = tile.arange 1 to 9 : tensor<8xi32>\n%t = tile.reduce %a axis 0 : tensor<8xi32> -> i32" +
                   add + "\n%r = tile.splat %t : i32 -> tensor<1xi32>",
               "1", 1),
      (Values{36}));
  // The place of the greatest: two operands and a selection.
  EXPECT_EQ(tensorOf(R"(%v = arith.constant dense<[3, 9, 2, 9]> : tensor<4xi32>
    %place = tile.arange 0 to 4 : tensor<4xi32>
    %m, %at = tile.reduce %v, %place axis 0 : tensor<4xi32>, tensor<4xi32> -> i32, i32 {
    ^bb0(%v0: i32, %i0: i32, %v1: i32, %i1: i32):
      %gt = arith.cmpi sgt, %v0, %v1 : i32
      %eq = arith.cmpi eq, %v0, %v1 : i32
      %lt = arith.cmpi slt, %i0, %i1 : i32
      %tie = arith.andi %eq, %lt : i1
      %take = arith.ori %gt, %tie : i1
      %v2 = arith.select %take, %v0, %v1 : i32
      %i2 = arith.select %take, %i0, %i1 : i32
      tile.yield %v2, %i2 : i32, i32
    }
    %ten = arith.constant 10 : i32
    %mm = arith.muli %m, %ten : i32
    %both = arith.addi %mm, %at : i32
    %r = tile.splat %both : i32 -> tensor<1xi32>)",
                     "1", 1),
            (Values{91}));
}
