#include "compiler/frontend/syntax/text/Fix.h"

#include <gtest/gtest.h>

namespace tegula {
namespace {

/// The text with the changes made, by the positions that a fix has.
std::string changed(const std::string &text, const std::vector<Change> &changes) {
  const SourceFile source("kernel.py", text);
  return withEdits(source, makeFix(source, "", changes, Certainty::Certain).edits);
}

TEST(Fix, EditsAreMadeByTheirPositions) {
  EXPECT_EQ(changed("a = b\nc = d\n", {{{4, 5}, "x"}, {{10, 11}, "yy"}}), "a = x\nc = yy\n");
  EXPECT_EQ(changed("\xE6\xBC\xA2 = b\nc", {{{6, 7}, "\xE6\xBC\xA2"}, {{8, 9}, ""}}),
            "\xE6\xBC\xA2 = \xE6\xBC\xA2\n");
  EXPECT_EQ(changed("a", {{{0, 0}, "("}, {{1, 1}, ")"}}), "(a)");
  EXPECT_EQ(changed("", {{{0, 0}, "x"}}), "x");
  EXPECT_EQ(changed("a\r\nb\r\n", {{{3, 3}, "c\n"}}), "a\r\nc\r\nb\r\n") << "lines end as the text's do";
}

TEST(Fix, EditsThatDoNotFitAreLeftOut) {
  const SourceFile source("kernel.py", "ab\ncd\n");
  EXPECT_EQ(withEdits(source, {{{1, 1}, {1, 3}, "x"}, {{1, 2}, {1, 3}, "y"}}), "x\ncd\n")
      << "one within another";
  EXPECT_EQ(withEdits(source, {{{9, 1}, {9, 2}, "x"}}), "ab\ncd\n");
  EXPECT_EQ(withEdits(source, {{{1, 9}, {1, 10}, "x"}}), "ab\ncd\n");
  EXPECT_EQ(withEdits(source, {{{2, 1}, {1, 1}, "x"}}), "ab\ncd\n");
}

TEST(Fix, ASuffixIsOfTheWholeValue) {
  const auto suffixedText = [](const std::string &text) {
    return changed(text, suffixed(SourceFile("", text), {0, uint32_t(text.size())}, ".to(t)"));
  };
  EXPECT_EQ(suffixedText("x"), "x.to(t)");
  EXPECT_EQ(suffixedText("f(a + b)[c, d].e"), "f(a + b)[c, d].e.to(t)");
  EXPECT_EQ(suffixedText("a + b"), "(a + b).to(t)");
  EXPECT_EQ(suffixedText("not a"), "(not a).to(t)");
  EXPECT_EQ(suffixedText("3"), "(3).to(t)") << "`3.to` is no attribute";
}

TEST(Fix, WordsAndTheNamesBeforeThem) {
  const SourceFile source("", "x = np.math.exp(exp_2, math.sin)");
  EXPECT_EQ(source.slice(withQualifiers(source, {12, 15})), "np.math.exp");
  EXPECT_EQ(source.slice(withQualifiers(source, {0, 1})), "x");
  const SourceRange all{0, uint32_t(source.text().size())};
  EXPECT_EQ(onlyWord(source, all, "exp"), (SourceRange{12, 15})) << "not that in another word";
  EXPECT_EQ(onlyWord(source, all, "math"), std::nullopt) << "there are two";
  EXPECT_EQ(onlyWord(source, all, "cos"), std::nullopt);
  EXPECT_EQ(onlyWord(source, all, ""), std::nullopt);
}

} // namespace
} // namespace tegula
