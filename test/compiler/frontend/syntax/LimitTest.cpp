// Inputs made to exhaust: they give an error, soon.
#include "test/compiler/frontend/syntax/Parse.h"

#include <gtest/gtest.h>

namespace tegula::test {
namespace {

std::string repeat(const std::string &text, size_t count) {
  std::string out;
  out.reserve(text.size() * count);
  for (size_t i = 0; i < count; ++i)
    out += text;
  return out;
}

/// The messages of `source`, one a line, as line:column: message.
std::string messages(const std::string &source) {
  std::string out;
  for (const Diagnostic &diagnostic : parse(source).all())
    out += std::to_string(diagnostic.line) + ":" + std::to_string(diagnostic.column) + ": " +
           diagnostic.message + "\n";
  return out;
}

TEST(Limit, BracketsAndPrefixes) {
  std::string deep = "expression nested too deeply: more than 200 levels\n";
  EXPECT_EQ(messages("x = " + repeat("(", 10000) + repeat(")", 10000)), "1:205: " + deep);
  EXPECT_EQ(messages("x = " + repeat("[", 10000) + repeat("]", 10000)), "1:205: " + deep);
  EXPECT_EQ(messages("x = " + repeat("{1:", 10000) + "1" + repeat("}", 10000)), "1:605: " + deep);
  EXPECT_EQ(messages("x = " + repeat("f(", 10000) + repeat(")", 10000)), "1:406: " + deep);
  EXPECT_EQ(messages("x = " + repeat("-", 10000) + "1"), "1:205: " + deep);
  EXPECT_EQ(messages("x = " + repeat("not ", 10000) + "1"), "1:805: " + deep);
  EXPECT_EQ(messages("x = " + repeat("lambda: ", 10000) + "1"), "1:1613: " + deep);
  EXPECT_EQ(messages("x = " + repeat("1 if 1 else ", 10000) + "1"), "1:2417: " + deep);
  EXPECT_EQ(messages("x = " + repeat("2 ** ", 10000) + "1"), "1:1007: " + deep);
  EXPECT_EQ(messages("x = " + repeat("f'{", 5000) + "1" + repeat("}'", 5000)).find("1:"), 0u);
  EXPECT_EQ(messages("x = 1\n" + repeat("(", 150) + repeat(")", 150)), "");
}

TEST(Limit, UnclosedBrackets) {
  EXPECT_EQ(messages("x = " + repeat("(", 10000)),
            "1:205: expression nested too deeply: more than 200 levels\n");
}

TEST(Limit, LongChains) {
  std::string high = "expression nested too deeply: more than 1000 levels\n";
  EXPECT_EQ(messages("x = a" + repeat(" + a", 10000)), "1:4007: " + high);
  EXPECT_EQ(messages("x = a" + repeat(".a", 10000)), "1:2006: " + high);
  EXPECT_EQ(messages("x = a" + repeat("[0]", 10000)), "1:3006: " + high);
  EXPECT_EQ(messages("x = a" + repeat("()", 10000)), "1:2006: " + high);
  EXPECT_EQ(messages("x = a" + repeat(" + a", 998)), "");
}

TEST(Limit, WideIsNotDeep) {
  EXPECT_EQ(messages("x = " + repeat("a and ", 20000) + "a"), "");
  EXPECT_EQ(messages("x = a" + repeat(" < a", 20000)), "");
  EXPECT_EQ(messages("x = [" + repeat("a, ", 20000) + "]"), "");
  EXPECT_EQ(messages("x = (" + repeat("'a' ", 20000) + ")"), "");
  EXPECT_EQ(messages(repeat("x = ", 20000) + "1"), "");
  EXPECT_EQ(messages("if a: b\n" + repeat("elif a: b\n", 20000)), "");
  EXPECT_EQ(messages(repeat("@a\n", 20000) + "def f(): pass\n"), "");
  EXPECT_EQ(messages(repeat("x = 1;", 20000)), "");
}

TEST(Limit, Blocks) {
  std::string source;
  for (size_t i = 0; i < 1000; ++i)
    source += std::string(i, ' ') + "if x:\n";
  source += std::string(1000, ' ') + "pass\ny = = 1\n";
  EXPECT_EQ(messages(source), "102:102: blocks nested too deeply: more than 100 levels\n"
                              "1002:5: expected an expression, found `=`\n");
  std::string matches;
  for (size_t i = 0; i < 120; ++i)
    matches += std::string(2 * i, ' ') + "match x:\n" + std::string(2 * i + 1, ' ') + "case y:\n";
  matches += std::string(240, ' ') + "pass\n";
  EXPECT_EQ(messages(matches), "101:101: blocks nested too deeply: more than 100 levels\n");
}

TEST(Limit, Patterns) {
  EXPECT_EQ(messages("match x:\n case " + repeat("[", 10000) + repeat("]", 10000) + ": pass\n"),
            "2:207: expression nested too deeply: more than 200 levels\n");
}

TEST(Limit, ManyErrorsAreCutOff) {
  Parsed parsed = parse(repeat("x = = 1\n", 5000));
  EXPECT_EQ(parsed.diagnostics.size(), 20u);
  EXPECT_EQ(parsed.diagnostics.back().line, 20u);
}

// Each of these took a time quadratic in its size while a place in a line was looked up per error, or
// open brackets were walked per broken string.
TEST(Limit, ErrorsOnOneLineTakeLinearTime) {
  for (std::string source :
       {repeat("f()=1;", 300000), repeat("01;", 300000), "f(" + repeat("a=1,", 300000) + ")",
        repeat("(]", 300000), repeat("$ ", 300000), repeat("(", 300000) + "\n" + repeat(" 'a\n", 300000)}) {
    Parsed parsed = parse(source);
    EXPECT_FALSE(parsed.diagnostics.empty());
    EXPECT_LT(render(parsed.diagnostics).size(), 100000u);
  }
}

TEST(Limit, FileSize) {
  EXPECT_EQ(messages(std::string(SourceFile::maxBytes + 1, ' ')),
            "1:1: expected a source file of at most 8388608 bytes, found 8388609\n");
}

TEST(Limit, RepeatedNamesAreFoundInAnyNumber) {
  std::string names;
  for (int i = 0; i < 50000; ++i)
    names += "a" + std::to_string(i) + ", ";
  EXPECT_EQ(messages("def f(" + names + "): pass\n"), "");
}

} // namespace
} // namespace tegula::test
