// Comments of the compiler that state its assumptions.

#include "test/runtime/emulator/ExpectFault.h"

namespace tegula::runtime::test {
namespace {

using Expect = ExpectFault;

TEST_F(Expect, ANegativeMultipleOfTheDivisorFaults) {
  const std::vector<std::string> words{"what is divided here was trusted not to be negative, and is -64"};
  expectFault("mov.b32 %r0, -64;\n//tegula: expect.div.s32 %r0, 64;", {0}, words);
  expectFault("mov.b32 %r0, -64;\nmov.b32 %r1, 16;\n//tegula: expect.div.s32 %r0, %r1;", {0}, words);
  expectFault("mov.b64 %d0, -64;\n//tegula: expect.div.s64 %d0, 16;", {0}, words);
  expectFault("mov.b32 %r0, -64;\nsetp.eq.u32 %q0, %r31, 3;\nsetp.lt.u32 %q1, %r31, 9;\n"
              "//tegula: expect.div.s32 %r0, 64, %q0, %q1;",
              {0}, {words[0], "thread (3,0,0)"});
}

TEST_F(Expect, AnythingElseDoesNot) {
  expectNoFault("mov.b32 %r0, 64;\n//tegula: expect.div.s32 %r0, 64;", {0});
  expectNoFault("mov.b32 %r0, 0;\n//tegula: expect.div.s32 %r0, 64;", {0});
  expectNoFault("mov.b32 %r0, -48;\n//tegula: expect.div.s32 %r0, 64;", {0});
  // No thread is asked.
  expectNoFault("mov.b32 %r0, -64;\nsetp.eq.u32 %q0, %r31, 99;\n//tegula: expect.div.s32 %r0, 64, %q0;", {0});
  // Undefined values matter only where they are used.
  expectNoFault("//tegula: expect.div.s32 %r0, 64;", {0});
  // The low half of a register of 64 bits is none of its business either.
  expectNoFault("mov.b64 %d0, 0xffffffc0;\n//tegula: expect.div.s64 %d0, 64;", {0});
}

TEST_F(Expect, ABoxInFrontOfItsArrayFaults) {
  const std::vector<std::string> words{
      "where a box of an array begins was trusted not to be negative, and is -5"};
  expectFault("mov.b32 %r0, -5;\n//tegula: expect.box.s32 %r0;", {0}, words);
  expectFault("mov.b32 %r0, -5;\nsetp.eq.u32 %q0, %r31, 3;\n//tegula: expect.box.s32 %r0, %q0;", {0},
              {words[0], "thread (3,0,0)"});
  expectNoFault("mov.b32 %r0, 0;\n//tegula: expect.box.s32 %r0;", {0});
  expectNoFault("mov.b32 %r0, -5;\nsetp.eq.u32 %q0, %r31, 99;\n//tegula: expect.box.s32 %r0, %q0;", {0});
  expectNoFault("//tegula: expect.box.s32 %r0;", {0});
}

TEST_F(Expect, ElementsThatAreNoNeighboursFault) {
  const std::vector<std::string> words{
      "elements were claimed to be neighbours (`tl.max_contiguous`, `tl.multiple_of`), "
      "and are not: one at 0x48 was expected at 0x44"};
  const std::string pointers = "mov.b64 %d0, 64;\nmov.b64 %d1, 72;\n";
  expectFault(pointers + "//tegula: expect.apart.b64 %d0, %d1, 4;", {0}, words);
  expectFault(pointers + "setp.eq.u32 %q0, %r31, 7;\n//tegula: expect.apart.b64 %d0, %d1, 4, %q0;", {0},
              {words[0], "thread (7,0,0)"});
  expectNoFault(pointers + "//tegula: expect.apart.b64 %d0, %d1, 8;", {0});
  expectNoFault(pointers + "setp.eq.u32 %q0, %r31, 99;\n//tegula: expect.apart.b64 %d0, %d1, 4, %q0;", {0});
}

TEST_F(Expect, MasksThatDifferFault) {
  const std::string masks = "setp.lt.u32 %q0, %r31, 8;\nsetp.lt.u32 %q1, %r31, 9;\n";
  expectFault(
      masks + "//tegula: expect.same.pred %q0, %q1;", {0},
      {"elements were claimed to share their mask (`tl.max_constancy`), and do not", "thread (8,0,0)"});
  expectNoFault(masks + "//tegula: expect.same.pred %q0, %q1, %q0;", {0});
  expectNoFault(masks + "//tegula: expect.same.pred %q0, %q0;", {0});
}

TEST_F(Expect, FalseAssumptionsFault) {
  auto assume = [](const std::string &a, const std::string &line) {
    return "mov.b32 %r0, " + a + ";\n//tegula: expect.assume." + line + ";";
  };
  expectFault(assume("-5", "ge.s32 %r0, 0"), {0}, {"what the program assumes is false: -5 >= 0"});
  expectFault(assume("-5", "lt.u32 %r0, 16"), {0}, {"what the program assumes is false: 4294967291 < 16"});
  expectFault(assume("3", "eq.s32 %r0, 4"), {0}, {"what the program assumes is false: 3 == 4"});
  expectFault(assume("3", "ne.s32 %r0, 3"), {0}, {"what the program assumes is false: 3 != 3"});
  expectFault("mov.b64 %d0, 9;\n//tegula: expect.assume.le.s64 %d0, 8;", {0},
              {"what the program assumes is false: 9 <= 8"});
  expectFault("setp.lt.u32 %q0, %r31, 8;\n//tegula: expect.assume.pred %q0;", {0},
              {"what the program assumes is false", "thread (8,0,0)"});
  expectNoFault(assume("-5", "lt.s32 %r0, 16"), {0});
  expectNoFault(assume("5", "gt.s32 %r0, 4"), {0});
  expectNoFault("setp.lt.u32 %q0, %r31, 99;\n//tegula: expect.assume.pred %q0;", {0});
}

TEST_F(Expect, IsNoInstruction) {
  auto count = [](const std::string &body) {
    Runner run;
    EXPECT_EQ(run.launch(kernel("mov.b32 %r0, 64;\n" + body), {0}), "");
    return run.device.report().total.warpInstructions;
  };
  EXPECT_EQ(count("//tegula: expect.div.s32 %r0, 64;"), count("// tegula: expect.div.s32 %r0, 64;"));
}

TEST_F(Expect, UnknownFormsAreRefused) {
  auto load = [&](const std::string &line) { return run.launch(kernel("//tegula: " + line), {0}); };
  EXPECT_THAT(load("expect.div.u32 %r0, 64;"),
              ::testing::HasSubstr("unsupported instruction `expect.div.u32`"));
  EXPECT_THAT(load("expect.s32 %r0, 64;"), ::testing::HasSubstr("unsupported instruction `expect.s32`"));
  EXPECT_THAT(load("expect.box.u32 %r0;"), ::testing::HasSubstr("unsupported instruction `expect.box.u32`"));
  EXPECT_THAT(load("expect.assume.s32 %r0, 1;"),
              ::testing::HasSubstr("unsupported instruction `expect.assume.s32`"));
  EXPECT_THAT(load("expect.apart.b64 %d0, %d1, %d2;"),
              ::testing::HasSubstr("expected a distance in bytes as operand 3"));
  EXPECT_THAT(load("expect.div.s32 %r0;"),
              ::testing::HasSubstr("expected 2 to 4 operands of `expect.div.s32`"));
  EXPECT_THAT(load("expect.div.s32 %r0, 64, !%q0;"),
              ::testing::HasSubstr("expected a predicate that is not negated as operand 3"));
}

} // namespace
} // namespace tegula::runtime::test
