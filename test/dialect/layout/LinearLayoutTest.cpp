// The worked example, validation and text of LinearLayout.
#include "dialect/layout/LinearLayout.h"
#include "dialect/layout/F2.h"

#include <gtest/gtest.h>

using namespace tegula;

static LinearLayout worked() {
  std::vector<InputBases> ins = {{Dim::Register, {{0, 1}}}, {Dim::Lane, {{0, 2}, {1, 0}, {2, 0}}}};
  std::vector<OutputSize> outs = {{Dim::Dim0, 4}, {Dim::Dim1, 4}};
  std::string error;
  std::optional<LinearLayout> layout = LinearLayout::tryCreate(ins, outs, &error);
  EXPECT_TRUE(layout) << error;
  return layout.value_or(LinearLayout());
}

TEST(Dim, NamesRoundTrip) {
  for (unsigned i = 0; i <= unsigned(tensorDim(MaxTensorRank - 1)); ++i)
    EXPECT_EQ(parseDim(dimName(Dim(i))), Dim(i));
  EXPECT_EQ(dimName(Dim::Register), "register");
  EXPECT_EQ(dimName(tensorDim(3)), "dim3");
  EXPECT_FALSE(parseDim("dim32"));
  EXPECT_FALSE(parseDim(""));
  EXPECT_TRUE(isTensorDim(Dim::Dim0));
  EXPECT_FALSE(isTensorDim(Dim::Offset));
  EXPECT_EQ(tensorDimIndex(Dim::Dim5), 5u);
}

TEST(LinearLayout, WorkedExampleOfTheHeader) {
  LinearLayout layout = worked();
  std::vector<Coord> expected = {{Dim::Dim0, 2}, {Dim::Dim1, 3}};
  EXPECT_EQ(layout.apply({{Dim::Lane, 5}, {Dim::Register, 1}}), expected);
  EXPECT_EQ(layout.toString(), "{register = [[0, 1]], lane = [[0, 2], [1, 0], [2, 0]]} : [4, 4]");
  EXPECT_TRUE(layout.isInvertible());
  EXPECT_EQ(layout.basis(Dim::Lane, 2, Dim::Dim0), 2);
  EXPECT_EQ(layout.column(Dim::Lane, 2), 0b10u);
  EXPECT_EQ(layout.column(Dim::Register, 0), 0b100u);
}

TEST(LinearLayout, TextNamesOtherOutputs) {
  EXPECT_EQ(LinearLayout::identity1D(4, Dim::Register, Dim::Offset).toString(),
            "{register = [[1], [2]]} : [offset = 4]");
  EXPECT_EQ(LinearLayout::zeros1D(1, Dim::Block, Dim::Dim0, 8).toString(), "{block = []} : [8]");
  EXPECT_EQ(LinearLayout().toString(), "{} : []");
}

TEST(LinearLayout, OneDimensionalFactories) {
  LinearLayout strided = LinearLayout::strided1D(4, 8, Dim::Lane, Dim::Dim0);
  EXPECT_EQ(strided.outSize(Dim::Dim0), 32);
  for (int32_t i = 0; i < 4; ++i)
    EXPECT_EQ(strided.apply({{Dim::Lane, i}})[0].value, 8 * i);
  LinearLayout zeros = LinearLayout::zeros1D(8, Dim::Lane, Dim::Dim0, 2);
  for (int32_t i = 0; i < 8; ++i)
    EXPECT_EQ(zeros.apply({{Dim::Lane, i}})[0].value, 0);
  EXPECT_EQ(zeros.outSize(Dim::Dim0), 2);
  EXPECT_EQ(LinearLayout::identity1D(1, Dim::Lane, Dim::Dim0),
            LinearLayout::zeros1D(1, Dim::Lane, Dim::Dim0));
}

static std::string refusal(std::vector<InputBases> ins, std::vector<OutputSize> outs) {
  std::string error;
  EXPECT_FALSE(LinearLayout::tryCreate(ins, outs, &error));
  EXPECT_FALSE(LinearLayout::tryCreate(ins, outs));
  return error;
}

TEST(LinearLayout, TryCreateExplainsEveryRefusal) {
  EXPECT_EQ(refusal({}, {{Dim::Dim0, 4}, {Dim::Dim0, 4}}), "output axis `dim0` is listed twice");
  EXPECT_EQ(refusal({}, {{Dim::Dim0, 3}}),
            "expected the size of output axis `dim0` to be a power of two, found 3");
  EXPECT_EQ(refusal({}, {{Dim::Dim0, 0}}),
            "expected the size of output axis `dim0` to be a power of two, found 0");
  EXPECT_EQ(refusal({}, {{Dim::Dim1, INT32_MIN}}),
            "expected the size of output axis `dim1` to be a power of two, found -2147483648");
  EXPECT_EQ(refusal({}, {{Dim::Dim0, 1 << 30}, {Dim::Dim1, 2}}), "expected at most 30 output bits, found 31");
  EXPECT_EQ(refusal({{Dim::Lane, std::vector<std::vector<int32_t>>(31, {0})}}, {{Dim::Dim0, 2}}),
            "expected at most 30 input bits, found 31");
  EXPECT_EQ(refusal({{Dim::Lane, {}}, {Dim::Lane, {}}}, {}), "input axis `lane` is listed twice");
  EXPECT_EQ(refusal({{Dim::Lane, {{1}}}}, {{Dim::Dim0, 2}, {Dim::Dim1, 2}}),
            "expected basis 0 of `lane` to have 2 coordinates, found 1");
  EXPECT_EQ(refusal({{Dim::Warp, {{1}, {4}}}}, {{Dim::Dim0, 4}}),
            "expected basis 1 of `warp` to be in [0, 4) along `dim0`, found 4");
  EXPECT_EQ(refusal({{Dim::Warp, {{-1}}}}, {{Dim::Dim0, 4}}),
            "expected basis 0 of `warp` to be in [0, 4) along `dim0`, found -1");
}

TEST(LinearLayout, EqualityAndHashSeeAxesOrderSizesAndBases) {
  LinearLayout layout = worked();
  EXPECT_EQ(layout, worked());
  EXPECT_EQ(layout.hash(), worked().hash());
  std::vector<Dim> swapped = {Dim::Lane, Dim::Register};
  EXPECT_NE(layout, layout.transposeIns(swapped));
  EXPECT_NE(layout.hash(), layout.transposeIns(swapped).hash());
  EXPECT_NE(layout, layout.resizeOut(Dim::Dim0, 8));
  EXPECT_NE(layout, layout.resizeIn(Dim::Warp, 1));
  EXPECT_NE(LinearLayout::identity1D(2, Dim::Lane, Dim::Dim0),
            LinearLayout::zeros1D(2, Dim::Lane, Dim::Dim0, 2));
}

TEST(LinearLayout, PreferredPlacesStayWhereTheyAre) {
  // Both hold the same vector in all 4 lanes of a group: nothing should move between them, although
  // lane 0 would do as the source for all four.
  LinearLayout repeated = LinearLayout::identity1D(2, Dim::Register, Dim::Dim0) *
                          LinearLayout::zeros1D(4, Dim::Lane, Dim::Dim0) *
                          LinearLayout::identity1D(4, Dim::Warp, Dim::Dim0);
  std::optional<LinearLayout> conversion = invertAndCompose(repeated, repeated);
  ASSERT_TRUE(conversion);
  for (uint64_t place = 0; place < uint64_t(1) << repeated.totalInBits(); ++place)
    EXPECT_EQ(conversion->applyPacked(place), place);
}

TEST(LinearLayout, PseudoInverseUsesTheBitThatAloneReachesAnOutput) {
  // Register 0 reaches 3 = 0b11 but lanes reach 1 and 2 alone; the sum with the register would do too.
  LinearLayout layout =
      LinearLayout::fromColumns({{Dim::Register, 1}, {Dim::Lane, 2}}, {{Dim::Dim0, 2}}, {3, 1, 2});
  std::optional<LinearLayout> inverse = layout.pseudoInvert();
  ASSERT_TRUE(inverse);
  EXPECT_EQ(inverse->toString(), "{dim0 = [[0, 1], [0, 2]]} : [register = 2, lane = 4]");
}

TEST(F2, SolvesByIndependentColumnsInOrderOfEntry) {
  F2Echelon echelon;
  EXPECT_TRUE(echelon.insert(0b011, 0));
  EXPECT_TRUE(echelon.insert(0b110, 1));
  EXPECT_FALSE(echelon.insert(0b101, 2));
  EXPECT_FALSE(echelon.insert(0, 3));
  EXPECT_EQ(echelon.rank(), 2u);
  EXPECT_EQ(echelon.solve(0b101), uint64_t(0b11));
  EXPECT_EQ(echelon.solve(0), uint64_t(0));
  EXPECT_FALSE(echelon.solve(0b111));
  std::vector<uint64_t> full(64);
  for (unsigned i = 0; i < 64; ++i)
    full[i] = uint64_t(1) << i | 1;
  EXPECT_EQ(rankOf(full), 64u);
}
