#include "tools/tegula/Report.h"

#include <gtest/gtest.h>

using namespace tegula;
using namespace tegula::cli;

namespace {

TEST(Report, RemarksHaveTheirPlace) {
  EXPECT_EQ(formatRemarks({{Remark::Passed, "vectorize", "4 elements in one access", "k.py", 7, 3},
                           {Remark::Missed, "vectorize", "the mask is not uniform", "k.py", 9, 1},
                           {Remark::Analysis, "registers", "12", "", 0, 0}}),
            "k.py:7:3: passed: vectorize: 4 elements in one access\n"
            "k.py:9:1: missed: vectorize: the mask is not uniform\n"
            "analysis: registers: 12\n");
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
}

} // namespace
