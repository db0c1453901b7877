// Several errors in one run, errors that belong to one function, and the functions that survive them.
#include "test/compiler/frontend/syntax/Parse.h"

#include <gtest/gtest.h>

namespace tegula::test {
namespace {

using namespace ast;

std::string messages(const std::vector<Diagnostic> &diagnostics) {
  std::string out;
  for (const Diagnostic &diagnostic : diagnostics)
    out += std::to_string(diagnostic.line) + ":" + std::to_string(diagnostic.column) + ": " +
           diagnostic.message + "\n";
  return out;
}

TEST(Recovery, EachStatementFailsAlone) {
  Parsed parsed =
      parse("x = = 1\ny = 2\nif a b:\n    nothing here is reported = = 3\nelse:\n    pass\nz = )\nw = 4\n");
  EXPECT_EQ(messages(parsed.diagnostics), "1:5: expected an expression, found `=`\n"
                                          "3:6: expected `:`, found `b`\n"
                                          "7:5: unmatched `)`\n");
  ASSERT_EQ(parsed.module->body.size(), 2u);
  EXPECT_EQ(formatStmt(parsed.module->body[0]), "y = 2\n");
  EXPECT_EQ(formatStmt(parsed.module->body[1]), "w = 4\n");
}

TEST(Recovery, ErrorsWithinABlockKeepTheBlock) {
  Parsed parsed = parse("@jit\ndef f(x):\n    a = = 1\n    b = 2\n    c = + \n    return b\n");
  EXPECT_EQ(messages(parsed.diagnostics), "3:9: expected an expression, found `=`\n"
                                          "5:10: expected an expression, found end of line\n");
  ASSERT_EQ(parsed.module->body.size(), 1u);
  EXPECT_EQ(formatStmt(parsed.module->body[0]), "@jit\ndef f(x):\n    b = 2\n    return b\n");
}

TEST(Recovery, HostFunctionsKeepTheirErrors) {
  Parsed parsed =
      parse("def host(x):\n    print x\n    def inner(y, y): pass\n\n@triton.jit\ndef k(x):\n    pass\n");
  EXPECT_EQ(messages(parsed.diagnostics), "");
  ASSERT_EQ(parsed.module->body.size(), 2u);
  const auto *host = as<FunctionStmt>(parsed.module->body[0]);
  ASSERT_NE(host->errors, nullptr);
  EXPECT_EQ(messages(*host->errors), "2:11: expected end of line, found `x`\n"
                                     "3:18: duplicate parameter `y`\n");
  EXPECT_EQ(as<FunctionStmt>(parsed.module->body[1])->errors, nullptr);
}

TEST(Recovery, AHostFunctionWithABrokenHeadIsSkipped) {
  Parsed parsed = parse("def host(x, (a, b)):\n    y = 1\n    if y:\n        z\n\nx = 1\n");
  EXPECT_EQ(messages(parsed.diagnostics), "");
  ASSERT_EQ(parsed.module->body.size(), 2u);
  EXPECT_EQ(messages(*as<FunctionStmt>(parsed.module->body[0])->errors),
            "1:13: expected a parameter name, found `(`\n");
}

TEST(Recovery, AFunctionWithoutANameFailsTheFile) {
  EXPECT_EQ(messages(parse("def (x):\n    y = = 1\n").diagnostics),
            "1:5: expected a function name, found `(`\n");
}

TEST(Recovery, MethodsAreHostFunctions) {
  Parsed parsed =
      parse("class A:\n    def f(self):\n        exec code\n    @jit\n    def g(self):\n        x = = 1\n");
  EXPECT_EQ(messages(parsed.diagnostics), "6:13: expected an expression, found `=`\n");
  ASSERT_EQ(parsed.module->deferredErrors.size(), 1u);
  EXPECT_EQ(messages(*parsed.module->deferredErrors[0]), "3:14: expected end of line, found `code`\n");
}

TEST(Recovery, AnUnclosedBracketEndsAtTheNextStatementKeyword) {
  Parsed parsed = parse("x = f(1,\ny = 2\n\n@jit\ndef k(a):\n    return a\nz = 3\n");
  EXPECT_EQ(messages(parsed.diagnostics), "5:1: expected `)`, found `def`\n");
  ASSERT_EQ(parsed.diagnostics[0].notes.size(), 1u);
  EXPECT_EQ(parsed.diagnostics[0].notes[0].message, "to match this `(`");
  EXPECT_EQ(parsed.diagnostics[0].notes[0].line, 1u);
  EXPECT_EQ(parsed.diagnostics[0].notes[0].column, 6u);
  ASSERT_EQ(parsed.module->body.size(), 2u);
  EXPECT_EQ(formatStmt(parsed.module->body[1]), "z = 3\n");
}

TEST(Recovery, AnUnclosedStringInBracketsIsOneError) {
  Parsed parsed = parse("x = f(\"abc)\ny = = 2\nz = 3\n");
  EXPECT_EQ(messages(parsed.diagnostics), "1:7: unterminated string: expected `\"`, found end of line\n"
                                          "2:5: expected an expression, found `=`\n");
  ASSERT_EQ(parsed.module->body.size(), 1u);
}

TEST(Recovery, AnUnclosedStringWithinALongCall) {
  Parsed parsed = parse("x = f(\"abc,\n      b,\n      c)\nz = 3\n");
  EXPECT_EQ(messages(parsed.diagnostics), "1:7: unterminated string: expected `\"`, found end of line\n");
  ASSERT_EQ(parsed.module->body.size(), 1u);
}

TEST(Recovery, ABadCaseLeavesTheOthers) {
  Parsed parsed =
      parse("match x:\n    case 1:\n        a\n    case = :\n        b\n    foo\n    case 3:\n        c\n");
  EXPECT_EQ(messages(parsed.diagnostics), "4:10: expected a pattern, found `=`\n"
                                          "6:5: expected `case`, found `foo`\n");
}

} // namespace
} // namespace tegula::test
