// Blocks of arrays, scans, and elements that change places, against values worked out by hand.
#include "test/compiler/interp/InterpreterFixture.h"

#include <gtest/gtest.h>

using namespace tegula::interp;

using Values = std::vector<uint64_t>;

namespace {

/// `body` with `%x` and `%out`, pointers to `type`, `%i` and `%j` of 32 bits, `%n` of 64, and 1 as `%one`.
std::string function(const std::string &type, const std::string &body) {
  return "func.func @f(%x: !tile.ptr<" + type + ">, %out: !tile.ptr<" + type +
         ">, %i: i32, %j: i32, %n: i64) {\n" +
         "%zero = arith.constant 0 : i32\n%one = arith.constant 1 : i64\n%four = arith.constant 4 : i64\n" +
         body + "return\n}";
}

/// Reads a block of 2 x 4 of a matrix of n x 4 and writes it out.
std::string copy(const std::string &checks) {
  return function("i32", "%v = tile.view %x, sizes [%n, %four], strides [%four, %one] : !tile.ptr<i32> -> "
                         "!tile.view<2 x i32>\n"
                         "%w = tile.view %out, sizes [%n, %four], strides [%four, %one] : !tile.ptr<i32> -> "
                         "!tile.view<2 x i32>\n"
                         "%b = tile.view_load %v[%i, %j] " +
                             checks +
                             " : !tile.view<2 x i32> -> tensor<2x4xi32>\n"
                             "tile.view_store %w[%zero, %zero], %b : !tile.view<2 x i32>, tensor<2x4xi32>\n");
}

const Values twelve{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

} // namespace

TEST(InterpreterViews, BlocksReachOverTheEdges) {
  struct Case {
    int32_t row, column;
    Values expected;
  };
  for (const Case &c : {Case{1, 0, {5, 6, 7, 8, 9, 10, 11, 12}}, Case{2, 1, {10, 11, 12, 0, 0, 0, 0, 0}},
                        Case{-1, -2, {0, 0, 0, 0, 0, 0, 1, 2}}, Case{1 << 30, 0, {0, 0, 0, 0, 0, 0, 0, 0}}}) {
    std::vector<Array> arrays{{4, twelve}, {4, Values(8, 99)}};
    EXPECT_EQ(
        run(copy("checked [0, 1] padding = zero"), arrays, {uint32_t(c.row), uint32_t(c.column), 3}).text,
        "");
    EXPECT_EQ(arrays[1].elements, c.expected) << c.row << ", " << c.column;
  }
}

TEST(InterpreterViews, AnArrayOfNegativeSizeHasNoElements) {
  std::vector<Array> arrays{{4, twelve}, {4, Values(8, 99)}};
  EXPECT_EQ(run(copy("checked [0, 1] padding = zero"), arrays, {0, 0, uint64_t(-1)}).text, "");
  EXPECT_EQ(arrays[1].elements, Values(8, 0));
}

TEST(InterpreterViews, WhatIsNotCheckedMustLieInside) {
  std::vector<Array> arrays{{4, twelve}, {4, Values(8, 99)}};
  Outcome outcome = run(copy("checked [1] padding = zero"), arrays, {2, 0, 3});
  EXPECT_NE(outcome.text.find("load of 4 bytes"), std::string::npos) << outcome.text;
  EXPECT_EQ(outcome.element, "(1, 0)");
}

TEST(InterpreterViews, WithoutPaddingElementsOutsideAreUndefined) {
  std::vector<Array> arrays{{4, twelve}, {4, Values(8, 99)}};
  Outcome outcome = run(copy("checked [0]"), arrays, {2, 0, 3});
  EXPECT_NE(outcome.text.find("the value stored is undefined"), std::string::npos) << outcome.text;
  EXPECT_EQ(outcome.element, "(1, 0)");
}

TEST(InterpreterViews, FloatsArePaddedWithNanAndStoresLeaveOutWhatIsOutside) {
  std::vector<Array> arrays{{4, {0x3f800000}}, {4, Values(3, 7)}};
  const std::string text = function(
      "f32", "%v = tile.view %x, sizes [%one], strides [%n] : !tile.ptr<f32> -> !tile.view<1 x f32>\n"
             "%w = tile.view %out, sizes [%n], strides [%one] : !tile.ptr<f32> -> !tile.view<1 x f32>\n"
             "%b = tile.view_load %v[%i] checked [0] padding = nan : !tile.view<1 x f32> -> tensor<4xf32>\n"
             "tile.view_store %w[%j], %b checked [0] : !tile.view<1 x f32>, tensor<4xf32>\n");
  EXPECT_EQ(run(text, arrays, {0, 1, 3}).text, "");
  EXPECT_EQ(arrays[1].elements, (Values{7, 0x3f800000, 0x7fc00000}));
}

TEST(InterpreterViews, TheBaseIsThePointerThatAViewWasMadeWith) {
  std::vector<Array> arrays{{4, twelve}, {4, Values(1, 99)}};
  const std::string text = function(
      "i32", "%v = tile.view %x, sizes [%n], strides [%one] : !tile.ptr<i32> -> !tile.view<1 x i32>\n"
             "%p = tile.view_base %v : !tile.view<1 x i32> -> !tile.ptr<i32>\n"
             "%q = tile.addptr %p, %i : !tile.ptr<i32>, i32\n"
             "%b = tile.load %q : !tile.ptr<i32>\n"
             "tile.store %out, %b : !tile.ptr<i32>\n");
  EXPECT_EQ(run(text, arrays, {3, 0, 12}).text, "");
  EXPECT_EQ(arrays[1].elements, Values{4});
}

TEST(InterpreterDevice, ThereIsOneMultiprocessorAndTimePasses) {
  std::vector<Array> arrays{{4, twelve}, {4, Values(2, 99)}};
  const std::string text = function("i32", "%s = tile.read_special smid : i32\n"
                                           "tile.grid_dependency wait\n"
                                           "%t = tile.read_special globaltimer : i64\n"
                                           "tile.grid_dependency launch_dependents\n"
                                           "%u = tile.read_special globaltimer : i64\n"
                                           "%later = arith.cmpi sgt, %u, %t : i64\n"
                                           "%b = arith.extui %later : i1 to i32\n"
                                           "%1 = arith.constant 1 : i32\n"
                                           "%q = tile.addptr %out, %1 : !tile.ptr<i32>, i32\n"
                                           "tile.store %out, %s : !tile.ptr<i32>\n"
                                           "tile.store %q, %b : !tile.ptr<i32>\n");
  EXPECT_EQ(run(text, arrays, {0, 0, 0}).text, "");
  EXPECT_EQ(arrays[1].elements, (Values{0, 1}));
}

TEST(InterpreterDevice, PtxByHandIsRefused) {
  std::vector<Array> arrays{{4, twelve}, {4, Values(2, 99)}};
  EXPECT_EQ(run(function("i32",
                         "%y = tile.inline_asm \"mov.b32 $0, $1;\", \"=r,r\" pack = 1 (%i) : (i32) -> i32\n"),
                arrays, {0, 0, 0})
                .text,
            "the interpreter does not know what PTX means, as `tl.inline_asm_elementwise` has it: run the "
            "kernel on the "
            "emulator");
}

TEST(InterpreterViews, LoopsAndBranchesHandThemOn) {
  std::vector<Array> arrays{{4, twelve}, {4, Values(8, 99)}};
  const std::string text = function(
      "i32", "%v = tile.view %x, sizes [%n], strides [%one] : !tile.ptr<i32> -> !tile.view<1 x i32>\n"
             "%w = tile.view %out, sizes [%n], strides [%one] : !tile.ptr<i32> -> !tile.view<1 x i32>\n"
             "%c = arith.cmpi eq, %j, %zero : i32\n"
             "%u = arith.select %c, %w, %v : !tile.view<1 x i32>\n"
             "%1 = arith.constant 1 : i32\n"
             "%a:2 = scf.for %k = %zero to %1 step %1 iter_args(%p = %u, %q = %w) -> (!tile.view<1 x i32>, "
             "!tile.view<1 x i32>) : i32 { scf.yield %q, %p : !tile.view<1 x i32>, !tile.view<1 x i32> }\n"
             "%b = tile.view_load %a#1[%i] : !tile.view<1 x i32> -> tensor<4xi32>\n"
             "tile.view_store %a#0[%zero], %b : !tile.view<1 x i32>, tensor<4xi32>\n");
  EXPECT_EQ(run(text, arrays, {3, 1, 12}).text, "");
  EXPECT_EQ(Values(arrays[1].elements.begin(), arrays[1].elements.begin() + 5), (Values{4, 5, 6, 7, 99}));
}

namespace {

/// Returns the elements that `op` computes from eight integers: `%b` of type `type` from `%a: tensor<8xi32>`.
Values moved(const std::string &op, const std::string &type, size_t count) {
  std::vector<Array> arrays{{4, {3, 1, 4, 1, 5, 9, 2, 6}}, {4, Values(count, 99)}};
  const std::string elements = std::to_string(count);
  const std::string text = function(
      "i32", "%v = tile.view %x, sizes [%n], strides [%one] : !tile.ptr<i32> -> !tile.view<1 x i32>\n"
             "%w = tile.view %out, sizes [%n], strides [%one] : !tile.ptr<i32> -> !tile.view<1 x i32>\n"
             "%a = tile.view_load %v[%zero] : !tile.view<1 x i32> -> tensor<8xi32>\n" +
                 op + "\n%r = tile.reshape %b : " + type + " -> tensor<" + elements +
                 "xi32>\ntile.view_store %w[%zero], %r : !tile.view<1 x i32>, tensor<" + elements +
                 "xi32>\n");
  EXPECT_EQ(run(text, arrays, {0, 0, 8}).text, "");
  return arrays[1].elements;
}

} // namespace

TEST(InterpreterMoves, ScansGoBothWaysAndKeepTheOrder) {
  const std::string region =
      " {\n^bb0(%p: i32, %q: i32):\n%d = arith.subi %p, %q : i32\ntile.yield %d : i32\n}";
  const auto scanned = [&](const std::string &how) {
    Values values = moved("%m = tile.reshape %a : tensor<8xi32> -> tensor<2x4xi32>\n%b = tile.scan %m axis " +
                              how + " : tensor<2x4xi32> -> tensor<2x4xi32>" + region,
                          "tensor<2x4xi32>", 8);
    std::vector<int> result;
    for (uint64_t value : values)
      result.push_back(int(uint32_t(value)));
    return result;
  };
  EXPECT_EQ(scanned("1"), (std::vector<int>{3, 2, -2, -3, 5, -4, -6, -12}));
  EXPECT_EQ(scanned("1 reverse"), (std::vector<int>{-7, -4, -3, 1, -10, -5, 4, 6}));
  EXPECT_EQ(scanned("0"), (std::vector<int>{3, 1, 4, 1, -2, -8, 2, -5}));
  EXPECT_EQ(scanned("0 reverse"), (std::vector<int>{2, 8, -2, 5, 5, 9, 2, 6}));
}

TEST(InterpreterMoves, JoinSplitAndButterfly) {
  EXPECT_EQ(moved("%b = tile.butterfly %a axis 0 mask 7 : tensor<8xi32>", "tensor<8xi32>", 8),
            (Values{6, 2, 9, 5, 1, 4, 1, 3}));
  EXPECT_EQ(moved("%m = tile.reshape %a : tensor<8xi32> -> tensor<2x4xi32>\n"
                  "%b = tile.butterfly %m axis 0 mask 1 : tensor<2x4xi32>",
                  "tensor<2x4xi32>", 8),
            (Values{5, 9, 2, 6, 3, 1, 4, 1}));
  EXPECT_EQ(moved("%m = tile.reshape %a : tensor<8xi32> -> tensor<4x2xi32>\n"
                  "%l, %h = tile.split %m : tensor<4x2xi32> -> tensor<4xi32>\n"
                  "%b = tile.join %h, %l : tensor<4xi32> -> tensor<4x2xi32>",
                  "tensor<4x2xi32>", 8),
            (Values{1, 3, 1, 4, 9, 5, 6, 2}));
}

TEST(InterpreterMoves, GathersAndCounts) {
  EXPECT_EQ(moved("%m = tile.reshape %a : tensor<8xi32> -> tensor<4x2xi32>\n"
                  "%k = arith.constant dense<[[3, 0], [1, 2]]> : tensor<2x2xi32>\n"
                  "%b = tile.gather %m[%k] axis 0 : tensor<4x2xi32>, tensor<2x2xi32> -> tensor<2x2xi32>",
                  "tensor<2x2xi32>", 4),
            (Values{2, 1, 4, 9}));
  EXPECT_EQ(moved("%b = tile.histogram %a : tensor<8xi32> -> tensor<8xi32>", "tensor<8xi32>", 8),
            (Values{0, 2, 1, 1, 1, 1, 1, 0}));
  EXPECT_EQ(
      moved("%k = arith.constant dense<4> : tensor<8xi32>\n%m = arith.cmpi ult, %a, %k : tensor<8xi32>\n"
            "%b = tile.histogram %a, %m : tensor<8xi32>, tensor<8xi1> -> tensor<4xi32>",
            "tensor<4xi32>", 4),
      (Values{0, 2, 1, 1}));
}
