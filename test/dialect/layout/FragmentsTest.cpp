// Fragments against the tables of the PTX manual, written here as the manual has them, and the layouts that
// are made of them.
#include "dialect/layout/Fragments.h"
#include "test/dialect/layout/RandomLayout.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

using namespace tegula;
using namespace tegula::testing;

namespace {

struct Place {
  int32_t row, column;
  bool operator==(const Place &) const = default;
};

/// Returns the element in register `i` of a lane, as in the manual: groupID = lane / 4, threadID = lane % 4.
using Table = std::function<Place(int32_t group, int32_t thread, int32_t i)>;

void expectTable(const LinearLayout &fragment, const Table &table) {
  EXPECT_EQ(fragment.inSize(Dim::Lane), 32);
  for (int32_t lane = 0; lane < 32; ++lane)
    for (int32_t i = 0; i < fragment.inSize(Dim::Register); ++i) {
      std::vector<Coord> at = fragment.apply({{Dim::Register, i}, {Dim::Lane, lane}});
      EXPECT_EQ((Place{at[0].value, at[1].value}), table(lane / 4, lane % 4, i)) << lane << " " << i;
    }
}

} // namespace

TEST(Fragments, OfSixteenBits) {
  MatrixShape shape{16, 8, 16};
  expectTable(fragmentA(shape, 2), [](int32_t group, int32_t thread, int32_t i) -> Place {
    return {i < 2 || (i >= 4 && i < 6) ? group : group + 8, thread * 2 + (i & 1) + (i >= 4 ? 8 : 0)};
  });
  expectTable(fragmentB(shape, 2), [](int32_t group, int32_t thread, int32_t i) -> Place {
    return {thread * 2 + (i & 1) + (i >= 2 ? 8 : 0), group};
  });
  expectTable(fragmentC(shape), [](int32_t group, int32_t thread, int32_t i) -> Place {
    return {i < 2 ? group : group + 8, thread * 2 + (i & 1)};
  });
  MatrixShape half{16, 8, 8};
  expectTable(fragmentA(half, 2), [](int32_t group, int32_t thread, int32_t i) -> Place {
    return {i < 2 ? group : group + 8, thread * 2 + (i & 1)};
  });
  expectTable(fragmentB(half, 2),
              [](int32_t group, int32_t thread, int32_t i) -> Place { return {thread * 2 + i, group}; });
}

TEST(Fragments, OfTf32) {
  MatrixShape shape{16, 8, 8};
  expectTable(fragmentA(shape, 4), [](int32_t group, int32_t thread, int32_t i) -> Place {
    return {i == 0 || i == 2 ? group : group + 8, i < 2 ? thread : thread + 4};
  });
  expectTable(fragmentB(shape, 4), [](int32_t group, int32_t thread, int32_t i) -> Place {
    return {i == 0 ? thread : thread + 4, group};
  });
  MatrixShape half{16, 8, 4};
  expectTable(fragmentA(half, 4), [](int32_t group, int32_t thread, int32_t i) -> Place {
    return {i == 0 ? group : group + 8, thread};
  });
  expectTable(fragmentB(half, 4),
              [](int32_t group, int32_t thread, int32_t) -> Place { return {thread, group}; });
}

TEST(Fragments, OfBytes) {
  MatrixShape shape{16, 8, 32};
  expectTable(fragmentA(shape, 1), [](int32_t group, int32_t thread, int32_t i) -> Place {
    return {i < 4 || (i >= 8 && i < 12) ? group : group + 8, thread * 4 + (i & 3) + (i >= 8 ? 16 : 0)};
  });
  expectTable(fragmentB(shape, 1), [](int32_t group, int32_t thread, int32_t i) -> Place {
    return {thread * 4 + (i & 3) + (i >= 4 ? 16 : 0), group};
  });
  MatrixShape half{16, 8, 16};
  expectTable(fragmentA(half, 1), [](int32_t group, int32_t thread, int32_t i) -> Place {
    return {i < 4 ? group : group + 8, thread * 4 + (i & 3)};
  });
  expectTable(fragmentB(half, 1),
              [](int32_t group, int32_t thread, int32_t i) -> Place { return {thread * 4 + i, group}; });
}

TEST(Fragments, OfDoubles) {
  MatrixShape shape{8, 8, 4};
  expectTable(fragmentA(shape, 8),
              [](int32_t group, int32_t thread, int32_t) -> Place { return {group, thread}; });
  expectTable(fragmentB(shape, 8),
              [](int32_t group, int32_t thread, int32_t) -> Place { return {thread, group}; });
  expectTable(fragmentC(shape),
              [](int32_t group, int32_t thread, int32_t i) -> Place { return {group, thread * 2 + i}; });
}

TEST(Fragments, LayoutsCoverTheTensorsAndWarpsTheirBoxes) {
  std::mt19937_64 random(1);
  const std::pair<MatrixShape, unsigned> kinds[] = {
      {{16, 8, 16}, 2}, {{16, 8, 8}, 4}, {{8, 8, 4}, 8}, {{16, 8, 32}, 1}};
  for (unsigned i = 0; i < 500; ++i) {
    auto [shape, bytes] = kinds[pick(random, std::size(kinds))];
    bool hasBatch = pick(random, 3) == 0;
    int32_t m = 1 << pick(random, 8), n = 1 << pick(random, 8), k = shape.k << pick(random, 3);
    WarpGrid grid{hasBatch ? 1 << pick(random, 3) : 1, 1 << pick(random, 3), 1 << pick(random, 3)};
    std::vector<int32_t> a{m, k}, b{k, n}, c{m, n};
    if (hasBatch)
      for (std::vector<int32_t> *tensor : {&a, &b, &c})
        tensor->insert(tensor->begin(), 1 << 2);
    LinearLayout result = matrixResult(c, shape, grid), first = matrixOperand(0, a, shape, grid, bytes),
                 second = matrixOperand(1, b, shape, grid, bytes);
    for (const LinearLayout *layout : {&result, &first, &second}) {
      ASSERT_TRUE(layout->isSurjective()) << layout->toString();
      ASSERT_EQ(layout->inSize(Dim::Warp), grid.batch * grid.m * grid.n);
      ASSERT_EQ(layout->inSize(Dim::Lane), 32);
      // Registers are not spent on copies.
      for (unsigned bit = 0; bit < layout->inBits(Dim::Register); ++bit)
        ASSERT_NE(layout->column(Dim::Register, bit), 0u) << layout->toString();
    }
    // A warp finds the rows of its sums in its own registers of a, and the columns in those of b.
    unsigned row = hasBatch ? 1 : 0;
    for (unsigned bit = 0; bit < result.inBits(Dim::Warp); ++bit) {
      ASSERT_EQ(result.basis(Dim::Warp, bit, tensorDim(row)), first.basis(Dim::Warp, bit, tensorDim(row)));
      ASSERT_EQ(result.basis(Dim::Warp, bit, tensorDim(row + 1)),
                second.basis(Dim::Warp, bit, tensorDim(row + 1)));
    }
  }
}

/// The element of a thread's register, by its number in the block.
static Place placeIn(const LinearLayout &layout, int32_t warp, int32_t lane, int32_t i) {
  std::vector<Coord> at = layout.apply({{Dim::Register, i}, {Dim::Lane, lane}, {Dim::Warp, warp}});
  return {at[0].value, at[1].value};
}

TEST(Fragments, OfWarpGroups) {
  // Two groups along m with 128 rows and 64 columns each, instructions of 32 columns.
  const int32_t result[] = {256, 64};
  LinearLayout sums = groupResult(result, 32, {2, 1});
  EXPECT_TRUE(sums.isInvertible());
  const int32_t operand[] = {256, 32};
  LinearLayout a = groupOperandA(operand, 16, {2, 1}, 2);
  EXPECT_TRUE(a.isInvertible());
  for (int32_t warp = 0; warp < 8; ++warp)
    for (int32_t lane = 0; lane < 32; ++lane) {
      int32_t group = lane / 4, thread = lane % 4, first = warp / 4 * 128 + warp % 4 * 16;
      for (int32_t i = 0; i < sums.inSize(Dim::Register); ++i) {
        int32_t inTile = i % 16, tile = i / 16; // 64 by 32 elements over 128 threads
        Place expected{first + tile / 2 * 64 + group + (inTile & 2 ? 8 : 0),
                       tile % 2 * 32 + inTile / 4 * 8 + thread * 2 + (inTile & 1)};
        ASSERT_EQ(placeIn(sums, warp, lane, i), expected) << warp << " " << lane << " " << i;
      }
      for (int32_t i = 0; i < a.inSize(Dim::Register); ++i) {
        int32_t word = i / 2 % 4, step = i / 8 % 2, tile = i / 16;
        Place expected{first + tile * 64 + group + (word % 2 ? 8 : 0),
                       step * 16 + word / 2 * 8 + thread * 2 + (i & 1)};
        ASSERT_EQ(placeIn(a, warp, lane, i), expected) << warp << " " << lane << " " << i;
      }
    }
  // Two groups along n: both have all rows of a.
  const int32_t wide[] = {64, 256};
  LinearLayout split = groupResult(wide, 128, {1, 2});
  EXPECT_EQ(placeIn(split, 4, 0, 0), (Place{0, 128}));
  const int32_t rows[] = {64, 16};
  EXPECT_EQ(placeIn(groupOperandA(rows, 16, {1, 2}, 2), 5, 0, 0), (Place{16, 0}));
}
