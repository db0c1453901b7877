// Each way in which a program ends before its end: the words, the line, the program and the element.
#include "test/compiler/interp/InterpreterFixture.h"

#include <gtest/gtest.h>

using namespace tegula::interp;

namespace {

/// `body` has `%x: !tile.ptr<i32>` to two words, `%u` to two that were never written, and `%n: i32`, which
/// is 8.
Outcome fault(const std::string &body, Grid grid = {1, 1, 1}) {
  std::vector<Array> arrays{{4, {1, 2}}, {4, {0, 0}, false}};
  return run("func.func @f(%x: !tile.ptr<i32>, %u: !tile.ptr<i32>, %n: i32) {\n" + body + "\nreturn\n}",
             arrays, {8}, grid);
}

const std::string hint =
    ": it comes from memory never written, a masked load without `other`, or an operation "
    "without a result";
const std::string undefinedValue = "%v = tile.load %u : !tile.ptr<i32>\n";

} // namespace

TEST(InterpreterFaults, OutsideAnArray) {
  Outcome outcome =
      fault("%p = tile.addptr %x, %n : !tile.ptr<i32>, i32\n%v = tile.load %p : !tile.ptr<i32>");
  EXPECT_EQ(outcome.text,
            "load of 4 bytes at 0x200000000020: outside any array, 24 bytes past the end of the 8 bytes "
            "at 0x200000000000");
  EXPECT_EQ(outcome.line, 3u);
  outcome = fault("%z = arith.constant 0 : i64\n%p = tile.int_to_ptr %z : i64 -> !tile.ptr<i32>\n"
                  "tile.store %p, %n : !tile.ptr<i32>");
  EXPECT_EQ(outcome.text, "store of 4 bytes at 0x0: a null address");
  outcome = fault("%p = tile.addptr %x, %n : !tile.ptr<i32>, i32\n"
                  "%v = tile.atomic_rmw add, relaxed, gpu, %p, %n : !tile.ptr<i32>");
  EXPECT_EQ(outcome.text.substr(0, 44), "atomic of 4 bytes at 0x200000000020: outside");
  outcome = fault("%p = tile.addptr %x, %n : !tile.ptr<i32>, i32\n"
                  "%v = tile.atomic_load relaxed, gpu, %p : !tile.ptr<i32>");
  EXPECT_EQ(outcome.text.substr(0, 49), "atomic load of 4 bytes at 0x200000000020: outside");
  outcome = fault("%p = tile.addptr %x, %n : !tile.ptr<i32>, i32\n"
                  "tile.atomic_store relaxed, gpu, %p, %n : !tile.ptr<i32>");
  EXPECT_EQ(outcome.text.substr(0, 50), "atomic store of 4 bytes at 0x200000000020: outside");
}

TEST(InterpreterFaults, NameElementAndProgram) {
  Outcome outcome = fault(R"(%i = tile.arange 0 to 4 : tensor<4xi32>
    %y = tile.program_id y
    %ys = tile.splat %y : i32 -> tensor<4xi32>
    %j = arith.muli %i, %ys : tensor<4xi32>
    %r = tile.reshape %j : tensor<4xi32> -> tensor<2x2xi32>
    %xs = tile.splat %x : !tile.ptr<i32> -> tensor<2x2x!tile.ptr<i32>>
    %p = tile.addptr %xs, %r : tensor<2x2x!tile.ptr<i32>>, tensor<2x2xi32>
    %v = tile.load %p : tensor<2x2x!tile.ptr<i32>>)",
                          {2, 2, 1});
  EXPECT_EQ(outcome.element, "(1, 0)");
  EXPECT_EQ(outcome.program, (Grid{0, 1, 0}));
}

TEST(InterpreterFaults, NameTheNearestOfTheArraysThatAPointerIsChosenFrom) {
  // The pointer is the second of `pointers`, moved by `n` elements.
  auto message = [](const std::string &pointers, int32_t n) {
    std::vector<Array> arrays{{4, {1, 2}}, {4, {3, 4}}};
    return run("func.func @f(%x: !tile.ptr<i32> {tile.param = #tile.param<\"x\", \"*i32\", 16>}, "
               "%y: !tile.ptr<i32> {tile.param = #tile.param<\"y\", \"*i32\", 16>}, %c: i1, %n: i32) {\n"
               "%p = arith.select %c, " +
                   pointers +
                   " : !tile.ptr<i32>\n%q = tile.addptr %p, %n : !tile.ptr<i32>, i32\n"
                   "%v = tile.load %q : !tile.ptr<i32>\nreturn\n}",
               arrays, {0, uint32_t(n)})
        .text;
  };
  for (auto [pointers, n, named] : {std::tuple("%x, %y", 8, "`y[8]` of 2"),
                                    {"%x, %y", -2, "`y[-2]` of 2"},
                                    {"%y, %x", 8, "`x[8]` of 2"}}) {
    const std::string text = message(pointers, n);
    EXPECT_NE(text.find(named), std::string::npos) << text;
  }
}

TEST(InterpreterFaults, Misaligned) {
  Outcome outcome = fault("%i = tile.ptr_to_int %x : !tile.ptr<i32> -> i64\n%two = arith.constant 2 : i64\n"
                          "%j = arith.addi %i, %two : i64\n%p = tile.int_to_ptr %j : i64 -> !tile.ptr<i32>\n"
                          "%v = tile.load %p : !tile.ptr<i32>");
  EXPECT_EQ(outcome.text, "misaligned load of 4 bytes at 0x200000000002");
}

TEST(InterpreterFaults, UndefinedWhereAValueIsNeeded) {
  EXPECT_EQ(fault(undefinedValue + "%p = tile.addptr %x, %v : !tile.ptr<i32>, i32\n"
                                   "%w = tile.load %p : !tile.ptr<i32>")
                .text,
            "the address of a load is undefined" + hint);
  EXPECT_EQ(fault(undefinedValue + "tile.store %x, %v : !tile.ptr<i32>").text,
            "the value stored is undefined" + hint);
  EXPECT_EQ(fault(undefinedValue + "%w = tile.atomic_rmw add, relaxed, gpu, %x, %v : !tile.ptr<i32>").text,
            "the value stored is undefined" + hint);
  EXPECT_EQ(fault("%v = tile.atomic_load relaxed, gpu, %u : !tile.ptr<i32>\n"
                  "tile.atomic_store relaxed, gpu, %x, %v : !tile.ptr<i32>")
                .text,
            "the value stored is undefined" + hint);
  EXPECT_EQ(fault("%w = tile.atomic_cas relaxed, gpu, %u, %n, %n : !tile.ptr<i32>").text,
            "what the atomic compares is undefined" + hint);
  const std::string condition = undefinedValue + "%c = arith.cmpi eq, %v, %n : i32\n";
  EXPECT_EQ(fault(condition + "tile.store %x, %n, %c : !tile.ptr<i32>").text, "the mask is undefined" + hint);
  EXPECT_EQ(fault(condition + "scf.if %c {\n}").text, "the condition of a branch is undefined" + hint);
  EXPECT_EQ(fault(condition + "scf.while : () -> () {\nscf.condition(%c)\n} do {\nscf.yield\n}").text,
            "the condition of a loop is undefined" + hint);
  EXPECT_EQ(fault(undefinedValue + "scf.for %i = %n to %v step %n : i32 {\n}").text,
            "the range of a loop is undefined" + hint);
  EXPECT_EQ(fault(condition + "tile.assume %c").text, "what the program assumes is undefined" + hint);
  EXPECT_EQ(fault(condition + "tile.assert %c, \"m\" : i1").text,
            "what the program asserts is undefined" + hint);
}

TEST(InterpreterFaults, AssertionsAndClaims) {
  const std::string no = "%no = arith.constant false\n";
  EXPECT_EQ(fault(no + "tile.assume %no").text, "what the program assumes is false");
  EXPECT_EQ(fault(no + "tile.assert %no, \"n is small\" : i1").text, "assertion failed: n is small");
  Outcome outcome =
      fault("%i = tile.arange 0 to 4 : tensor<4xi32>\n%c = arith.constant dense<2> : tensor<4xi32>\n"
            "%m = arith.cmpi slt, %i, %c : tensor<4xi32>\ntile.assert %m, \"\" : tensor<4xi1>");
  EXPECT_EQ(outcome.text, "assertion failed: ");
  EXPECT_EQ(outcome.element, "(2)");
  EXPECT_EQ(fault("%h = tile.hint %n divisibility = [16] : i32").text,
            "the value is no multiple of 16, as the program claims");
  const std::string ramp =
      "%i = tile.arange 0 to 4 : tensor<4xi32>\n%j = arith.addi %i, %i : tensor<4xi32>\n";
  EXPECT_EQ(fault(ramp + "%h = tile.hint %j contiguity = [2] : tensor<4xi32>").text,
            "the value's contiguity is not 2, as the program claims");
  EXPECT_EQ(fault(ramp + "%h = tile.hint %j constancy = [4] : tensor<4xi32>").text,
            "the value's constancy is not 4, as the program claims");
  EXPECT_EQ(fault(ramp + "%h = tile.hint %i contiguity = [4] divisibility = [4] : tensor<4xi32>").text, "");
}

TEST(InterpreterFaults, MultipleOfIsAboutTheFirstOfEachRun) {
  // As in `tl.max_contiguous(tl.multiple_of(x, 4), 4)`, where the inner claim says nothing of runs.
  const auto claim = [](const char *from, const char *what) {
    return fault("%i = tile.arange " + std::string(from) + " : tensor<8xi32>\n" + what);
  };
  const char *multiple = "%h = tile.hint %i divisibility = [4] : tensor<8xi32>";
  const char *text = "the value is no multiple of 4, as the program claims";
  EXPECT_EQ(claim("0 to 8", multiple).text, "");
  EXPECT_EQ(claim("2 to 10", multiple).text, text);
  EXPECT_EQ(claim("2 to 10", multiple).element, "(0)");
  // Given the runs, it is about the first of each.
  const char *runs = "%h = tile.hint %i contiguity = [2] divisibility = [4] : tensor<8xi32>";
  EXPECT_EQ(claim("0 to 8", runs).text, text);
  EXPECT_EQ(claim("0 to 8", runs).element, "(2)");
  // 0 2 4 6: nothing follows its neighbour, so every value is meant.
  const std::string even =
      "%i = tile.arange 0 to 4 : tensor<4xi32>\n%j = arith.addi %i, %i : tensor<4xi32>\n";
  EXPECT_EQ(fault(even + "%h = tile.hint %j divisibility = [2] : tensor<4xi32>").text, "");
  EXPECT_EQ(fault(even + "%h = tile.hint %j divisibility = [4] : tensor<4xi32>").element, "(1)");
}

TEST(InterpreterFaults, BeforeTheFirstProgram) {
  EXPECT_EQ(fault("%h, %o = arith.addui_extended %n, %n : i32, i1").text,
            "the interpreter does not know the operation `arith.addui_extended`");
  EXPECT_EQ(fault("%c = arith.constant 0 : index").text, "the interpreter has no values of type `index`");
  EXPECT_EQ(fault("scf.execute_region {\nscf.yield\n}").text,
            "the interpreter does not know the operation `scf.execute_region`");
  std::vector<Array> arrays;
  EXPECT_EQ(run("func.func @f(%n: i32) {\nreturn\n}", arrays).text, "expected 1 arguments, found 0");
  EXPECT_EQ(run("func.func private @f(%n: i32)", arrays).text, "expected a function of one block");
}

/// A load of `y[index]` by a kernel, as compiled code would take it: several elements at once, where what is
/// divided is not negative.
static Outcome divided(const std::string &index) {
  std::vector<Array> arrays{{4, std::vector<uint64_t>(512, 1)}};
  return run(R"(func.func @f(%y: !tile.ptr<i32> {tile.param = #tile.param<"y", "*i32", 16>})
      attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
    %a = tile.arange 0 to 256 : tensor<256xi32>
    %c64 = arith.constant dense<64> : tensor<256xi32>
    %c256 = arith.constant dense<256> : tensor<256xi32>
    %from = arith.subi %a, %c256 : tensor<256xi32>
    )" + index + R"(
    %i = arith.addi %r, %c256 : tensor<256xi32>
    %ys = tile.splat %y : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>>
    %p = tile.addptr %ys, %i : tensor<256x!tile.ptr<i32>>, tensor<256xi32>
    %v = tile.load %p : tensor<256x!tile.ptr<i32>>
    return
  })",
             arrays);
}

TEST(InterpreterFaults, GroupsOfOneAddressThatAnOverflowBreaks) {
  Outcome outcome = divided("%last = arith.constant dense<2147483520> : tensor<256xi32>\n"
                            "%sum = arith.addi %a, %last : tensor<256xi32>\n"
                            "%r = arith.divsi %sum, %c64 : tensor<256xi32>");
  EXPECT_EQ(
      outcome.text,
      "what is divided here was trusted not to be negative, since nothing that it is made of is: an access "
      "that takes several elements at once would miss this one");
  EXPECT_EQ(outcome.element, "(129)"); // -2147483647 // 64 is not -2147483648 // 64
  // Of other negative numbers each element is read by itself.
  EXPECT_EQ(divided("%r = arith.divsi %from, %c64 : tensor<256xi32>").text, "");
}

TEST(InterpreterFaults, TrustedSignsThatWereWrong) {
  Outcome outcome = divided("%r = arith.remsi %from, %c64 : tensor<256xi32>");
  EXPECT_EQ(outcome.text, "what is divided here was trusted not to be negative: an access that takes several "
                          "elements at once would miss this one");
  EXPECT_EQ(outcome.element, "(1)");
  EXPECT_EQ(outcome.line, 7u); // of the division
  EXPECT_EQ(
      divided("%last = arith.constant dense<2147483520> : tensor<256xi32>\n"
              "%sum = arith.addi %a, %last : tensor<256xi32>\n"
              "%r = arith.remsi %sum, %c64 : tensor<256xi32>")
          .text,
      "what is divided here was trusted not to be negative, since nothing that it is made of is: an access "
      "that takes several elements at once would miss this one");
  EXPECT_EQ(divided("%r = arith.remsi %a, %c64 : tensor<256xi32>").text, "");
  // Nothing is wide, so nothing is trusted.
  EXPECT_EQ(divided("%three = arith.constant dense<3> : tensor<256xi32>\n"
                    "%r = arith.remsi %from, %three : tensor<256xi32>")
                .text,
            "");
}
