// The tables and pictures of `tegula bench`, of results made up here.
#include "tools/tegula/bench/Plot.h"
#include "tools/tegula/bench/Tables.h"
#include "tools/tegula/bench/TextTable.h"

#include <gtest/gtest.h>

using namespace tegula::cli::bench;

namespace {

Row row(const std::string &name, Unit unit, double work, std::vector<Side> sides) {
  Row made;
  made.subject.name = name;
  made.subject.dtype = "bf16";
  made.subject.shape = {64, 32};
  made.subject.unit = unit;
  made.subject.work = work;
  made.sides = std::move(sides);
  return made;
}

Results results() {
  Results made;
  made.device = "a chip";
  made.versions = {"Triton 3"};
  const double work = 1e9; // 1 TB/s or TFLOPS in a millisecond
  made.rows = {row("copying", Unit::GigabytesPerSecond, work,
                   {{"Tegula", 1, 0.9, 1.1, {}, "a=1, grid 2"}, {"Triton", 2, 2, 2, 2.0, "b=1"}}),
               row("copying", Unit::GigabytesPerSecond, work,
                   {{"Tegula", 2, 2, 2, {}, ""}, {"Triton", 1, 1, 1, 0.5, ""}, {"torch", 4, 4, 4, 2.0, ""}}),
               row("product", Unit::Teraflops, work, {{"Tegula", 1, 1, 1, {}, ""}})};
  made.left = {"product bf16 1x1"};
  return made;
}

TEST(BenchTables, QuantilesLieBetweenSamples) {
  EXPECT_EQ(quantile({3, 1, 2}, 0.5), 2);
  EXPECT_EQ(quantile({1, 2}, 0.5), 1.5);
  EXPECT_EQ(quantile({7}, 0.2), 7);
  EXPECT_DOUBLE_EQ(quantile({0, 10, 20, 30, 40, 50}, 0.2), 10);
}

TEST(BenchTables, SidesThatARowLacksAreDashes) {
  EXPECT_EQ(textOf(results()),
            "a chip, Triton 3\n"
            "kernel   type  shape  Tegula GB/s  Triton GB/s  torch GB/s  to Triton  to torch\n"
            "copying  bf16  64×32         1000          500           -      2.000         -\n"
            "copying  bf16  64×32          500         1000         250      0.500     2.000\n"
            "kernel   type  shape  TFLOPS  at 0.2  at 0.8      ms  registers  spilled  shared  config\n"
            "product  bf16  64×32   1.000   1.000   1.000  1.0000          0        0       0\n"
            "copying to Triton: geometric mean 1.000, least 0.500 of 2\n"
            "copying to torch: geometric mean 2.000, least 2.000 of 1\n"
            "left out for time: product bf16 1x1\n");
}

TEST(BenchTables, MarkdownHasASectionForEachUnit) {
  const std::vector<Section> sections = markdownOf(results());
  ASSERT_EQ(sections.size(), 2u);
  EXPECT_EQ(sections[0].name, "memory");
  EXPECT_EQ(sections[1].name, "products");
  EXPECT_NE(sections[0].text.find("| copying | bf16 | 64×32 | 1000 | 500 | - | 2.000 | - |\n"),
            std::string::npos);
}

TEST(BenchTables, SectionsAreReplacedBetweenTheirLines) {
  const std::string document = "a\n<!-- tegula bench x -->\nold\n<!-- end of tegula bench x -->\nb\n";
  auto changed = withSections(document, {{"x", "new\n"}});
  ASSERT_TRUE(changed);
  EXPECT_EQ(*changed, "a\n<!-- tegula bench x -->\n\nnew\n\n<!-- end of tegula bench x -->\nb\n");
  EXPECT_EQ(*withSections(*changed, {{"x", "new\n"}}), *changed) << "again, with the same";
  EXPECT_FALSE(withSections(document, {{"y", "new\n"}}));
  EXPECT_FALSE(withSections("<!-- tegula bench x -->\n", {{"x", "new\n"}})) << "no end";
  EXPECT_EQ(sectionText({{"x", "new\n"}}),
            "<!-- tegula bench x -->\n\nnew\n\n<!-- end of tegula bench x -->\n");
}

TEST(BenchTables, CellsWithCommasAreQuoted) {
  const TextTable table{{"a", "b"}, {{"1, 2", "say \"x\", twice"}}};
  EXPECT_EQ(table.csv(), "a,b\n\"1, 2\",\"say \"\"x\"\", twice\"\n");
  EXPECT_NE(csvOf(results()).find("Tegula,GB/s,1000,"), std::string::npos);
}

TEST(BenchTables, PicturesHaveABarForEachSide) {
  const std::string svg = svgOf("a < b", panelsOf(results()));
  EXPECT_NE(svg.find("a &lt; b"), std::string::npos);
  size_t bars = 0;
  for (size_t at = 0; (at = svg.find("height=\"12.0\" fill", at)) != std::string::npos; ++at)
    ++bars;
  EXPECT_EQ(bars, 6u);
  // The scale ends at the greatest rate, or beyond.
  EXPECT_NE(svg.find(">1000<"), std::string::npos);
  EXPECT_EQ(svgOf("nothing", {}).find("nan"), std::string::npos);
}

TEST(BenchTables, ASweepNamesTheBestOfAllShapes) {
  Results swept;
  for (const double factor : {1.0, 2.0}) {
    Row made = row("product", Unit::Teraflops, 1e9, {});
    made.subject.configs.resize(3);
    made.subject.configs[1].options.numWarps = 8;
    made.trials.resize(3);
    for (size_t config = 0; config < 3; ++config)
      made.trials[config].config = config;
    made.trials[0].times = {.median = 2 * factor};
    made.trials[1].times = {.median = 1 * factor};
    made.trials[2].skipped = "it does not fit";
    swept.rows.push_back(std::move(made));
  }
  const std::string text = sweepText(swept);
  EXPECT_NE(
      text.find("product bf16 64x32: 3 configs, 1 skipped\n  1.0 TFLOPS, 0 registers, 0 bytes spilled, 0 "
                "shared: num_warps=8 num_stages=3\n  0.5 TFLOPS"),
      std::string::npos)
      << text;
  EXPECT_NE(
      text.find("product, over 2 shapes:\n  1.000 of each shape's best: num_warps=8 num_stages=3\n  0.500"),
      std::string::npos)
      << text;
}

} // namespace
