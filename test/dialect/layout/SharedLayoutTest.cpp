#include "dialect/layout/SharedLayout.h"
#include "dialect/layout/Fragments.h"
#include "dialect/layout/Layouts.h"
#include "dialect/layout/MatrixAccess.h"
#include "dialect/layout/Places.h"
#include "test/dialect/layout/RandomLayout.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>

using namespace tegula;
using namespace tegula::testing;

namespace {

/// Rows of `columns` elements, each thread with `each` neighbours.
LinearLayout rowMajor(int32_t rows, int32_t columns, int32_t each, int32_t warps) {
  int32_t lanes = std::min(32, columns / each);
  return blocked(std::array{rows, columns}, std::array{1, each}, std::array{32 / lanes, lanes},
                 std::array{warps, 1}, std::array{1u, 0u});
}

LinearLayout fragment(unsigned index, unsigned elementBytes) {
  return matrixOperand(index, std::array{64, 64}, {16, 8, int32_t(32 / elementBytes)}, {1, 2, 2},
                       elementBytes);
}

/// A layout onto 2^bits elements: unit vectors in some order, sometimes skewed or with copies.
LinearLayout randomOnto(std::mt19937_64 &random, unsigned rows, unsigned columns, unsigned warps) {
  unsigned bits = rows + columns;
  std::vector<uint64_t> all;
  for (unsigned bit = 0; bit < bits; ++bit)
    all.push_back(uint64_t(1) << bit);
  std::shuffle(all.begin(), all.end(), random);
  for (unsigned step = pick(random, 4); bits > 1 && step; --step) {
    unsigned a = pick(random, bits), b = pick(random, bits);
    all[a] ^= a == b ? 0 : all[b];
  }
  unsigned registers = (bits > 5 + warps ? bits - 5 - warps : 0) + pick(random, 2);
  while (all.size() < registers + 5 + warps)
    all.push_back(all.empty() || pick(random, 3) ? 0 : all[pick(random, unsigned(all.size()))]);
  if (pick(random, 2))
    std::shuffle(all.begin(), all.end(), random);
  return LinearLayout::fromColumns({{Dim::Register, registers}, {Dim::Lane, 5}, {Dim::Warp, warps}},
                                   {{Dim::Dim0, rows}, {Dim::Dim1, columns}}, all);
}

} // namespace

TEST(SharedLayout, IsInvertibleWhateverTheLayouts) {
  std::mt19937_64 random(11);
  std::array kinds{SharedAccessKind::Vectors, SharedAccessKind::Matrices, SharedAccessKind::AsyncCopy};
  for (unsigned i = 0; i < 4000; ++i) {
    unsigned rows = pick(random, 6), columns = pick(random, 6), warps = pick(random, 3);
    LinearLayout writer = randomOnto(random, rows, columns, warps);
    LinearLayout reader = randomOnto(random, rows, columns, warps);
    if (pick(random, 2)) {
      std::array order{Dim::Dim1, Dim::Dim0};
      reader = reader.transposeOuts(order);
    }
    SharedSide from{writer, kinds[pick(random, 3)], 4u << pick(random, 3)};
    SharedSide to{reader, kinds[pick(random, 2)]};
    unsigned bytes = 1u << pick(random, 4);
    LinearLayout memory = chooseSharedLayout(from, to, bytes);
    ASSERT_TRUE(memory.isInvertible()) << writer.toString() << " to " << reader.toString();
    ASSERT_EQ(memory.outs(), writer.outs());
  }
}

TEST(SharedLayout, CopiesFindTheirNeighboursInOrder) {
  std::mt19937_64 random(12);
  for (unsigned i = 0; i < 1000; ++i) {
    unsigned bytes = 1u << pick(random, 4), fast = pick(random, 2);
    std::array<int32_t, 2> shape{16 << pick(random, 3), 16 << pick(random, 3)}, each{1, 1}, lanes{1, 1};
    each[fast] = 1 << pick(random, 5);
    lanes[fast] = std::min(32, shape[fast] / each[fast]);
    lanes[1 - fast] = 32 / lanes[fast];
    LinearLayout writer = blocked(shape, each, lanes, std::array{2, 2}, std::array{fast, 1 - fast});
    LinearLayout reader = matrixOperand(pick(random, 2), shape, {16, 8, bytes == 8 ? 4 : int32_t(32 / bytes)},
                                        {1, 2, 2}, bytes);
    SharedSide from{writer, SharedAccessKind::AsyncCopy, 16, fast};
    LinearLayout memory = chooseSharedLayout(from, {reader, SharedAccessKind::Matrices}, bytes);
    std::vector<unsigned> run = runOfRegisters(writer, fast, bytes, 16);
    ASSERT_EQ(bytes << run.size(), std::min<unsigned>(16, bytes * unsigned(each[fast])));
    for (unsigned bit = 0; bit < run.size(); ++bit)
      ASSERT_EQ(memory.column(Dim::Offset, bit), writer.column(Dim::Register, run[bit])) << memory.toString();
  }
}

TEST(SharedLayout, CopiesAreWholeForEachRegisterAndThread) {
  std::mt19937_64 random(13);
  for (unsigned i = 0; i < 6000; ++i) {
    unsigned bytes = 1u << pick(random, 4), fast = pick(random, 2), warpBits = pick(random, 3);
    std::array<int32_t, 2> shape{16 << pick(random, 4), 16 << pick(random, 4)}, each{1, 1}, lanes{1, 1},
        warps{1, 1};
    each[fast] = 1 << pick(random, 5);
    each[1 - fast] = 1 << pick(random, 2);
    lanes[fast] = std::min(1 << pick(random, 6), 32);
    lanes[1 - fast] = 32 / lanes[fast];
    warps[pick(random, 2)] = 1 << warpBits;
    LinearLayout writer = blocked(shape, each, lanes, warps, std::array{fast, 1 - fast});
    unsigned rows = unsigned(std::bit_width(unsigned(shape[0])) - 1),
             columns = unsigned(std::bit_width(unsigned(shape[1])) - 1);
    LinearLayout reader =
        pick(random, 4) ? matrixOperand(pick(random, 2), shape, {16, 8, bytes == 8 ? 4 : int32_t(32 / bytes)},
                                        {1, 1 << pick(random, warpBits + 1), 1}, bytes)
                        : randomOnto(random, rows, columns, warpBits);
    SharedSide from{writer, SharedAccessKind::AsyncCopy, 4u << pick(random, 3), fast};
    SharedSide to{reader, pick(random, 2) ? SharedAccessKind::Matrices : SharedAccessKind::Vectors};
    LinearLayout memory = chooseSharedLayout(from, to, bytes);
    ASSERT_TRUE(memory.isInvertible());
    std::vector<unsigned> run = runOfRegisters(writer, fast, bytes, from.maxBytes);
    ASSERT_EQ(copyBytesInto(memory, writer, fast, bytes, from.maxBytes), bytes << run.size());
    // The same said of elements: low bits of the offset are those of the coordinate.
    LinearLayout inverse = *memory.invert();
    uint64_t inside = (uint64_t(1) << run.size()) - 1;
    for (uint64_t position = 0; position < uint64_t(1) << memory.totalOutBits(); ++position) {
      uint64_t coordinate = fast == 0 ? position : position >> rows;
      ASSERT_EQ(inverse.applyPacked(position) & inside, coordinate & inside)
          << "case " << i << ": " << writer.toString() << " to " << reader.toString() << " by "
          << memory.toString();
    }
  }
}

TEST(SharedLayout, BytesContiguousAcrossKAreCopiedWhole) {
  // Operand a of bytes, contiguous along its rows: to spread its readers, the map once moved neighbours of
  // every eighth column past each other, and copies of 16 bytes were not.
  LinearLayout writer =
      blocked(std::array{64, 32}, std::array{16, 1}, std::array{4, 8}, std::array{1, 1}, std::array{0u, 1u});
  LinearLayout reader = matrixOperand(0, std::array{64, 32}, {16, 8, 32}, {1, 1, 1}, 1);
  LinearLayout memory = chooseSharedLayout({writer, SharedAccessKind::AsyncCopy, 16, 0},
                                           {reader, SharedAccessKind::Matrices}, 1);
  EXPECT_EQ(copyBytesInto(memory, writer, 0, 1), 16u) << memory.toString();
}

TEST(SharedLayout, CopiesAreAsWideAsMemoryKeepsThem) {
  LinearLayout layout = rowMajor(8, 64, 8, 1);
  auto memory = [](std::vector<uint64_t> columns) {
    return LinearLayout::fromColumns({{Dim::Offset, 9}}, {{Dim::Dim0, 3}, {Dim::Dim1, 6}}, columns);
  };
  std::vector<uint64_t> plain{8, 16, 32, 64, 128, 256, 1, 2, 4};
  EXPECT_EQ(copyBytesInto(memory(plain), layout, 1, 2), 16u);
  EXPECT_EQ(copyBytesInto(memory(plain), layout, 1, 2, 8), 8u);
  EXPECT_EQ(copyBytesInto(memory(plain), layout, 0, 2), 2u);
  // Neighbours further on are elsewhere.
  std::vector<uint64_t> pairs{8, 16, 64, 32, 128, 256, 1, 2, 4};
  EXPECT_EQ(copyBytesInto(memory(pairs), layout, 1, 2), 8u);
  // A row flips which of two neighbours comes first: of a thread, then of a register.
  std::vector<uint64_t> swapped{8, 16, 32, 64, 128, 256, 1 ^ 8, 2, 4};
  EXPECT_EQ(copyBytesInto(memory(swapped), layout, 1, 2), 2u);
  swapped = {8, 16, 32, 64, 128, 256, 1, 2, 4 ^ 16};
  EXPECT_EQ(copyBytesInto(memory(swapped), layout, 1, 2), 4u);
}

TEST(SharedLayout, WithoutASideThatCopiesTheAxisIsThatOfTheLowestRegister) {
  // Four rows of two: the run along rows is longer, but the columns come first.
  LinearLayout writer =
      blocked(std::array{32, 32}, std::array{4, 2}, std::array{8, 4}, std::array{1, 4}, std::array{1u, 0u});
  LinearLayout reader = rowMajor(32, 32, 1, 4);
  LinearLayout memory = chooseSharedLayout({writer, SharedAccessKind::AsyncCopy}, {reader}, 4);
  EXPECT_EQ(memory.basis(Dim::Offset, 0, Dim::Dim1), 1);
}

TEST(SharedLayout, RowsOfHalvesAreXorSwizzled) {
  LinearLayout reader = fragment(0, 2);
  LinearLayout memory = chooseSharedLayout({rowMajor(64, 64, 8, 4), SharedAccessKind::AsyncCopy},
                                           {reader, SharedAccessKind::Matrices}, 2);
  // Whole rows of 128 bytes, the three bits of a row's number below eight flipping which 16 bytes.
  for (unsigned bit = 0; bit < 6; ++bit)
    EXPECT_EQ(memory.basis(Dim::Offset, bit, Dim::Dim1), 1 << bit);
  LinearLayout inverse = *memory.invert();
  EXPECT_EQ(inverse.basis(Dim::Dim0, 0, Dim::Offset) & 63, 8);
  EXPECT_EQ(inverse.basis(Dim::Dim0, 1, Dim::Offset) & 63, 16);
  EXPECT_EQ(inverse.basis(Dim::Dim0, 2, Dim::Offset) & 63, 32);
}

TEST(MatrixAccess, FragmentsOfHalvesAreMatricesEitherWay) {
  for (unsigned index : {0u, 1u})
    for (bool transposed : {false, true}) {
      std::optional<MatrixAccess> access = asMatrices(fragment(index, 2), 2, transposed);
      ASSERT_TRUE(access);
      EXPECT_EQ(access->wordBits, std::vector<unsigned>{0});
      EXPECT_EQ(access->matrixBits, (std::vector<unsigned>{1, 2}));
      EXPECT_EQ(access->row.size(), 3u);
      EXPECT_EQ(access->lanes.size(), 5u);
    }
}

TEST(MatrixAccess, OtherWidthsAreMatricesAsTheyLie) {
  for (unsigned bytes : {1u, 4u}) {
    EXPECT_TRUE(asMatrices(fragment(0, bytes), bytes, false));
    EXPECT_FALSE(asMatrices(fragment(0, bytes), bytes, true));
  }
  LinearLayout doubles = matrixOperand(0, std::array{64, 64}, {8, 8, 4}, {1, 2, 2}, 8);
  EXPECT_FALSE(asMatrices(doubles, 8, false));
  EXPECT_FALSE(asMatrices(doubles, 8, true));
}

TEST(MatrixAccess, CopiesInARowAreNoRow) {
  // Only four columns: lane 1 holds what lane 0 does.
  auto narrow = LinearLayout::fromColumns({{Dim::Register, 1}, {Dim::Lane, 5}},
                                          {{Dim::Dim0, 3}, {Dim::Dim1, 2}}, {8, 16, 0, 1, 2, 4});
  EXPECT_FALSE(asMatrices(narrow, 2, false));
}

TEST(MatrixAccess, RowsMustBeContiguousAndAligned) {
  // register 0 | lanes 0, 1 | lanes 2 to 4, as element offsets of halves.
  auto offsets = [](std::vector<uint64_t> columns) {
    unsigned registers = unsigned(columns.size()) - 5;
    return LinearLayout::fromColumns({{Dim::Register, registers}, {Dim::Lane, 5}}, {{Dim::Offset, 10}},
                                     columns);
  };
  std::optional<MatrixAccess> plain = matricesAt(offsets({1, 2, 4, 8, 16, 32}), 2);
  ASSERT_TRUE(plain);
  EXPECT_FALSE(plain->transposed);
  EXPECT_EQ(plain->lanes, (std::vector<uint64_t>{8, 16, 32, 0, 0}));
  std::optional<MatrixAccess> transposed = matricesAt(offsets({8, 16, 32, 1, 2, 4}), 2);
  ASSERT_TRUE(transposed);
  EXPECT_TRUE(transposed->transposed);
  EXPECT_EQ(transposed->lanes, (std::vector<uint64_t>{8, 16, 32, 0, 0}));
  // A swizzle moves whole rows.
  EXPECT_TRUE(matricesAt(offsets({1, 2, 4, 8 ^ 16, 16 ^ 32, 32}), 2));
  // Out of order, inside a row, or only with a register that stands inside one.
  EXPECT_FALSE(matricesAt(offsets({1, 4, 2, 8, 16, 32}), 2));
  EXPECT_FALSE(matricesAt(offsets({1, 2, 4, 8 ^ 1, 16, 32}), 2));
  EXPECT_FALSE(matricesAt(offsets({1, 64 ^ 2, 2, 4, 8, 16, 32}), 2));
  // Any other register is a matrix, or one more instruction.
  std::optional<MatrixAccess> four = matricesAt(offsets({1, 64, 128, 256, 2, 4, 8, 16, 32}), 2);
  ASSERT_TRUE(four);
  EXPECT_EQ(four->matrixBits, (std::vector<unsigned>{1, 2}));
  EXPECT_EQ(four->lanes, (std::vector<uint64_t>{8, 16, 32, 64, 128}));
}
