#include "compiler/plan/ScanPlan.h"
#include "dialect/layout/Layouts.h"
#include "dialect/layout/Places.h"
#include "test/compiler/plan/PlanModel.h"
#include "test/dialect/layout/RandomLayout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

using namespace tegula;
using namespace tegula::testing;

namespace {

constexpr unsigned Cases = 2000;

/// Contents of a place: neighbouring elements along the axis, combined in their order, and a hash of how
/// they were grouped. `isWrong` is set once anything else was combined.
struct Range {
  uint64_t line = 0;          ///< the position with its axis at 0
  int64_t first = 0, end = 0; ///< along the axis, counted in the direction of the scan
  size_t shape = 0;
  bool isWrong = false;
};

Range combineRanges(const Range &a, const Range &b) {
  Range result = a;
  result.end = b.end;
  result.isWrong = a.isWrong || b.isWrong || a.line != b.line || a.end != b.first;
  result.shape = std::hash<size_t>()(a.shape * 0x9e3779b97f4a7c15u + 1) ^ (b.shape * 31 + 7);
  return result;
}

using Values = std::vector<std::vector<Range>>; ///< by thread

/// Carries a plan out on all threads of a block at once.
class Model {
public:
  Model(Values values, bool reverse) : values(std::move(values)), reverse(reverse) {}

  /// False where a round trip through shared memory goes wrong.
  bool run(const ScanStep &step) {
    if (step.kind == ScanStep::Combine)
      combinePairs(step);
    else if (step.kind == ScanStep::Lanes)
      scanLanes(step);
    else
      return scanWarps(step);
    return true;
  }

  Values values;

private:
  bool isFirst(size_t thread, uint32_t bits) const { return (thread & bits) == (reverse ? bits : 0); }

  void combinePairs(const ScanStep &step) {
    for (size_t thread = 0; thread < values.size(); ++thread)
      for (const ScanStep::Pair &pair : step.pairs) {
        const Range first = values[thread][pair.first], second = values[thread][pair.second];
        Range result = combineRanges(first, second);
        if (pair.secondFrom && isFirst(thread, pair.secondFrom))
          result = first;
        if (pair.firstFrom && isFirst(thread, pair.firstFrom))
          result = second;
        values[thread].push_back(result);
      }
  }

  /// The totals of the threads that differ from `thread` in `bits`, in the order of the scan.
  template <typename Total> void pushPrefixAndTotal(size_t thread, size_t own, size_t count, Total totalOf) {
    Range prefix, total = totalOf(0);
    prefix.isWrong = true;
    for (size_t i = 1; i < count; ++i) {
      if (i == own)
        prefix = total;
      total = combineRanges(total, totalOf(i));
    }
    fresh[thread].push_back(prefix);
    fresh[thread].push_back(total);
  }

  void pushFresh() {
    for (size_t thread = 0; thread < values.size(); ++thread)
      values[thread].insert(values[thread].end(), fresh[thread].begin(), fresh[thread].end());
  }

  void scanLanes(const ScanStep &step) {
    fresh.assign(values.size(), {});
    size_t count = size_t(1) << step.bits.size();
    for (size_t thread = 0; thread < values.size(); ++thread)
      for (uint32_t input : step.inputs) {
        size_t own = 0, others = thread;
        for (size_t i = 0; i < step.bits.size(); ++i) {
          own |= size_t(((thread & step.bits[i]) != 0) != reverse) << i;
          others &= ~size_t(step.bits[i]);
        }
        pushPrefixAndTotal(thread, own, count, [&](size_t index) {
          size_t lane = others;
          for (size_t i = 0; i < step.bits.size(); ++i)
            lane |= ((index >> i & 1) != 0) != reverse ? step.bits[i] : 0;
          return values[lane][input];
        });
      }
    pushFresh();
  }

  bool scanWarps(const ScanStep &step) {
    Block block(values.size());
    for (size_t thread = 0; thread < values.size(); ++thread)
      for (uint32_t input : step.inputs)
        block[thread].push_back(thread << 20 | input);
    std::optional<Block> loaded = throughShared(step.roundTrips[0], block, 4);
    if (!loaded)
      return false;
    fresh.assign(values.size(), {});
    size_t count = size_t(1) << step.bits.size();
    for (size_t thread = 0; thread < values.size(); ++thread)
      for (size_t input = 0; input < step.inputs.size(); ++input) {
        size_t own = sumOf(step.warpOf, thread);
        pushPrefixAndTotal(thread, reverse ? count - 1 - own : own, count, [&](size_t index) {
          uint64_t place = (*loaded)[thread][input * count + (reverse ? count - 1 - index : index)];
          return values[place >> 20][place & 0xfffff];
        });
      }
    pushFresh();
    return true;
  }

  Values fresh;
  bool reverse;
};

/// Empty where each element is combined with all before it and copies have equal bits; else what is wrong.
std::string wrongWith(const ScanPlan &plan, const LinearLayout &layout, unsigned axis, bool reverse,
                      unsigned threadBits) {
  Block block = blockOf(layout, threadBits);
  unsigned below = 0;
  for (unsigned i = 0; i < axis; ++i)
    below += layout.outs()[i].bits;
  const uint64_t side = uint64_t(1) << layout.outs()[axis].bits, mask = (side - 1) << below;
  auto placeOf = [&](uint64_t position) {
    uint64_t place = (position & mask) >> below;
    return int64_t(reverse ? side - 1 - place : place);
  };
  Values start(block.size());
  for (size_t thread = 0; thread < block.size(); ++thread)
    for (uint64_t position : block[thread])
      start[thread].push_back({position & ~mask, placeOf(position), placeOf(position) + 1,
                               std::hash<uint64_t>()(position * 977)});
  Model model(std::move(start), reverse);
  for (const ScanStep &step : plan.steps)
    if (!model.run(step))
      return "a round trip through shared memory reads what no thread wrote";
  std::map<uint64_t, size_t> shapes;
  for (size_t thread = 0; thread < block.size(); ++thread)
    for (size_t reg = 0; reg < plan.results.size(); ++reg) {
      const Range &found = model.values[thread][plan.results[reg]];
      uint64_t position = block[thread][reg];
      if (found.isWrong || found.line != (position & ~mask) || found.first != 0 ||
          found.end != placeOf(position) + 1)
        return "an element is not combined with all before it in order";
      if (shapes.try_emplace(position, found.shape).first->second != found.shape)
        return "copies of an element differ";
    }
  return {};
}

const unsigned Words[] = {4};

} // namespace

TEST(ScanPlan, CombinesEachElementWithAllBeforeItInOrder) {
  std::mt19937_64 random(1);
  unsigned kinds[3] = {};
  for (unsigned i = 0; i < Cases; ++i) {
    unsigned threadBits = LaneBits + pick(random, 4), axis = pick(random, 2) ? 1 : pick(random, 3);
    bool reverse = pick(random, 2) == 0;
    LinearLayout layout = randomPlacement(
        random, {{Dim::Dim0, pick(random, 6)}, {Dim::Dim1, pick(random, 7)}, {Dim::Dim2, pick(random, 3)}},
        threadBits);
    ScanPlan plan = planScan(layout, axis, reverse, threadBits, Words);
    for (const ScanStep &step : plan.steps)
      ++kinds[step.kind];
    ASSERT_EQ(wrongWith(plan, layout, axis, reverse, threadBits), "")
        << "case " << i << ": axis " << axis << (reverse ? " backwards" : "") << " of " << layout.toString();
  }
  for (unsigned kind : kinds)
    EXPECT_GT(kind, 200u);
}

TEST(ScanPlan, SharedMemoryOfSeveralOperandsIsApartAndAligned) {
  LinearLayout row = blocked(std::array{256}, std::array{2}, std::array{32}, std::array{4}, std::array{0u});
  const unsigned bytes[] = {1, 8, 4};
  ScanPlan plan = planScan(row, 0, false, LaneBits + 2, bytes);
  ASSERT_EQ(plan.steps.size(), 4u);
  EXPECT_EQ(plan.steps[2].kind, ScanStep::Warps);
  EXPECT_EQ(plan.steps[2].offsets, (std::vector<uint32_t>{0, 16, 48}));
  EXPECT_EQ(plan.bytes, 64u);
}

TEST(ScanPlan, RowOfFourWarpsTakesFiveShufflesAndOneTrip) {
  LinearLayout row = blocked(std::array{512}, std::array{4}, std::array{32}, std::array{4}, std::array{0u});
  ScanPlan plan = planScan(row, 0, false, LaneBits + 2, Words);
  EXPECT_EQ(plan.shuffles, 5u);
  // Three in the thread, one where lanes and warps meet, and one for each of its four elements.
  EXPECT_EQ(plan.combinations, 3u + 1u + 4u);
  EXPECT_EQ(plan.warps, 4u);
  EXPECT_EQ(plan.bytes, 16u);
}

TEST(ScanPlan, AnAxisOfOneElementTakesNothing) {
  LinearLayout column =
      blocked(std::array{64, 1}, std::array{1, 1}, std::array{32, 1}, std::array{2, 1}, std::array{1u, 0u});
  ScanPlan plan = planScan(column, 1, true, LaneBits + 1, Words);
  EXPECT_TRUE(plan.steps.empty());
  EXPECT_EQ(plan.bytes, 0u);
}
