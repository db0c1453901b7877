#include "compiler/plan/BroadcastPlan.h"

#include "test/compiler/plan/PlanModel.h"
#include "test/dialect/layout/RandomLayout.h"

#include <gtest/gtest.h>

using namespace tegula;
using namespace tegula::testing;

namespace {

constexpr uint64_t Unknown = ~uint64_t(0);

/// A layout with many copies: columns of threads are zero, those of others, or sums of them.
LinearLayout layoutWithCopies(std::mt19937_64 &random, unsigned bits, unsigned threadBits) {
  std::vector<uint64_t> columns;
  for (unsigned bit = 0; bit < bits; ++bit)
    columns.push_back(uint64_t(1) << bit);
  std::shuffle(columns.begin(), columns.end(), random);
  unsigned registers = bits > threadBits ? bits - threadBits : pick(random, 3);
  while (columns.size() < registers + threadBits)
    columns.push_back(pick(random, 3) || !bits ? 0 : random() & ((uint64_t(1) << bits) - 1));
  std::shuffle(columns.begin(), columns.end(), random);
  registers = unsigned(columns.size()) - threadBits;
  return LinearLayout::fromColumns(
      {{Dim::Register, registers}, {Dim::Lane, LaneBits}, {Dim::Warp, threadBits - LaneBits}},
      {{Dim::Dim0, bits}}, columns);
}

/// Returns the elements that threads know once each owner has done its atomics, copies in registers included.
Block knownToOwners(const LinearLayout &layout, unsigned threadBits, unsigned elementBytes) {
  AccessPlan access = planAccess(layout, threadBits, {}, 8 * elementBytes);
  Block known = blockOf(layout, threadBits);
  for (size_t thread = 0; thread < known.size(); ++thread)
    if (thread & access.copyBits)
      for (uint64_t &element : known[thread])
        element = Unknown;
  return known;
}

} // namespace

TEST(AtomicPlan, EachElementHasOneOwner) {
  std::mt19937_64 random(11);
  for (unsigned i = 0; i < 1000; ++i) {
    unsigned threadBits = LaneBits + pick(random, 3), bits = pick(random, 10);
    LinearLayout layout = layoutWithCopies(random, bits, threadBits);
    AccessPlan access = planAccess(layout, threadBits, {}, 32);
    Block block = blockOf(layout, threadBits);
    std::map<uint64_t, unsigned> owners;
    for (size_t thread = 0; thread < block.size(); ++thread)
      for (const std::vector<uint32_t> &vector : access.vectors)
        if (!(thread & access.copyBits))
          ++owners[block[thread][vector.front()]];
    ASSERT_EQ(owners.size(), size_t(1) << bits) << layout.toString();
    for (auto [element, count] : owners)
      ASSERT_EQ(count, 1u) << element << " of " << layout.toString();
  }
}

TEST(AtomicPlan, AllCopiesLearnWhatTheOwnerKnows) {
  std::mt19937_64 random(12);
  unsigned kinds[3] = {};
  for (unsigned i = 0; i < 3000; ++i) {
    unsigned threadBits = LaneBits + pick(random, 3), elementBytes = 2u << pick(random, 3);
    LinearLayout layout = layoutWithCopies(random, pick(random, 10), threadBits);
    BroadcastPlan plan = planBroadcast(layout, threadBits, elementBytes);
    ++kinds[plan.kind];
    Block known = knownToOwners(layout, threadBits, elementBytes), expected = blockOf(layout, threadBits);
    std::optional<Block> found = known;
    if (plan.kind == BroadcastPlan::Shuffle)
      found = throughShuffles(plan.shuffle, known);
    if (plan.kind == BroadcastPlan::Shared)
      found = throughShared(plan.shared, known, elementBytes);
    ASSERT_TRUE(found) << "case " << i << ": " << layout.toString();
    ASSERT_EQ(*found, expected) << "case " << i << ": " << layout.toString();
  }
  for (unsigned kind : kinds)
    EXPECT_GT(kind, 30u);
}
