// Findings: what is one, its reason, and the order.
#include "tools/insight/findings/Findings.h"

#include <gmock/gmock.h>

using namespace tegula;
using namespace tegula::explain;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace {

/// A document with places at lines 1 to 9, column 5, and a launch of `instructions`.
Document launched(uint64_t instructions) {
  Document document;
  document.insight.files = {"k.py"};
  for (uint32_t line = 1; line <= 9; ++line)
    document.insight.places.push_back({0, line, 5, line, 9, None});
  document.run.emplace();
  document.run->report.total.warpInstructions = instructions;
  return document;
}

/// Adds an access of global memory at `line`.
void touch(Document &document, uint32_t line, uint64_t requests, uint64_t sectors, uint64_t least,
           uint32_t bytes = 16) {
  document.run->accesses.push_back(
      {Index(line - 1), 10 * line, false, false, bytes, requests, sectors, least, {}});
  document.run->report.total.loadSectors += sectors;
}

void miss(Document &document, uint32_t line, const std::string &name, const std::string &reason,
          bool isAccess = true) {
  Remark remark;
  remark.kind = Remark::Missed;
  remark.name = name;
  if (isAccess)
    remark.arguments.push_back({"VectorBytes", "4"});
  remark.arguments.push_back({"Reason", reason});
  document.remarks.push_back({remark, Index(line - 1)});
}

std::vector<std::string_view> kindsOf(Document &document) {
  addFindings(document);
  std::vector<std::string_view> kinds;
  for (const Finding &finding : document.findings)
    kinds.push_back(findingName(finding.kind));
  return kinds;
}

} // namespace

TEST(Findings, SectorsBeyondAnEighthMoreAreOne) {
  Document document = launched(100);
  touch(document, 1, 10, 112, 100);
  EXPECT_THAT(kindsOf(document), IsEmpty());
  touch(document, 2, 10, 113, 100);
  EXPECT_THAT(kindsOf(document), ElementsAre("uncoalesced"));
  EXPECT_EQ(document.findings[0].place, 1);
  EXPECT_EQ(document.findings[0].text, "113 sectors moved, 100 needed (1.1×)");
}

TEST(Findings, LoadsAndInstructionsOfOnePlaceAreAddedUp) {
  Document document = launched(100);
  touch(document, 3, 10, 100, 50);
  touch(document, 3, 10, 100, 50);
  ASSERT_THAT(kindsOf(document), ElementsAre("uncoalesced"));
  EXPECT_EQ(document.findings[0].cost, 200u);
  EXPECT_EQ(document.findings[0].least, 100u);
}

TEST(Findings, ReasonsAreThoseOfTheSamePlace) {
  Document document = launched(100);
  touch(document, 1, 10, 80, 40, 4);
  miss(document, 2, "load", "another one's");
  ASSERT_THAT(kindsOf(document), ElementsAre("uncoalesced"));
  EXPECT_EQ(document.findings[0].because, "");
  miss(document, 1, "load", "its own");
  ASSERT_THAT(kindsOf(document), ElementsAre("uncoalesced"));
  EXPECT_THAT(document.findings[0].because, HasSubstr("its own"));
  EXPECT_THAT(document.findings[0].text, HasSubstr("; 4 bytes a thread an access, 16 possible"));
}

TEST(Findings, NarrowAccessesAreOneWhereTheCompilerMissedMore) {
  Document document = launched(100);
  touch(document, 1, 40, 40, 40, 4);
  EXPECT_THAT(kindsOf(document), IsEmpty());
  miss(document, 1, "load", "the mask");
  ASSERT_THAT(kindsOf(document), ElementsAre("narrow"));
  EXPECT_EQ(document.findings[0].cost, 40u);
  EXPECT_EQ(document.findings[0].least, 10u);
}

TEST(Findings, LessThanAHundredthIsNone) {
  Document document = launched(100000);
  touch(document, 1, 40, 40, 40, 4);
  miss(document, 1, "load", "the mask");
  touch(document, 2, 1000, 100000, 100000);
  touch(document, 3, 10, 20, 10);
  EXPECT_THAT(kindsOf(document), IsEmpty());
}

TEST(Findings, ConflictsAreCountedAgainstTheLeastPasses) {
  Document document = launched(100);
  document.run->accesses.push_back({4, 50, true, true, 4, 10, 320, 10, {}});
  ASSERT_THAT(kindsOf(document), ElementsAre("conflicts"));
  EXPECT_EQ(document.findings[0].text, "320 passes over the banks of shared memory, 10 needed (32.0×)");
}

TEST(Findings, SpillsComeFirst) {
  Document document = launched(100);
  touch(document, 1, 1000, 100000, 10);
  document.resources.assembled = runtime::EntryResources{"k", 255, 0, 64, 32};
  ASSERT_THAT(kindsOf(document), ElementsAre("spills", "uncoalesced"));
  EXPECT_EQ(document.findings[0].cost, 96u);
}

TEST(Findings, LoopsThatRunAheadAreNoneWhateverElseTheyMiss) {
  Document document = launched(100);
  document.insight.loops.push_back({6, 0, 1, 1, {}, {}});
  miss(document, 2, "pipeline", "of a load, which is no loop", false);
  EXPECT_THAT(kindsOf(document), IsEmpty());
  miss(document, 7, "pipeline", "too little shared memory", false);
  ASSERT_THAT(kindsOf(document), ElementsAre("unpipelined"));
  EXPECT_THAT(document.findings[0].because, HasSubstr("too little shared memory"));
  document.remarks.push_back(document.remarks.back());
  document.remarks.back().remark.kind = Remark::Passed;
  EXPECT_THAT(kindsOf(document), IsEmpty());
}

TEST(Findings, WithoutARunTheyAreWhatTheCompilerMissed) {
  Document document = launched(0);
  document.run.reset();
  miss(document, 1, "load", "the mask");
  EXPECT_THAT(kindsOf(document), ElementsAre("narrow"));
  EXPECT_EQ(document.findings[0].unit, "");
}

TEST(Findings, CausesAndChangesAreThoseOfTheRemark) {
  Document document = launched(100);
  touch(document, 2, 10, 80, 40, 4);
  miss(document, 2, "load", "the mask may change");
  PlacedRemark &placed = document.remarks.back();
  placed.remark.line = 2;
  placed.remark.causes = {{"the mask may change", {"k.py", 2, 5, 2, 9}},
                          {"`n` is not known to be a multiple of 4", {"k.py", 1, 5, 1, 9}}};
  placed.remark.fix = "pad `n`";
  placed.causes = {1, 0};
  ASSERT_THAT(kindsOf(document), ElementsAre("uncoalesced"));
  EXPECT_EQ(document.findings[0].because,
            "the mask may change; `n` is not known to be a multiple of 4 (line 1)");
  EXPECT_EQ(document.findings[0].change, "pad `n`");
  EXPECT_THAT(document.findings[0].cause, ElementsAre(1, 0));
  placed.remark.fix.clear();
  placed.remark.isNothingToDo = true;
  addFindings(document);
  EXPECT_EQ(document.findings[0].change, "nothing to do");
}
