#include "test/compiler/plan/PlanModel.h"

#include "dialect/layout/Fragments.h"
#include "dialect/layout/Layouts.h"
#include "test/dialect/layout/RandomLayout.h"

#include <gtest/gtest.h>

using namespace tegula;
using namespace tegula::testing;

namespace {

constexpr unsigned Cases = 3000;

/// A layout onto a tensor of `rows` by `columns` bits for `threadBits` bits of threads: a permutation of
/// unit vectors, sometimes skewed, with copies where there are more places than elements.
LinearLayout randomDistributed(std::mt19937_64 &random, unsigned rows, unsigned columns, unsigned threadBits,
                               bool mayBeSkewed) {
  unsigned bits = rows + columns;
  std::vector<uint64_t> all;
  for (unsigned bit = 0; bit < bits; ++bit)
    all.push_back(uint64_t(1) << bit);
  std::shuffle(all.begin(), all.end(), random);
  if (mayBeSkewed && pick(random, 4) == 0)
    for (unsigned step = 0; bits > 1 && step < bits; ++step) {
      unsigned a = pick(random, bits), b = pick(random, bits);
      all[a] ^= a == b ? 0 : all[b];
    }
  unsigned registers = bits > threadBits ? bits - threadBits : 0;
  registers += pick(random, 3);
  while (all.size() < registers + threadBits)
    all.push_back(!mayBeSkewed || !bits || pick(random, 4) ? 0 : uint64_t(1) << pick(random, bits));
  if (pick(random, 2))
    std::shuffle(all.begin(), all.end(), random);
  return LinearLayout::fromColumns(
      {{Dim::Register, registers}, {Dim::Lane, LaneBits}, {Dim::Warp, threadBits - LaneBits}},
      {{Dim::Dim0, rows}, {Dim::Dim1, columns}}, all);
}

struct RandomPair {
  LinearLayout from, to;
  unsigned threadBits, elementBytes;
};

RandomPair randomPair(std::mt19937_64 &random, bool mayBeSkewed = true) {
  unsigned rows = pick(random, 6), columns = pick(random, 6), threadBits = LaneBits + pick(random, 3);
  unsigned elementBytes = 1u << pick(random, 4);
  return {randomDistributed(random, rows, columns, threadBits, mayBeSkewed),
          randomDistributed(random, rows, columns, threadBits, mayBeSkewed), threadBits, elementBytes};
}

} // namespace

TEST(ConversionPlan, PutsEachElementWhereTheNewLayoutNamesIt) {
  std::mt19937_64 random(1);
  unsigned kinds[3] = {};
  for (unsigned i = 0; i < Cases; ++i) {
    RandomPair pair = randomPair(random);
    if (pick(random, 4) == 0) // near misses: the same threads, other registers
      pair.to = pair.from;
    ConversionPlan plan = planConversion(pair.from, pair.to, pair.threadBits, pair.elementBytes);
    ++kinds[plan.kind];
    ConversionRoute route = routeOfConversion(pair.from, pair.to, pair.threadBits);
    ASSERT_EQ(route.kind, plan.kind);
    ASSERT_EQ(route.withinWarp, plan.kind != ConversionPlan::Shared || plan.shared.withinWarp);
    std::optional<Block> found = carryOut(plan, blockOf(pair.from, pair.threadBits), pair.elementBytes);
    ASSERT_TRUE(found) << "case " << i << ": " << pair.from.toString() << " to " << pair.to.toString();
    ASSERT_EQ(*found, blockOf(pair.to, pair.threadBits))
        << "case " << i << ": " << pair.from.toString() << " to " << pair.to.toString();
  }
  for (unsigned kind : kinds)
    EXPECT_GT(kind, Cases / 100);
}

TEST(ConversionPlan, SharedMemoryPutsEachElementWhereTheNewLayoutNamesIt) {
  std::mt19937_64 random(2);
  for (unsigned i = 0; i < Cases; ++i) {
    RandomPair pair = randomPair(random);
    RoundTripPlan plan = planRoundTrip(pair.from, pair.to, pair.threadBits, pair.elementBytes);
    std::optional<Block> found = throughShared(plan, blockOf(pair.from, pair.threadBits), pair.elementBytes);
    ASSERT_TRUE(found) << "case " << i << ": " << pair.from.toString() << " to " << pair.to.toString();
    ASSERT_EQ(*found, blockOf(pair.to, pair.threadBits));
  }
}

TEST(ConversionPlan, PartsPutEachElementWhereTheNewLayoutNamesIt) {
  std::mt19937_64 random(4);
  unsigned inParts = 0, fitting = 0;
  for (unsigned i = 0; i < Cases; ++i) {
    RandomPair pair = randomPair(random);
    const uint32_t whole = planRoundTrip(pair.from, pair.to, pair.threadBits, pair.elementBytes).bytes,
                   most = whole >> pick(random, 5);
    RoundTripPlan plan = planRoundTrip(pair.from, pair.to, pair.threadBits, pair.elementBytes, {}, most);
    ASSERT_EQ(plan.bytes * std::max<size_t>(plan.parts.size(), 1), whole);
    inParts += plan.parts.size() > 1;
    fitting += plan.parts.size() > 1 && plan.bytes <= most;
    std::optional<Block> found = throughShared(plan, blockOf(pair.from, pair.threadBits), pair.elementBytes);
    ASSERT_TRUE(found) << "case " << i << ": " << pair.from.toString() << " to " << pair.to.toString();
    ASSERT_EQ(*found, blockOf(pair.to, pair.threadBits));
  }
  EXPECT_GT(inParts, Cases / 20);
  EXPECT_GT(fitting, Cases / 50);
}

TEST(ConversionPlan, SharedMemoryHasNoBankConflicts) {
  std::mt19937_64 random(3);
  for (unsigned i = 0; i < Cases; ++i) {
    RandomPair pair = randomPair(random, /*mayBeSkewed=*/false);
    RoundTripPlan plan = planRoundTrip(pair.from, pair.to, pair.threadBits, pair.elementBytes);
    ASSERT_EQ(bankConflicts(plan.store, pair.threadBits, pair.elementBytes, true), 0u)
        << "case " << i << ": " << pair.from.toString() << " to " << pair.to.toString();
    ASSERT_EQ(bankConflicts(plan.load, pair.threadBits, pair.elementBytes, false), 0u)
        << "case " << i << ": " << pair.from.toString() << " to " << pair.to.toString();
  }
}

TEST(ConversionPlan, SameLayoutMovesNothing) {
  LinearLayout layout = blocked(std::array{64}, std::array{2}, std::array{32}, std::array{1}, std::array{0u});
  ConversionPlan plan = planConversion(layout, layout, LaneBits, 4);
  EXPECT_EQ(plan.kind, ConversionPlan::Registers);
  EXPECT_EQ(plan.registers, (std::vector<uint32_t>{0, 1}));
}

TEST(ConversionPlan, OtherOrderOfRegistersRenamesThem) {
  auto rows = LinearLayout::fromColumns({{Dim::Register, 2}, {Dim::Lane, 5}}, {{Dim::Dim0, 7}},
                                        {1, 2, 4, 8, 16, 32, 64});
  auto columns = LinearLayout::fromColumns({{Dim::Register, 2}, {Dim::Lane, 5}}, {{Dim::Dim0, 7}},
                                           {2, 1, 4, 8, 16, 32, 64});
  ConversionPlan plan = planConversion(rows, columns, LaneBits, 4);
  EXPECT_EQ(plan.kind, ConversionPlan::Registers);
  EXPECT_EQ(plan.registers, (std::vector<uint32_t>{0, 2, 1, 3}));
}

TEST(ConversionPlan, LanesOfOneWarpShuffle) {
  auto from =
      LinearLayout::fromColumns({{Dim::Register, 0}, {Dim::Lane, 5}}, {{Dim::Dim0, 5}}, {1, 2, 4, 8, 16});
  auto to =
      LinearLayout::fromColumns({{Dim::Register, 0}, {Dim::Lane, 5}}, {{Dim::Dim0, 5}}, {16, 2, 4, 8, 1});
  ConversionPlan plan = planConversion(from, to, LaneBits, 4);
  EXPECT_EQ(plan.kind, ConversionPlan::Shuffle);
  EXPECT_FALSE(plan.shuffle.butterfly);
}

TEST(ConversionPlan, CopiesInLanesAreReadWhereTheyAre) {
  // All lanes hold all four elements; afterwards each lane holds one: it picks among its own.
  auto from = LinearLayout::fromColumns({{Dim::Register, 2}, {Dim::Lane, 5}}, {{Dim::Dim0, 2}},
                                        {1, 2, 0, 0, 0, 0, 0});
  auto to =
      LinearLayout::fromColumns({{Dim::Register, 0}, {Dim::Lane, 5}}, {{Dim::Dim0, 2}}, {1, 2, 0, 0, 0});
  ConversionPlan plan = planConversion(from, to, LaneBits, 4);
  ASSERT_EQ(plan.kind, ConversionPlan::Shuffle);
  EXPECT_TRUE(plan.shuffle.butterfly);
  EXPECT_EQ(plan.shuffle.lanes, (std::vector<uint32_t>{0}));
}

TEST(ConversionPlan, TranspositionUsesWideAccessesOnOneSide) {
  std::array<int32_t, 2> shape{64, 64};
  LinearLayout rows =
      blocked(shape, std::array{1, 4}, std::array{2, 16}, std::array{4, 1}, std::array{1u, 0u});
  LinearLayout columns =
      blocked(shape, std::array{4, 1}, std::array{16, 2}, std::array{1, 4}, std::array{0u, 1u});
  ConversionPlan plan = planConversion(rows, columns, LaneBits + 2, 4);
  ASSERT_EQ(plan.kind, ConversionPlan::Shared);
  EXPECT_EQ(plan.shared.bytes, 64u * 64 * 4);
  EXPECT_EQ(plan.shared.store.elements * plan.shared.load.elements, 4u);
  EXPECT_EQ(bankConflicts(plan.shared.store, LaneBits + 2, 4, true), 0u);
  EXPECT_EQ(bankConflicts(plan.shared.load, LaneBits + 2, 4, false), 0u);
}

TEST(ConversionPlan, SumsAreTheNextProductsOperandAsTheyLie) {
  // Attention: 16-bit operands have the fragments of the sums, 8-bit ones do not.
  std::vector<int32_t> square{64, 64}, small{32, 32};
  WarpGrid rows{1, 4, 1}, wide{1, 2, 2};
  LinearLayout sums = matrixResult(square, {16, 8, 16}, rows);
  auto kindOf = [](const LinearLayout &from, const LinearLayout &to, unsigned warpBits, unsigned bytes) {
    return planConversion(from, to, LaneBits + warpBits, bytes).kind;
  };
  EXPECT_EQ(kindOf(sums, matrixOperand(0, square, {16, 8, 16}, rows, 2), 2, 2), ConversionPlan::Registers);
  EXPECT_EQ(kindOf(sums, matrixOperand(0, square, {16, 8, 32}, rows, 1), 2, 1), ConversionPlan::Shuffle);
  // Warps side by side need each other's columns.
  EXPECT_EQ(
      kindOf(matrixResult(square, {16, 8, 16}, wide), matrixOperand(0, square, {16, 8, 16}, wide, 2), 2, 2),
      ConversionPlan::Shared);
  // Both warps hold all; afterwards each needs half, which it picks among its own registers.
  EXPECT_NE(kindOf(matrixOperand(0, small, {16, 8, 16}, {1, 1, 2}, 2),
                   matrixOperand(0, small, {16, 8, 16}, {1, 2, 1}, 2), 1, 2),
            ConversionPlan::Shared);
}
