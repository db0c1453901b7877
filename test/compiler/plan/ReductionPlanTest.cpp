#include "compiler/plan/ReductionPlan.h"
#include "dialect/layout/Layouts.h"
#include "test/compiler/plan/PlanModel.h"
#include "test/dialect/layout/RandomLayout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

using namespace tegula;
using namespace tegula::testing;

namespace {

constexpr unsigned Cases = 2000;

/// Contents of a place: the elements combined there, and a hash of the order in which they were combined.
struct Partial {
  std::vector<uint64_t> elements; ///< sorted
  size_t shape = 0;
};

using Values = std::vector<std::vector<Partial>>; ///< by thread

Partial combineParts(const Partial &a, const Partial &b, bool commutes) {
  Partial result = a;
  result.elements.insert(result.elements.end(), b.elements.begin(), b.elements.end());
  std::sort(result.elements.begin(), result.elements.end());
  size_t first = a.shape, second = b.shape;
  if (commutes && second < first)
    std::swap(first, second);
  result.shape = std::hash<size_t>()(first * 0x9e3779b97f4a7c15u + 1) ^ (second * 31 + 7);
  return result;
}

/// Carries a plan out on all threads of a block at once.
class Model {
public:
  Model(Values values, bool commutes) : values(std::move(values)), commutes(commutes) {}

  /// False where a round trip through shared memory goes wrong.
  bool run(const ReductionStep &step) {
    switch (step.kind) {
    case ReductionStep::Fold:
    case ReductionStep::Butterfly:
    case ReductionStep::Halve:
      combinePairs(step);
      return true;
    case ReductionStep::WarpWide:
      for (size_t value = 0; value < values[0].size(); ++value)
        for (size_t warp = 0; warp < values.size(); warp += 32) {
          // How the instruction puts values together is its own affair, but no lane's place matters.
          Partial all;
          for (size_t lane = 0; lane < 32; ++lane) {
            const Partial &part = values[warp + lane][value];
            all.elements.insert(all.elements.end(), part.elements.begin(), part.elements.end());
            all.shape += part.shape;
          }
          std::sort(all.elements.begin(), all.elements.end());
          for (size_t lane = 0; lane < 32; ++lane)
            values[warp + lane][value] = all;
        }
      return true;
    case ReductionStep::Broadcast:
      move(throughShuffles(step.shuffle, numbered()));
      return true;
    case ReductionStep::RoundTrip: {
      std::optional<Block> moved = throughShared(step.roundTrips[0], numbered(), 4);
      if (moved)
        move(*moved);
      return moved.has_value();
    }
    }
    return false;
  }

  Values values;

private:
  void combinePairs(const ReductionStep &step) {
    Values fresh(values.size());
    for (size_t thread = 0; thread < values.size(); ++thread)
      for (size_t i = 0; i < step.pairs.size(); ++i) {
        auto [a, b] = step.pairs[i];
        if (step.kind == ReductionStep::Halve) // the partner sends what this thread keeps
          a = b = step.pairs[i][thread & step.pivot ? 1 : 0];
        size_t other = step.kind == ReductionStep::Fold ? thread : thread ^ step.lanes;
        const Partial *first = &values[thread][a], *second = &values[other][b];
        bool isOdd = std::popcount(uint32_t(thread) & step.order) & 1;
        if (isOdd != bool(step.reversed[i]))
          std::swap(first, second);
        fresh[thread].push_back(combineParts(*first, *second, commutes));
      }
    values = std::move(fresh);
  }

  /// A number for each place, which plans of moves carry about.
  Block numbered() const {
    Block block(values.size());
    for (size_t thread = 0; thread < values.size(); ++thread)
      for (size_t value = 0; value < values[thread].size(); ++value)
        block[thread].push_back(thread << 20 | value);
    return block;
  }

  void move(const Block &block) {
    Values fresh(values.size());
    for (size_t thread = 0; thread < block.size(); ++thread)
      for (uint64_t place : block[thread])
        fresh[thread].push_back(values[place >> 20][place & 0xfffff]);
    values = std::move(fresh);
  }

  bool commutes;
};

/// A layout onto a tensor of three axes, often skewed, with copies, its bits spread over places at random.
/// Sometimes a warp lies along one axis, as `redux.sync` and halving want it.
LinearLayout randomOperand(std::mt19937_64 &random, unsigned threadBits) {
  std::vector<DimBits> outs{
      {Dim::Dim0, pick(random, 6)}, {Dim::Dim1, pick(random, 6)}, {Dim::Dim2, pick(random, 3)}};
  bool alongOne = pick(random, 3) == 0;
  if (alongOne)
    outs[1].bits = LaneBits;
  unsigned bits = outs[0].bits + outs[1].bits + outs[2].bits;
  std::vector<uint64_t> all;
  for (unsigned bit = 0; bit < bits; ++bit)
    all.push_back(uint64_t(1) << bit);
  bool isSkewed = pick(random, 3) == 0;
  for (unsigned step = 0; isSkewed && bits > 1 && step < bits; ++step) {
    unsigned a = pick(random, bits), b = pick(random, bits);
    all[a] ^= a == b ? 0 : all[b];
  }
  std::shuffle(all.begin(), all.end(), random);
  unsigned registers = (bits > threadBits ? bits - threadBits : 0) + pick(random, 4);
  while (all.size() < registers + threadBits)
    all.push_back(!isSkewed || !bits || pick(random, 3) ? 0 : pick(random, 1u << bits));
  if (pick(random, 2))
    std::shuffle(all.begin(), all.end(), random);
  if (alongOne) {
    uint64_t axis = ((uint64_t(1) << outs[1].bits) - 1) << outs[0].bits;
    size_t lane = registers;
    for (size_t i = 0; i < all.size() && lane < registers + LaneBits; ++i)
      if (all[i] && !(all[i] & ~axis) && (i < registers || i >= lane))
        std::swap(all[i], all[lane++]);
  }
  return LinearLayout::fromColumns(
      {{Dim::Register, registers}, {Dim::Lane, LaneBits}, {Dim::Warp, threadBits - LaneBits}}, outs, all);
}

/// The packed position of the result that a packed position of the operand goes into.
uint64_t withoutAxis(const LinearLayout &layout, unsigned axis, uint64_t position) {
  unsigned below = 0;
  for (unsigned i = 0; i < axis; ++i)
    below += layout.outs()[i].bits;
  return (position & ((uint64_t(1) << below) - 1)) |
         (position >> (below + layout.outs()[axis].bits) << below);
}

/// Empty where each result has each of its elements once and copies have equal bits; else what is wrong.
std::string wrongWith(const ReductionPlan &plan, const LinearLayout &layout, unsigned axis,
                      unsigned threadBits, bool commutes) {
  Block block = blockOf(layout, threadBits);
  std::map<uint64_t, std::vector<uint64_t>> expected; // by position of the result
  for (uint64_t position = 0; position < uint64_t(1) << layout.totalOutBits(); ++position)
    expected[withoutAxis(layout, axis, position)].push_back(position);
  Values start(block.size());
  for (size_t thread = 0; thread < block.size(); ++thread)
    for (uint32_t reg : plan.inputs)
      start[thread].push_back({{block[thread][reg]}, std::hash<uint64_t>()(block[thread][reg] * 977)});
  Model model(std::move(start), commutes);
  for (const ReductionStep &step : plan.steps)
    if (!model.run(step))
      return "a round trip through shared memory reads what no thread wrote";
  Block results = blockOf(slice(layout, axis), threadBits);
  std::map<uint64_t, size_t> shapes;
  for (size_t thread = 0; thread < block.size(); ++thread) {
    if (plan.results.size() != results[thread].size())
      return "the result has other registers";
    for (size_t reg = 0; reg < plan.results.size(); ++reg) {
      const Partial &found = model.values[thread][plan.results[reg]];
      uint64_t position = results[thread][reg];
      if (found.elements != expected.at(position))
        return "a result lacks elements, or has them twice";
      if (shapes.try_emplace(position, found.shape).first->second != found.shape)
        return "copies of a result differ";
    }
  }
  return {};
}

const unsigned Words[] = {4};

} // namespace

TEST(ReductionPlan, CombinesEachElementOnceAndCopiesAgree) {
  std::mt19937_64 random(1);
  unsigned kinds[6] = {};
  for (unsigned i = 0; i < Cases; ++i) {
    unsigned threadBits = LaneBits + pick(random, 4), axis = pick(random, 2) ? 1 : pick(random, 3);
    LinearLayout layout = randomOperand(random, threadBits);
    CombineTraits traits{pick(random, 2) == 0, pick(random, 2) == 0};
    traits.hasRedux &= traits.commutes;
    ReductionPlan plan = planReduction(layout, axis, threadBits, Words, traits);
    for (const ReductionStep &step : plan.steps)
      ++kinds[step.kind];
    ASSERT_EQ(wrongWith(plan, layout, axis, threadBits, traits.commutes), "")
        << "case " << i << ": axis " << axis << " of " << layout.toString();
  }
  for (unsigned kind : kinds)
    EXPECT_GT(kind, 20u);
}

TEST(ReductionPlan, SharedMemoryHasNoBankConflicts) {
  std::mt19937_64 random(2);
  unsigned trips = 0;
  for (unsigned i = 0; i < Cases; ++i) {
    unsigned threadBits = LaneBits + 1 + pick(random, 4), axis = pick(random, 2);
    std::array<int32_t, 2> shape{1 << (1 + pick(random, 7)), 1 << (1 + pick(random, 7))};
    std::array<int32_t, 2> size{1, 1 << pick(random, 3)}, threads, warps;
    unsigned rows = pick(random, LaneBits + 1), warpRows = pick(random, threadBits - LaneBits + 1);
    threads = {1 << rows, 1 << (LaneBits - rows)};
    warps = {1 << warpRows, 1 << (threadBits - LaneBits - warpRows)};
    LinearLayout layout = blocked(shape, size, threads, warps, std::array{1u, 0u});
    unsigned bytes = 1u << pick(random, 4);
    ReductionPlan plan = planReduction(layout, axis, threadBits, std::span(&bytes, 1), {true, false});
    for (const ReductionStep &step : plan.steps)
      if (step.kind == ReductionStep::RoundTrip) {
        ++trips;
        ASSERT_EQ(bankConflicts(step.roundTrips[0].store, threadBits, bytes, true), 0u) << layout.toString();
        ASSERT_EQ(bankConflicts(step.roundTrips[0].load, threadBits, bytes, false), 0u) << layout.toString();
      }
  }
  EXPECT_GT(trips, Cases / 10);
}

TEST(ReductionPlan, RowOfFourWarpsTakesFiveShufflesAndOneTrip) {
  LinearLayout row = blocked(std::array{1024}, std::array{4}, std::array{32}, std::array{4}, std::array{0u});
  ReductionPlan plan = planReduction(row, 0, LaneBits + 2, Words, {true, false});
  EXPECT_EQ(plan.shuffles, 5u);
  EXPECT_EQ(plan.folds, 7u + 5u + 3u);
  EXPECT_EQ(plan.warps, 4u);
  EXPECT_EQ(plan.bytes, 16u);
}

TEST(ReductionPlan, ReduxTakesTheWholeWarpAtOnce) {
  LinearLayout row = blocked(std::array{64}, std::array{2}, std::array{32}, std::array{1}, std::array{0u});
  ReductionPlan plan = planReduction(row, 0, LaneBits, Words, {true, true});
  ASSERT_EQ(plan.steps.size(), 2u);
  EXPECT_EQ(plan.steps[1].kind, ReductionStep::WarpWide);
  // Sixteen lanes and copies: a value would count twice.
  LinearLayout half = blocked(std::array{16}, std::array{1}, std::array{32}, std::array{1}, std::array{0u});
  EXPECT_EQ(planReduction(half, 0, LaneBits, Words, {true, true}).shuffles, 4u);
}

TEST(ReductionPlan, ManyResultsOfAThreadHalve) {
  // 32 rows, each over 32 lanes: 16 + 8 + 4 + 2 + 1 shuffles and 32 to spread, not 32 * 5.
  LinearLayout rows =
      blocked(std::array{32, 32}, std::array{32, 1}, std::array{1, 32}, std::array{1, 1}, std::array{1u, 0u});
  ReductionPlan plan = planReduction(rows, 1, LaneBits, Words, {true, false});
  EXPECT_EQ(plan.shuffles, 31u + 32u);
  EXPECT_EQ(plan.bytes, 0u);
}

TEST(ReductionPlan, OfManyWarpsLanesReadThePartialResults) {
  LinearLayout row = blocked(std::array{1024}, std::array{1}, std::array{32}, std::array{32}, std::array{0u});
  ReductionPlan plan = planReduction(row, 0, LaneBits + 5, Words, {true, false});
  EXPECT_EQ(plan.warps, 32u);
  EXPECT_LE(plan.folds + plan.shuffles, 5u * 2 + 5u * 2);
}
