// The fuzzer's work in a few seconds and the same every time: the corpus, and mutations of it.
#include "compiler/frontend/syntax/ast/AstPrinter.h"
#include "compiler/frontend/syntax/parse/Parser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

namespace tegula {
namespace {

std::vector<std::string> corpus() {
  std::vector<std::filesystem::path> paths;
  for (const auto &entry :
       std::filesystem::directory_iterator(TEGULA_SOURCE_DIR "/test/compiler/frontend/fuzz/corpus"))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const std::filesystem::path &path : paths) {
    std::ifstream in(path, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return texts;
}

/// Parses and prints, as an excerpt too; what parses must parse again when printed, to the same text.
void check(const std::string &text) {
  DiagnosticEngine engine;
  auto module = parseModule(std::make_shared<SourceFile>("fuzz.py", text), engine);
  render(engine.diagnostics());
  (void)ast::printModule(*module);
  DiagnosticEngine ofExcerpt;
  ast::printModule(*parseModule(std::make_shared<SourceFile>("fuzz.py", text, 7), ofExcerpt));
  render(ofExcerpt.diagnostics());
  if (engine.hasErrors() || !module->deferredErrors.empty())
    return;
  std::string printed = ast::formatModule(*module);
  DiagnosticEngine again;
  auto second = parseModule(std::make_shared<SourceFile>("printed.py", printed), again);
  ASSERT_FALSE(again.hasErrors()) << text << "\n--- printed as\n"
                                  << printed << "\n"
                                  << render(again.diagnostics());
  ASSERT_EQ(ast::formatModule(*second), printed) << text;
}

TEST(FuzzReplay, Corpus) {
  std::vector<std::string> texts = corpus();
  ASSERT_GE(texts.size(), 10u);
  for (const std::string &text : texts)
    check(text);
}

TEST(FuzzReplay, Mutations) {
  static constexpr std::string_view pieces[] = {"(",           ")",
                                                "[",           "]",
                                                "{",           "}",
                                                "\"",          "'",
                                                "\"\"\"",      "f\"",
                                                "{x!r:",       "\\",
                                                "\n",          "\n    ",
                                                "\t",          "\r",
                                                "#",           ":",
                                                "=",           ":=",
                                                "*",           "**",
                                                ",",           ".",
                                                "...",         "lambda ",
                                                "if ",         " else ",
                                                " for x in ",  "not ",
                                                " is not ",    "def f(",
                                                "class ",      "match x:\n case ",
                                                "yield ",      "await ",
                                                "@",           "0x",
                                                "1_",          "1e",
                                                "\\N{",        "\\x",
                                                "\xC3",        "\xE2\x80\x9C",
                                                "\xEF\xBB\xBF"};
  std::vector<std::string> texts = corpus();
  std::mt19937 random(20250607);
  auto below = [&](size_t n) { return n ? random() % n : 0; };
  for (int round = 0; round < 20000; ++round) {
    std::string text = texts[below(texts.size())];
    for (size_t edits = 1 + below(4); edits > 0; --edits) {
      size_t at = below(text.size() + 1);
      switch (below(4)) {
      case 0:
        text.insert(at, pieces[below(std::size(pieces))]);
        break;
      case 1:
        text.erase(at, 1 + below(8));
        break;
      case 2:
        text.insert(at, text.substr(below(text.size() + 1), below(30)));
        break;
      default:
        text.resize(at);
        break;
      }
    }
    check(text);
    if (HasFatalFailure())
      return;
  }
}

} // namespace
} // namespace tegula
