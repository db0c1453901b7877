// The report as text: places, carets, long lines, what is not known.
#include "tools/insight/ReportText.h"

#include <gmock/gmock.h>

using namespace tegula;
using namespace tegula::explain;
using ::testing::HasSubstr;
using ::testing::Not;

static Document withFinding(const std::string &text, insight::Place place) {
  Document document;
  document.kernel = "k";
  document.file = "k.py";
  document.files = {{"k.py", text}};
  document.insight.files = {"k.py"};
  document.insight.places = {place};
  document.findings = {
      {Finding::Uncoalesced, 0, "8 sectors moved, 4 needed (2.0×)", 8, 4, "sectors", "why", "that", {}}};
  return document;
}

TEST(ReportText, CaretsMarkTheRange) {
  EXPECT_THAT(reportText(withFinding("  x = load(p)\n", {0, 1, 7, 1, 14, None})),
              HasSubstr("     1  x = load(p)\n            ^^^^^^^\n        8 sectors moved, 4 needed (2.0×)\n"
                        "        because  why\n        change   that\n"));
}

TEST(ReportText, APointMarksTheNameThere) {
  EXPECT_THAT(reportText(withFinding("x = tl.load(p)\n", {0, 1, 5, 1, 5, None})),
              HasSubstr("x = tl.load(p)\n            ^^^^^^^\n"));
}

TEST(ReportText, LettersOfSeveralBytesTakeOneColumn) {
  // Columns of places count bytes.
  EXPECT_THAT(reportText(withFinding("é = load(p)\n", {0, 1, 6, 1, 13, None})),
              HasSubstr("é = load(p)\n            ^^^^^^^\n"));
}

TEST(ReportText, LongLinesAreNotShown) {
  const std::string text = reportText(withFinding(std::string(10000, 'x') + "\n", {0, 1, 500, 1, 510, None}));
  EXPECT_THAT(text, HasSubstr("     1  column 500 of a line of 10000 columns\n"));
  EXPECT_LT(text.size(), 1000u);
}

TEST(ReportText, PlacesBeyondTheFileAreNamed) {
  EXPECT_THAT(reportText(withFinding("x\n", {0, 9, 500, 9, 510, None})), HasSubstr("     9  k.py:500\n"));
  EXPECT_THAT(reportText(withFinding("x\n", {0, 1, 500, 1, 510, None})),
              HasSubstr("     1  x\n        8 sectors"));
}

TEST(ReportText, StagesAreCountedWhereSharedMemoryLimitsBlocks) {
  Document document = withFinding("for k in range(n):\n", {0, 1, 1, 1, 4, None});
  document.insight.loops = {
      {.place = 0, .stages = 4, .buffers = {{0, "%a", 4, 4096}, {0, "%b", 4, 8192}, {0, "%c", 1, 512}}}};
  EXPECT_THAT(reportText(document), Not(HasSubstr("stages")));
  document.resources.occupancy = {1, {{"shared", 1}, {"warps", 16}}, {"shared"}, {{"shared", 1024}}};
  EXPECT_THAT(reportText(document),
              HasSubstr("each of 4 stages of the loop at line 1 takes 3072 bytes of shared memory\n"));
  document.insight.loops[0].stages = 2;
  EXPECT_THAT(reportText(document), Not(HasSubstr("stages")));
}

TEST(ReportText, NothingIsSaidWhereNothingCosts) {
  Document document;
  document.kernel = "k";
  const std::string text = reportText(document);
  EXPECT_THAT(text, HasSubstr("nothing found that costs more than it must"));
  EXPECT_THAT(text, HasSubstr("no assembler was found: registers are not known"));
  EXPECT_THAT(text, Not(HasSubstr("spill")));
}

TEST(ReportText, FindingsWithNothingToDoAreApart) {
  Document document = withFinding("a gather\n", {0, 1, 1, 1, 2, None});
  EXPECT_THAT(reportText(document), Not(HasSubstr("nothing found")));
  document.findings.front().isNothingToDo = true;
  document.findings.front().change = "nothing to do";
  EXPECT_THAT(reportText(document), HasSubstr("      nothing found that costs more than it must\n"
                                              "      what costs more by its nature, with nothing to do:\n"
                                              "     1  a gather\n"));
  EXPECT_THAT(reportText(document), Not(HasSubstr("change")));
}

TEST(ReportText, SpillsThatAreStoredAndLoadedAreToldApart) {
  Resources resources;
  resources.assembled.emplace();
  EXPECT_THAT(resourcesText(resources), HasSubstr(" · no spills"));
  resources.assembled->spillStoreBytes = 1372;
  resources.assembled->spillLoadBytes = 1368;
  EXPECT_THAT(resourcesText(resources), HasSubstr(" · 1372 bytes spilled, 1368 loaded back"));
}

TEST(ReportText, AccessesOfALineThatAreAlikeAreToldOnce) {
  Document document = withFinding("x = load(p)\n", {0, 1, 5, 1, 12, None});
  document.run.emplace();
  Access access;
  access.place = 0;
  access.bytesPerLane = 2;
  access.requests = 64;
  access.unitsLeast = 128;
  for (uint32_t line : {80, 87, 94, 283, 293, 310}) {
    access.ptxLine = line;
    access.units = line < 200 ? 1056 : 960;
    access.isStore = line == 310;
    document.run->accesses.push_back(access);
  }
  const std::string text = lineReport(document, 1);
  EXPECT_THAT(text,
              HasSubstr("PTX lines 80 to 94: 3 loads of global memory, 2 bytes a thread, each 64 requests: "
                        "1056 sectors, 128 needed; 0 patterns\n"));
  EXPECT_THAT(text, HasSubstr("PTX lines 283 to 293: 2 loads of global memory, "));
  EXPECT_THAT(text,
              HasSubstr("PTX line 310: store of global memory, 2 bytes a thread, 64 requests: 960 sectors"));
}

TEST(ReportText, ALineThatTheFileDoesNotHaveTellsNothing) {
  EXPECT_THAT(lineReport(withFinding("x\n", {0, 1, 1, 1, 2, None}), 77), HasSubstr("0 instructions of PTX"));
}
