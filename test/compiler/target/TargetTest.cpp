#include "compiler/target/Target.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

using namespace tegula;

namespace {

std::string nameOf(const Target *target) { return target ? std::string(target->name) : "none"; }

TEST(Target, EveryNameIsFoundAndNoOther) {
  std::set<std::string_view> names;
  for (const Target &target : allTargets()) {
    EXPECT_EQ(lookupTarget(target.name), &target);
    EXPECT_TRUE(names.insert(target.name).second) << target.name;
  }
  EXPECT_EQ(names, (std::set<std::string_view>{"sm_75", "sm_80", "sm_86", "sm_89", "sm_90a", "sm_100a", "sm_103a",
                                              "sm_120a", "sm_121a"}));
  for (std::string_view name : {"", "sm_90", "sm_70", "SM_90A", "sm_90a ", "gfx942"})
    EXPECT_EQ(lookupTarget(name), nullptr) << name;
}

TEST(Target, TheNearestNameIsSuggestedForASlipOnly) {
  EXPECT_EQ(nameOf(nearestTarget("sm_90")), "sm_90a");
  EXPECT_EQ(nameOf(nearestTarget("sm90a")), "sm_90a");
  EXPECT_EQ(nameOf(nearestTarget("sm_100")), "sm_100a");
  EXPECT_EQ(nameOf(nearestTarget("sm_88")), "sm_80");
  EXPECT_EQ(nameOf(nearestTarget("s_8x9x")), "sm_89");  // three slips
  EXPECT_EQ(nameOf(nearestTarget("s_8x9xx")), "none"); // four
  EXPECT_EQ(nameOf(nearestTarget("gfx942")), "none");
  EXPECT_EQ(nameOf(nearestTarget("")), "none");
  EXPECT_EQ(nameOf(nearestTarget(std::string(1 << 20, 's'))), "none");
}

TEST(Target, ADeviceGetsTheBestTargetThatItRuns) {
  EXPECT_EQ(nameOf(targetOfDevice(7, 0)), "none");
  EXPECT_EQ(nameOf(targetOfDevice(7, 2)), "none");
  EXPECT_EQ(nameOf(targetOfDevice(7, 5)), "sm_75");
  EXPECT_EQ(nameOf(targetOfDevice(8, 0)), "sm_80");
  EXPECT_EQ(nameOf(targetOfDevice(8, 6)), "sm_86");
  EXPECT_EQ(nameOf(targetOfDevice(8, 7)), "sm_86"); // Orin
  EXPECT_EQ(nameOf(targetOfDevice(8, 9)), "sm_89");
  EXPECT_EQ(nameOf(targetOfDevice(9, 0)), "sm_90a");
  EXPECT_EQ(nameOf(targetOfDevice(10, 0)), "sm_100a");
  EXPECT_EQ(nameOf(targetOfDevice(10, 3)), "sm_103a");
  EXPECT_EQ(nameOf(targetOfDevice(11, 0)), "sm_89"); // Thor: code for sm_103a does not run there
  EXPECT_EQ(nameOf(targetOfDevice(12, 0)), "sm_120a");
  EXPECT_EQ(nameOf(targetOfDevice(12, 1)), "sm_121a"); // GB10
  EXPECT_EQ(nameOf(targetOfDevice(13, 0)), "sm_89");
}

TEST(Target, FactsAgreeWithEachOther) {
  for (const Target &t : allTargets()) {
    SCOPED_TRACE(t.name);
    EXPECT_EQ(t.name, "sm_" + std::to_string(t.major * 10 + t.minor) + (t.exact() ? "a" : ""));
    EXPECT_GE(t.ptx, (PtxVersion{7, 4}));
    // A kilobyte of each block is the system's; of Turing's none.
    EXPECT_EQ(t.maxSharedPerBlock + (t.major < 8 ? 0 : 1024), t.sharedPerMultiprocessor);
    // What Hopper added rests on what Ampere did.
    EXPECT_TRUE(t.asyncCopies || !t.tmaCopies);
    EXPECT_TRUE(t.wideMatrices || !(t.warpgroupMma || t.fp8Products));
    EXPECT_TRUE(t.bf16Conversions || !t.bf16Arithmetic);
    EXPECT_LE(t.maxWarpsPerBlock, t.maxWarpsPerMultiprocessor);
    EXPECT_EQ(t.sectorBytes % t.maxVectorBytes, 0u);
  }
}

TEST(Target, BlocksAtFullOccupancyFitWithWhatTheSystemKeeps) {
  for (const Target &t : allTargets()) {
    SCOPED_TRACE(t.name);
    const uint32_t system = t.sharedPerMultiprocessor - t.maxSharedPerBlock;
    EXPECT_LE(t.maxBlocksPerMultiprocessor * (t.sharedAtFullOccupancy() + system), t.sharedPerMultiprocessor);
    EXPECT_GT(t.sharedAtFullOccupancy(), 0u);
  }
  EXPECT_EQ(lookupTarget("sm_80")->sharedAtFullOccupancy(), 4224u);
}

TEST(Target, MessagesNameTheOldestTargetWithAFeature) {
  EXPECT_EQ(oldestTargetWith(&Target::fp8Products).name, "sm_89");
  EXPECT_EQ(oldestTargetWith(&Target::gridDependency).name, "sm_90a");
}

TEST(Target, CopiesPastRegistersAndMatricesOfBf16CameWithAmpere) {
  for (bool Target::*feature : {&Target::asyncCopies, &Target::wideMatrices, &Target::bf16Conversions,
                                &Target::integerRedux})
    EXPECT_EQ(oldestTargetWith(feature).name, "sm_80");
}

TEST(Target, Bf16ArithmeticCameWithHopper) {
  EXPECT_FALSE(lookupTarget("sm_89")->bf16Arithmetic);
  EXPECT_TRUE(lookupTarget("sm_90a")->bf16Arithmetic);
}

} // namespace
