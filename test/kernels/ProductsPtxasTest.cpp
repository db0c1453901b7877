// Every matrix kernel and config, given to NVIDIA's assembler for every architecture that has its products:
// no warning, no spill. Registers are what these kernels have least of.
#include "compiler/target/Target.h"
#include "test/Assembler.h"
#include "test/kernels/BundledKernels.h"

#include <algorithm>
#include <string_view>

using namespace tegula;
using namespace tegula::test;

namespace {

/// f16 where the kernel takes it, else its first type.
std::string halvesOf(const BundledKernel &kernel) {
  const std::vector<std::string> types = wordsOf(kernel.types);
  return std::ranges::find(types, "fp16") == types.end() ? types.front() : "fp16";
}

/// A config that a kernel's `suited` leaves out where each warp multiplies by itself: there up to 36 bytes of
/// it spill, on one architecture or another. `test_suited_configs.py` holds that these are left out.
struct LeftOut {
  std::string_view kernel;
  size_t config;
};

constexpr LeftOut LeftOutConfigs[] = {
    {"attention_128", 6}, {"attention_128_causal", 6}, {"backward_kv_128", 2}, {"backward_kv_128_causal", 2}};

bool isLeftOut(const BundledKernel &kernel, size_t config, const Target &target) {
  return !target.warpgroupMma && std::ranges::any_of(LeftOutConfigs, [&](const LeftOut &left) {
    return left.kernel == kernel.name && left.config == config;
  });
}

/// Compiles and assembles one config for `target`, and expects neither warnings nor spills. Tuning passes
/// over one that needs more shared memory than `target` has.
void check(const std::string &tool, const BundledKernel &kernel, size_t config, const Target &target) {
  if (!kernel.compilesFor(target) || isLeftOut(kernel, config, target))
    return;
  // Without matrix units for bf16 threads multiply by themselves, and attention's tiles are for units.
  const std::string type =
      target.wideMatrices || kernel.fp8 ? wordsOf(kernel.types).front() : halvesOf(kernel);
  CompileResult result = compileBundled(kernel, type, target, config);
  if (config != 0 && lacksResource(result))
    return;
  ASSERT_TRUE(result.image);
  Assembled assembled =
      assemble(tool, result.image->ptx, target, "3", std::string("products_") + kernel.name);
  EXPECT_EQ(assembled.status, 0) << assembled.text;
  EXPECT_FALSE(assembled.warns()) << assembled.text;
  EXPECT_FALSE(assembled.spills()) << target.name << ", config " << config << "\n" << assembled.text;
}

/// The architectures for which configs are made: on sm_75 only the first is.
std::vector<const Target *> targetsOfConfigs() {
  std::vector<const Target *> targets;
  for (const Target &target : allTargets())
    if (target.wideMatrices)
      targets.push_back(&target);
  return targets;
}

class ProductsPtxas : public ::testing::TestWithParam<BundledKernel> {
protected:
  void SetUp() override {
    if (tool.empty())
      GTEST_SKIP() << "no ptxas on this machine";
  }
  const std::string tool = findAssembler();
};

} // namespace

TEST_P(ProductsPtxas, DefaultConfig) {
  for (const Target &target : allTargets())
    check(tool, GetParam(), 0, target);
}

/// Each config on two architectures, by turns: all of them are three minutes' work for a core.
TEST_P(ProductsPtxas, OtherConfigs) {
  const std::vector<const Target *> targets = targetsOfConfigs();
  const size_t half = targets.size() / 2;
  for (size_t config = 1, count = configCount(GetParam(), *targets.front()); config < count; ++config)
    for (size_t turn : {config, config + half})
      check(tool, GetParam(), config, *targets[turn % targets.size()]);
}

/// All of them, on request: `--gtest_also_run_disabled_tests`.
TEST_P(ProductsPtxas, DISABLED_EveryConfig) {
  for (const Target *target : targetsOfConfigs())
    for (size_t config = 1, count = configCount(GetParam(), *target); config < count; ++config)
      check(tool, GetParam(), config, *target);
}

INSTANTIATE_TEST_SUITE_P(Kernels, ProductsPtxas, ::testing::ValuesIn(matrixKernels()),
                         [](const auto &info) { return std::string(info.param.name); });
