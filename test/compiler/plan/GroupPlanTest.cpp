// Products of warp groups: which registers and bytes each instruction takes.
#include "compiler/plan/GroupPlan.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

using namespace tegula;

namespace {

/// A product of `m` by `n` by `k` with instructions of `columns` columns on elements of `bytes`.
struct Product {
  int32_t m, n, k, columns;
  GroupGrid groups;
  unsigned bytes = 2;
  bool kContiguousA = true, kContiguousB = true, aInMemory = true;

  MatrixShape shape() const { return {RowsOfGroup, columns, int32_t(32 / bytes)}; }
  unsigned warps() const { return unsigned(groups.m * groups.n * WarpsOfGroup); }
  LinearLayout sums() const { return groupResult(std::array{m, n}, columns, groups); }
  LinearLayout memoryA() const {
    const std::array sides{m, k};
    return unitMemory(sides, 1, bytes, *unitForm(sides, 1, bytes, kContiguousA));
  }
  LinearLayout memoryB() const {
    const std::array sides{k, n};
    return unitMemory(sides, 0, bytes, *unitForm(sides, 0, bytes, kContiguousB, unsigned(columns) * bytes));
  }
  LinearLayout a() const {
    return aInMemory ? memoryA() : groupOperandA(std::array{m, k}, shape().k, groups, bytes);
  }
  std::optional<GroupPlan> plan() const {
    return planGroupProduct(sums(), {a(), 1, aInMemory}, {memoryB(), 0, true}, shape(), warps(), bytes);
  }
};

/// The byte at which element (`w`, `k`) of an operand lies.
uint32_t byteOf(const LinearLayout &memory, unsigned kAxis, int32_t w, int32_t k, unsigned bytes) {
  std::vector<Coord> place{{Dim::Dim0, kAxis == 0 ? k : w}, {Dim::Dim1, kAxis == 0 ? w : k}};
  return uint32_t(memory.invert()->apply(place).front().value) * bytes;
}

TEST(GroupPlan, StepsBeginWhereTheirPartsDo) {
  const Product products[] = {
      {128, 128, 64, 128, {1, 1}},
      {128, 256, 64, 256, {2, 1}},
      {64, 256, 64, 128, {1, 2}},
      {256, 64, 32, 64, {2, 1}},
      {128, 512, 32, 256, {1, 1}},
      {128, 128, 64, 128, {1, 1}, 2, false, false},
      {128, 64, 64, 32, {1, 2}, 2, true, false},
      {128, 128, 128, 128, {2, 1}, 1},
      {64, 32, 32, 32, {1, 1}, 4},
  };
  for (const Product &product : products) {
    std::optional<GroupPlan> plan = product.plan();
    ASSERT_TRUE(plan) << product.m << "x" << product.n << "x" << product.k;
    EXPECT_EQ(plan->groups, product.groups);
    const int32_t rows = product.m / product.groups.m, columns = product.n / product.groups.n,
                  tilesN = columns / product.columns, tiles = rows / RowsOfGroup * tilesN;
    const int32_t depth = product.shape().k;
    EXPECT_EQ(plan->tiles, uint32_t(tiles));
    ASSERT_EQ(plan->steps.size(), size_t(tiles) * size_t(product.k / depth));
    std::set<std::pair<uint32_t, uint32_t>> seen;
    for (size_t i = 0; i < plan->steps.size(); ++i) {
      const GroupStep &step = plan->steps[i];
      const int32_t k = int32_t(i) / tiles * depth, m = int32_t(step.tile) / tilesN * RowsOfGroup,
                    n = int32_t(step.tile) % tilesN * product.columns;
      EXPECT_EQ(step.a, byteOf(product.memoryA(), 1, m, k, product.bytes));
      EXPECT_EQ(step.b, byteOf(product.memoryB(), 0, n, k, product.bytes));
      EXPECT_TRUE(seen.emplace(step.tile, uint32_t(k)).second);
    }
    // What a group's number adds.
    for (const auto &[operand, memory, kAxis, side] :
         {std::tuple(&plan->a, product.memoryA(), 1u, rows), {&plan->b, product.memoryB(), 0u, columns}}) {
      const bool isSplit = (kAxis == 1 ? product.groups.m : product.groups.n) > 1;
      ASSERT_EQ(operand->groupOffsets.size(), product.warps() > 4 ? 1u : 0u);
      if (product.warps() > 4)
        EXPECT_EQ(operand->groupOffsets[0], isSplit ? byteOf(memory, kAxis, side, 0, product.bytes) : 0);
    }
  }
}

// A product of some of the columns of b reads where the one of all columns reads those, in spans of each
// length.
TEST(GroupPlan, ColumnsBeginWhereTheyLie) {
  for (const int32_t k : {32, 64, 128, 256})
    for (const bool isTransposed : {false, true}) {
      const Product all{128, 256, k, 64, {2, 1}, 1};
      const std::array sides = isTransposed ? std::array{256, k} : std::array{k, 256};
      const unsigned kAxis = isTransposed ? 1 : 0;
      const LinearLayout memory = unitMemory(sides, kAxis, 1, *unitForm(sides, kAxis, 1, true));
      const LinearLayout sums = groupResult(std::array{128, 128}, 64, {2, 1});
      for (const int32_t begin : {0, 64, 128}) {
        std::optional<GroupPlan> plan = planGroupProduct(
            sums, {all.a(), 1, true}, {memory, kAxis, true, begin}, all.shape(), all.warps(), 1);
        ASSERT_TRUE(plan);
        ASSERT_EQ(plan->steps.size(), size_t(k / 32 * 2));
        EXPECT_EQ(plan->b.groupOffsets, (std::vector<uint32_t>{0}));
        for (size_t i = 0; i < plan->steps.size(); ++i)
          EXPECT_EQ(plan->steps[i].b,
                    byteOf(memory, kAxis, begin + int32_t(i % 2) * 64, int32_t(i / 2) * 32, 1));
      }
    }
}

TEST(GroupPlan, RegistersOfAreTakenInTheirOrder) {
  Product product{128, 64, 64, 64, {1, 1}};
  product.aInMemory = false;
  std::optional<GroupPlan> plan = product.plan();
  ASSERT_TRUE(plan);
  EXPECT_FALSE(plan->a.inMemory);
  EXPECT_EQ(plan->registersOfA, 8u);
  EXPECT_EQ(plan->registersOfTile, 32u);
  // Four steps along K, two tiles along m; registers go along K first.
  const uint32_t expected[] = {0, 32, 8, 40, 16, 48, 24, 56};
  ASSERT_EQ(plan->steps.size(), 8u);
  for (size_t i = 0; i < 8; ++i)
    EXPECT_EQ(plan->steps[i].a, expected[i]);
}

TEST(GroupPlan, RefusesWhatGroupsDoNotHold) {
  const Product good{128, 128, 64, 128, {1, 1}};
  const GivenOperand a{good.a(), 1, true}, b{good.memoryB(), 0, true};
  const LinearLayout sums = good.sums();
  EXPECT_TRUE(planGroupProduct(sums, a, b, good.shape(), 4, 2));
  EXPECT_FALSE(planGroupProduct(sums, a, b, good.shape(), 2, 2));   // no group
  EXPECT_FALSE(planGroupProduct(sums, a, b, good.shape(), 8, 2));   // sums of one
  EXPECT_FALSE(planGroupProduct(sums, a, b, {64, 256, 16}, 4, 2)); // more columns than there are
  EXPECT_FALSE(planGroupProduct(sums, a, b, {64, 128, 128}, 4, 2)); // more of K than there is
  EXPECT_FALSE(
      planGroupProduct(matrixResult(std::array{128, 128}, {16, 8, 16}, {1, 4, 1}), a, b, good.shape(), 4, 2));
  const LinearLayout plain = LinearLayout::identity1D(64, Dim::Offset, Dim::Dim1) *
                             LinearLayout::identity1D(128, Dim::Offset, Dim::Dim0);
  EXPECT_FALSE(planGroupProduct(sums, {plain.transposeOuts(std::array{Dim::Dim0, Dim::Dim1}), 1, true}, b,
                                good.shape(), 4, 2));
}

} // namespace
