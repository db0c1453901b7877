// The names that statements bind.
#include "compiler/frontend/syntax/ast/Bindings.h"
#include "test/compiler/frontend/syntax/Parse.h"

#include <gtest/gtest.h>

using namespace tegula;
using namespace tegula::test;

/// Returns what the first statement of `source` binds by itself, each name with a blank behind it, and the
/// number of its blocks.
static std::string bindingsOf(const std::string &source) {
  const Parsed parsed = parse(source);
  std::string names;
  int blocks = 0;
  ast::forEachBinding(parsed.module->body[0],
                      {.target =
                           [&](const ast::Expr *target) {
                             ast::forEachTargetName(target, [&](const ast::NameExpr &name) {
                               names += std::string(name.id) + " ";
                             });
                           },
                       .name = [&](std::string_view name) { names += std::string(name) + " "; },
                       .nested = [&](ast::Block) { ++blocks; }});
  return names + std::to_string(blocks);
}

TEST(Bindings, TargetsOfAssignments) {
  EXPECT_EQ(bindingsOf("a = b = c\n"), "a b 0");
  EXPECT_EQ(bindingsOf("a, [b, *c] = d\n"), "a b c 0");
  EXPECT_EQ(bindingsOf("a[0], b.c = d\n"), "0") << "elements and attributes are no names";
  EXPECT_EQ(bindingsOf("a += 1\n"), "a 0");
  EXPECT_EQ(bindingsOf("a: int = 1\n"), "a 0");
  EXPECT_EQ(bindingsOf("a: int\n"), "0") << "a type alone gives no value";
  EXPECT_EQ(bindingsOf("a.append(b)\n"), "0");
}

TEST(Bindings, DefinitionsAndImports) {
  EXPECT_EQ(bindingsOf("def f(a):\n    b = 1\n"), "f 0") << "what is in a function is its own";
  EXPECT_EQ(bindingsOf("class C:\n    b = 1\n"), "C 0");
  EXPECT_EQ(bindingsOf("import a.b, c.d as e\n"), "a e 0");
  EXPECT_EQ(bindingsOf("from a import b, c as d\n"), "b d 0");
}

TEST(Bindings, StatementsWithBlocks) {
  EXPECT_EQ(bindingsOf("for a, b in c:\n    d = 1\nelse:\n    e = 1\n"), "a b 2");
  EXPECT_EQ(bindingsOf("while a:\n    b = 1\n"), "2") << "one of them is empty";
  EXPECT_EQ(bindingsOf("with a as b, c, d as (e, f):\n    g = 1\n"), "b e f 1");
  EXPECT_EQ(bindingsOf("if a:\n    b = 1\nelif c:\n    d = 1\n"), "3");
  EXPECT_EQ(bindingsOf("try:\n    a = 1\nexcept E:\n    b = 1\n"), "4");
}

TEST(Bindings, WhatNobodyAsksForIsLeftOut) {
  const Parsed parsed = parse("for a in b:\n    c = 1\nimport d\ndef e(): pass\n");
  int blocks = 0;
  for (const ast::Stmt *stmt : parsed.module->body) {
    ast::forEachBinding(stmt, {});
    ast::forEachNested(stmt, [&](ast::Block block) { blocks += !block.empty(); });
  }
  EXPECT_EQ(blocks, 1);
}
