#include "compiler/frontend/syntax/parse/Lexer.h"

#include <gtest/gtest.h>

namespace tegula::syntax {
namespace {

/// The tokens of `text`, layout as NEWLINE, INDENT, DEDENT, everything else as spelled.
std::string tokens(std::string text) {
  SourceFile source("kernel.py", std::move(text));
  DiagnosticEngine engine;
  std::string out;
  for (const Token &token : tokenize(source, engine)) {
    switch (token.kind) {
    case TokenKind::EndOfFile: continue;
    case TokenKind::Newline: out += "NEWLINE "; break;
    case TokenKind::Indent: out += "INDENT "; break;
    case TokenKind::Dedent: out += "DEDENT "; break;
    case TokenKind::Error: out += "ERROR "; break;
    default: out += std::string(source.slice(token.range)) + " ";
    }
  }
  if (!out.empty())
    out.pop_back();
  return out + render(engine.take());
}

TEST(Lexer, EveryOperatorIsTakenWhole) {
  std::string operators = "( ) [ ] { } , : ; . ... -> := @ = + - * / // % ** << >> & ^ | ~ < <= > >= == != "
                          "+= -= *= @= /= //= %= **= <<= >>= &= ^= |=";
  EXPECT_EQ(tokens(operators), operators + " NEWLINE");
  EXPECT_EQ(tokens("a**-b//c<<d"), "a ** - b // c << d NEWLINE");
  EXPECT_EQ(tokens("x.y.. .z"), "x . y . . . z NEWLINE");
}

TEST(Lexer, KeywordsAreNotNames) {
  for (int i = int(TokenKind::KwFalse); i <= int(TokenKind::KwYield); ++i) {
    std::string_view quoted = describe(TokenKind(i));
    EXPECT_EQ(classifyWord(quoted.substr(1, quoted.size() - 2)), TokenKind(i));
  }
  for (std::string_view name :
       {"", "i", "If", "true", "print", "match", "case", "type", "continued", "nonlocals"})
    EXPECT_EQ(classifyWord(name), TokenKind::Name);
}

TEST(Lexer, NamesAreOfAnyScript) {
  EXPECT_EQ(tokens("переменная_1 = Δx + 変数 + été"), "переменная_1 = Δx + 変数 + été NEWLINE");
}

TEST(Lexer, BlankAndCommentLinesDoNotCount) {
  EXPECT_EQ(tokens("\n  # c\nif x:\n\n      # deeper\n  y\n\n# out\n  z\n  \n"),
            "if x : NEWLINE INDENT y NEWLINE z NEWLINE DEDENT");
}

TEST(Lexer, TheLastLineNeedsNoEnd) {
  EXPECT_EQ(tokens("if x:\n  y"), "if x : NEWLINE INDENT y NEWLINE DEDENT");
  EXPECT_EQ(tokens("x # c"), "x NEWLINE");
  EXPECT_EQ(tokens(""), "");
  EXPECT_EQ(tokens("# only a comment"), "");
  EXPECT_EQ(tokens("   "), "");
}

TEST(Lexer, LinesJoinInBracketsAndAfterBackslashes) {
  EXPECT_EQ(tokens("f(a, # comment\n\n  b)\nx = \\\n  1"), "f ( a , b ) NEWLINE x = 1 NEWLINE");
  EXPECT_EQ(tokens("x = \\\r\n  1\r\ny"), "x = 1 NEWLINE y NEWLINE");
}

TEST(Lexer, LineEndsAndFormFeeds) {
  EXPECT_EQ(tokens("a\rb\r\nc\n"), "a NEWLINE b NEWLINE c NEWLINE");
  EXPECT_EQ(tokens("a\n\fb\n"), "a NEWLINE b NEWLINE");
  EXPECT_EQ(tokens("\xEF\xBB\xBF" "a"), "a NEWLINE");
}

TEST(Lexer, TabsCountToTheNextMultipleOfEight) {
  EXPECT_EQ(tokens("if x:\n\ty\n\tz"), "if x : NEWLINE INDENT y NEWLINE z NEWLINE DEDENT");
  EXPECT_EQ(tokens("if x:\n \ty\n \tz"), "if x : NEWLINE INDENT y NEWLINE z NEWLINE DEDENT");
}

TEST(Lexer, FStringsComeInPieces) {
  EXPECT_EQ(tokens("f'a{x!r:>{w}}b'"), "f' a { x ! r : > { w } } b ' NEWLINE");
  EXPECT_EQ(tokens("f'{{}}'"), "f' {{}} ' NEWLINE");
  EXPECT_EQ(tokens("f\"{a[\"b\"]}\""), "f\" { a [ \"b\" ] } \" NEWLINE");
  EXPECT_EQ(tokens("RF'''{x}'y'''"), "RF''' { x } 'y ''' NEWLINE");
}

TEST(Lexer, PrefixesThatAreNone) {
  EXPECT_EQ(tokens("ub'x'"), "ub 'x' NEWLINE");
  EXPECT_EQ(tokens("bf'x'"), "bf 'x' NEWLINE");
  EXPECT_EQ(tokens("rr'x'"), "rr 'x' NEWLINE");
  EXPECT_EQ(tokens("Br'x' rB'y'"), "Br'x' rB'y' NEWLINE");
}

} // namespace
} // namespace tegula::syntax
