#include "compiler/plan/AccessPlan.h"

#include "dialect/layout/Layouts.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

using namespace tegula;

namespace {

LinearLayout line(int32_t length, int32_t perThread, int32_t warps) {
  return blocked(std::array{length}, std::array{perThread}, std::array{32}, std::array{warps},
                 std::array{0u});
}

} // namespace

TEST(AccessPlan, NeighboursShareAnInstructionOf16Bytes) {
  AccessPlan plan = planAccess(line(1024, 4, 4), 7, std::array{16u}, 32);
  EXPECT_EQ(plan.elements, 4u);
  EXPECT_EQ(plan.words, 4u);
  EXPECT_EQ(plan.wordBits, 32u);
  EXPECT_EQ(plan.vectors, (std::vector<std::vector<uint32_t>>{{0, 1, 2, 3}, {4, 5, 6, 7}}));
  EXPECT_EQ(plan.copyBits, 0u);
}

TEST(AccessPlan, NarrowElementsFillWords) {
  AccessPlan plan = planAccess(line(1024, 8, 4), 7, std::array{8u}, 16);
  EXPECT_EQ(plan.elements, 8u);
  EXPECT_EQ(plan.words, 4u);
  EXPECT_EQ(plan.wordBits, 32u);
  plan = planAccess(line(1024, 8, 4), 7, std::array{2u}, 8);
  EXPECT_EQ(plan.elements, 2u);
  EXPECT_EQ(plan.words, 1u);
  EXPECT_EQ(plan.wordBits, 16u);
}

TEST(AccessPlan, WideElementsGoTwoAtATime) {
  AccessPlan plan = planAccess(line(512, 2, 4), 7, std::array{16u}, 64);
  EXPECT_EQ(plan.elements, 2u);
  EXPECT_EQ(plan.words, 2u);
  EXPECT_EQ(plan.wordBits, 64u);
}

TEST(AccessPlan, WithoutFactsEachElementGoesAlone) {
  AccessPlan plan = planAccess(line(1024, 4, 4), 7, {}, 32);
  EXPECT_EQ(plan.elements, 1u);
  EXPECT_EQ(plan.vectors.size(), 8u);
}

TEST(AccessPlan, OnlyRegistersThatLieSideBySideJoin) {
  // Neighbours in memory are in different lanes here.
  AccessPlan plan = planAccess(line(1024, 1, 4), 7, std::array{16u}, 32);
  EXPECT_EQ(plan.elements, 1u);
}

TEST(AccessPlan, TakesTheAxisWithTheLongestRun) {
  LinearLayout layout =
      blocked(std::array{32, 32}, std::array{4, 1}, std::array{8, 4}, std::array{1, 4}, std::array{0u, 1u});
  AccessPlan plan = planAccess(layout, 7, std::array{4u, 1u}, 32);
  EXPECT_EQ(plan.elements, 4u);
  plan = planAccess(layout, 7, std::array{1u, 4u}, 32);
  EXPECT_EQ(plan.elements, 1u);
}

TEST(AccessPlan, OneThreadOwnsEachElement) {
  // 16 elements for 128 threads: 8 threads hold each, one of which has none of the copy bits.
  LinearLayout layout = line(16, 1, 4);
  AccessPlan plan = planAccess(layout, 7, std::array{1u}, 32);
  std::vector<uint64_t> columns = threadColumns(layout, 7);
  std::multiset<uint64_t> owned;
  for (uint32_t thread = 0; thread < 128; ++thread) {
    if (thread & plan.copyBits)
      continue;
    uint64_t position = 0;
    for (unsigned bit = 0; bit < 7; ++bit)
      position ^= thread >> bit & 1 ? columns[bit] : 0;
    owned.insert(position);
  }
  EXPECT_EQ(owned.size(), 16u);
  EXPECT_EQ(std::set<uint64_t>(owned.begin(), owned.end()).size(), 16u);
}

TEST(AccessPlan, RegistersThatHoldCopiesAreNotAccessed) {
  auto layout = LinearLayout::fromColumns({{Dim::Register, 2}, {Dim::Lane, 5}}, {{Dim::Dim0, 6}},
                                          {1, 0, 2, 4, 8, 16, 32});
  AccessPlan plan = planAccess(layout, 5, std::array{2u}, 32);
  EXPECT_EQ(plan.vectors, (std::vector<std::vector<uint32_t>>{{0, 1}}));
  EXPECT_EQ(plan.original, (std::vector<uint32_t>{0, 1, 0, 1}));
}
