#include "compiler/frontend/syntax/text/Diagnostic.h"

#include <gtest/gtest.h>

namespace tegula {
namespace {

std::string show(std::string text, SourceRange range) {
  SourceFile source("kernel.py", std::move(text));
  return render(makeDiagnostic(Severity::Error, source, range, "bad"));
}

TEST(Diagnostic, CaretStandsUnderTheRange) {
  EXPECT_EQ(show("x = 1\ny = blok + 1\n", {10, 14}), "kernel.py:2:5: error: bad\n"
                                                    "    y = blok + 1\n"
                                                    "        ^~~~\n");
}

TEST(Diagnostic, TabsAreExpandedToEight) {
  EXPECT_EQ(show("\tx\ty", {3, 4}), "kernel.py:1:4: error: bad\n"
                                    "            x       y\n"
                                    "                    ^\n");
}

TEST(Diagnostic, WideAndCombiningCharactersKeepTheCaretInPlace) {
  // 漢 takes two cells, the combining acute after e none.
  EXPECT_EQ(show("\xE6\xBC\xA2 = e\xCC\x81 + 1", {12, 13}), "kernel.py:1:10: error: bad\n"
                                                             "    \xE6\xBC\xA2 = e\xCC\x81 + 1\n"
                                                             "             ^\n");
  EXPECT_EQ(show("\xE6\xBC\xA2\xE6\xBC\xA2", {0, 6}), "kernel.py:1:1: error: bad\n"
                                                      "    \xE6\xBC\xA2\xE6\xBC\xA2\n"
                                                      "    ^~~~\n");
}

TEST(Diagnostic, AnEmptyRangeAtTheEndOfALine) {
  EXPECT_EQ(show("x =", {3, 3}), "kernel.py:1:4: error: bad\n"
                                 "    x =\n"
                                 "       ^\n");
}

TEST(Diagnostic, ARangeOverLinesIsMarkedOnItsFirst) {
  EXPECT_EQ(show("f(a,\n  b)", {1, 9}), "kernel.py:1:2: error: bad\n"
                                       "    f(a,\n"
                                       "     ^~~\n");
}

TEST(Diagnostic, LongLinesAreCutAroundTheCaret) {
  std::string text = show(std::string(500, 'a') + "b" + std::string(500, 'c'), {500, 501});
  EXPECT_EQ(text, "kernel.py:1:501: error: bad\n    ..." + std::string(60, 'a') + "b" + std::string(99, 'c') +
                      "...\n    " + std::string(63, ' ') + "^\n");
}

TEST(Diagnostic, ControlAndInvalidBytesDoNotReachTheTerminal) {
  std::string text = show("a\x1B[0m\xFF z", {1, 2});
  EXPECT_EQ(text.find('\x1B'), std::string::npos);
  EXPECT_EQ(text.find('\xFF'), std::string::npos);
}

TEST(Diagnostic, NotesAndHelpFollow) {
  SourceFile source("kernel.py", "a b");
  Diagnostic error = makeDiagnostic(Severity::Error, source, {2, 3}, "second");
  error.help = "drop it";
  error.notes.push_back(makeDiagnostic(Severity::Note, source, {0, 1}, "first"));
  EXPECT_EQ(render(error), "kernel.py:1:3: error: second\n"
                           "    a b\n"
                           "      ^\n"
                           "    help: drop it\n"
                           "kernel.py:1:1: note: first\n"
                           "    a b\n"
                           "    ^\n");
}

TEST(Diagnostic, WithoutAPlaceThereIsOnlyTheMessage) {
  Diagnostic warning;
  warning.severity = Severity::Warning;
  warning.message = "no kernel";
  EXPECT_EQ(render(warning), "warning: no kernel\n");
  warning.file = "kernel.py";
  EXPECT_EQ(render(warning), "kernel.py: warning: no kernel\n");
}

TEST(Diagnostic, TheEngineKeepsTheFirstErrorsAndAllWarnings) {
  SourceFile source("kernel.py", "a");
  DiagnosticEngine engine;
  engine.report(makeDiagnostic(Severity::Warning, source, {0, 1}, "careful"));
  EXPECT_FALSE(engine.hasErrors());
  for (int i = 0; i < 30; ++i)
    engine.error(source, {0, 1}, std::to_string(i));
  EXPECT_EQ(engine.diagnostics().size(), 1 + DiagnosticEngine::maxErrors);
  EXPECT_EQ(engine.diagnostics().back().message, "19");
  EXPECT_EQ(engine.take().size(), 21u);
  EXPECT_FALSE(engine.hasErrors());
}

TEST(Excerpt, IsTheLineWithACaret) {
  EXPECT_EQ(excerpt("  x = 1", 3), "      x = 1\n      ^\n");
  EXPECT_EQ(excerpt("", 1), "");
}

} // namespace
} // namespace tegula
