// Lines and the statements that they are part of.
#include "compiler/debug/Statements.h"

#include <gtest/gtest.h>

using namespace tegula;
using namespace tegula::debug;

namespace {

constexpr const char *source = R"(import triton

@triton.jit
def f(a,
      b):
    x = (a +
         b)
    if x > 1:
        y = 1
    elif x > 2:
        y = 2
    else:
        y = 3
    for i in range(
            4):
        y += i
    return y

z = 1
)";

Statements statementsOf(const char *text, const char *path = "/tmp/kernels/k.py") {
  const std::vector<std::shared_ptr<const SourceFile>> files{std::make_shared<SourceFile>(path, text)};
  return Statements(files);
}

} // namespace

TEST(DebugStatements, LinesOfFunctions) {
  const Statements statements = statementsOf(source);
  std::string found;
  for (uint32_t line = 1; line <= 21; ++line)
    found += std::to_string(statements.firstLine("/tmp/kernels/k.py", line)) + " ";
  EXPECT_EQ(found, "0 0 0 0 0 6 6 8 9 10 11 0 13 14 14 16 17 0 0 0 0 ");
  EXPECT_EQ(statements.function("/tmp/kernels/k.py", 9), "f");
  EXPECT_EQ(statements.function("/tmp/kernels/k.py", 19), "");
  EXPECT_EQ(statements.nextStatement("/tmp/kernels/k.py", 4), 6u);
  EXPECT_EQ(statements.nextStatement("/tmp/kernels/k.py", 7), 8u);
  EXPECT_EQ(statements.nextStatement("/tmp/kernels/k.py", 18), 0u);
  EXPECT_EQ(statements.nextStatement("/no/file.py", 1), 0u);
}

TEST(DebugStatements, FilesByTheEndOfTheirPath) {
  const Statements statements = statementsOf(source);
  EXPECT_EQ(statements.pathOf("k.py"), "/tmp/kernels/k.py");
  EXPECT_EQ(statements.pathOf("kernels/k.py"), "/tmp/kernels/k.py");
  EXPECT_EQ(statements.pathOf("ernels/k.py"), "");
  EXPECT_EQ(statements.pathOf("other.py"), "");
  EXPECT_EQ(statementsOf(source, "k.py").pathOf("/some/where/k.py"), "k.py");
}

TEST(DebugStatements, WhatDoesNotParseHasNone) {
  const Statements statements = statementsOf("def f(:\n  x = \n");
  EXPECT_EQ(statements.nextStatement("/tmp/kernels/k.py", 1), 0u);
  EXPECT_EQ(statements.text("/tmp/kernels/k.py", 1), "def f(:");
  EXPECT_EQ(statements.text("/tmp/kernels/k.py", 99), "");
}
