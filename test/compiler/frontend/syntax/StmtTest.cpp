// Statements: each form prints back, and the nodes hold what later stages ask for.
#include "test/compiler/frontend/syntax/Parse.h"

#include <gtest/gtest.h>

namespace tegula::test {
namespace {

using namespace ast;

TEST(Stmt, SimpleFormsPrintBack) {
  for (const char *source : {"x = 1\n",
                             "x = y = z\n",
                             "a, b = b, a\n",
                             "a, *b = c\n",
                             "[a, b] = c\n",
                             "x.y = 1\n",
                             "x[0] = 1\n",
                             "x: int\n",
                             "x: tl.constexpr = 1\n",
                             "x.y: int = 1\n",
                             "def f():\n    x = yield\n    x = yield from y\n    x += yield a\n",
                             "del a, b[0]\n",
                             "pass\n",
                             "raise\n",
                             "raise A\n",
                             "raise A from b\n",
                             "assert a\n",
                             "assert a, \"b\"\n",
                             "global a, b\n",
                             "import a\n",
                             "import a.b as c, d\n",
                             "from a import *\n",
                             "from . import a\n",
                             "from ...a.b import c as d, e\n",
                             "type X = int\n",
                             "type X[T: int, *Ts, **P] = list\n",
                             "type = 1\n",
                             "match = 1\n",
                             "print(match, case, type)\n",
                             "x +=  1\n"}) {
    std::string printed = reprint(source);
    EXPECT_EQ(printed.find("error"), std::string::npos) << printed;
    EXPECT_EQ(reprint(printed), printed);
  }
  for (const char *op : {"+", "-", "*", "@", "/", "//", "%", "**", "<<", ">>", "&", "^", "|"})
    EXPECT_EQ(reprint(std::string("x ") + op + "= y\n"), std::string("x ") + op + "= y\n");
  EXPECT_EQ(reprint("from a import (b,\n  c,)\n"), "from a import b, c\n");
  EXPECT_EQ(reprint("import a . b\n"), "import a.b\n");
  EXPECT_EQ(reprint("a; b;\nc\n"), "a\nb\nc\n");
  EXPECT_EQ(reprint("x: int = 1, 2\n"), "x: int = (1, 2)\n");
  EXPECT_EQ(reprint("(a) = 1\n"), "a = 1\n");
}

TEST(Stmt, CompoundFormsPrintBack) {
  for (const char *source :
       {"if a:\n    b\nelif c:\n    d\nelse:\n    e\n", "for a, b in c:\n    d\nelse:\n    e\n",
        "while a := b():\n    break\nelse:\n    continue_\n", "with a as b, c:\n    pass\n",
        "try:\n    a\nexcept B as c:\n    d\nexcept (E, F):\n    g\nexcept:\n    h\nelse:\n    i\nfinally:\n "
        "   j\n",
        "try:\n    a\nexcept* B:\n    c\n", "try:\n    a\nfinally:\n    b\n",
        "@a.b(c)\n@d\ndef f[T](x: int, /, y=1, *a: b, k: c = 2, **w) -> d:\n    return\n",
        "def f(*, k):\n    yield k\n", "def f(*args: *Ts):\n    return (yield)\n",
        "@a\nclass A[T](B, metaclass=C):\n    x: int = 1\n",
        "async def f():\n    async for x in y:\n        await z\n    async with a as b:\n        pass\n"}) {
    std::string printed = reprint(source);
    EXPECT_EQ(printed.find("error"), std::string::npos) << printed;
    EXPECT_EQ(reprint(printed), printed);
  }
  EXPECT_EQ(reprint("if a: b; c\n"), "if a:\n    b\n    c\n");
}

TEST(Stmt, WithParentheses) {
  EXPECT_EQ(reprint("with (a as b, c as d,): pass\n"), "with a as b, c as d:\n    pass\n");
  EXPECT_EQ(reprint("with (a, b): pass\n"), "with a, b:\n    pass\n");
  EXPECT_EQ(reprint("with (a): pass\n"), "with a:\n    pass\n");
  EXPECT_EQ(reprint("with (a), b: pass\n"), "with a, b:\n    pass\n");
  EXPECT_EQ(reprint("with (a, b) as c: pass\n"), "with (a, b) as c:\n    pass\n");
  EXPECT_EQ(reprint("with (*a, b): pass\n"), "with (*a, b):\n    pass\n");
  EXPECT_EQ(reprint("with (a := b): pass\n"), "with (a := b):\n    pass\n");
  EXPECT_EQ(reprint("with (x for x in y): pass\n"), "with (x for x in y):\n    pass\n");
  EXPECT_EQ(reprint("with (a)(b) as c: pass\n"), "with a(b) as c:\n    pass\n");
}

TEST(Stmt, MatchIsSoft) {
  std::string source = "match a, b:\n"
                       "    case [1, -2.5, 1 + 2j, \"s\" \"t\", None]: pass\n"
                       "    case (x): pass\n"
                       "    case (x,) | [_, *_, *rest]: pass\n"
                       "    case {\"k\": v, A.B: _, **rest} if v > 1: pass\n"
                       "    case a.b.C(x, y=1, z=D()) as w: pass\n"
                       "    case 1 | (2 as two): pass\n"
                       "    case x, *y: pass\n"
                       "    case _: pass\n";
  EXPECT_EQ(reprint(source), "match (a, b):\n"
                             "    case [1, -2.5, 1 + 2j, \"st\", None]:\n        pass\n"
                             "    case x:\n        pass\n"
                             "    case [x] | [_, *_, *rest]:\n        pass\n"
                             "    case {\"k\": v, A.B: _, **rest} if v > 1:\n        pass\n"
                             "    case a.b.C(x, y=1, z=D()) as w:\n        pass\n"
                             "    case 1 | (2 as two):\n        pass\n"
                             "    case [x, *y]:\n        pass\n"
                             "    case _:\n        pass\n");
  EXPECT_EQ(reprint("match[a]: int\n"), "match[a]: int\n");
  EXPECT_EQ(reprint("match(a)\ncase = 1\n"), "match(a)\ncase = 1\n");
}

TEST(Stmt, FunctionsKnowTheirParameters) {
  Parsed parsed = parse("def f(a, /, b: int = 1, *c, d, **e): pass\n");
  const auto *function = as<FunctionStmt>(parsed.module->body[0]);
  ASSERT_NE(function, nullptr);
  EXPECT_EQ(function->name, "f");
  ASSERT_EQ(function->parameters.size(), 5u);
  ParameterKind kinds[] = {ParameterKind::PositionalOnly, ParameterKind::Normal, ParameterKind::VarArgs,
                           ParameterKind::KeywordOnly, ParameterKind::VarKeywords};
  for (size_t i = 0; i < 5; ++i)
    EXPECT_EQ(function->parameters[i].kind, kinds[i]);
  EXPECT_EQ(formatExpr(function->parameters[1].annotation), "int");
  EXPECT_EQ(formatExpr(function->parameters[1].defaultValue), "1");
  EXPECT_EQ(parsed.module->source->slice(function->parameters[3].nameRange), "d");
}

TEST(Stmt, JitDecoratorsAreFound) {
  for (auto [decorator, jit] : {std::pair("@triton.jit", true),
                                {"@jit", true},
                                {"@triton.jit(debug=True)", true},
                                {"@my.fancy_jit", true},
                                {"@triton.autotune(configs=[], key=[])\n@triton.jit", true},
                                {"@torch.compile", false},
                                {"@jit.script", false},
                                {"@jit()()", false}}) {
    Parsed parsed = parse(std::string(decorator) + "\ndef f(): pass\n");
    const auto *function = as<FunctionStmt>(parsed.module->body[0]);
    ASSERT_NE(function, nullptr) << decorator;
    EXPECT_EQ(function->jitDecorator != nullptr, jit) << decorator;
  }
}

TEST(Stmt, DecoratorsByAssignment) {
  Parsed parsed = parse("def f(): pass\nf = triton.jit(f)\nf = triton.heuristics({})(f)\n"
                        "def g(): pass\ng = triton.jit(f)\ng = cache(g)\nf = triton.jit(f)\n");
  ASSERT_EQ(parsed.module->body.size(), 5u); // f, g and what is no decorator, or jit a second time
  const auto *f = as<FunctionStmt>(parsed.module->body[0]);
  ASSERT_NE(f, nullptr);
  ASSERT_EQ(f->decorators.size(), 2u);
  EXPECT_EQ(formatExpr(f->decorators[0]), "triton.heuristics({})");
  EXPECT_EQ(formatExpr(f->decorators[1]), "triton.jit");
  EXPECT_EQ(f->jitDecorator, f->decorators[1]);
  const auto *g = as<FunctionStmt>(parsed.module->body[1]);
  ASSERT_NE(g, nullptr);
  EXPECT_EQ(g->jitDecorator, nullptr);
}

TEST(Stmt, RangesOfBlocksEndWithTheirLastStatement) {
  Parsed parsed = parse("@d\ndef f():\n    x\n    y # comment\n\nz\n");
  ASSERT_EQ(parsed.module->body.size(), 2u);
  EXPECT_EQ(parsed.module->source->slice(parsed.module->body[0]->range), "@d\ndef f():\n    x\n    y");
}

TEST(Stmt, AnEmptyFileIsAnEmptyModule) {
  for (const char *source : {"", "\n\n", "# comment", "\xEF\xBB\xBF", "   \n\t\n", "\\\n"}) {
    Parsed parsed = parse(source);
    EXPECT_TRUE(parsed.module->body.empty());
    EXPECT_TRUE(parsed.diagnostics.empty()) << render(parsed.diagnostics);
  }
}

TEST(Stmt, AKernelFileWithHostCode) {
  std::string source =
      "import torch\nimport triton\nimport triton.language as tl\n\n"
      "BLOCK = tl.constexpr(128)  # 常数\n\n"
      "@triton.jit\ndef add(x_ptr, n, BLOCK_SIZE: \"tl.constexpr\"):\n"
      "    \"\"\"Adds.\"\"\"\n"
      "    offsets = tl.program_id(0) * BLOCK_SIZE + \\\n        tl.arange(0, BLOCK_SIZE)\n"
      "    mask = offsets < n\n"
      "    tl.store(x_ptr + offsets, tl.load(x_ptr + offsets, mask=mask, other=0.), mask=mask)\n\n"
      "def launch(x: torch.Tensor, *, out=None) -> torch.Tensor:\n"
      "    grid = lambda meta: (triton.cdiv(x.numel(), meta['BLOCK_SIZE']), )\n"
      "    add[grid](x, x.numel(), BLOCK_SIZE=1024)\n"
      "    print(f'{x.shape=} {100 * 1.5:.2f}%')\n"
      "    return [y for y in (x, out) if y is not None]\n\n"
      "if __name__ == '__main__':\n    launch(torch.ones(5))\n";
  Parsed parsed = parse(source);
  EXPECT_TRUE(parsed.all().empty()) << render(parsed.all());
  EXPECT_EQ(parsed.module->body.size(), 7u);
}

} // namespace
} // namespace tegula::test
