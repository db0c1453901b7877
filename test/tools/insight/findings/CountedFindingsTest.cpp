// Findings of counts alone: loads that are repeated or mostly masked, elements that are changed often.
#include "tools/insight/findings/CountedFindings.h"

#include <gmock/gmock.h>

using namespace tegula;
using namespace tegula::explain;
using ::testing::HasSubstr;

namespace {

/// A run of one instruction of PTX, at line 1 of the source, of a launch of 1000 instructions.
class Counted {
public:
  explicit Counted(const std::string &ptx) {
    document.insight.files = {"k.py"};
    document.insight.places.push_back({0, 1, 5, 1, 9, None});
    document.insight.stages.push_back({"distributed", "", {}});
    document.ptxSpans.push_back({1, 0});
    document.run.emplace();
    document.run->report.total.warpInstructions = 1000;
    document.run->profile.ptx = ptx;
    one.line = 1;
  }

  /// Says that the instruction loads a tile of this shape, each element by one thread or, `isTwice`, by two
  /// lanes.
  Counted &tile(std::vector<int64_t> shape, bool isTwice = false) {
    document.insight.layouts.push_back({{{"lane", 1}}, {{"dim0", 1}}, {{isTwice ? 0 : 1}}});
    insight::Value value;
    value.op = "tile.load";
    value.place = value.layout = 0;
    value.shape = std::move(shape);
    document.insight.values.push_back(std::move(value));
    return *this;
  }

  /// Says that the kernel has a loop whose loads run ahead.
  void pipelined() { document.insight.loops.push_back({.stages = 3}); }

  /// The first finding; its kind is `Missed` where there is none.
  Finding find() {
    document.run->profile.instructions = {one};
    document.run->report.total.loadSectors = one.counters.loadSectors;
    const std::vector<Finding> all = countedFindings(document);
    return all.empty() ? Finding() : all.front();
  }

  runtime::InstructionProfile one;

private:
  Document document;
};

/// `share` of 64 requests of 32 lanes are made.
Counted loaded(const std::string &ptx, uint64_t bytesAlane, double share) {
  Counted counted(ptx);
  counted.one.counters.warpInstructions = 64;
  counted.one.counters.loadBytes = uint64_t(share * 64 * 32 * double(bytesAlane));
  return counted;
}

} // namespace

TEST(CountedFindings, AnEighthOfTheSectorsMustBeRepeated) {
  Counted counted("ld.global.b32 %r1, [%rd1];");
  counted.one.counters.loadSectors = 800;
  counted.one.repeatedSectors = 99;
  EXPECT_EQ(counted.find().kind, Finding::Missed);
  counted.one.repeatedSectors = 100;
  const Finding found = counted.find();
  EXPECT_EQ(found.kind, Finding::Repeated);
  EXPECT_EQ(found.cost - found.least, 100u);
}

TEST(CountedFindings, AFifthOfATileMustBeLoaded) {
  for (const auto &[ptx, bytes] : {std::pair("\t@%p1 ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%rd1];", 16),
                                   std::pair("\tld.global.b16 %rs1, [%rd1];", 2),
                                   std::pair("\t@%p1 ld.volatile.global.v2.b64 {%rd2, %rd3}, [%rd1];", 16),
                                   std::pair("\tcp.async.cg.shared.global [%r1+2], [%rd1], 16, %r5;", 16),
                                   std::pair("\tcp.async.ca.shared.global [%r1], [%rd1+8], 4;", 4)}) {
    EXPECT_EQ(loaded(ptx, bytes, 0.25).tile({1024}).find().kind, Finding::Missed) << ptx;
    const Finding found = loaded(ptx, bytes, 0.125).tile({1024}).find();
    EXPECT_EQ(found.kind, Finding::Masked) << ptx;
    EXPECT_THAT(found.text, HasSubstr("128 of the 1024 elements of a tile are loaded, 12%"));
    EXPECT_EQ(found.change, "use a tile of 128 elements");
  }
  EXPECT_EQ(loaded("\tst.global.b32 [%rd1], %r1;", 4, 0.1).tile({1024}).find().kind, Finding::Missed);
}

TEST(CountedFindings, ASideOfSixteenIsWhatAProductNeeds) {
  const std::string ptx = "ld.global.b32 %r1, [%rd1];";
  EXPECT_EQ(loaded(ptx, 4, 1.0 / 16).tile({16, 128}).find().kind, Finding::Missed);
  EXPECT_EQ(loaded(ptx, 4, 1.0 / 32).tile({32, 128}).find().change, "use a tile with smaller sides");
  EXPECT_EQ(loaded(ptx, 4, 1.0 / 16).tile({16}).find().kind, Finding::Masked);
}

TEST(CountedFindings, ElementsThatTwoLanesHoldAreMaskedByTheCompiler) {
  const std::string ptx = "ld.global.b32 %r1, [%rd1];";
  EXPECT_EQ(loaded(ptx, 4, 0.1).tile({64}, /*isTwice=*/true).find().kind, Finding::Missed);
  EXPECT_EQ(loaded(ptx, 4, 0.1).find().kind, Finding::Missed); // a number
}

TEST(CountedFindings, LoadsThatRunAheadAreSwitchedOffAtTheEndOfALoop) {
  // One iteration, with three loads ahead of it that would be of others.
  Counted counted = loaded("cp.async.cg.shared.global [%r1], [%rd1], 16;", 16, 0.25).tile({64, 64});
  counted.one.counters.warpInstructions *= 2;
  counted.one.counters.loadRequests = 16;
  EXPECT_EQ(counted.find().kind, Finding::Masked);
  counted.pipelined();
  EXPECT_EQ(counted.find().kind, Finding::Missed);
}

TEST(CountedFindings, ATmaLoadFillsTheRestOfItsTile) {
  Counted counted("cp.async.bulk.tensor.2d.shared::cluster.global.tile [%r1], [%rd1, {%r2, %r3}], [%r4];");
  counted.tile({128, 64});
  counted.one.counters.warpInstructions = 1;
  counted.one.counters.loadBytes = 512;
  counted.one.counters.sharedBytes = 1024;
  EXPECT_EQ(counted.find().kind, Finding::Missed);
  counted.one.counters.sharedBytes = 16384;
  EXPECT_THAT(counted.find().text, HasSubstr("256 of the 8192 elements"));
}

TEST(CountedFindings, AnElementMustBeChangedOften) {
  Counted counted("red.global.add.u32 [%rd1], 1;");
  counted.one.atomicChanges = 31 * 16;
  counted.one.atomicElements = 16;
  EXPECT_EQ(counted.find().kind, Finding::Missed);
  counted.one.atomicChanges = 32 * 16;
  EXPECT_EQ(counted.find().text, "512 changes of elements, of each at least 32");
  counted.one.atomicElements = 1;
  counted.one.atomicChanges = 9; // of a thousand instructions
  EXPECT_EQ(counted.find().kind, Finding::Missed);
}
