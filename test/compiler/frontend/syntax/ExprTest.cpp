// Expressions: what groups with what, seen by printing with the fewest parentheses, and the shape of nodes.
#include "test/compiler/frontend/syntax/Parse.h"

#include <gtest/gtest.h>

namespace tegula::test {
namespace {

using namespace ast;

/// `source` prints back as itself.
void same(const std::string &source) { EXPECT_EQ(reprintExpr(source), source); }

TEST(Expr, RedundantParenthesesVanish) {
  EXPECT_EQ(reprintExpr("a + (b * c)"), "a + b * c");
  EXPECT_EQ(reprintExpr("(a + b) + c"), "a + b + c");
  EXPECT_EQ(reprintExpr("((a))"), "a");
  EXPECT_EQ(reprintExpr("a ** (b ** c)"), "a**b**c");
  EXPECT_EQ(reprintExpr("-(a ** b)"), "-a**b");
  EXPECT_EQ(reprintExpr("(a & b) | (c ^ d)"), "a & b | c ^ d");
  EXPECT_EQ(reprintExpr("(a < b) and (not c)"), "a < b and not c");
  EXPECT_EQ(reprintExpr("(a if b else c) if d else (e if f else g)"),
            "(a if b else c) if d else e if f else g");
}

TEST(Expr, NeededParenthesesStay) {
  for (const char *source :
       {"(a + b) * c", "a - (b - c)", "(a**b)**c", "(-a)**b", "a**-b", "(a < b) < c", "not (a and b)",
        "(not a) + b", "(a or b) and c", "(a and b) or c or (d or e)", "a << (b + c << d)", "(a @ b)[c]",
        "-(-a + b)", "~-+a", "(lambda: x)()", "(await x)**2", "(a if b else c).d", "(x := 1)", "(1).real"}) {
    std::string printed = reprintExpr(source);
    EXPECT_EQ(reprintExpr(printed), printed);
  }
  same("(a + b) * c");
  same("a - (b - c)");
  same("(a**b)**c");
  same("(-a)**b");
  same("a**-b");
  same("(a < b) < c");
  same("not (a and b)");
  same("(a or b) and c");
  same("(x := 1)");
}

TEST(Expr, EveryFormPrintsBack) {
  for (const char *source : {"None",
                             "...",
                             "a.b.c",
                             "f()",
                             "f(a, *b, c, k=d, *e, **g)",
                             "f(x for x in y)",
                             "a[b]",
                             "a[b, c]",
                             "a[:]",
                             "a[b:]",
                             "a[:c]",
                             "a[b:c:d]",
                             "a[::d]",
                             "a[:, None]",
                             "a[..., 1:2]",
                             "a[b,]",
                             "a[*b, c]",
                             "a[x := 1]",
                             "()",
                             "(a,)",
                             "(a, b)",
                             "[]",
                             "[a, *b]",
                             "{a, *b}",
                             "{}",
                             "{a: b, **c}",
                             "[x for x in y if a if b]",
                             "{x for (x, y) in z}",
                             "{k: v for (k, v) in z}",
                             "(x async for x in y)",
                             "[x for a in b for c in d]",
                             "lambda: 0",
                             "lambda x, /, y=1, *a, k, z=2, **w: x",
                             "lambda *, k: k",
                             "a if b else c",
                             "a is not b",
                             "a not in b",
                             "a is b in c != d == e <= f >= g > h < i",
                             "a @ b // c % d / e * f",
                             "a >> b << c",
                             "not a",
                             "await f(x)",
                             "[i := 0, i**2]",
                             "(*a, b)",
                             "print",
                             "f(**a or b)"})
    same(source);
}

TEST(Expr, CallArguments) {
  Parsed parsed = parse("f(a, *b, k=c, **d)");
  const auto *call = as<CallExpr>(onlyExpr(parsed));
  ASSERT_NE(call, nullptr);
  ASSERT_EQ(call->arguments.size(), 4u);
  EXPECT_EQ(call->arguments[0].kind, ArgumentKind::Positional);
  EXPECT_EQ(call->arguments[1].kind, ArgumentKind::Star);
  EXPECT_EQ(call->arguments[2].kind, ArgumentKind::Keyword);
  EXPECT_EQ(call->arguments[2].name, "k");
  EXPECT_EQ(call->arguments[3].kind, ArgumentKind::DoubleStar);
}

TEST(Expr, ComparisonsChain) {
  Parsed parsed = parse("a < b is not c");
  const auto *compare = as<CompareExpr>(onlyExpr(parsed));
  ASSERT_NE(compare, nullptr);
  ASSERT_EQ(compare->rest.size(), 2u);
  EXPECT_EQ(compare->rest[0].op, CompareOp::Lt);
  EXPECT_EQ(compare->rest[1].op, CompareOp::IsNot);
  EXPECT_EQ(parsed.module->source->slice(compare->rest[1].opRange), "is not");
}

TEST(Expr, RangesCoverTheText) {
  Parsed parsed = parse("(alpha + f(x)[1:2]) * 2\n");
  const auto *product = as<BinaryExpr>(onlyExpr(parsed));
  ASSERT_NE(product, nullptr);
  const SourceFile &source = *parsed.module->source;
  EXPECT_EQ(source.slice(product->range), "(alpha + f(x)[1:2]) * 2");
  EXPECT_EQ(source.slice(product->left->range), "alpha + f(x)[1:2]");
  EXPECT_EQ(source.slice(product->opRange), "*");
  const auto *sum = as<BinaryExpr>(product->left);
  ASSERT_NE(sum, nullptr);
  EXPECT_EQ(source.slice(sum->right->range), "f(x)[1:2]");
}

TEST(Expr, CastsLookAtTheKind) {
  Parsed parsed = parse("a");
  const Expr *expr = onlyExpr(parsed);
  EXPECT_NE(as<NameExpr>(expr), nullptr);
  EXPECT_EQ(as<CallExpr>(expr), nullptr);
  EXPECT_EQ(as<CallExpr>(static_cast<const Expr *>(nullptr)), nullptr);
}

} // namespace
} // namespace tegula::test
