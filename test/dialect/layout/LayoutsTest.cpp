// The named constructors against their definitions, by brute force.
#include "dialect/layout/Layouts.h"
#include "test/dialect/layout/RandomLayout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

using namespace tegula;
using namespace tegula::testing;

using Sides = std::vector<int32_t>;

namespace {
struct BlockedCase {
  Sides shape, perThread, threads, warps;
  std::vector<unsigned> order;
};
} // namespace

static BlockedCase randomBlocked(std::mt19937_64 &random, unsigned rank) {
  BlockedCase result;
  result.order.resize(rank);
  std::iota(result.order.begin(), result.order.end(), 0u);
  std::shuffle(result.order.begin(), result.order.end(), random);
  for (unsigned i = 0; i < rank; ++i) {
    result.shape.push_back(1 << pick(random, 5));
    result.perThread.push_back(1 << pick(random, 3));
    result.threads.push_back(1 << pick(random, 3));
    result.warps.push_back(1 << pick(random, 2));
  }
  return result;
}

static LinearLayout build(const BlockedCase &c) {
  return blocked(c.shape, c.perThread, c.threads, c.warps, c.order);
}

/// Coordinate `axis` of the number `index` counted through a box, `order[0]` fastest.
static int32_t digit(int32_t index, const Sides &sides, const std::vector<unsigned> &order, unsigned axis) {
  for (unsigned current : order) {
    if (current == axis)
      return index % sides[axis];
    index /= sides[current];
  }
  return 0;
}

TEST(Blocked, PictureOfTheHeader) {
  LinearLayout layout =
      blocked(Sides{4, 8}, Sides{1, 2}, Sides{2, 4}, Sides{2, 1}, std::vector<unsigned>{1, 0});
  EXPECT_EQ(layout.toString(),
            "{register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0]], warp = [[2, 0]], block = []} : [4, 8]");
}

TEST(Blocked, VectorAdd) {
  LinearLayout layout = blocked(Sides{1024}, Sides{4}, Sides{32}, Sides{4}, std::vector<unsigned>{0});
  EXPECT_EQ(layout.toString(), "{register = [[1], [2], [512]], lane = [[4], [8], [16], [32], [64]], "
                               "warp = [[128], [256]], block = []} : [1024]");
}

TEST(Blocked, LargerThanTheShapeRepeatsThreadsButNotRegisters) {
  LinearLayout layout = blocked(Sides{8}, Sides{4}, Sides{4}, Sides{2}, std::vector<unsigned>{0});
  EXPECT_EQ(layout.toString(), "{register = [[1], [2]], lane = [[4], [0]], warp = [[0]], block = []} : [8]");
  EXPECT_EQ(blocked(Sides{1}, Sides{4}, Sides{2}, Sides{1}, std::vector<unsigned>{0}).toString(),
            "{register = [], lane = [[0]], warp = [], block = []} : [1]");
}

TEST(Blocked, CoversEveryElementWithTheFormula) {
  std::mt19937_64 random(30);
  for (unsigned round = 0; round < 2000; ++round) {
    unsigned rank = 1 + pick(random, 3);
    BlockedCase c = randomBlocked(random, rank);
    LinearLayout layout = build(c);
    EXPECT_TRUE(layout.isSurjective()) << layout.toString();
    EXPECT_EQ(layout.freeVariableMask(Dim::Register), 0);
    EXPECT_EQ(layout.inSize(Dim::Lane),
              std::reduce(c.threads.begin(), c.threads.end(), 1, std::multiplies<>()));
    EXPECT_EQ(layout.inSize(Dim::Warp), std::reduce(c.warps.begin(), c.warps.end(), 1, std::multiplies<>()));

    // Register 0 of each thread sits at the corner of its box, wrapped into the shape.
    int32_t lane = int32_t(pick(random, unsigned(layout.inSize(Dim::Lane))));
    int32_t warp = int32_t(pick(random, unsigned(layout.inSize(Dim::Warp))));
    std::vector<Coord> corner = layout.apply({{Dim::Lane, lane}, {Dim::Warp, warp}});
    for (unsigned axis = 0; axis < rank; ++axis) {
      int32_t thread =
          digit(lane, c.threads, c.order, axis) + digit(warp, c.warps, c.order, axis) * c.threads[axis];
      EXPECT_EQ(corner[axis].value, thread * c.perThread[axis] % c.shape[axis]);
    }
    // Its registers cover, from the corner on, its box and the repetitions of the whole.
    std::set<std::vector<int32_t>> covered, expected;
    for (int32_t reg = 0; reg < layout.inSize(Dim::Register); ++reg) {
      std::vector<int32_t> element;
      for (const Coord &coord : layout.apply({{Dim::Register, reg}, {Dim::Lane, lane}, {Dim::Warp, warp}}))
        element.push_back(coord.value);
      EXPECT_TRUE(covered.insert(element).second);
    }
    Sides box(rank);
    for (unsigned axis = 0; axis < rank; ++axis)
      box[axis] = std::min(c.shape[axis], c.perThread[axis]) *
                  std::max(1, c.shape[axis] / (c.perThread[axis] * c.threads[axis] * c.warps[axis]));
    EXPECT_EQ(covered.size(), size_t(std::reduce(box.begin(), box.end(), 1, std::multiplies<>())));
  }
}

TEST(Slice, HoldsWhatBroadcastingNeeds) {
  std::mt19937_64 random(31);
  for (unsigned round = 0; round < 1000; ++round) {
    unsigned rank = 2 + pick(random, 2), axis = pick(random, rank);
    LinearLayout parent = build(randomBlocked(random, rank)), child = slice(parent, axis);
    EXPECT_EQ(child.outs().size(), rank - 1);
    EXPECT_TRUE(child.isSurjective());
    EXPECT_EQ(child.inSize(Dim::Lane), parent.inSize(Dim::Lane));
    EXPECT_EQ(child.inSize(Dim::Warp), parent.inSize(Dim::Warp));
    // In each thread, the child holds exactly the parent's elements with the axis left out.
    for (int32_t lane = 0; lane < parent.inSize(Dim::Lane); ++lane) {
      int32_t warp = int32_t(pick(random, unsigned(parent.inSize(Dim::Warp))));
      std::set<std::vector<int32_t>> wanted, held;
      for (int32_t reg = 0; reg < parent.inSize(Dim::Register); ++reg) {
        std::vector<int32_t> element;
        for (const Coord &coord : parent.apply({{Dim::Register, reg}, {Dim::Lane, lane}, {Dim::Warp, warp}}))
          if (coord.dim != tensorDim(axis))
            element.push_back(coord.value);
        wanted.insert(element);
      }
      for (int32_t reg = 0; reg < child.inSize(Dim::Register); ++reg) {
        std::vector<int32_t> element;
        for (const Coord &coord : child.apply({{Dim::Register, reg}, {Dim::Lane, lane}, {Dim::Warp, warp}}))
          element.push_back(coord.value);
        EXPECT_TRUE(held.insert(element).second) << "held twice";
      }
      EXPECT_EQ(held, wanted);
    }
  }
}

TEST(Slice, UndoesExpandDims) {
  std::mt19937_64 random(32);
  for (unsigned round = 0; round < 1000; ++round) {
    unsigned rank = 1 + pick(random, 3), axis = pick(random, rank + 1);
    LinearLayout layout = build(randomBlocked(random, rank)), expanded = expandDims(layout, axis);
    EXPECT_EQ(expanded.outSize(tensorDim(axis)), 1);
    EXPECT_EQ(slice(expanded, axis), layout);
  }
}

TEST(PermuteDims, MovesAxes) {
  std::mt19937_64 random(33);
  for (unsigned round = 0; round < 500; ++round) {
    BlockedCase c = randomBlocked(random, 3);
    std::vector<unsigned> permutation = {0, 1, 2};
    std::shuffle(permutation.begin(), permutation.end(), random);
    LinearLayout layout = build(c), permuted = permuteDims(layout, permutation);
    uint64_t place = random() % (uint64_t(1) << layout.totalInBits());
    std::vector<Coord> before = layout.apply(layout.unpackIn(place)),
                       after = permuted.apply(layout.unpackIn(place));
    for (unsigned i = 0; i < 3; ++i)
      EXPECT_EQ(after[i], (Coord{tensorDim(i), before[permutation[i]].value}));
  }
}

TEST(ReshapeDims, KeepsRowMajorPositions) {
  std::mt19937_64 random(34);
  for (unsigned round = 0; round < 500; ++round) {
    BlockedCase c = randomBlocked(random, 3);
    LinearLayout layout = build(c);
    unsigned bits = layout.totalOutBits(), low = bits ? pick(random, bits + 1) : 0;
    Sides shape = {1 << (bits - low), 1 << low};
    LinearLayout reshaped = reshapeDims(layout, shape);
    uint64_t place = random() % (uint64_t(1) << layout.totalInBits());
    std::vector<Coord> before = layout.apply(layout.unpackIn(place)),
                       after = reshaped.apply(layout.unpackIn(place));
    int32_t index = (before[0].value * c.shape[1] + before[1].value) * c.shape[2] + before[2].value;
    EXPECT_EQ(after[0].value * shape[1] + after[1].value, index);
    EXPECT_EQ(reshapeDims(reshaped, c.shape), layout);
  }
}
