// Occupancy: what CUDA's occupancy calculator says of the same blocks.
#include "tools/insight/Occupancy.h"

#include <gmock/gmock.h>

using namespace tegula;
using namespace tegula::explain;
using ::testing::ElementsAre;

static Occupancy on(const char *target, uint32_t warps, std::optional<uint32_t> registers,
                    uint64_t sharedBytes) {
  return occupancyOf(*lookupTarget(target), warps, registers, sharedBytes);
}

TEST(Occupancy, WarpsLimitSmallBlocks) {
  const Occupancy found = on("sm_90a", 4, 18, 0);
  EXPECT_EQ(found.blocks, 16u);
  EXPECT_THAT(found.limiters, ElementsAre("warps"));
}

TEST(Occupancy, RegistersComeInUnitsOfAWarp) {
  // 33 registers are given as 40: 1280 for a warp, 12 warps to each part of a multiprocessor.
  const Occupancy found = on("sm_90a", 4, 33, 0);
  EXPECT_EQ(found.limits.at("registers"), 12u);
  EXPECT_EQ(found.blocks, 12u);
  EXPECT_EQ(found.nextBlock.at("registers"), 1);
  EXPECT_EQ(on("sm_90a", 4, 255, 0).blocks, 2u);
}

TEST(Occupancy, SharedMemoryLimitsLargeTiles) {
  const Occupancy found = on("sm_90a", 4, 64, 100 * 1024);
  EXPECT_EQ(found.blocks, 2u);
  EXPECT_THAT(found.limiters, ElementsAre("shared"));
  // Three blocks have 76 KiB each, of which the system keeps one.
  EXPECT_EQ(found.nextBlock.at("shared"), 100 * 1024 - 75 * 1024);
}

TEST(Occupancy, NothingFitsBeyondWhatABlockMayHave) {
  const Occupancy found = on("sm_90a", 4, 64, 228 * 1024);
  EXPECT_EQ(found.blocks, 0u);
  EXPECT_EQ(found.nextBlock.at("shared"), 1024);
}

TEST(Occupancy, UnknownRegistersAreNoLimit) {
  EXPECT_FALSE(on("sm_80", 8, std::nullopt, 0).limits.contains("registers"));
}

TEST(Occupancy, BlocksLimitSingleWarps) {
  const Occupancy found = on("sm_86", 1, 16, 0);
  EXPECT_EQ(found.blocks, 16u);
  EXPECT_THAT(found.limiters, ElementsAre("blocks"));
}

TEST(Occupancy, WhatIsSaidToBeEnoughForOneMoreIs) {
  for (const Target &target : allTargets())
    for (const uint32_t warps : {1u, 2u, 4u, 8u, 16u})
      for (const uint32_t registers : {24u, 65u, 128u, 255u})
        for (const uint64_t shared : {0u, 5000u, 40000u, 60000u}) {
          const Occupancy found = occupancyOf(target, warps, registers, shared);
          for (const auto &[what, less] : found.nextBlock) {
            ASSERT_GT(less, 0) << target.name << what;
            const bool isRegisters = what == "registers";
            const Occupancy next = occupancyOf(target, warps, registers - (isRegisters ? uint32_t(less) : 0),
                                               shared - (isRegisters ? 0 : uint64_t(less)));
            EXPECT_GT(next.blocks, found.blocks)
                << target.name << " " << warps << " " << registers << " " << shared;
            const Occupancy almost =
                occupancyOf(target, warps, registers - (isRegisters ? uint32_t(less) - 1 : 0),
                            shared - (isRegisters ? 0 : uint64_t(less) - 1));
            EXPECT_EQ(almost.blocks, found.blocks) << target.name << what;
          }
        }
}
