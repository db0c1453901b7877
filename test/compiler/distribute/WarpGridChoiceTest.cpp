// Tests how results are divided among warps.
#include "compiler/distribute/WarpGridChoice.h"

#include <gtest/gtest.h>

#include <random>

using namespace tegula;

TEST(WarpGridChoice, BoxesOfLoneDotsAreNearlySquare) {
  WarpUnit unit = {16, 8};
  EXPECT_EQ(chooseWarpGrid({128, 128}, unit, 4, false), (WarpGrid{1, 2, 2}));
  EXPECT_EQ(chooseWarpGrid({128, 256}, unit, 8, false), (WarpGrid{1, 2, 4}));
  EXPECT_EQ(chooseWarpGrid({256, 128}, unit, 8, false), (WarpGrid{1, 4, 2}));
  EXPECT_EQ(chooseWarpGrid({64, 256}, unit, 4, false), (WarpGrid{1, 1, 4}));
  EXPECT_EQ(chooseWarpGrid({256, 64}, unit, 4, false), (WarpGrid{1, 4, 1}));
  // 64x32 and 32x64 read the same: long rows.
  EXPECT_EQ(chooseWarpGrid({128, 128}, unit, 8, false), (WarpGrid{1, 4, 2}));
}

TEST(WarpGridChoice, NothingIsComputedTwiceWhereItNeedNotBe) {
  EXPECT_EQ(chooseWarpGrid({16, 64}, {16, 8}, 8, false), (WarpGrid{1, 1, 8}));
  EXPECT_EQ(chooseWarpGrid({64, 16}, {16, 8}, 8, false), (WarpGrid{1, 4, 2}));
}

TEST(WarpGridChoice, BatchesComeFirst) {
  EXPECT_EQ(chooseWarpGrid({4, 64, 64}, {16, 8}, 4, false), (WarpGrid{4, 1, 1}));
  EXPECT_EQ(chooseWarpGrid({2, 64, 64}, {16, 8}, 8, true), (WarpGrid{2, 4, 1}));
}

TEST(WarpGridChoice, ChainedDotsGiveEachWarpWholeRows) {
  EXPECT_EQ(chooseWarpGrid({128, 64}, {16, 8}, 8, true), (WarpGrid{1, 8, 1}));
  EXPECT_EQ(chooseWarpGrid({128, 256}, {16, 8}, 4, true), (WarpGrid{1, 4, 1}));
  // Eight warps with whole rows would compute 64 rows twice.
  EXPECT_EQ(chooseWarpGrid({64, 64}, {16, 8}, 8, true), (WarpGrid{1, 4, 2}));
}

TEST(WarpGridChoice, HasAsManyPlacesAsThereAreWarps) {
  std::mt19937_64 random(70);
  for (unsigned round = 0; round < 5000; ++round) {
    llvm::SmallVector<int64_t> shape;
    if (random() % 2)
      shape.push_back(int64_t(1) << random() % 6);
    shape.push_back(int64_t(1) << random() % 10);
    shape.push_back(int64_t(1) << random() % 10);
    unsigned warps = 1u << random() % 6;
    WarpUnit unit = {int64_t(1) << random() % 6, int64_t(1) << random() % 6};
    WarpGrid grid = chooseWarpGrid(shape, unit, warps, random() % 2);
    ASSERT_EQ(unsigned(grid.batch * grid.m * grid.n), warps);
    ASSERT_GE(std::min({grid.batch, grid.m, grid.n}), 1);
  }
}
