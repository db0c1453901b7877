// TMA copies in the interpreter: boxes inside and outside of an array, phases, and each way to misuse them.
#include "test/compiler/interp/InterpreterFixture.h"

#include <gtest/gtest.h>

using tegula::interp::Array;
using tegula::interp::Outcome;

namespace {

using Values = std::vector<uint64_t>;

Values written; ///< what the last program wrote to `y`

/// `body` has `%map` of the array x, 6 rows of 8 words of which 10 * row + column are the values, `%b`, a
/// buffer of two slots of 8 by 8, and `%bars`. What it leaves in `%r` is stored to `y`.
Outcome run(const std::string &body, Values *y = nullptr) {
  std::vector<Array> arrays{{4, {}, true}, {4, Values(64)}};
  for (uint64_t row = 0; row < 6; ++row)
    for (uint64_t column = 0; column < 8; ++column)
      arrays[0].elements.push_back(10 * row + column);
  const std::string start = R"(
#rows = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 4]]} : [8, 8]>
#regs = #tile.layout<{register = [[0, 1], [0, 2]], lane = [[0, 4], [1, 0], [2, 0], [4, 0], [0, 0]]} : [8, 8]>
!buffer = !tgpu.buffer<2 of tensor<8x8xi32>, #rows>
!bars = !tgpu.barriers<2>
!values = tensor<8x8xi32>
func.func @f(%x: !tile.ptr<i32>, %yb: !tile.ptr<i32>) {
  %eight = arith.constant 8 : i32
  %six = arith.constant 6 : i64
  %map = tgpu.tensor_map %x, sizes [%eight, %six], strides [%eight] box [8, 8] swizzle 32 : !tile.ptr<i32>, [i32, i64], [i32]
  %b = tgpu.alloc : !buffer
  %bars = tgpu.barriers : !bars
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %2 = arith.constant 2 : i32
  %minus = arith.constant -2 : i32
  %yes = arith.constant true
  %no = arith.constant false
)",
                    end = R"(
  %r = tgpu.local_load %b[%0] at [0, 0] : !buffer -> !values
  %f = tile.arange 0 to 64 : tensor<64xi32>
  %i = tile.reshape %f : tensor<64xi32> -> !values
  %ys = tile.splat %yb : !tile.ptr<i32> -> tensor<8x8x!tile.ptr<i32>>
  %yp = tile.addptr %ys, %i : tensor<8x8x!tile.ptr<i32>>, !values
  tile.store %yp, %r : tensor<8x8x!tile.ptr<i32>>
)";
  const Outcome outcome = tegula::interp::run(start + body + (y ? end : "") + "\nreturn\n}", arrays);
  if (y)
    *y = arrays[1].elements;
  written = arrays[1].elements;
  return outcome;
}

std::string copy(const std::string &start, const std::string &rest = "") {
  return "tgpu.tma_copy %map[" + start + "] " + rest + " into %b[%0] signals %bars[%0] : !buffer, !bars\n";
}

const std::string init = "tgpu.barriers_init %bars : !bars\n",
                  expect = "tgpu.barrier_expect 256 at %bars[%0] : !bars\n",
                  await = "tgpu.barrier_wait %bars[%0] parity %0 : !bars\n",
                  awaitNext = "tgpu.barrier_wait %bars[%0] parity %1 : !bars\n",
                  end = "tgpu.barriers_end %bars : !bars\n";

/// The box that begins at these coordinates, zeros outside.
Values box(int64_t column, int64_t row) {
  Values values;
  for (int64_t i = row; i < row + 8; ++i)
    for (int64_t j = column; j < column + 8; ++j)
      values.push_back(i >= 0 && i < 6 && j >= 0 && j < 8 ? uint64_t(10 * i + j) : 0);
  return values;
}

} // namespace

TEST(InterpreterTma, BoxesAreZeroOutsideOfTheArray) {
  Values y;
  EXPECT_EQ(run(init + copy("%0, %0") + expect + await, &y).text, "");
  EXPECT_EQ(y, box(0, 0));
  EXPECT_EQ(run(init + expect + copy("%minus, %1") + await + end, &y).text, "");
  EXPECT_EQ(y, box(-2, 1));
  // Two phases of one barrier; what is conditional does not happen.
  EXPECT_EQ(run(init + copy("%0, %0") + expect + await + copy("%2, %minus") + expect +
                    copy("%0, %0", "if %no") + "tgpu.barrier_expect 256 at %bars[%0] if %no : !bars\n" +
                    awaitNext,
                &y)
                .text,
            "");
  EXPECT_EQ(y, box(2, -2));
}

TEST(InterpreterTma, SlotsAreNotTouchedWhileCopiesAreUnderway) {
  Values y;
  EXPECT_EQ(run(init + copy("%0, %0") + expect, &y).text,
            "read of a slot whose copy was not waited for: slot 0");
  EXPECT_EQ(run(init + copy("%0, %0") + copy("%0, %0")).text,
            "write of a slot whose copy was not waited for: slot 0");
  EXPECT_EQ(run(init + copy("%0, %0") + expect).text, "the program ends with a copy that was not waited for");
  EXPECT_EQ(run(init + copy("%0, %0") + expect + "tile.store %x, %1 : !tile.ptr<i32>\n" + await).text,
            "what a copy reads was changed before the copy was waited for");
}

TEST(InterpreterTma, EachMisuseOfBarriersIsAFault) {
  EXPECT_EQ(run(copy("%0, %0")).text, "a barrier is used that has not begun");
  EXPECT_EQ(run(init + init).text, "barriers begin that have not ended");
  EXPECT_EQ(run(init + expect + end).text, "barriers end that copies were to arrive at");
  EXPECT_EQ(run(end).text, "barriers end that copies were to arrive at");
  EXPECT_EQ(run(init + expect + expect).text, "a phase that no thread has awaited is expected again");
  EXPECT_EQ(run(init + await).text, "a phase of 0 bytes is awaited that expects 0");
  EXPECT_EQ(run(init + expect + await).text, "a phase of 0 bytes is awaited that expects 256");
  EXPECT_EQ(run(init + copy("%0, %0") + expect + awaitNext).text,
            "a phase is awaited that was awaited before: its slot may be another's by now");
  EXPECT_EQ(run(init + "tgpu.barrier_expect 256 at %bars[%2] : !bars\n").text,
            "expected a barrier from 0 to 1");
}

namespace {

/// Two slots of one buffer, filled four times by a producer: rows 0, 1, 2 and 3 on begin the boxes.
/// The others multiply nothing, but read each box when it is there and add it up in what is stored to `y`.
/// With `wait` the producer waits for what the others `tell`.
std::string ring(const std::string &acquire, const std::string &await, const std::string &release,
                 const std::string &wait = "", const std::string &tell = "") {
  return init + "%told = tgpu.barriers : !tgpu.barriers<1, arrivals 4>\n" +
         "tgpu.barriers_init %told : !tgpu.barriers<1, arrivals 4>\n" +
         "%empty = tgpu.barriers : !tgpu.barriers<2, arrivals 4>\n" +
         "tgpu.barriers_init %empty : !tgpu.barriers<2, arrivals 4>\n" + R"(
  %4 = arith.constant 4 : i32
  tgpu.producer warps 1 {
)" + wait +
         R"(
    scf.for %i = %0 to %4 step %1 : i32 {
      %s = arith.andi %i, %1 : i32
      %p = arith.shrui %i, %1 : i32
      %q = arith.xori %p, %1 : i32
)" + acquire +
         R"(
      tgpu.barrier_expect 256 at %bars[%s] : !bars
      tgpu.tma_copy %map[%0, %i] into %b[%s] signals %bars[%s] : !buffer, !bars
    }
  }
  %none = arith.constant dense<0> : !values
)" + tell +
         R"(
  %sum = scf.for %i = %0 to %4 step %1 iter_args(%before = %none) -> (!values) : i32 {
    %s = arith.andi %i, %1 : i32
    %p = arith.shrui %i, %1 : i32
    %q = arith.xori %p, %1 : i32
)" + await +
         "%v = tgpu.local_load %b[%s] at [0, 0] : !buffer -> !values\n" + release + R"(
    %after = arith.addi %before, %v : !values
    scf.yield %after : !values
  }
  %f = tile.arange 0 to 64 : tensor<64xi32>
  %i = tile.reshape %f : tensor<64xi32> -> !values
  %ys = tile.splat %yb : !tile.ptr<i32> -> tensor<8x8x!tile.ptr<i32>>
  %yp = tile.addptr %ys, %i : tensor<8x8x!tile.ptr<i32>>, !values
  tile.store %yp, %sum : tensor<8x8x!tile.ptr<i32>>
)";
}

const std::string acquire = "tgpu.barrier_wait %empty[%s] parity %q : !tgpu.barriers<2, arrivals 4>\n",
                  filled = "tgpu.barrier_wait %bars[%s] parity %p : !bars\n",
                  release = "tgpu.barrier_arrive %empty[%s] : !tgpu.barriers<2, arrivals 4>\n";

} // namespace

TEST(InterpreterTma, ARingIsFilledAndRead) {
  Values expected(64);
  for (int64_t row = 0; row < 4; ++row) {
    const Values one = box(0, row);
    for (size_t i = 0; i < expected.size(); ++i)
      expected[i] += one[i];
  }
  EXPECT_EQ(run(ring(acquire, filled, release)).text, "");
  EXPECT_EQ(written, expected);
}

TEST(InterpreterTma, TheProducerWaitsUntilItIsTold) {
  const std::string
      wait = "tgpu.barrier_wait %told[%0] parity %0 : !tgpu.barriers<1, arrivals 4>\ntgpu.global_fence\n",
      tell = "tgpu.barrier_arrive %told[%0] : !tgpu.barriers<1, arrivals 4>\n";
  EXPECT_EQ(run(ring(acquire, filled, release, wait, tell)).text, "");
  EXPECT_EQ(run(ring(acquire, filled, release, wait)).text,
            "a phase is awaited that never ends: nothing else can run");
}

TEST(InterpreterTma, EachWayToBreakARingIsAFault) {
  auto fault = [](const std::string &body) { return run(body).text; };
  EXPECT_EQ(fault(ring("", filled, release)), "a phase that no thread has awaited is expected again");
  EXPECT_EQ(fault(ring(acquire, "", release)), "read of a slot whose copy was not waited for: slot 0");
  EXPECT_EQ(fault(ring(acquire, filled, "")), "a phase is awaited that never ends: nothing else can run");
  EXPECT_EQ(fault(ring(acquire, filled, release + release)),
            "a slot is said to be read that was not filled since it was said before");
  // The producer begins with the phase before the first, a consumer with the first.
  const std::string late = "tgpu.barrier_wait %empty[%s] parity %p : !tgpu.barriers<2, arrivals 4>\n",
                    early = "tgpu.barrier_wait %bars[%s] parity %q : !bars\n";
  EXPECT_EQ(fault(ring(late, filled, release)), "a phase is awaited that never ends: nothing else can run");
  EXPECT_EQ(fault(ring(acquire, early, release)),
            "a phase is awaited that was awaited before: its slot may be another's by now");
  EXPECT_EQ(fault(ring(acquire + acquire, filled, release)),
            "a phase is awaited that was awaited before: its slot may be another's by now");
}

TEST(InterpreterTma, TheProgramDoesNotEndBeforeItsLoads) {
  EXPECT_EQ(run(init + R"(
  tgpu.producer warps 1 {
    tgpu.barrier_wait %bars[%0] parity %0 : !bars
  })")
                .text,
            "the program ends while the warps that load still wait");
}
