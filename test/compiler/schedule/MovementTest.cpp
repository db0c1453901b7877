// How far elements travel, for layouts where it is plain to see.
#include "compiler/schedule/Movement.h"

#include "dialect/layout/Fragments.h"
#include "dialect/layout/Layouts.h"

#include <gtest/gtest.h>

#include <vector>

using namespace tegula;

using Sides = std::vector<int32_t>;

static LinearLayout rows(int32_t perThread, Sides lanes, Sides warps, std::vector<unsigned> order) {
  return blocked(Sides{16, 64}, Sides{1, perThread}, lanes, warps, order);
}

TEST(Movement, RegistersLanesAndWarps) {
  std::vector<unsigned> rowMajor{1, 0}, columnMajor{0, 1};
  LinearLayout a = rows(2, {1, 32}, {4, 1}, rowMajor);
  EXPECT_EQ(movementBetween(a, a), Movement::Registers);
  // The same lanes in another order.
  EXPECT_EQ(movementBetween(a, rows(1, {1, 32}, {4, 1}, rowMajor)), Movement::Lanes);
  EXPECT_EQ(movementBetween(a, rows(2, {1, 32}, {1, 4}, rowMajor)), Movement::Warps);
  EXPECT_EQ(movementBetween(a, rows(2, {4, 8}, {1, 4}, columnMajor)), Movement::Warps);
}

TEST(Movement, SumsAreTheNextDotsOperandAsTheyLie) {
  // Attention: 16-bit operands have the fragments of the sums, 8-bit ones do not.
  WarpGrid warps{1, 4, 1};
  LinearLayout sums = matrixResult(Sides{64, 64}, {16, 8, 16}, warps);
  EXPECT_EQ(movementBetween(sums, matrixOperand(0, Sides{64, 64}, {16, 8, 16}, warps, 2)),
            Movement::Registers);
  EXPECT_EQ(movementBetween(sums, matrixOperand(0, Sides{64, 64}, {16, 8, 32}, warps, 1)), Movement::Lanes);
  // Warps side by side need each other's columns.
  WarpGrid wide{1, 2, 2};
  EXPECT_EQ(movementBetween(matrixResult(Sides{64, 64}, {16, 8, 16}, wide),
                            matrixOperand(0, Sides{64, 64}, {16, 8, 16}, wide, 2)),
            Movement::Warps);
}

TEST(Movement, WhoHasACopyHasItsOwn) {
  // Both warps hold all; afterwards each needs half.
  WarpGrid warps{1, 1, 2};
  LinearLayout copies = matrixOperand(0, Sides{32, 32}, {16, 8, 16}, warps, 2);
  EXPECT_EQ(movementBetween(copies, matrixOperand(0, Sides{32, 32}, {16, 8, 16}, {1, 2, 1}, 2)),
            Movement::Registers);
}
