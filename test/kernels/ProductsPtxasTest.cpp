// Every matrix kernel in its default config, given to NVIDIA's assembler for every architecture that has its
// products: no warning, no spill. Registers are what these kernels have least of.
#include "compiler/target/Target.h"
#include "test/Assembler.h"
#include "test/kernels/BundledKernels.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::test;

namespace {

/// f16 where the kernel takes it, else its first type.
std::string halvesOf(const BundledKernel &kernel) {
  const std::vector<std::string> types = wordsOf(kernel.types);
  return std::ranges::find(types, "fp16") == types.end() ? types.front() : "fp16";
}

class ProductsPtxas : public ::testing::TestWithParam<BundledKernel> {};

} // namespace

TEST_P(ProductsPtxas, NoWarningAndNoSpill) {
  std::string tool = findAssembler();
  if (tool.empty())
    GTEST_SKIP() << "no ptxas on this machine";
  const BundledKernel &kernel = GetParam();
  for (const Target &target : allTargets()) {
    if (!kernel.compilesFor(target))
      continue;
    // Without matrix units for bf16 threads multiply by themselves, and attention's tiles are for units.
    const std::string type =
        target.wideMatrices || kernel.fp8 ? wordsOf(kernel.types).front() : halvesOf(kernel);
    CompileResult result = compileBundled(kernel, type, target);
    ASSERT_TRUE(result.image);
    Assembled assembled =
        assemble(tool, result.image->ptx, target, "3", std::string("products_") + kernel.name);
    EXPECT_EQ(assembled.status, 0) << assembled.text;
    EXPECT_FALSE(assembled.warns()) << assembled.text;
    EXPECT_FALSE(assembled.spills()) << target.name << "\n" << assembled.text;
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, ProductsPtxas, ::testing::ValuesIn(matrixKernels()),
                         [](const auto &info) { return std::string(info.param.name); });
