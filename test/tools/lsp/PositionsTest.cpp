// Columns in units of UTF-16, and lines of an older version in a newer one.
#include "tools/tegula/lsp/Positions.h"
#include "tools/tegula/lsp/LineMap.h"

#include <gtest/gtest.h>

#include <random>

namespace tegula::cli {
namespace {

TEST(Positions, UnitsOfUtf16) {
  EXPECT_EQ(utf16Length(""), 0u);
  EXPECT_EQ(utf16Length("abc"), 3u);
  EXPECT_EQ(utf16Length("größe"), 5u);
  EXPECT_EQ(utf16Length("\U0001F600"), 2u);
  EXPECT_EQ(utf16Length("\xff\xfe"), 2u) << "a byte that is no character counts";
  EXPECT_EQ(bytesOfUtf16("größe", 3), 4u);
  EXPECT_EQ(bytesOfUtf16("\U0001F600x", 1), 0u) << "half a pair is not begun";
  EXPECT_EQ(bytesOfUtf16("\U0001F600x", 2), 4u);
  EXPECT_EQ(bytesOfUtf16("ab", 99), 2u);
}

TEST(Positions, EveryOffsetAndBack) {
  const SourceFile file("kernel.py", "x = 'größe'\n\n\r\ny = \U0001F600 z\n    \nlast");
  for (uint32_t offset = 0; offset <= file.text().size(); ++offset) {
    const bool isInside = offset < file.text().size() && (uint8_t(file.text()[offset]) & 0xC0) == 0x80;
    const bool isInEnd =
        offset > 0 && offset < file.text().size() && file.text().substr(offset - 1, 2) == "\r\n";
    if (!isInside && !isInEnd)
      EXPECT_EQ(offsetAt(file, positionAt(file, offset)), offset);
  }
}

TEST(Positions, PlacesThatAreNotThere) {
  const SourceFile file("kernel.py", "one\ntwo");
  EXPECT_EQ(offsetAt(file, {0, 99}), 3u);
  EXPECT_EQ(offsetAt(file, {99, 0}), 7u);
  EXPECT_EQ(offsetAt(file, {UINT32_MAX, UINT32_MAX}), 7u);
  EXPECT_EQ(offsetAt(SourceFile("empty.py", ""), {3, 3}), 0u);
}

TEST(Positions, OfDiagnostics) {
  const SourceFile file("kernel.py", "x = '\U0001F600' + blok\n");
  const Diagnostic diagnostic = makeDiagnostic(Severity::Error, file, {13, 17}, "wrong");
  EXPECT_EQ(rangeOf(diagnostic).begin, (EditorPosition{0, 11}));
  EXPECT_EQ(rangeOf(diagnostic).end, (EditorPosition{0, 15}));
  EXPECT_EQ(rangeOf(Diagnostic{}).begin, EditorPosition());
}

TEST(Positions, FromWhatAnEditorSends) {
  auto read = [](llvm::StringRef text) {
    llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
    EXPECT_TRUE(bool(value));
    return positionFrom(&*value);
  };
  EXPECT_EQ(read(R"({"line": 3, "character": 4})"), (EditorPosition{3, 4}));
  EXPECT_EQ(read(R"({"line": 1e15, "character": 4})")->line, uint32_t(INT32_MAX));
  for (const char *wrong : {R"({"line": -1, "character": 4})", R"({"line": 1})", "null", "[]",
                            R"({"line": "1", "character": 2})"})
    EXPECT_FALSE(read(wrong)) << wrong;
  EXPECT_FALSE(positionFrom(nullptr));
}

TEST(LineMap, WhatBothBeginAndEndWith) {
  const LineMap map("a\nb\nc\nd", "a\nx\ny\nz\nd");
  EXPECT_EQ(map.find(0), 0u);
  EXPECT_FALSE(map.find(1));
  EXPECT_FALSE(map.find(2));
  EXPECT_EQ(map.find(3), 4u);
}

TEST(LineMap, LinesThatAreFoundAreTheSame) {
  std::mt19937 random(1);
  auto text = [&] {
    std::string made;
    for (size_t i = random() % 8; i > 0; --i)
      made += std::string(1, char('a' + random() % 3)) + "\n";
    return made;
  };
  auto lineOf = [](const std::string &text, uint32_t line) {
    size_t begin = 0;
    for (uint32_t i = 0; i < line; ++i)
      begin = text.find('\n', begin) + 1;
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  for (int i = 0; i < 2000; ++i) {
    const std::string before = text(), now = text();
    const LineMap map(before, now);
    int last = -1;
    for (uint32_t line = 0; line <= uint32_t(std::count(before.begin(), before.end(), '\n')); ++line)
      if (const std::optional<uint32_t> found = map.find(line)) {
        EXPECT_EQ(lineOf(before, line), lineOf(now, *found));
        EXPECT_GT(int(*found), last);
        last = int(*found);
      }
  }
}

} // namespace
} // namespace tegula::cli
