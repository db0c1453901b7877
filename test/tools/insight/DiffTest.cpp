// Differences of documents, and texts that are none.
#include "tools/insight/Diff.h"
#include "tools/insight/DocumentJson.h"

#include <gmock/gmock.h>

using namespace tegula;
using namespace tegula::explain;
using ::testing::HasSubstr;

/// A document of one instruction on line `line` of `text`.
static Document sample(const std::string &text, uint32_t line, uint64_t instructions) {
  Document document;
  document.kernel = "k";
  document.file = "k.py";
  document.files = {{"k.py", text}};
  document.insight.files = {"k.py"};
  document.insight.places = {{0, line, 1, line, 2, None}};
  document.ptxSpans = {{4, 0}};
  Run run;
  runtime::InstructionProfile one;
  one.line = 4;
  one.counters.warpInstructions = instructions;
  run.profile.instructions = {one};
  document.run = run;
  return document;
}

static std::string diff(const Document &before, const Document &after) {
  const runtime::Result<std::string> text =
      diffText(documentJson(before), "before.json", documentJson(after));
  return text ? *text : "error: " + text.error().text;
}

TEST(Diff, SameDocumentsDoNotDiffer) {
  const Document document = sample("x = 1\n", 1, 5);
  EXPECT_EQ(diff(document, document), "");
}

TEST(Diff, LinesAreFoundWhereTheyHaveMoved) {
  EXPECT_EQ(diff(sample("x = 1\n", 1, 5), sample("# new\n\nx = 1\n", 3, 5)), "");
  EXPECT_THAT(diff(sample("x = 1\n", 1, 5), sample("# new\n\nx = 1\n", 3, 8)),
              HasSubstr("     3  x = 1\n        instructions 5 -> 8\n"));
}

TEST(Diff, LinesThatCameAndWentAreShown) {
  const std::string text = diff(sample("x = 1\n", 1, 5), sample("y = 1\n", 1, 5));
  EXPECT_THAT(text, HasSubstr("x = 1\n        instructions 5 -> 0"));
  EXPECT_THAT(text, HasSubstr("y = 1\n        instructions 0 -> 5"));
}

TEST(Diff, SpecificationsAndResourcesAreCompared) {
  Document before = sample("x = 1\n", 1, 5), after = before;
  after.spec.numWarps = 8;
  after.resources.sharedBytes = 64;
  after.findings.push_back({Finding::Conflicts, 0, "two passes", 2, 1, "passes", "", "", {}});
  const std::string text = diff(before, after);
  EXPECT_THAT(text, HasSubstr("warps: 4 -> 8\n"));
  EXPECT_THAT(text, HasSubstr("bytes of shared memory: 0 -> 64\n"));
  EXPECT_THAT(text, HasSubstr("new: conflicts: two passes, at `x = 1`\n"));
}

TEST(Diff, FindingsOfOtherNumbersAreStillThere) {
  Document before = sample("x = 1\n", 1, 5), after = before;
  before.findings.push_back({Finding::Conflicts, 0, "two passes", 2, 1, "passes", "", "", {}});
  EXPECT_THAT(diff(before, after), HasSubstr("gone: conflicts: two passes, at `x = 1`\n"));
  after.findings.push_back({Finding::Conflicts, 0, "four passes", 4, 1, "passes", "", "", {}});
  EXPECT_EQ(diff(before, after), "still: conflicts: two passes -> four passes, at `x = 1`\n");
}

TEST(Diff, TextsThatAreNoDocumentsAreRefused) {
  const std::string good = documentJson(sample("x = 1\n", 1, 5));
  EXPECT_THAT(diffText("{", "b.json", good).error().text, HasSubstr("`b.json` is no JSON: "));
  EXPECT_EQ(diffText("[]", "b.json", good).error().text,
            "expected `tegula-insight/1` as the schema of `b.json`, found none");
  EXPECT_EQ(diffText(R"({"schema": "other/2"})", "b.json", good).error().text,
            "expected `tegula-insight/1` as the schema of `b.json`, found `other/2`");
}

TEST(Diff, DocumentsOfOtherWritersAreRead) {
  // Members may be absent, of another kind, or refer to nothing.
  const std::string good = documentJson(sample("x = 1\n", 1, 5));
  for (const char *text :
       {R"({"schema": "tegula-insight/1"})",
        R"({"schema": "tegula-insight/1", "places": 3, "files": [1, {}]})",
        R"({"schema": "tegula-insight/1", "places": [[7, 7], [], 3], "ptx": {"spans": [[1, 99], [2], 3]},
            "counters": {"columns": ["warpInstructions"], "perPtxLine": [[1, 2], [2], 5, []]}})"})
    EXPECT_TRUE(bool(diffText(text, "b.json", good))) << text;
}
