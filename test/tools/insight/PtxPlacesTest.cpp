// Places of PTX: `.loc` against the table of places of a compilation.
#include "tools/insight/PtxPlaces.h"

#include <gtest/gtest.h>

using namespace tegula::explain;
using namespace tegula::insight;

static Insight tableWith(std::vector<Place> places) {
  Insight insight;
  insight.files = {"k.py"};
  insight.places = std::move(places);
  return insight;
}

TEST(PtxPlaces, EachInstructionHasARow) {
  Insight insight = tableWith({{0, 7, 3, 7, 12, None}});
  PlaceTable table(insight);
  const std::vector<Span> spans =
      placesOfPtx(".entry k()\n{\n.reg .b32 %r<2>;\n\tmov.u32 %r0, 0;\n\t.loc 1 7 3\n"
                  "\tmov.u32 %r1, 0; // twice\n$L__BB0_1:\n\tret;\n\n}\n\t.file 1 \"k.py\"\n",
                  table);
  ASSERT_EQ(spans.size(), 3u);
  EXPECT_EQ(spans[0].line, 4u);
  EXPECT_EQ(spans[0].place, None);
  EXPECT_EQ(spans[1].line, 6u);
  EXPECT_EQ(spans[1].place, 0);
  EXPECT_EQ(spans[2].line, 8u);
  EXPECT_EQ(insight.places.size(), 1u);
}

TEST(PtxPlaces, InstructionsMayStandOnSeveralLinesAndInBlocks) {
  Insight insight = tableWith({});
  PlaceTable table(insight);
  const std::vector<Span> spans =
      placesOfPtx(".visible .entry k(\n\t.param .u64 p\n)\n.reqntid 32\n{\n"
                  "\tmma.sync {%r0},\n\t\t{%r1};\n{ .reg .b32 a; mov.b32 a, 1; }\n"
                  "// only; words\n$L1: ld.shared::cta.b32 %r, [%r];\n}\n.section .debug\n{\n.b8 1\n}\n",
                  table);
  std::vector<uint32_t> lines;
  for (const Span &span : spans)
    lines.push_back(span.line);
  EXPECT_EQ(lines, (std::vector<uint32_t>{6, 7, 8, 10}));
}

TEST(PtxPlaces, LineZeroIsNoPlace) {
  Insight insight = tableWith({});
  PlaceTable table(insight);
  const std::vector<Span> spans = placesOfPtx("{\n.loc 1 0 0\nret;\n}\n.file 1 \"k.py\"\n", table);
  ASSERT_EQ(spans.size(), 1u);
  EXPECT_EQ(spans[0].place, None);
}

TEST(PtxPlaces, UnknownPlacesAreAdded) {
  Insight insight = tableWith({});
  PlaceTable table(insight);
  const std::vector<Span> spans = placesOfPtx("{\n.loc 2 9 1\nret;\n}\n.file 2 \"a \\b.py\"\n", table);
  ASSERT_EQ(insight.places.size(), 1u);
  EXPECT_EQ(insight.files.back(), "a \\b.py");
  EXPECT_EQ(spans.at(0).place, 0);
}

TEST(PtxPlaces, CallsTellPlacesApart) {
  Insight insight =
      tableWith({{0, 20, 5, 20, 9, None}, {0, 30, 5, 30, 9, None}, {0, 3, 1, 3, 4, 0}, {0, 3, 1, 3, 4, 1}});
  PlaceTable table(insight);
  const std::vector<Span> spans =
      placesOfPtx("{\n.loc 1 3 1, function_name $L__info_string0, inlined_at 1 30 5\n"
                  "ret;\n}\n.file 1 \"k.py\"\n",
                  table);
  EXPECT_EQ(spans.at(0).place, 3);
}

TEST(PtxPlaces, HostileTextIsRead) {
  Insight insight = tableWith({});
  PlaceTable table(insight);
  EXPECT_TRUE(placesOfPtx("", table).empty());
  EXPECT_TRUE(placesOfPtx(".loc\n.loc x y z\n.file\n.file 1\n.file 1 \"\n{", table).empty());
  EXPECT_EQ(placesOfPtx("{\n.loc 99999999999999 1 1\nret;", table).size(), 1u);
}
