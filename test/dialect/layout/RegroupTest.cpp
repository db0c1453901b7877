// Operations that read the same map otherwise, over random layouts.
#include "dialect/layout/LinearLayout.h"
#include "test/dialect/layout/RandomLayout.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace tegula;
using namespace tegula::testing;

static constexpr unsigned Rounds = 2000;

static LinearLayout some(std::mt19937_64 &random) {
  return randomLayout(random, randomDims(random, hardwareDims(), 3), randomDims(random, tensorDims2(), 3));
}

static int32_t at(const std::vector<Coord> &position, Dim dim) {
  return std::find_if(position.begin(), position.end(), [&](const Coord &c) { return c.dim == dim; })->value;
}

TEST(LayoutRegroup, TransposedAxesMeanTheSame) {
  std::mt19937_64 random(20);
  std::vector<Dim> inOrder = hardwareDims(), outOrder = tensorDims2();
  for (unsigned round = 0; round < Rounds; ++round) {
    LinearLayout layout = some(random);
    std::shuffle(inOrder.begin(), inOrder.end(), random);
    std::shuffle(outOrder.begin(), outOrder.end(), random);
    LinearLayout other = layout.transposeIns(inOrder).transposeOuts(outOrder);
    std::vector<Coord> x = layout.unpackIn(random() % (uint64_t(1) << layout.totalInBits()));
    std::vector<Coord> y = layout.apply(x), otherY = other.apply(x);
    for (size_t i = 0; i < 2; ++i)
      EXPECT_EQ(otherY[i], (Coord{outOrder[i], at(y, outOrder[i])}));
    EXPECT_EQ(other.transposeIns(hardwareDims()).transposeOuts(tensorDims2()), layout);
  }
}

TEST(LayoutRegroup, ReshapeKeepsPackedPositionsWithTheFirstAxisFastest) {
  std::mt19937_64 random(21);
  for (unsigned round = 0; round < Rounds; ++round) {
    LinearLayout layout = some(random);
    LinearLayout flat = layout.reshapeIns({{Dim::Offset, layout.totalInBits()}}).reshapeOuts({{Dim::Dim0, layout.totalOutBits()}});
    uint64_t place = random() % (uint64_t(1) << layout.totalInBits());
    std::vector<Coord> y = layout.unpackOut(layout.applyPacked(place));
    int32_t expected = y[0].value + (y[1].value << layout.outBits(Dim::Dim0));
    EXPECT_EQ(flat.apply({{Dim::Offset, int32_t(place)}})[0].value, expected);
    EXPECT_EQ(flat.reshapeIns(layout.ins()).reshapeOuts(layout.outs()), layout);
  }
}

TEST(LayoutRegroup, SublayoutFixesInputsAndForgetsOutputs) {
  std::mt19937_64 random(22);
  std::vector<Dim> ins = {Dim::Warp, Dim::Register}, outs = {Dim::Dim1};
  for (unsigned round = 0; round < Rounds; ++round) {
    LinearLayout layout = some(random), part = layout.sublayout(ins, outs);
    std::vector<Coord> x = part.unpackIn(random() % (uint64_t(1) << part.totalInBits()));
    EXPECT_EQ(part.apply(x)[0].value, at(layout.apply(x), Dim::Dim1));
  }
}

TEST(LayoutRegroup, RemovingZeroBasesLosesNothing) {
  std::mt19937_64 random(23);
  for (unsigned round = 0; round < Rounds; ++round) {
    LinearLayout layout = some(random), fewer = layout.removeZeroBases(Dim::Register);
    EXPECT_EQ(fewer.freeVariableMask(Dim::Register), 0);
    EXPECT_EQ(fewer.rank(), layout.rank());
    EXPECT_EQ(int(fewer.inBits(Dim::Register)),
              int(layout.inBits(Dim::Register)) -
                  std::popcount(uint32_t(layout.freeVariableMask(Dim::Register))));
    EXPECT_EQ(fewer.inBits(Dim::Lane), layout.inBits(Dim::Lane));
    EXPECT_EQ(fewer.removeZeroBases(Dim::Register), fewer);
  }
}

TEST(LayoutRegroup, ResizeCutsOrLengthens) {
  std::mt19937_64 random(24);
  for (unsigned round = 0; round < Rounds; ++round) {
    LinearLayout layout = some(random);
    int32_t size = 1 << pick(random, 5);
    LinearLayout in = layout.resizeIn(Dim::Lane, size), out = layout.resizeOut(Dim::Dim0, size);
    EXPECT_EQ(in.inSize(Dim::Lane), size);
    EXPECT_EQ(out.outSize(Dim::Dim0), size);
    std::vector<Coord> x = in.unpackIn(random() % (uint64_t(1) << in.totalInBits())), cut = x;
    cut[1].value &= layout.inSize(Dim::Lane) - 1;
    EXPECT_EQ(in.apply(x), layout.apply(cut));
    std::vector<Coord> wrapped = layout.apply(cut);
    wrapped[0].value &= size - 1;
    EXPECT_EQ(out.apply(cut), wrapped);
  }
  LinearLayout appended =
      LinearLayout::identity1D(4, Dim::Lane, Dim::Dim0).resizeIn(Dim::Warp, 2).resizeOut(Dim::Dim1, 1);
  EXPECT_EQ(appended.toString(), "{lane = [[1, 0], [2, 0]], warp = [[0, 0]]} : [4, 1]");
}

TEST(LayoutRegroup, RenamingChangesOnlyTheName) {
  LinearLayout layout = LinearLayout::identity1D(4, Dim::Lane, Dim::Dim0);
  EXPECT_EQ(layout.renameOut(Dim::Dim0, Dim::Offset), LinearLayout::identity1D(4, Dim::Lane, Dim::Offset));
}
