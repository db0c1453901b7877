#include "dialect/tile/Tile.h"

#include "dialect/layout/Layouts.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tegula;
using namespace tegula::tile;

namespace {

struct Types : testing::Test {
  Types() { context.loadDialect<TileDialect>(); }
  MLIRContext context;
  Builder b{&context};
};

TEST_F(Types, PointersStepByWholeBytes) {
  EXPECT_EQ(PtrType::get(b.getI1Type()).getPointeeBytes(), 1u);
  EXPECT_EQ(PtrType::get(b.getI8Type()).getPointeeBytes(), 1u);
  EXPECT_EQ(PtrType::get(b.getBF16Type()).getPointeeBytes(), 2u);
  EXPECT_EQ(PtrType::get(b.getF64Type()).getPointeeBytes(), 8u);
  EXPECT_EQ(PtrType::get(PtrType::get(b.getI8Type())).getPointeeBytes(), 8u);
}

TEST_F(Types, ShapesAreStaticSmallPowersOfTwo) {
  auto shaped = [&](std::initializer_list<int64_t> shape) {
    return hasTileShape(RankedTensorType::get(shape, b.getF32Type()));
  };
  EXPECT_TRUE(shaped({1}));
  EXPECT_TRUE(shaped({16, 32}));
  EXPECT_TRUE(shaped({MaxTensorElements}));
  EXPECT_FALSE(shaped({}));
  EXPECT_FALSE(shaped({0}));
  EXPECT_FALSE(shaped({12}));
  EXPECT_FALSE(shaped({MaxTensorElements, 2}));
  EXPECT_FALSE(shaped({ShapedType::kDynamic}));
  EXPECT_FALSE(shaped({MaxTensorElements, MaxTensorElements, MaxTensorElements, MaxTensorElements}));
  EXPECT_FALSE(hasTileShape(UnrankedTensorType::get(b.getF32Type())));
}

TEST_F(Types, ElementTypesAreReplacedWithoutTouchingTheRest) {
  LinearLayout layout = blocked(std::vector<int32_t>{64}, std::vector<int32_t>{2}, std::vector<int32_t>{32},
                                std::vector<int32_t>{4}, std::vector<unsigned>{0});
  auto attr = LayoutAttr::get(&context, layout);
  auto pointers = RankedTensorType::get({64}, PtrType::get(b.getF16Type()), attr);
  EXPECT_EQ(layoutOf(pointers), attr);
  EXPECT_EQ(layoutOf(b.getF32Type()), LayoutAttr());
  EXPECT_EQ(pointeeOf(pointers), b.getF16Type());
  EXPECT_EQ(elementTypeOf(b.getF16Type()), b.getF16Type());
  EXPECT_EQ(withElementType(pointers, b.getI1Type()), RankedTensorType::get({64}, b.getI1Type(), attr));
  EXPECT_EQ(withElementType(b.getF16Type(), b.getI1Type()), b.getI1Type());
}

TEST_F(Types, EqualMapsOfThreadsAreOneAttribute) {
  LinearLayout lanes = LinearLayout::identity1D(32, Dim::Lane, Dim::Dim0);
  LinearLayout registers = LinearLayout::identity1D(4, Dim::Register, Dim::Dim0);
  LinearLayout full = blocked(std::vector<int32_t>{128}, std::vector<int32_t>{4}, std::vector<int32_t>{32},
                              std::vector<int32_t>{1}, std::vector<unsigned>{0});
  LinearLayout shuffled = (registers * lanes).transposeIns(std::vector<Dim>{Dim::Lane, Dim::Register});
  EXPECT_EQ(LayoutAttr::get(&context, full), LayoutAttr::get(&context, registers * lanes));
  EXPECT_EQ(LayoutAttr::get(&context, full), LayoutAttr::get(&context, shuffled));
  EXPECT_NE(LayoutAttr::get(&context, full), LayoutAttr::get(&context, lanes * registers));
}

TEST_F(Types, MapsOfMemoryStayAsTheyAre) {
  LinearLayout memory = LinearLayout::identity1D(32, Dim::Offset, Dim::Dim0);
  EXPECT_EQ(LayoutAttr::get(&context, memory).getLayout(), memory);
}

} // namespace
