// Programs that a persistent kernel has left over: clusters share their loops, in a launch of their own.
#include "runtime/emulator/EmulatorDevice.h"
#include "runtime/jit/launch/Jit.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

using namespace tegula;
using namespace tegula::jit;

namespace {

constexpr uint32_t Rows = 5 * 128, Columns = 256, Depth = 40 * 64;

/// Whole numbers from -3 to 3, whose products and sums bf16 and fp32 hold.
std::vector<uint16_t> matrix(uint32_t rows, uint32_t columns, uint32_t step) {
  std::vector<uint16_t> values(size_t(rows) * columns);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = uint16_t(std::bit_cast<uint32_t>(float(int(i * step / 7 % 7) - 3)) >> 16);
  return values;
}

float valueOf(uint16_t bits) { return std::bit_cast<float>(uint32_t(bits) << 16); }

/// A product of five tiles on a device of two multiprocessors, where each has one at a time.
struct Product {
  explicit Product(std::set<Feature> without) {
    JitKernel::Options options;
    options.numWarps = 8;
    options.numStages = 4;
    options.without = std::move(without);
    options.constexprs = {{"BLOCK_M", BoundValue{int64_t(128)}},
                          {"BLOCK_N", BoundValue{int64_t(256)}},
                          {"BLOCK_K", BoundValue{int64_t(64)}},
                          {"GROUP_M", BoundValue{int64_t(2)}},
                          {"bias_ptr", BoundValue{}}};
    auto program = JitProgram::load(TEGULA_SOURCE_DIR "/kernels/matmul.py");
    EXPECT_TRUE(program);
    auto info = (*program)->source().find("matmul_grouped_kernel");
    EXPECT_TRUE(info) << info.error().text;
    auto kernel = JitKernel::create(*program, **info, std::move(options));
    EXPECT_TRUE(kernel) << kernel.error().text;
    const auto upload = [&](const std::vector<uint16_t> &values) {
      const runtime::DeviceAddress address = *device->allocate(values.size() * 2);
      EXPECT_TRUE(device->copyToDevice(address, values.data(), values.size() * 2));
      return HostValue::pointer(address, ScalarKind::BFloat16);
    };
    const HostValue c = upload(std::vector<uint16_t>(size_t(Rows) * Columns));
    const std::vector<HostValue> args = {upload(a),
                                         upload(b),
                                         c,
                                         HostValue::integer(Rows),
                                         HostValue::integer(Columns),
                                         HostValue::integer(Depth),
                                         HostValue::integer(Depth),
                                         HostValue::integer(1),
                                         HostValue::integer(Columns),
                                         HostValue::integer(1),
                                         HostValue::integer(Columns),
                                         HostValue::integer(1)};
    const auto launched = (*kernel)->launch(device, {5, 1, 1}, args);
    EXPECT_TRUE(launched) << launched.error().text;
    found.resize(size_t(Rows) * Columns);
    EXPECT_TRUE(device->copyToHost(found.data(), c.bits, found.size() * 2));
  }

  static std::shared_ptr<runtime::EmulatorDevice> smallDevice() {
    runtime::EmulatorOptions options;
    options.multiprocessors = 2;
    return std::make_shared<runtime::EmulatorDevice>(options);
  }

  const std::vector<uint16_t> a = matrix(Rows, Depth, 3), b = matrix(Depth, Columns, 5);
  std::shared_ptr<runtime::EmulatorDevice> device = smallDevice();
  std::vector<uint16_t> found;
};

TEST(SplitLoops, TheLastProgramsOfAPersistentKernelAreShared) {
  const Product shared({}), whole({Feature::Split});
  EXPECT_EQ(shared.device->report().launches, 2u);
  // A cluster of two; of the two blocks of the rest the emulator starts half, so that it takes several
  // programs.
  EXPECT_EQ(shared.device->report().blocks, 2u + 1u);
  EXPECT_EQ(whole.device->report().launches, 1u);
  // All sums are exact, in any order.
  EXPECT_EQ(shared.found, whole.found);
  for (uint32_t row = 0; row < Rows; row += 37)
    for (uint32_t column = 0; column < Columns; column += 29) {
      double sum = 0;
      for (uint32_t k = 0; k < Depth; ++k)
        sum += double(valueOf(shared.a[size_t(row) * Depth + k])) *
               valueOf(shared.b[size_t(k) * Columns + column]);
      EXPECT_NEAR(valueOf(shared.found[size_t(row) * Columns + column]), sum, std::abs(sum) / 256 + 0.01)
          << row << " " << column;
    }
}

} // namespace
