// `allocate-shared` gives a thousand random kernels the shared memory that their plans say they need.
#include "test/compiler/schedule/SharedOutcome.h"
#include "test/random/Differential.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

using namespace tegula;
using namespace tegula::random;

namespace {

constexpr uint64_t kernelsOfAKind = 250;

class SharedMemoryLaw : public testing::TestWithParam<Kind> {};

} // namespace

TEST_P(SharedMemoryLaw, PlannedIsAllocated) {
  Compiler compiler;
  Features features;
  features.kind = GetParam();
  uint64_t shared = 0, inexact = 0;
  for (uint64_t seed = 0; seed < kernelsOfAKind; ++seed) {
    const char *target = std::array{"sm_90a", "sm_80", "sm_100a"}[seed % 3];
    const RandomKernel kernel = randomKernel(seed, features);
    const std::string text = textOfStage(compiler, kernel, tegula::Stage::Distributed, {.target = target});
    const std::optional<test::SharedOutcome> outcome = test::sharedOutcomeOf(text);
    if (!outcome)
      continue; // a type that the target has no products of
    shared += outcome->needed > 0;
    inexact += outcome->predicted != outcome->needed;
    const std::optional<std::string> broken = test::brokenBy(*outcome, /*mostSurplus=*/outcome->needed);
    EXPECT_FALSE(broken) << "seed " << seed << ", " << target << ": " << *broken;
  }
  EXPECT_GT(shared, kernelsOfAKind / 8);
  // Dots whose operands cannot be cut read them whole: their buffers are free earlier than planned.
  EXPECT_LT(inexact, kernelsOfAKind / 20);
}

INSTANTIATE_TEST_SUITE_P(Kinds, SharedMemoryLaw,
                         testing::Values(Kind::Dots, Kind::NormalDots, Kind::Tiles, Kind::Arrays));
