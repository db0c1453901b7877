#include "test/compiler/frontend/syntax/Parse.h"

#include <gtest/gtest.h>

namespace tegula::test {
namespace {

TEST(Printer, TheTreeShowsLinesKindsAndBlocks) {
  Parsed parsed =
      parse("import triton\n\n@triton.jit\ndef k(x, BLOCK: tl.constexpr):\n    if x > 1:\n        y = 1\n"
            "    else:\n        return\n    for i in range(3):\n        y += i\n");
  EXPECT_EQ(ast::printModule(*parsed.module), "    1  Import import triton\n"
                                              "    3  @triton.jit\n"
                                              "    4  Function def k(x, BLOCK: tl.constexpr):\n"
                                              "    5      If if x > 1:\n"
                                              "    6          Assign y = 1\n"
                                              "    8      else:\n"
                                              "    8          Return return\n"
                                              "    9      For for i in range(3):\n"
                                              "   10          AugAssign y += i\n");
}

TEST(Printer, AFunctionThatDidNotParseSaysWhy) {
  Parsed parsed = parse("def host(x):\n    print x\n");
  EXPECT_EQ(ast::printModule(*parsed.module),
            "    1  Function def host(x):\n"
            "    1      error on line 2: expected end of line, found `x`\n");
}

TEST(Printer, StatementsTakeAnIndent) {
  Parsed parsed = parse("while x:\n  y\n");
  EXPECT_EQ(ast::formatStmt(parsed.module->body[0], 2), "  while x:\n      y\n");
}

TEST(Printer, StringsAreEscaped) {
  EXPECT_EQ(reprintExpr(R"('a"b\n\x01\\' '\ud800')"), R"("a\"b\n\x01\\\ud800")");
  EXPECT_EQ(reprintExpr(R"(b'\xff"')"), R"(b"\xff\"")");
  EXPECT_EQ(reprintExpr(R"(f'{x}"{{' '{')"), R"(f"{x}\"{{{{")");
  EXPECT_EQ(reprintExpr(R"(f"{x = !r:>{w}}")"), R"(f"{x = !r:>{w}}")");
}

} // namespace
} // namespace tegula::test
