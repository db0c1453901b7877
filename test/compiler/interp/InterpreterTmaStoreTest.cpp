// Stores of boxes in the interpreter: inside and outside of an array, when they are there, and each way to
// misuse them.
#include "test/compiler/interp/InterpreterFixture.h"

#include <gtest/gtest.h>

using tegula::interp::Array;
using tegula::interp::Outcome;

namespace {

using Values = std::vector<uint64_t>;

/// `body` has `%map` of the array x, 6 rows of 8 words with sevens, `%b`, a buffer of two slots of 8 by 8,
/// and the tensors `%v`, in which element i is i, and `%w`, twice that. `x` gets what the array has behind
/// it, `y` what it had where `body` says `look`.
Outcome run(std::string body, Values *x = nullptr, Values *y = nullptr) {
  std::vector<Array> arrays{{4, Values(48, 7)}, {4, Values(48)}};
  const std::string start = R"(
#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 4]]} : [8, 8]>
!buffer = !tgpu.buffer<2 of tensor<8x8xi32>, #rows>
!values = tensor<8x8xi32>
func.func @f(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>) {
  %eight = arith.constant 8 : i32
  %six = arith.constant 6 : i64
  %map = tgpu.tensor_map %x, sizes [%eight, %six], strides [%eight] box [8, 8] swizzle 32 : !tile.ptr<i32>, [i32, i64], [i32]
  %b = tgpu.alloc : !buffer
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %2 = arith.constant 2 : i32
  %minus = arith.constant -2 : i32
  %far = arith.constant 100 : i32
  %i = tile.arange 0 to 64 : tensor<64xi32>
  %v = tile.reshape %i : tensor<64xi32> -> !values
  %w = arith.addi %v, %v : !values
  %n = tile.arange 0 to 32 : tensor<32xi32>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>>
  %xp = tile.addptr %xs, %n : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  %ys = tile.splat %y : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>>
  %yp = tile.addptr %ys, %n : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
)",
                    look = "%l = tile.load %xp : tensor<32x!tile.ptr<i32>>\n"
                           "tile.store %yp, %l : tensor<32x!tile.ptr<i32>>\n";
  if (const size_t at = body.find("look\n"); at != std::string::npos)
    body.replace(at, 5, look);
  const Outcome outcome = tegula::interp::run(start + body + "\nreturn\n}", arrays);
  if (x)
    *x = arrays[0].elements;
  if (y)
    *y = arrays[1].elements;
  return outcome;
}

std::string store(const std::string &value, const std::string &start, const std::string &slot = "%0") {
  return "tgpu.tma_store " + value + " by %b[" + slot + "] to %map[" + start + "] : !values, !buffer\n";
}

std::string await(unsigned pending, const std::string &rest = "") {
  return "tgpu.tma_store_wait pending " + std::to_string(pending) + " " + rest + "\n";
}

/// The array, with `factor` times the box that begins at these coordinates.
Values box(int64_t column, int64_t row, uint64_t factor, Values values = Values(48, 7)) {
  for (int64_t i = 0; i < 8; ++i)
    for (int64_t j = 0; j < 8; ++j)
      if (i + row >= 0 && i + row < 6 && j + column >= 0 && j + column < 8)
        values[size_t((i + row) * 8 + j + column)] = factor * uint64_t(i * 8 + j);
  return values;
}

} // namespace

TEST(InterpreterTmaStore, WhatIsOutsideOfTheArrayIsLeftOut) {
  Values x;
  EXPECT_EQ(run(store("%v", "%0, %0") + await(0, "read"), &x).text, "");
  EXPECT_EQ(x, box(0, 0, 1));
  EXPECT_EQ(run(store("%v", "%minus, %1") + await(0), &x).text, "");
  EXPECT_EQ(x, box(-2, 1, 1));
  EXPECT_EQ(run(store("%v", "%2, %minus") + await(0, "read refill"), &x).text, "");
  EXPECT_EQ(x, box(2, -2, 1));
  EXPECT_EQ(run(store("%v", "%far, %0") + await(0), &x).text, "");
  EXPECT_EQ(x, Values(48, 7));
}

TEST(InterpreterTmaStore, MemoryShowsItAtTheWaitAndNoSooner) {
  Values x, y;
  const Values before(32, 7);
  EXPECT_EQ(run(store("%v", "%0, %0") + await(0, "read") + "look\n", &x, &y).text, "");
  EXPECT_EQ(Values(y.begin(), y.begin() + 32), before);
  EXPECT_EQ(run(store("%v", "%0, %0") + store("%w", "%0, %0", "%1") + await(1) + "look\n" + await(0, "read"),
                &x, &y)
                .text,
            "");
  const Values first = box(0, 0, 1);
  EXPECT_EQ(Values(y.begin(), y.begin() + 32), Values(first.begin(), first.begin() + 32));
  EXPECT_EQ(x, box(0, 0, 2)); // the later one stays
}

TEST(InterpreterTmaStore, SlotsAreNotWrittenBeforeTheyAreRead) {
  EXPECT_EQ(run(store("%v", "%0, %0") + store("%w", "%0, %0")).text,
            "write of a slot that a store may still read: slot 0");
  EXPECT_EQ(run(store("%v", "%0, %0") + store("%w", "%0, %0", "%1") + await(1, "read refill") +
                store("%v", "%0, %0") + await(0, "read"))
                .text,
            "");
  EXPECT_EQ(run(store("%v", "%0, %0") + store("%w", "%0, %0", "%1") + await(1, "read refill") +
                store("%v", "%0, %0", "%1"))
                .text,
            "write of a slot that a store may still read: slot 1");
  EXPECT_EQ(run(store("%v", "%0, %0") + "tgpu.local_store %v into %b[%0] : !values, !buffer\n").text,
            "write of a slot that a store may still read: slot 0");
  EXPECT_EQ(run(store("%v", "%0, %0")).text, "the program ends with a store whose slot was not waited for");
  EXPECT_EQ(run(store("%v", "%0, %0", "%2")).text, "expected a slot from 0 to 1, found 2");
}

TEST(InterpreterTmaStore, AMapMayNotSayMoreThanTheArrayHas) {
  const std::string larger = R"(
  %seven = arith.constant 7 : i64
  %more = tgpu.tensor_map %x, sizes [%eight, %seven], strides [%eight] box [8, 8] swizzle 32 : !tile.ptr<i32>, [i32, i64], [i32]
  tgpu.tma_store %v by %b[%0] to %more[%0, %0] : !values, !buffer
)";
  const Outcome outcome = run(larger + await(0));
  EXPECT_EQ(outcome.text,
            "store of 4 bytes at 0x2000000000c0: outside any array, 0 bytes past the end of the 192 bytes "
            "at 0x200000000000");
  EXPECT_EQ(outcome.element, "(6, 0)");
}
