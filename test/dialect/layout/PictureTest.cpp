#include "dialect/layout/Picture.h"
#include "dialect/layout/Layouts.h"

#include <gtest/gtest.h>

using namespace tegula;
using Sides = std::vector<int32_t>;

TEST(Picture, OfTheWorkedExample) {
  LinearLayout layout =
      blocked(Sides{4, 4}, Sides{1, 2}, Sides{4, 2}, Sides{1, 1}, std::vector<unsigned>{1, 0});
  EXPECT_EQ(picture(layout), "T0:0 T0:1 T1:0 T1:1\n"
                             "T2:0 T2:1 T3:0 T3:1\n"
                             "T4:0 T4:1 T5:0 T5:1\n"
                             "T6:0 T6:1 T7:0 T7:1\n");
}

TEST(Picture, MarksSharedAndUnheldElements) {
  LinearLayout layout = blocked(Sides{2}, Sides{1}, Sides{4}, Sides{1}, std::vector<unsigned>{0});
  EXPECT_EQ(picture(layout), "T0:0+ T1:0+\n");
  EXPECT_EQ(picture(layout.resizeOut(Dim::Dim0, 4)), "T0:0+ T1:0+ -     -\n");
}

TEST(Picture, CountsThreadsThroughWarpsAndCutsLargeTables) {
  LinearLayout layout =
      blocked(Sides{4, 4}, Sides{1, 1}, Sides{1, 4}, Sides{4, 1}, std::vector<unsigned>{1, 0});
  EXPECT_EQ(picture(layout, 2, 3), "T0:0 T1:0 T2:0 ...\nT4:0 T5:0 T6:0 ...\n...\n");
}

TEST(Picture, ShowsOffsetsOfMemory) {
  LinearLayout swizzled =
      LinearLayout::fromColumns({{Dim::Offset, 2}}, {{Dim::Dim0, 1}, {Dim::Dim1, 1}}, {0b10, 0b11});
  EXPECT_EQ(picture(swizzled), "0 1\n3 2\n");
}

TEST(Picture, SaysWhyThereIsNone) {
  LinearLayout cube =
      blocked(Sides{2, 2, 2}, Sides{1, 1, 1}, Sides{2, 2, 2}, Sides{1, 1, 1}, std::vector<unsigned>{2, 1, 0});
  EXPECT_EQ(picture(cube), "no picture: more than two axes\n");
  EXPECT_EQ(picture(LinearLayout::zeros1D(1 << 25, Dim::Register, Dim::Dim0)),
            "no picture: more than 2^24 places\n");
}
