// When a launch asks that the blocks of a cluster share a loop, and by how many.
#include "runtime/device/SharedLoops.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <utility>

using namespace tegula;
using namespace tegula::runtime;

namespace {

/// A kernel whose loop has ceil(n / 64) iterations, n being its one argument, an i32.
KernelImage image() {
  KernelImage image;
  addParam(image, {"n", "i32", ParamKind::Integer, 4});
  image.splits = SplitLoop{{1, 0}, 64};
  addImplicitMap(image, {}); // loads by TMA
  return image;
}

uint32_t blocks(Grid programs, int32_t n, uint32_t multiprocessors = 132,
                const KernelImage &kernel = image()) {
  DeviceProperties device;
  device.multiprocessors = multiprocessors;
  const SharedPart part = partToShare(kernel, programs, std::as_bytes(std::span(&n, 1)), device);
  EXPECT_EQ(part.programs, part.blocks > 1 ? programs.x : 0);
  return part.blocks;
}

TEST(PartToShare, AsManyAsThereIsRoomFor) {
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

TEST(PartToShare, AsManyAsAreAskedFor) {
  const int32_t n = 64;
  DeviceProperties device;
  device.multiprocessors = 132;
  const SharedPart part =
      partToShare(image(), {500, 2, 1}, std::as_bytes(std::span(&n, 1)), device, /*asked=*/4);
  EXPECT_EQ(part.programs, 500u);
  EXPECT_EQ(part.blocks, 4u);
  KernelImage plain = image();
  plain.splits.reset();
  EXPECT_EQ(partToShare(plain, {1, 1, 1}, std::as_bytes(std::span(&n, 1)), device, 4).programs, 0u);
}

/// A kernel of which so many clusters run at once, by the logarithm of their blocks.
class Resident final : public LoadedKernel {
public:
  explicit Resident(std::array<uint32_t, 4> clusters) : LoadedKernel(KernelImage()), clusters(clusters) {}
  uint32_t residentClusters(uint32_t blocks) const override { return clusters[std::countr_zero(blocks)]; }

private:
  std::array<uint32_t, 4> clusters;
};

TEST(AtOnce, AsManyBlocksToAClusterThatAllClustersRunAtOnce) {
  const Resident h200({132, 66, 30, 15}), silent({0, 0, 0, 0});
  const auto blocks = [](const LoadedKernel &form, Grid programs, uint32_t blocks) {
    return atOnce({programs.x, blocks}, programs, form).blocks;
  };
  EXPECT_EQ(blocks(h200, {15, 1, 1}, 8), 8u);
  EXPECT_EQ(blocks(h200, {16, 1, 1}, 8), 4u); // 128 blocks, but in two rounds
  EXPECT_EQ(blocks(h200, {4, 2, 2}, 8), 4u);
  EXPECT_EQ(blocks(h200, {31, 1, 1}, 4), 2u);
  EXPECT_EQ(blocks(h200, {67, 1, 1}, 2), 1u);
  EXPECT_EQ(blocks(silent, {16, 1, 1}, 8), 8u);
}

TEST(PartToShare, TwoBlocksOfAMultiprocessorWhereThreadsCopy) {
  KernelImage byThreads = image();
  byThreads.implicit.clear();
  EXPECT_EQ(blocks({33, 1, 1}, 1 << 20, 132, byThreads), 8u);
  EXPECT_EQ(blocks({132, 1, 1}, 1 << 20, 132, byThreads), 2u);
  EXPECT_EQ(blocks({133, 1, 1}, 1 << 20, 132, byThreads), 1u);
  KernelImage large = byThreads;
  large.sharedBytes = 113 * 1024;
  EXPECT_EQ(blocks({132, 1, 1}, 1 << 20, 132, large), 1u);
  KernelImage wide = byThreads;
  wide.numWarps = 8;
  EXPECT_EQ(blocks({132, 1, 1}, 1 << 20, 132, wide), 1u);
}

TEST(PartToShare, EachHasSomeIterations) {
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

TEST(PartToShare, WhereTheKernelHasSuchALoop) {
  KernelImage none = image();
  none.splits.reset();
  EXPECT_EQ(blocks({1, 1, 1}, 1 << 20, 132, none), 1u);
  KernelImage known = image();
  known.splits = SplitLoop{{4096, std::nullopt}, 128};
  EXPECT_EQ(blocks({1, 1, 1}, 0, 132, known), 8u);
}

TEST(PartToShare, WhatAPersistentKernelHasLeft) {
  KernelImage persistent = image();
  persistent.blocksPerMultiprocessor = 1;
  persistent.splits->isIndependent = true;
  DeviceProperties device;
  device.multiprocessors = 132;
  int32_t n = 47 * 64;
  const auto part = [&](Grid programs, const KernelImage &kernel) {
    const SharedPart found = partToShare(kernel, programs, std::as_bytes(std::span(&n, 1)), device);
    return std::pair(found.programs, found.blocks);
  };
  using P = std::pair<uint32_t, uint32_t>;
  EXPECT_EQ(part({288, 1, 1}, persistent), P(24, 4));
  EXPECT_EQ(part({264, 1, 1}, persistent), P(0, 1)) << "nothing is left";
  EXPECT_EQ(part({265, 1, 1}, persistent), P(1, 8));
  EXPECT_EQ(part({330, 1, 1}, persistent), P(66, 2));
  EXPECT_EQ(part({331, 1, 1}, persistent), P(0, 1)) << "67 fill more than half of the device";
  EXPECT_EQ(part({131, 1, 1}, persistent), P(0, 1)) << "all run at once";
  EXPECT_EQ(part({66, 1, 1}, persistent), P(66, 2)) << "so few are shared as a whole";
  EXPECT_EQ(part({144, 2, 1}, persistent), P(0, 1)) << "numbers go on along x";
  n = 39 * 64;
  EXPECT_EQ(part({330, 1, 1}, persistent), P(66, 2)) << "of 39 a half saves 20";
  n = 38 * 64;
  EXPECT_EQ(part({330, 1, 1}, persistent), P(0, 1));
  KernelImage two = persistent;
  two.blocksPerMultiprocessor = 2;
  n = 47 * 64;
  EXPECT_EQ(part({288, 1, 1}, two), P(24, 4));
  EXPECT_EQ(part({265, 1, 1}, two), P(1, 8));
  KernelImage other = persistent;
  other.splits->isIndependent = false;
  EXPECT_EQ(part({288, 1, 1}, other), P(0, 1));
  other = persistent;
  other.blocksPerMultiprocessor = 0;
  EXPECT_EQ(part({288, 1, 1}, other), P(0, 1));
}

} // namespace
