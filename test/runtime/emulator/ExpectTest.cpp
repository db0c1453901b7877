// What the compiler says in comments that it took on trust.

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
  // What is undefined is the business of who uses it.
  expectNoFault("//tegula: expect.div.s32 %r0, 64;", {0});
  // The low half of a register of 64 bits is none of its business either.
  expectNoFault("mov.b64 %d0, 0xffffffc0;\n//tegula: expect.div.s64 %d0, 64;", {0});
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
  EXPECT_THAT(load("expect.div.s32 %r0;"),
              ::testing::HasSubstr("expected 2 to 4 operands of `expect.div.s32`"));
  EXPECT_THAT(load("expect.div.s32 %r0, 64, !%q0;"),
              ::testing::HasSubstr("expected a predicate that is not negated as operand 3"));
}

} // namespace
} // namespace tegula::runtime::test
