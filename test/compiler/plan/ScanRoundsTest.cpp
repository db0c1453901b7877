#include "compiler/plan/ScanRounds.h"
#include "dialect/layout/Layouts.h"
#include "test/dialect/layout/RandomLayout.h"

#include <gtest/gtest.h>

#include <array>

using namespace tegula;
using namespace tegula::testing;

namespace {

/// The pairs of the first step of `plan` that combines, in rounds.
std::vector<ScanRounds> roundsOfStep(const ScanPlan &plan, size_t number, uint32_t made) {
  return roundsOf(plan.steps.at(number), made);
}

/// Expects each pair in one place, and each value there before it is needed.
void expectSound(const ScanStep &step, uint32_t made) {
  uint32_t next = 0;
  for (const ScanRounds &rounds : roundsOf(step, made)) {
    EXPECT_EQ(rounds.begin, next);
    for (uint32_t chain = 0; chain < rounds.chains; ++chain)
      for (uint32_t round = 0; round < rounds.rounds; ++round, ++next) {
        const ScanStep::Pair &pair = step.pairs.at(next),
                             &start = step.pairs[rounds.begin + chain * rounds.rounds];
        EXPECT_LT(pair.second, made + rounds.begin);
        EXPECT_LT(start.first, made + rounds.begin);
        EXPECT_EQ(pair.firstFrom, start.firstFrom);
        EXPECT_EQ(pair.secondFrom, start.secondFrom);
        if (round > 0) {
          EXPECT_EQ(pair.first, rounds.carries ? made + next - 1 : start.first);
        }
      }
  }
  EXPECT_EQ(next, step.pairs.size());
}

} // namespace

TEST(ScanRounds, ElementsOfALineAreOneChain) {
  LinearLayout row = blocked(std::array{1024}, std::array{8}, std::array{32}, std::array{4}, std::array{0u});
  ScanPlan plan = planScan(row, 0, false, LaneBits + 2, std::array{4u});
  std::vector<ScanRounds> rounds = roundsOfStep(plan, 0, 8);
  ASSERT_EQ(rounds.size(), 1u);
  EXPECT_EQ(rounds[0].rounds, 7u);
  EXPECT_TRUE(rounds[0].carries);
}

TEST(ScanRounds, LinesAreChainsSideBySide) {
  LinearLayout tile =
      blocked(std::array{4, 256}, std::array{4, 8}, std::array{1, 32}, std::array{1, 1}, std::array{1u, 0u});
  ScanPlan plan = planScan(tile, 1, true, LaneBits, std::array{4u});
  std::vector<ScanRounds> rounds = roundsOfStep(plan, 0, 32);
  ASSERT_EQ(rounds.size(), 1u);
  EXPECT_EQ(rounds[0].chains, 4u);
  EXPECT_EQ(rounds[0].rounds, 7u);
  // Behind the lanes all eight of each line get what is before them.
  rounds = roundsOfStep(plan, 2, 32 + 28 + 8);
  ASSERT_EQ(rounds.size(), 1u);
  EXPECT_EQ(rounds[0].chains, 4u);
  EXPECT_EQ(rounds[0].rounds, 8u);
  EXPECT_FALSE(rounds[0].carries);
}

TEST(ScanRounds, EveryPlanIsCutSoundly) {
  for (bool reverse : {false, true})
    for (unsigned axis : {0u, 1u})
      for (int rows : {1, 4, 64})
        for (int each : {1, 2, 8}) {
          LinearLayout layout = blocked(std::array{rows, 512}, std::array{1, each}, std::array{4, 8},
                                        std::array{2, 2}, std::array{axis, 1 - axis});
          ScanPlan plan = planScan(layout, axis, reverse, LaneBits + 2, std::array{4u});
          auto made = uint32_t(1) << layout.inBits(Dim::Register);
          for (const ScanStep &step : plan.steps) {
            if (step.kind == ScanStep::Combine)
              expectSound(step, made);
            made += uint32_t(step.kind == ScanStep::Combine ? step.pairs.size() : 2 * step.inputs.size());
          }
        }
}
