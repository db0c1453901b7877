// Loops, branches, the grid, and what programs print.
#include "test/compiler/interp/InterpreterFixture.h"

#include <gtest/gtest.h>

using namespace tegula::interp;

namespace {

const char *sumOfRange = R"(func.func @f(%out: !tile.ptr<i32>, %lower: i32, %upper: i32, %by: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %sum, %count = scf.for %i = %lower to %upper step %by iter_args(%s = %zero, %c = %zero) -> (i32, i32) : i32 {
    %t = arith.addi %s, %i : i32
    %d = arith.addi %c, %one : i32
    scf.yield %t, %d : i32, i32
  }
  %next = tile.addptr %out, %one : !tile.ptr<i32>, i32
  tile.store %out, %sum : !tile.ptr<i32>
  tile.store %next, %count : !tile.ptr<i32>
  return
})";

std::vector<uint64_t> sum(uint64_t lower, uint64_t upper, uint64_t by) {
  std::vector<Array> arrays{{4, {9, 9}}};
  EXPECT_EQ(run(sumOfRange, arrays, {lower, upper, by}).text, "");
  return arrays[0].elements;
}

} // namespace

TEST(InterpreterLoops, CountLikePython) {
  using Values = std::vector<uint64_t>;
  EXPECT_EQ(sum(0, 5, 1), (Values{10, 5}));
  EXPECT_EQ(sum(0, 5, 2), (Values{6, 3}));
  EXPECT_EQ(sum(5, 5, 1), (Values{0, 0}));
  EXPECT_EQ(sum(6, 5, 1), (Values{0, 0}));
  EXPECT_EQ(sum(uint32_t(-3), 2, 2), (Values{uint32_t(-3), 3})); // -3, -1, 1
  EXPECT_EQ(sum(0x7ffffffe, 0x7fffffff, 1000), (Values{0x7ffffffe, 1}));
  EXPECT_EQ(sum(0x80000000, 0x7fffffff, 0x7fffffff)[1], 3u);
}

TEST(InterpreterLoops, CountUnsigned) {
  std::vector<Array> arrays{{4, {9, 9}}};
  std::string text = sumOfRange;
  text.replace(text.find("scf.for"), 7, "scf.for unsigned");
  EXPECT_EQ(run(text, arrays, {0x7fffffff, 0x80000001, 1}).text, "");
  EXPECT_EQ(arrays[0].elements[1], 2u);
}

TEST(InterpreterLoops, NeedAStepAboveZero) {
  std::vector<Array> arrays{{4, {9, 9}}};
  EXPECT_EQ(run(sumOfRange, arrays, {0, 5, 0}).text, "expected the step of a loop to be above 0");
  EXPECT_EQ(run(sumOfRange, arrays, {0, 5, uint32_t(-1)}).text, "expected the step of a loop to be above 0");
}

TEST(InterpreterLoops, WhileGoesOnAsLongAsItHolds) {
  const char *collatz = R"(func.func @f(%out: !tile.ptr<i32>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %last, %steps = scf.while (%x = %n, %k = %zero) : (i32, i32) -> (i32, i32) {
      %more = arith.cmpi ne, %x, %one : i32
      scf.condition(%more) %x, %k : i32, i32
    } do {
    ^bb0(%x: i32, %k: i32):
      %bit = arith.andi %x, %one : i32
      %odd = arith.cmpi eq, %bit, %one : i32
      %y = scf.if %odd -> i32 {
        %t = arith.muli %x, %three : i32
        %u = arith.addi %t, %one : i32
        scf.yield %u : i32
      } else {
        %h = arith.divui %x, %two : i32
        scf.yield %h : i32
      }
      %l = arith.addi %k, %one : i32
      scf.yield %y, %l : i32, i32
    }
    tile.store %out, %steps : !tile.ptr<i32>
    return
  })";
  std::vector<Array> arrays{{4, {0}}};
  EXPECT_EQ(run(collatz, arrays, {27}).text, "");
  EXPECT_EQ(arrays[0].elements[0], 111u);
  EXPECT_EQ(run(collatz, arrays, {1}).text, "");
  EXPECT_EQ(arrays[0].elements[0], 0u);
}

TEST(InterpreterLoops, EndlessOnesHaveABudget) {
  std::vector<Array> arrays{{4, {0}}};
  Options options;
  options.stepLimit = 10000;
  const char *spin = R"(func.func @f(%lock: !tile.ptr<i32>) {
    scf.while : () -> () {
      %v = tile.load %lock : !tile.ptr<i32>
      %zero = arith.constant 0 : i32
      %held = arith.cmpi eq, %v, %zero : i32
      scf.condition(%held)
    } do {
      scf.yield
    }
    return
  })";
  const char *endless = "an endless loop: it comes back to where it was, and nothing that it reads changes; "
                        "should it wait for another program, that one runs after this one has ended";
  Outcome outcome = run(spin, arrays, {}, {1, 1, 1}, options);
  EXPECT_EQ(outcome.text, endless);
  EXPECT_EQ(outcome.line, 2u);
  // A loop that asks by an atomic that adds nothing, and one whose values go round three at a time.
  EXPECT_EQ(run(R"(func.func @f(%lock: !tile.ptr<i32>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %end = scf.while (%i = %zero) : (i32) -> i32 {
      %v = tile.atomic_rmw add, acquire, gpu, %lock, %zero : !tile.ptr<i32>
      %held = arith.cmpi eq, %v, %zero : i32
      scf.condition(%held) %i : i32
    } do {
    ^bb0(%i: i32):
      %next = arith.addi %i, %one : i32
      %turn = arith.remsi %next, %three : i32
      scf.yield %turn : i32
    }
    return
  })",
                arrays, {}, {1, 1, 1}, options)
                .text,
            endless);
  // One that counts in memory comes to its end, or to its last step.
  const char *counts = R"(func.func @f(%count: !tile.ptr<i32>, %limit: i32) {
    %one = arith.constant 1 : i32
    scf.while : () -> () {
      %v = tile.atomic_rmw add, relaxed, gpu, %count, %one : !tile.ptr<i32>
      %more = arith.cmpi slt, %v, %limit : i32
      scf.condition(%more)
    } do {
      scf.yield
    }
    return
  })";
  EXPECT_EQ(run(counts, arrays, {100}, {1, 1, 1}, options).text, "");
  EXPECT_EQ(
      run(counts, arrays, {100000}, {1, 1, 1}, options).text,
      "the program took more than 10000 steps: it may be endless, or wait for a program that runs after it");
  std::vector<Array> open{{4, {1}}};
  EXPECT_EQ(run(spin, open, {}, {1, 1, 1}, options).text, "");
}

TEST(InterpreterGrid, RunsProgramsXFirst) {
  std::vector<Array> arrays{{4, std::vector<uint64_t>(13)}};
  // Each program writes down its number in the order of arrival.
  const char *text = R"(func.func @f(%out: !tile.ptr<i32>) {
    %x = tile.program_id x
    %y = tile.program_id y
    %z = tile.program_id z
    %nx = tile.num_programs x
    %ny = tile.num_programs y
    %one = arith.constant 1 : i32
    %slot = tile.atomic_rmw add, relaxed, gpu, %out, %one : !tile.ptr<i32>
    %next = arith.addi %slot, %one : i32
    %p = tile.addptr %out, %next : !tile.ptr<i32>, i32
    %zy = arith.muli %z, %ny : i32
    %row = arith.addi %zy, %y : i32
    %first = arith.muli %row, %nx : i32
    %n = arith.addi %first, %x : i32
    tile.store %p, %n : !tile.ptr<i32>
    return
  })";
  EXPECT_EQ(run(text, arrays, {}, {3, 2, 2}).text, "");
  EXPECT_EQ(arrays[0].elements, (std::vector<uint64_t>{12, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
}

TEST(InterpreterOutput, IsThatOfTheDevice) {
  std::vector<Array> arrays;
  Outcome outcome = run(R"(func.func @f(%a: i8, %h: f16, %f: f32) {
    %r = tile.arange 0 to 4 : tensor<4xi32>
    %x = tile.reshape %r : tensor<4xi32> -> tensor<2x2xi32>
    tile.print " hello" []
    tile.print " a: " [true] values(%a : i8)
    tile.print " a: " [false] values(%a : i8)
    tile.print " b: " [true, true] hex values(%a, %h : i8, f16)
    tile.print " f: " [true] values(%f : f32)
    tile.print " x: " [true] values(%x : tensor<2x2xi32>)
    return
  })",
                        arrays, {0xfe, 0x3c00, 0xbf000000}, {1, 1, 1});
  EXPECT_EQ(outcome.text, "");
  EXPECT_EQ(outcome.printed, "pid (0, 0, 0) hello\n"
                             "pid (0, 0, 0) idx () a: -2\n"
                             "pid (0, 0, 0) idx () a: 254\n"
                             "pid (0, 0, 0) idx () b: (operand 0) 0xfffffffe\n"
                             "pid (0, 0, 0) idx () b: (operand 1) 0x1p+0\n"
                             "pid (0, 0, 0) idx () f: -0.500000\n"
                             "pid (0, 0, 0) idx (0, 0) x: 0\n"
                             "pid (0, 0, 0) idx (0, 1) x: 1\n"
                             "pid (0, 0, 0) idx (1, 0) x: 2\n"
                             "pid (0, 0, 0) idx (1, 1) x: 3\n");
}
