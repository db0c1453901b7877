#include "compiler/frontend/syntax/text/Diagnostic.h"

#include <gtest/gtest.h>

namespace tegula {
namespace {

TEST(Source, LinesEndInAnyWay) {
  SourceFile source("f.py", "a\nbb\r\nccc\rd");
  EXPECT_EQ(source.lineText(1), "a");
  EXPECT_EQ(source.lineText(2), "bb");
  EXPECT_EQ(source.lineText(3), "ccc");
  EXPECT_EQ(source.lineText(4), "d");
  EXPECT_EQ(source.lineText(0), "");
  EXPECT_EQ(source.lineText(5), "");
  EXPECT_EQ(source.lineColumn(2), (LineColumn{2, 1}));
  EXPECT_EQ(source.lineColumn(8), (LineColumn{3, 3}));
  EXPECT_EQ(source.lineColumn(10), (LineColumn{4, 1}));
}

TEST(Source, ColumnsCountCodePoints) {
  SourceFile source("f.py", "\xD0\xB0\xE6\xBC\xA2\xF0\x9F\x98\x80x"); // а漢😀x
  EXPECT_EQ(source.lineColumn(0).column, 1u);
  EXPECT_EQ(source.lineColumn(2).column, 2u);
  EXPECT_EQ(source.lineColumn(5).column, 3u);
  EXPECT_EQ(source.lineColumn(9).column, 4u);
}

TEST(Source, ByteOrderMarkIsDropped) {
  SourceFile source("f.py", "\xEF\xBB\xBFx = 1");
  EXPECT_EQ(source.text(), "x = 1");
  EXPECT_EQ(source.lineColumn(0).column, 1u);
}

TEST(Source, PositionsBeyondTheEndAreClamped) {
  SourceFile source("f.py", "ab");
  EXPECT_EQ(source.lineColumn(99), (LineColumn{1, 3}));
  EXPECT_EQ(source.slice({1, 99}), "b");
  EXPECT_EQ(source.slice({50, 99}), "");
  EXPECT_EQ(SourceFile("f.py", "").lineColumn(0), (LineColumn{1, 1}));
}

TEST(Source, LinesOfAnExcerptAreThoseOfTheFile) {
  SourceFile source("f.py", "a\nbb\n", 41);
  EXPECT_EQ(source.lineColumn(3), (LineColumn{42, 2}));
  EXPECT_EQ(source.lineText(42), "bb");
  EXPECT_EQ(source.lineText(1), "");
  EXPECT_EQ(source.lineText(44), "");
  EXPECT_TRUE(source.holds(41));
  EXPECT_FALSE(source.holds(40));
  EXPECT_FALSE(source.holds(44));
  // A line put in front of a file's first.
  const SourceFile before("f.py", "a\nb", 0);
  EXPECT_TRUE(before.holds(0));
  EXPECT_EQ(before.lineText(0), "a");
  EXPECT_EQ(before.lineColumn(2), (LineColumn{1, 1}));
  // No file is so long, but who says so must not bring anything down.
  SourceFile last("f.py", "a\nb", UINT32_MAX);
  EXPECT_EQ(last.lineText(UINT32_MAX), "a");
  EXPECT_EQ(last.lineColumn(3).column, 2u);
}

TEST(Source, Utf8RoundTripsAndRefusesWhatIsNotUtf8) {
  for (uint32_t c : {0x41u, 0x7Fu, 0x80u, 0x7FFu, 0x800u, 0xFFFFu, 0x10000u, 0x10FFFFu}) {
    std::string text;
    appendUtf8(text, c);
    uint32_t decoded = 0;
    EXPECT_EQ(decodeUtf8(text, decoded), text.size());
    EXPECT_EQ(decoded, c);
  }
  for (const char *bad : {"\x80", "\xC0\x80", "\xC3", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                          "\xF0\x80\x80\x80", "\xF5\x80\x80\x80", "\xC3\x28", "\xFF"}) {
    uint32_t decoded = 0;
    EXPECT_EQ(decodeUtf8(bad, decoded), 0u) << bad;
  }
}

TEST(Source, LinesThatNobodyWroteHaveNoText) {
  const std::string mark(madeLineMark);
  SourceFile function("f.py", "@triton.jit()  " + mark + "\ndef f(): pass\n", 6);
  EXPECT_EQ(function.lineText(6), "");
  EXPECT_EQ(function.lineText(7), "def f(): pass");
  EXPECT_FALSE(isAllMade(function));
  SourceFile caller("f.py", "@triton.jit  " + mark + "\r\ndef f(): g()  " + mark, 6);
  EXPECT_EQ(caller.lineText(7), "");
  EXPECT_TRUE(isAllMade(caller));
  EXPECT_EQ(render(makeDiagnostic(Severity::Error, caller, {40, 43}, "wrong")), "f.py:7:1: error: wrong\n");
}

} // namespace
} // namespace tegula
