// When a launch asks that the blocks of a cluster share a loop, and by how many.
#include "runtime/device/SharedLoops.h"

#include <gtest/gtest.h>

#include <array>
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
  EXPECT_EQ(blocks({17, 1, 1}, 1 << 20), 7u);
  EXPECT_EQ(blocks({19, 1, 1}, 1 << 20), 6u);
  EXPECT_EQ(blocks({26, 1, 1}, 1 << 20), 5u);
  EXPECT_EQ(blocks({33, 1, 1}, 1 << 20), 4u);
  EXPECT_EQ(blocks({34, 1, 1}, 1 << 20), 3u);
  EXPECT_EQ(blocks({45, 1, 1}, 1 << 20), 2u);
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

/// A kernel of which so many clusters of 2, 3, ... 8 blocks run at once.
class Resident final : public LoadedKernel {
public:
  explicit Resident(std::array<uint32_t, 7> clusters) : LoadedKernel(KernelImage()), clusters(clusters) {}
  uint32_t residentClusters(uint32_t blocks) const override { return clusters.at(blocks - 2); }

private:
  std::array<uint32_t, 7> clusters;
};

TEST(PartToShare, AsManyBlocksToAClusterThatAllClustersRunAtOnce) {
  // 18 multiprocessors in each of six parts of the device, 16 in one and 8 in another.
  const Resident h200({66, 43, 30, 22, 21, 15, 15}), silent({}), roomy({99, 99, 99, 99, 99, 99, 99});
  const auto blocks = [](const LoadedKernel &form, Grid programs, int32_t n = 1 << 20) {
    DeviceProperties device;
    device.multiprocessors = 132;
    return partToShare(image(), programs, std::as_bytes(std::span(&n, 1)), device, /*asked=*/1, &form).blocks;
  };
  EXPECT_EQ(blocks(h200, {15, 1, 1}), 8u);
  EXPECT_EQ(blocks(h200, {16, 1, 1}), 6u); // of eight they are 128 blocks, but in two rounds
  EXPECT_EQ(blocks(h200, {4, 2, 2}), 6u);
  EXPECT_EQ(blocks(h200, {22, 1, 1}), 5u);
  EXPECT_EQ(blocks(h200, {30, 1, 1}), 4u);
  EXPECT_EQ(blocks(h200, {31, 1, 1}), 3u);
  EXPECT_EQ(blocks(h200, {44, 1, 1}), 2u);
  EXPECT_EQ(blocks(h200, {16, 1, 1}, 25 * 64), 5u); // five of 5 as six
  EXPECT_EQ(blocks(silent, {16, 1, 1}), 8u);
  EXPECT_EQ(blocks(roomy, {17, 1, 1}), 7u) << "a second block of a multiprocessor gains nothing";
}

TEST(PartToShare, NoMoreBlocksThanMakeTheLongestPartShorter) {
  for (uint64_t iterations = 0; iterations < 300; ++iterations)
    for (uint32_t most = 1; most <= 8; ++most) {
      const uint32_t found = blocks({132 / most, 1, 1}, int32_t(iterations * 64));
      const auto longest = [&](uint32_t blocks) { return (iterations + blocks - 1) / blocks; };
      if (found == 1)
        continue;
      EXPECT_LE(found, most);
      EXPECT_GE(iterations, 4 * found);
      EXPECT_GE(iterations - longest(found), 10u);
      EXPECT_GT(longest(found - 1), longest(found)) << iterations << " " << found;
      EXPECT_GT(iterations, (found - 1) * longest(found)) << "the last block has some";
    }
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
  EXPECT_EQ(blocks({1, 1, 1}, 33 * 64), 7u); // 5 each, as eight would have
  EXPECT_EQ(blocks({1, 1, 1}, 31 * 64), 7u);
  EXPECT_EQ(blocks({1, 1, 1}, 30 * 64 + 1), 7u);
  EXPECT_EQ(blocks({1, 1, 1}, 31 * 64 + 1), 8u); // the last one is not whole
  EXPECT_EQ(blocks({1, 1, 1}, 16 * 64), 4u);
  EXPECT_EQ(blocks({1, 1, 1}, 15 * 64), 3u);
  EXPECT_EQ(blocks({1, 1, 1}, 14 * 64), 1u); // three would save nine
  EXPECT_EQ(blocks({45, 1, 1}, 20 * 64), 2u);
  EXPECT_EQ(blocks({45, 1, 1}, 19 * 64), 1u); // the longer half is of ten
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
  EXPECT_EQ(part({288, 1, 1}, persistent), P(24, 5));
  EXPECT_EQ(part({264, 1, 1}, persistent), P(0, 1)) << "nothing is left";
  EXPECT_EQ(part({265, 1, 1}, persistent), P(1, 8));
  EXPECT_EQ(part({330, 1, 1}, persistent), P(66, 2));
  EXPECT_EQ(part({331, 1, 1}, persistent), P(0, 1)) << "67 fill more than half of the device";
  EXPECT_EQ(part({131, 1, 1}, persistent), P(0, 1)) << "all run at once";
  EXPECT_EQ(part({66, 1, 1}, persistent), P(66, 2)) << "so few are shared as a whole";
  EXPECT_EQ(part({144, 2, 1}, persistent), P(0, 1)) << "numbers go on along x";
  n = 40 * 64;
  EXPECT_EQ(part({330, 1, 1}, persistent), P(66, 2)) << "a half saves 20";
  n = 39 * 64;
  EXPECT_EQ(part({330, 1, 1}, persistent), P(0, 1)) << "the longer half is of 20";
  KernelImage two = persistent;
  two.blocksPerMultiprocessor = 2;
  n = 47 * 64;
  EXPECT_EQ(part({288, 1, 1}, two), P(24, 5));
  EXPECT_EQ(part({265, 1, 1}, two), P(1, 8));
  KernelImage other = persistent;
  other.splits->isIndependent = false;
  EXPECT_EQ(part({288, 1, 1}, other), P(0, 1));
  other = persistent;
  other.blocksPerMultiprocessor = 0;
  EXPECT_EQ(part({288, 1, 1}, other), P(0, 1));
}

} // namespace
