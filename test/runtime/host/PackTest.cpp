#include "runtime/host/Pack.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace tegula;
using namespace tegula::runtime;

namespace {

KernelImage image(std::vector<KernelParam> params, uint32_t bytes) {
  KernelImage image;
  image.entry = "k";
  image.params = std::move(params);
  image.paramBytes = bytes;
  return image;
}

TEST(Pack, FillsTheBlockByName) {
  // The manifest names its parameters in its own order, and leaves out what was bound.
  const KernelImage kernel = image({{"p", "*fp32", ParamKind::Pointer, 8, 0},
                                    {"h", "fp16", ParamKind::Float, 2, 8},
                                    {"flag", "i1", ParamKind::Integer, 1, 10},
                                    {"n", "i32", ParamKind::Integer, 4, 12},
                                    {"d", "fp64", ParamKind::Float, 8, 16}},
                                   24);
  const std::string names[] = {"n", "bound", "p", "d", "flag", "h"};
  auto steps = planPacking(kernel, names);
  ASSERT_TRUE(steps) << steps.error().text;
  const HostValue args[] = {HostValue::integer(-5),
                            HostValue::none(),
                            HostValue::pointer(0x1234567890, ScalarKind::Float32),
                            HostValue::floating(2.5),
                            HostValue::boolean(true),
                            HostValue::floating(1.0)};
  std::byte block[24] = {};
  pack(*steps, args, block);
  uint64_t address;
  uint16_t half;
  int32_t n;
  double d;
  std::memcpy(&address, block, 8);
  std::memcpy(&half, block + 8, 2);
  std::memcpy(&n, block + 12, 4);
  std::memcpy(&d, block + 16, 8);
  EXPECT_EQ(address, 0x1234567890u);
  EXPECT_EQ(half, 0x3c00);
  EXPECT_EQ(block[10], std::byte(1));
  EXPECT_EQ(block[11], std::byte(0));
  EXPECT_EQ(n, -5);
  EXPECT_EQ(d, 2.5);
}

void expectMisfit(KernelParam param, uint32_t bytes) {
  const std::string names[] = {"n"};
  const std::string name = param.name;
  auto steps = planPacking(image({std::move(param)}, bytes), names);
  ASSERT_FALSE(steps);
  EXPECT_EQ(steps.error().kind, runtime::ErrorKind::Driver);
  EXPECT_EQ(steps.error().text, "the manifest of `k` does not fit its arguments at `" + name + "`");
}

TEST(Pack, ManifestsThatDoNotFit) {
  expectMisfit({"m", "i32", ParamKind::Integer, 4, 0}, 4); // no such argument
  expectMisfit({"n", "i33", ParamKind::Integer, 4, 0}, 4); // no such type
  expectMisfit({"n", "i32", ParamKind::Integer, 8, 0}, 8); // another size
  expectMisfit({"n", "i32", ParamKind::Integer, 4, 4}, 4); // outside the block
  auto huge = planPacking(image({}, 100000), {});
  ASSERT_FALSE(huge);
  EXPECT_EQ(huge.error().text, "expected at most 4352 bytes of parameters for `k`, found 100000");
}

} // namespace
