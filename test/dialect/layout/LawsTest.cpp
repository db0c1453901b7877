// The post-conditions of LinearLayout.h over random layouts.
#include "dialect/layout/LinearLayout.h"
#include "test/dialect/layout/RandomLayout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

using namespace tegula;
using namespace tegula::testing;

static constexpr unsigned Rounds = 3000;

static uint64_t places(const LinearLayout &layout) { return uint64_t(1) << layout.totalInBits(); }

static std::set<uint64_t> imageOf(const LinearLayout &layout) {
  std::set<uint64_t> image;
  for (uint64_t x = 0; x < places(layout); ++x)
    image.insert(layout.applyPacked(x));
  return image;
}

/// The part of `position` on `dim`, which must be listed.
static int32_t at(const std::vector<Coord> &position, Dim dim) {
  for (const Coord &coord : position)
    if (coord.dim == dim)
      return coord.value;
  ADD_FAILURE() << "axis missing: " << dimName(dim);
  return -1;
}

TEST(LayoutLaws, ApplicationIsLinearAndAgreesWithBases) {
  std::mt19937_64 random(1);
  for (unsigned round = 0; round < Rounds; ++round) {
    LinearLayout layout =
        randomLayout(random, randomDims(random, hardwareDims(), 3), randomDims(random, tensorDims2(), 3));
    uint64_t x = random() % places(layout), y = random() % places(layout);
    EXPECT_EQ(layout.applyPacked(x ^ y), layout.applyPacked(x) ^ layout.applyPacked(y));
    EXPECT_EQ(layout.packIn(layout.unpackIn(x)), x);
    std::vector<Coord> position = layout.unpackIn(x), result = layout.apply(position);
    for (const DimBits &out : layout.outs()) {
      int32_t expected = 0;
      for (const Coord &coord : position)
        for (unsigned bit = 0; bit < layout.inBits(coord.dim); ++bit)
          if (coord.value >> bit & 1)
            expected ^= layout.basis(coord.dim, bit, out.dim);
      EXPECT_EQ(at(result, out.dim), expected);
    }
  }
}

TEST(LayoutLaws, RankCountsTheImage) {
  std::mt19937_64 random(2);
  for (unsigned round = 0; round < Rounds; ++round) {
    LinearLayout layout =
        randomLayout(random, randomDims(random, hardwareDims(), 3), randomDims(random, tensorDims2(), 3));
    size_t image = imageOf(layout).size();
    EXPECT_EQ(image, size_t(1) << layout.rank());
    EXPECT_EQ(layout.isInjective(), image == places(layout));
    EXPECT_EQ(layout.isSurjective(), image == size_t(1) << layout.totalOutBits());
    EXPECT_EQ(layout.isInvertible(), layout.isInjective() && layout.isSurjective());
  }
}

TEST(LayoutLaws, FreeBitsByBruteForce) {
  std::mt19937_64 random(3);
  for (unsigned round = 0; round < 1000; ++round) {
    LinearLayout layout =
        randomLayout(random, randomDims(random, hardwareDims(), 3), randomDims(random, tensorDims2(), 3));
    for (const DimBits &in : layout.ins())
      for (unsigned bit = 0; bit < in.bits; ++bit) {
        uint64_t flip = layout.packIn(std::vector<Coord>{{in.dim, int32_t(1) << bit}});
        bool affects = false;
        for (uint64_t x = 0; x < places(layout); ++x)
          affects |= layout.applyPacked(x) != layout.applyPacked(x ^ flip);
        EXPECT_EQ((layout.freeVariableMask(in.dim) >> bit & 1) == 0, affects);
      }
  }
}

TEST(LayoutLaws, ComposeIsApplicationInTurnAndAssociative) {
  std::mt19937_64 random(4);
  for (unsigned round = 0; round < Rounds; ++round) {
    std::vector<DimBits> middle = randomDims(random, tensorDims2(), 3);
    std::vector<DimBits> reordered(middle.rbegin(), middle.rend());
    for (DimBits &dim : reordered)
      dim.bits += pick(random, 2); // the next map may be longer than what arrives
    std::vector<DimBits> third = randomDims(random, {Dim::Offset, Dim::Block}, 4);
    LinearLayout a = randomLayout(random, randomDims(random, hardwareDims(), 3), middle);
    LinearLayout b = randomLayout(random, reordered, third);
    LinearLayout c = randomLayout(random, third, randomDims(random, {Dim::Dim2, Dim::Dim3}, 3));
    EXPECT_EQ(a.compose(b).compose(c), a.compose(b.compose(c)));
    uint64_t x = random() % places(a);
    EXPECT_EQ(a.compose(b).unpackOut(a.compose(b).applyPacked(x)), b.apply(a.unpackOut(a.applyPacked(x))));
  }
}

TEST(LayoutLaws, InverseUndoesBothWays) {
  std::mt19937_64 random(5);
  for (unsigned round = 0; round < Rounds; ++round) {
    std::vector<DimBits> ins = randomDims(random, hardwareDims(), 4);
    unsigned bits = bitsIn(ins), low = bits ? pick(random, bits) : 0;
    LinearLayout layout = randomInvertible(random, ins, {{Dim::Dim0, low}, {Dim::Dim1, bits - low}});
    std::optional<LinearLayout> inverse = layout.invert();
    ASSERT_TRUE(inverse);
    for (uint64_t x = 0; x < places(layout); ++x) {
      EXPECT_EQ(inverse->applyPacked(layout.applyPacked(x)), x);
      EXPECT_EQ(layout.applyPacked(inverse->applyPacked(x)), x);
    }
    EXPECT_EQ(inverse->invert(), layout);
    EXPECT_EQ(*layout.pseudoInvert(), *inverse);
  }
}

TEST(LayoutLaws, InverseExistsExactlyWhereItShould) {
  std::mt19937_64 random(6);
  for (unsigned round = 0; round < Rounds; ++round) {
    LinearLayout layout =
        randomLayout(random, randomDims(random, hardwareDims(), 3), randomDims(random, tensorDims2(), 2));
    EXPECT_EQ(layout.invert().has_value(), layout.isInvertible());
    EXPECT_EQ(layout.pseudoInvert().has_value(), layout.isSurjective());
  }
}

TEST(LayoutLaws, PseudoInverseIsARightInverseOfLeastWeight) {
  std::mt19937_64 random(7);
  unsigned surjective = 0;
  for (unsigned round = 0; round < Rounds; ++round) {
    LinearLayout layout =
        randomLayout(random, randomDims(random, hardwareDims(), 4), randomDims(random, tensorDims2(), 2));
    std::optional<LinearLayout> inverse = layout.pseudoInvert();
    if (!inverse)
      continue;
    ++surjective;
    std::span<const uint64_t> columns = layout.allColumns();
    for (uint64_t y = 0; y < uint64_t(1) << layout.totalOutBits(); ++y)
      EXPECT_EQ(layout.applyPacked(inverse->applyPacked(y)), y);
    for (unsigned bit = 0; bit < layout.totalOutBits(); ++bit) {
      auto alone = std::find(columns.begin(), columns.end(), uint64_t(1) << bit);
      if (alone != columns.end())
        EXPECT_EQ(inverse->allColumns()[bit], uint64_t(1) << (alone - columns.begin()));
    }
  }
  EXPECT_GT(surjective, Rounds / 4);
}

TEST(LayoutLaws, InvertAndComposeFindsTheSameElement) {
  std::mt19937_64 random(8);
  unsigned found = 0;
  for (unsigned round = 0; round < Rounds; ++round) {
    std::vector<DimBits> outs = randomDims(random, tensorDims2(), 2), reversed(outs.rbegin(), outs.rend());
    LinearLayout a = randomLayout(random, randomDims(random, hardwareDims(), 3), outs);
    LinearLayout b = randomLayout(random, randomDims(random, hardwareDims(), 3), reversed);
    std::optional<LinearLayout> conversion = invertAndCompose(a, b);
    std::vector<Dim> order = {reversed[0].dim, reversed[1].dim};
    LinearLayout sameOuts = a.transposeOuts(order);
    std::set<uint64_t> has = imageOf(b), wants = imageOf(sameOuts);
    ASSERT_EQ(conversion.has_value(), std::includes(has.begin(), has.end(), wants.begin(), wants.end()));
    if (!conversion)
      continue;
    ++found;
    EXPECT_EQ(conversion->ins(), a.ins());
    EXPECT_EQ(conversion->outs(), b.ins());
    EXPECT_EQ(conversion->compose(b), sameOuts);
    for (const DimBits &in : a.ins())
      for (unsigned bit = 0; bit < std::min(in.bits, b.inBits(in.dim)); ++bit)
        if (sameOuts.column(in.dim, bit) == b.column(in.dim, bit))
          for (const DimBits &other : b.ins())
            EXPECT_EQ(conversion->basis(in.dim, bit, other.dim), other.dim == in.dim ? 1 << bit : 0);
  }
  EXPECT_GT(found, Rounds / 4);
}

TEST(LayoutLaws, ProductPutsTheFirstBelowTheSecond) {
  std::mt19937_64 random(9);
  for (unsigned round = 0; round < Rounds; ++round) {
    LinearLayout a = randomLayout(random, randomDims(random, {Dim::Register, Dim::Lane}, 3),
                                  randomDims(random, tensorDims2(), 3));
    LinearLayout b = randomLayout(random, randomDims(random, {Dim::Warp, Dim::Lane}, 3),
                                  randomDims(random, {Dim::Dim1, Dim::Dim2}, 3));
    LinearLayout product = a * b;
    std::vector<Coord> xa = a.unpackIn(random() % places(a)), xb = b.unpackIn(random() % places(b)), x;
    for (const DimBits &in : product.ins()) {
      int32_t low = a.hasIn(in.dim) ? at(xa, in.dim) : 0, high = b.hasIn(in.dim) ? at(xb, in.dim) : 0;
      x.push_back({in.dim, low + (high << a.inBits(in.dim))});
    }
    std::vector<Coord> ya = a.apply(xa), yb = b.apply(xb), y = product.apply(x);
    ASSERT_EQ(y.size(), 3u);
    for (const DimBits &out : product.outs()) {
      int32_t low = a.hasOut(out.dim) ? at(ya, out.dim) : 0, high = b.hasOut(out.dim) ? at(yb, out.dim) : 0;
      EXPECT_EQ(at(y, out.dim), low + (high << a.outBits(out.dim)));
    }
  }
}

TEST(LayoutLaws, ProductIsAssociativeWithAUnit) {
  std::mt19937_64 random(10);
  for (unsigned round = 0; round < Rounds; ++round) {
    LinearLayout a = randomLayout(random, randomDims(random, {Dim::Register, Dim::Lane}, 2),
                                  randomDims(random, {Dim::Dim0}, 3));
    LinearLayout b = randomLayout(random, randomDims(random, {Dim::Lane, Dim::Warp}, 2),
                                  randomDims(random, tensorDims2(), 2));
    LinearLayout c = randomLayout(random, randomDims(random, hardwareDims(), 2),
                                  randomDims(random, {Dim::Dim1, Dim::Dim0}, 2));
    EXPECT_EQ((a * b) * c, a * (b * c));
    EXPECT_EQ(a * LinearLayout(), a);
    EXPECT_EQ(LinearLayout() * a, a);
  }
}

TEST(LayoutLaws, QuotientRemovesExactlyIdentities) {
  std::mt19937_64 random(13);
  std::vector<Dim> block = {Dim::Block};
  for (unsigned round = 0; round < Rounds; ++round) {
    LinearLayout rest =
        randomLayout(random, randomDims(random, hardwareDims(), 2), randomDims(random, tensorDims2(), 2));
    LinearLayout whole = LinearLayout::identity1D(1 << pick(random, 3), Dim::Block, Dim::Block) * rest;
    EXPECT_EQ(whole.quotient(block), rest);
    if (whole.inBits(Dim::Block) == 0 || rest.totalInBits() == 0)
      continue;
    std::vector<uint64_t> columns(whole.allColumns().begin(), whole.allColumns().end());
    columns.back() ^= 1; // something else now moves along the block axis
    EXPECT_FALSE(LinearLayout::fromColumns(whole.ins(), whole.outs(), columns).quotient(block));
  }
  EXPECT_FALSE(LinearLayout::identity1D(2, Dim::Lane, Dim::Dim0).quotient(block));
}
