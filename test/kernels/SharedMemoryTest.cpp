// `allocate-shared` gives every bundled kernel the shared memory that its plan says it needs.
#include "test/compiler/schedule/SharedOutcome.h"
#include "test/kernels/BundledKernels.h"

using namespace tegula;
using namespace tegula::test;

namespace {

class SharedMemoryLaw : public ::testing::TestWithParam<BundledKernel> {};

std::vector<BundledKernel> allKernels() {
  std::vector<BundledKernel> all(rowKernels().begin(), rowKernels().end());
  all.insert(all.end(), matrixKernels().begin(), matrixKernels().end());
  return all;
}

} // namespace

TEST_P(SharedMemoryLaw, PlannedIsAllocated) {
  const BundledKernel &kernel = GetParam();
  for (const char *name : {"sm_90a", "sm_80", "sm_100a"}) {
    const Target &target = *lookupTarget(name);
    if (!kernel.compilesFor(target))
      continue;
    for (const std::string &type : wordsOf(kernel.types))
      for (size_t config = 0; config < configCount(kernel, target); ++config) {
        CompileResult result =
            compileBundled(kernel, type, target, config, {.emit = {tegula::Stage::Distributed}});
        const std::optional<SharedOutcome> outcome =
            sharedOutcomeOf(result.stageText[tegula::Stage::Distributed]);
        ASSERT_TRUE(outcome) << type << " " << name << " config " << config;
        EXPECT_TRUE(outcome->allocated > 0 || outcome->needed == 0);
        const std::optional<std::string> broken = brokenBy(*outcome, /*mostSurplus=*/0);
        EXPECT_FALSE(broken) << type << " " << name << " config " << config << ": " << *broken;
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, SharedMemoryLaw, ::testing::ValuesIn(allKernels()),
                         [](const auto &info) { return std::string(info.param.name); });
