#include "tools/tegula/output/Report.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace tegula;
using namespace tegula::cli;

namespace {

Remark remark(Remark::Kind kind, const char *pass, const char *text, const char *file, uint32_t line) {
  Remark made;
  made.kind = kind;
  made.pass = pass;
  made.text = text;
  made.file = file;
  made.line = line;
  made.column = line ? 3 : 0;
  made.endLine = line;
  made.endColumn = line ? 9 : 0;
  return made;
}

TEST(Report, RemarksHaveTheirPlace) {
  EXPECT_EQ(formatRemarks({remark(Remark::Passed, "vectorize", "4 elements in one access", "k.py", 7),
                           remark(Remark::Missed, "vectorize", "the mask is not uniform", "k.py", 9),
                           remark(Remark::Analysis, "registers", "12", "", 0)}),
            "k.py:7:3: passed: vectorize: 4 elements in one access\n"
            "k.py:9:3: missed: vectorize: the mask is not uniform\n"
            "analysis: registers: 12\n");
}

TEST(Report, RemarksSayCausesAndChanges) {
  Remark narrow = remark(Remark::Missed, "lower", "load: 4 bytes", "k.py", 7);
  narrow.causes = {{"`n` is not known to be 1", {"k.py", 3, 5, 3, 6}}, {"it stands here", narrow}};
  narrow.fix = "pass n=1";
  Remark alone = remark(Remark::Missed, "plan", "loop", "k.py", 9);
  alone.isNothingToDo = true;
  EXPECT_EQ(formatRemarks({narrow, alone}), "k.py:7:3: missed: lower: load: 4 bytes\n"
                                            "    because k.py:3:5: `n` is not known to be 1\n"
                                            "    change: pass n=1\n"
                                            "k.py:9:3: missed: plan: loop\n"
                                            "    nothing to do\n");
  CompileResult result;
  result.remarks = {narrow, alone};
  const std::string json = compileReport(nullptr, result).text();
  EXPECT_NE(json.find("\"text\": \"`n` is not known to be 1\""), std::string::npos) << json;
  EXPECT_NE(json.find("\"endColumn\": 6"), std::string::npos) << json;
  EXPECT_NE(json.find("\"fix\": {\"text\": \"pass n=1\"}"), std::string::npos) << json;
  EXPECT_NE(json.find("\"nothingToDo\": true"), std::string::npos) << json;
}

TEST(Report, RemarksKeepTheirPartsInJson) {
  CompileResult result;
  result.remarks.push_back(remark(Remark::Missed, "pipeline", "loop: fewer; Stages=2", "k.py", 7));
  result.remarks[0].name = "loop";
  result.remarks[0].message = "fewer";
  result.remarks[0].arguments = {{"Stages", "2"}};
  EXPECT_EQ(compileReport(nullptr, result).text(), "{\n"
                                                   "  \"diagnostics\": [],\n"
                                                   "  \"remarks\": [\n"
                                                   "    {\n"
                                                   "      \"kind\": \"missed\",\n"
                                                   "      \"pass\": \"pipeline\",\n"
                                                   "      \"name\": \"loop\",\n"
                                                   "      \"message\": \"fewer\",\n"
                                                   "      \"arguments\": {\"Stages\": \"2\"},\n"
                                                   "      \"text\": \"loop: fewer; Stages=2\",\n"
                                                   "      \"file\": \"k.py\",\n"
                                                   "      \"line\": 7,\n"
                                                   "      \"column\": 3,\n"
                                                   "      \"endLine\": 7,\n"
                                                   "      \"endColumn\": 9\n"
                                                   "    }\n"
                                                   "  ]\n"
                                                   "}\n");
}

TEST(Json, TextIsAlwaysJson) {
  EXPECT_EQ(Json().text(), "null\n");
  EXPECT_EQ(Json("a\"b\\c\n\x01\xff").text(), "\"a\\\"b\\\\c\\n\\u0001\xEF\xBF\xBD\"\n");
  EXPECT_EQ(Json(Json::Array{int64_t(-1), UINT64_MAX, 0.5, true}).text(),
            "[-1, 18446744073709551615, 0.5, true]\n");
  EXPECT_EQ(Json(Json::Array{INFINITY, Json::Array{}}).text(), "[\n  \"inf\",\n  []\n]\n");
}

TEST(Report, CountersStandBesideTheSource) {
  runtime::EmulatorReport report;
  report.blocks = 4;
  runtime::Counters load;
  load.warpInstructions = 128;
  load.loadRequests = 4;
  load.loadSectors = 64;
  load.loadSectorsIdeal = 16;
  load.loadBytes = 512;
  runtime::Counters shared;
  shared.warpInstructions = 12;
  shared.sharedRequests = 3;
  shared.bankConflicts = 7;
  report.rows = {{"", 0, {}}, {"k.py", 2, load}, {"helper.py", 5, shared}, {"k.py", 99, {}}};
  report.total = load;
  report.total.warpInstructions = 140;
  const std::string text = formatCounters(report, "k.py", "import triton\r\n    x = tl.load(p)\r\nlast");
  EXPECT_NE(text.find("     2           128                64/16                    -          -          -"
                      "      x = tl.load(p)\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("     5            12                    -                    -          3          7"
                      "  helper.py\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  (no line)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("   sum           140"), std::string::npos) << text;
  EXPECT_NE(text.find("loaded 512 bytes in 4 requests, stored 0 bytes in 0 requests\n"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("natural order"), std::string::npos) << text;
  report.isInOrder = true;
  // A carriage return alone ends a line of Python, too.
  EXPECT_NE(formatCounters(report, "k.py", "import triton\r    x = 1\r").find("      x = 1\n"),
            std::string::npos);
  EXPECT_NE(formatCounters(report, "k.py", "")
                .find("run in the natural order of blocks alone: --device=emulator:5"),
            std::string::npos);
}

} // namespace
