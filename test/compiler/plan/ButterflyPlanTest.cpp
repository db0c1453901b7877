#include "compiler/plan/ButterflyPlan.h"
#include "dialect/layout/Layouts.h"
#include "dialect/layout/Places.h"
#include "test/compiler/plan/PlanModel.h"
#include "test/dialect/layout/RandomLayout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

using namespace tegula;
using namespace tegula::testing;

TEST(ButterflyPlan, EachPlaceGetsTheElementThatIsTheMaskAway) {
  std::mt19937_64 random(1);
  unsigned kinds[3] = {};
  for (unsigned i = 0; i < 1000; ++i) {
    unsigned threadBits = LaneBits + pick(random, 4);
    std::vector<DimBits> sides{{Dim::Dim0, pick(random, 4)}, {Dim::Dim1, 1 + pick(random, 7)}};
    LinearLayout layout = randomPlacement(random, sides, threadBits);
    // Sometimes skewed: places are added to others.
    if (pick(random, 3) == 0)
      layout = layout.compose(randomInvertible(random, sides, sides));
    uint32_t mask = 1 + pick(random, (1u << layout.outs()[1].bits) - 1);
    ConversionPlan plan = planButterfly(layout, 1, mask, threadBits, 4);
    ++kinds[plan.kind];
    const Block before = blockOf(layout, threadBits);
    const std::optional<Block> after = carryOut(plan, before, 4);
    ASSERT_TRUE(after) << layout.toString();
    for (size_t thread = 0; thread < before.size(); ++thread)
      for (size_t reg = 0; reg < before[thread].size(); ++reg)
        ASSERT_EQ((*after)[thread][reg], before[thread][reg] ^ uint64_t(mask) << layout.outs()[0].bits)
            << "mask " << mask << " of " << layout.toString();
  }
  for (unsigned kind : kinds)
    EXPECT_GT(kind, 50u);
}

TEST(ButterflyPlan, ThreadsExchangeRegistersWithoutBankConflicts) {
  LinearLayout row = blocked(std::array{1024}, std::array{4}, std::array{32}, std::array{4}, std::array{0u});
  ConversionPlan plan = planButterfly(row, 0, 1023, LaneBits + 2, 4);
  ASSERT_EQ(plan.kind, ConversionPlan::Shared);
  EXPECT_EQ(plan.shared.bytes, 4096u);
  EXPECT_EQ(bankConflicts(plan.shared.store, LaneBits + 2, 4, true), 0u);
  EXPECT_EQ(bankConflicts(plan.shared.load, LaneBits + 2, 4, false), 0u);
}
