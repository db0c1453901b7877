// Every bundled kernel, for every architecture and several element types: the emulator knows all instructions
// of its PTX. LLVM picks others for newer architectures than the one that other tests run.
#include "runtime/emulator/EmulatorDevice.h"
#include "test/kernels/BundledKernels.h"

using namespace tegula;
using namespace tegula::test;

namespace {

class EveryTarget : public ::testing::TestWithParam<BundledKernel> {};

std::vector<BundledKernel> allKernels() {
  std::vector<BundledKernel> all(rowKernels().begin(), rowKernels().end());
  all.insert(all.end(), matrixKernels().begin(), matrixKernels().end());
  return all;
}

} // namespace

TEST_P(EveryTarget, LoadsInTheEmulator) {
  const BundledKernel &kernel = GetParam();
  for (const Target &target : allTargets()) {
    if (!kernel.compilesFor(target))
      continue;
    runtime::EmulatorOptions options;
    options.arch = target.name;
    runtime::EmulatorDevice device(options);
    for (const std::string &type : wordsOf(kernel.types)) {
      CompileResult result = compileBundled(kernel, type, target);
      if (!result.image)
        continue;
      auto loaded = device.load(*result.image);
      EXPECT_TRUE(bool(loaded)) << type << " " << target.name << ": " << loaded.error().text;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, EveryTarget, ::testing::ValuesIn(allKernels()),
                         [](const auto &info) { return std::string(info.param.name); });
