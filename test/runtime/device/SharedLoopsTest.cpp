// When a launch asks that the blocks of a cluster share a loop, and by how many.
#include "runtime/device/SharedLoops.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>

using namespace tegula;
using namespace tegula::runtime;

namespace {

/// A kernel whose loop has ceil(n / 64) iterations, n being its one argument, an i32.
KernelImage image() {
  KernelImage image;
  addParam(image, {"n", "i32", ParamKind::Integer, 4});
  image.splits = SplitLoop{{1, 0}, 64};
  return image;
}

uint32_t blocks(Grid programs, int32_t n, uint32_t multiprocessors = 132,
                const KernelImage &kernel = image()) {
  DeviceProperties device;
  device.multiprocessors = multiprocessors;
  return blocksToShareLoop(kernel, programs, std::as_bytes(std::span(&n, 1)), device);
}

TEST(BlocksToShareLoop, AsManyAsThereIsRoomFor) {
  EXPECT_EQ(blocks({1, 1, 1}, 1 << 20), 8u);
  EXPECT_EQ(blocks({4, 2, 2}, 1 << 20), 8u); // 128 of 132
  EXPECT_EQ(blocks({17, 1, 1}, 1 << 20), 4u);
  EXPECT_EQ(blocks({33, 1, 1}, 1 << 20), 4u);
  EXPECT_EQ(blocks({34, 1, 1}, 1 << 20), 2u);
  EXPECT_EQ(blocks({66, 1, 1}, 1 << 20), 2u);
  EXPECT_EQ(blocks({67, 1, 1}, 1 << 20), 1u);
  EXPECT_EQ(blocks({65536, 65535, 65535}, 1 << 20), 1u);
  EXPECT_EQ(blocks({1, 1, 1}, 1 << 20, 4), 4u);
  EXPECT_EQ(blocks({1, 1, 1}, 1 << 20, 1), 1u);
  EXPECT_EQ(blocks({0, 1, 1}, 1 << 20), 1u);
}

TEST(BlocksToShareLoop, EachHasSomeIterations) {
  EXPECT_EQ(blocks({1, 1, 1}, 32 * 64), 8u);
  EXPECT_EQ(blocks({1, 1, 1}, 31 * 64), 4u);
  EXPECT_EQ(blocks({1, 1, 1}, 30 * 64 + 1), 4u);
  EXPECT_EQ(blocks({1, 1, 1}, 31 * 64 + 1), 8u); // the last one is not whole
  EXPECT_EQ(blocks({1, 1, 1}, 16 * 64), 4u);
  EXPECT_EQ(blocks({1, 1, 1}, 15 * 64), 1u); // two would save eight
  EXPECT_EQ(blocks({40, 1, 1}, 20 * 64), 2u);
  EXPECT_EQ(blocks({40, 1, 1}, 18 * 64), 1u);
  EXPECT_EQ(blocks({1, 1, 1}, 0), 1u);
  EXPECT_EQ(blocks({1, 1, 1}, -1), 1u);
  EXPECT_EQ(blocks({1, 1, 1}, std::numeric_limits<int32_t>::max()), 8u);
  EXPECT_EQ(blocks({1, 1, 1}, std::numeric_limits<int32_t>::min()), 1u);
}

TEST(BlocksToShareLoop, WhereTheKernelHasSuchALoop) {
  KernelImage none = image();
  none.splits.reset();
  EXPECT_EQ(blocks({1, 1, 1}, 1 << 20, 132, none), 1u);
  KernelImage known = image();
  known.splits = SplitLoop{{4096, std::nullopt}, 128};
  EXPECT_EQ(blocks({1, 1, 1}, 0, 132, known), 8u);
}

} // namespace
