// Boxes cut out of tensors in registers, against their definition.
#include "dialect/layout/Parts.h"
#include "dialect/layout/Fragments.h"
#include "dialect/layout/Layouts.h"

#include <gtest/gtest.h>

using namespace tegula;

using Sides = std::vector<int32_t>;

/// Expects that each thread finds every element of its part of the box at `offsets` in the register named.
static void expectPart(const LinearLayout &whole, const LinearLayout &part, const Sides &offsets) {
  auto registers = registersOfPart(whole, part, offsets);
  ASSERT_TRUE(registers);
  ASSERT_EQ(registers->size(), size_t(part.inSize(Dim::Register)));
  for (int32_t reg = 0; reg < part.inSize(Dim::Register); ++reg)
    for (int32_t lane = 0; lane < part.inSize(Dim::Lane); ++lane)
      for (int32_t warp = 0; warp < part.inSize(Dim::Warp); ++warp) {
        std::vector<Coord> here = part.apply({{Dim::Register, reg}, {Dim::Lane, lane}, {Dim::Warp, warp}});
        std::vector<Coord> there = whole.apply(
            {{Dim::Register, int32_t((*registers)[size_t(reg)])}, {Dim::Lane, lane}, {Dim::Warp, warp}});
        for (size_t axis = 0; axis < offsets.size(); ++axis)
          ASSERT_EQ(here[axis].value + offsets[axis], there[axis].value) << "register " << reg;
      }
}

TEST(Parts, OperandsOfMatrixUnitsAreCutAlongK) {
  MatrixShape instruction{16, 8, 16};
  for (WarpGrid warps : {WarpGrid{1, 1, 1}, WarpGrid{1, 2, 2}, WarpGrid{1, 4, 1}, WarpGrid{1, 1, 8}})
    for (int32_t k : {16, 32, 64}) {
      LinearLayout a = matrixOperand(0, Sides{128, k}, instruction, warps, 2);
      LinearLayout b = matrixOperand(1, Sides{k, 64}, instruction, warps, 2);
      auto partA = partLayout(a, Sides{128, 16}), partB = partLayout(b, Sides{16, 64});
      ASSERT_TRUE(partA && partB);
      EXPECT_EQ(*partA, matrixOperand(0, Sides{128, 16}, instruction, warps, 2));
      EXPECT_EQ(*partB, matrixOperand(1, Sides{16, 64}, instruction, warps, 2));
      for (int32_t offset = 0; offset < k; offset += 16) {
        expectPart(a, *partA, {0, offset});
        expectPart(b, *partB, {offset, 0});
      }
    }
}

TEST(Parts, BatchesKeepTheirAxis) {
  LinearLayout a = matrixOperand(0, Sides{4, 16, 32}, {16, 8, 16}, WarpGrid{2, 1, 1}, 2);
  auto part = partLayout(a, Sides{4, 16, 16});
  ASSERT_TRUE(part);
  expectPart(a, *part, {0, 0, 0});
  expectPart(a, *part, {0, 0, 16});
}

TEST(Parts, WhatOtherThreadsHoldIsNoPart) {
  // Lanes side by side along the axis that is cut: half of them would have nothing.
  LinearLayout rows =
      blocked(Sides{4, 64}, Sides{1, 2}, Sides{1, 32}, Sides{2, 1}, std::vector<unsigned>{1, 0});
  EXPECT_FALSE(partLayout(rows, Sides{4, 16}));
  EXPECT_TRUE(partLayout(rows, Sides{2, 64}));
  EXPECT_FALSE(partLayout(rows, Sides{1, 64}));
  // Threads that hold other elements than the part's layout says.
  LinearLayout other =
      blocked(Sides{2, 64}, Sides{1, 1}, Sides{1, 32}, Sides{2, 1}, std::vector<unsigned>{1, 0});
  EXPECT_FALSE(registersOfPart(rows, other, Sides{0, 0}));
}

TEST(Parts, ARegisterThatCrossesTheEdgeAtAnAngleBelongsToNoBox) {
  auto skewed = LinearLayout::fromColumns({{Dim::Register, 2}, {Dim::Lane, 0}, {Dim::Warp, 0}},
                                          {{Dim::Dim0, 2}}, {1, 3});
  EXPECT_FALSE(partLayout(skewed, Sides{2}));
}
