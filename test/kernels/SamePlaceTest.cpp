// Kernels whose threads load what others of the program store, through one parameter: the values are those of
// the program's order whatever the schedule, and the emulator sees no race.
#include "runtime/api/tegula.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

using namespace tegula;

namespace {

/// The device that TEGULA_DEVICE names, else the emulator under five random schedules.
const Device &device() {
  static const Device opened = Device::open(std::getenv("TEGULA_DEVICE") ? "" : "emulator:5");
  return opened;
}

Kernel kernelOf(const char *name) {
  static const Program program = Program::load(std::string(TEGULA_TEST_INPUTS) + "/same_place.py");
  return program.kernel(name);
}

class SamePlace : public ::testing::TestWithParam<int> {
protected:
  Kernel kernel(const char *name) { return kernelOf(name).numWarps(GetParam()); }
};

constexpr int Block = 256;

std::vector<int32_t> upTo(int count) {
  std::vector<int32_t> values(static_cast<size_t>(count));
  std::iota(values.begin(), values.end(), 0);
  return values;
}

} // namespace

TEST_P(SamePlace, AScalarIsLoadedAndStoredRoundALoop) {
  Array<int32_t> x(device(), std::vector<int32_t>{5});
  kernel("counter").launch(device(), 1, x, 10);
  EXPECT_EQ(x.download().front(), 15);
}

TEST_P(SamePlace, AScalarIsStoredInABranch) {
  Array<int32_t> x(device(), std::vector<int32_t>{5}), o(device(), std::vector<int32_t>{0});
  kernel("branched").launch(device(), 1, x, o, 1);
  EXPECT_EQ(x.download().front(), 6);
  EXPECT_EQ(o.download().front(), 5);
}

TEST_P(SamePlace, ElementsAreTurnedInPlace) {
  std::vector<int32_t> values = upTo(Block), turned(values.rbegin(), values.rend());
  Array<int32_t> x(device(), values), o(device(), std::vector<int32_t>(Block, 0));
  kernel("swap").constexpr_("B", Block).launch(device(), 1, x, o);
  EXPECT_EQ(x.download(), turned);
  EXPECT_EQ(o.download(), values);
}

TEST_P(SamePlace, ElementsAreLoadedAsOthersStoredThem) {
  Array<int32_t> x(device(), std::vector<int32_t>(Block, -1)), o(device(), std::vector<int32_t>(Block, -1));
  kernel("turn").constexpr_("B", Block).launch(device(), 1, x, o);
  std::vector<int32_t> found = o.download();
  for (int i = 0; i < Block; ++i)
    ASSERT_EQ(found[size_t(i)], 2 * (Block - 1 - i));
}

TEST_P(SamePlace, EachIterationLoadsWhatTheOneBeforeStored) {
  constexpr int Steps = 5;
  Array<int32_t> x(device(), upTo(Block + Steps));
  kernel("shift").constexpr_("B", Block).launch(device(), 1, x, Steps);
  std::vector<int32_t> expected = upTo(Block + Steps);
  for (int k = 0; k < Steps; ++k) {
    std::vector<int32_t> before = expected;
    for (auto from = before.begin() + k, to = expected.begin() + k + 1; from != before.begin() + k + Block;)
      *to++ = *from++ + 1;
  }
  EXPECT_EQ(x.download(), expected);
}

TEST_P(SamePlace, AtomicsAreDoneBeforeWhatLoadsTheirSums) {
  Array<int32_t> x(device(), std::vector<int32_t>(32, 0)), o(device(), std::vector<int32_t>(Block, 0));
  kernel("count").constexpr_("B", Block).launch(device(), 1, x, o);
  EXPECT_EQ(o.download(), std::vector<int32_t>(Block, Block / 32));
}

INSTANTIATE_TEST_SUITE_P(Warps, SamePlace, ::testing::Values(4, 8));

// Different parameters are taken for different arrays. Where they are not, the emulator says so.
TEST(SamePlaceByTwoNames, IsARace) {
  if (std::getenv("TEGULA_DEVICE"))
    GTEST_SKIP() << "only the emulator looks for races";
  Array<int32_t> x(device(), std::vector<int32_t>(2 * Block, -1));
  try {
    kernelOf("aliased").constexpr_("B", Block).numWarps(4).launch(device(), 1, x, x);
    FAIL() << "expected a race";
  } catch (const Error &error) {
    EXPECT_NE(std::string(error.what()).find("race on the global byte"), std::string::npos) << error.what();
  }
}
