// Loops that the blocks of a cluster share: their sums bit by bit, with every number of blocks, and the
// programs that a persistent kernel has left over, in a launch of their own.
#include "runtime/emulator/EmulatorDevice.h"
#include "runtime/jit/launch/Jit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

using namespace tegula;
using namespace tegula::jit;

namespace {

/// Loads a kernel of kernels/matmul.py.
std::shared_ptr<JitKernel> kernelOf(const std::string &name, JitKernel::Options options) {
  auto program = JitProgram::load(TEGULA_SOURCE_DIR "/kernels/matmul.py");
  EXPECT_TRUE(program);
  auto info = (*program)->source().find(name);
  EXPECT_TRUE(info) << info.error().text;
  auto kernel = JitKernel::create(*program, **info, std::move(options));
  EXPECT_TRUE(kernel) << kernel.error().text;
  return std::move(*kernel);
}

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
    const auto kernel = kernelOf("matmul_grouped_kernel", std::move(options));
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
    const auto launched = kernel->launch(device, {5, 1, 1}, args);
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

/// Numbers up to 2 in bf16, of which sums in fp32 are rounded, so that the order of additions shows.
std::vector<uint16_t> fractions(size_t count, uint32_t factor) {
  std::vector<uint16_t> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] =
        uint16_t(std::bit_cast<uint32_t>(float(int(uint32_t(i * factor) >> 13) % 2001 - 1000) / 512) >> 16);
  return values;
}

/// A product of 2 × 1 tiles, of a square of `side` each, into fp32.
struct TwoTiles {
  TwoTiles(int64_t side, uint32_t depth)
      : side(side), rows(uint32_t(side) + 10), depth(depth), a(fractions(size_t(rows) * depth, 2654435761)),
        b(fractions(size_t(depth) * side, 2246822519)) {}

  /// Multiplies columns `first` to `end` of a with those rows of b, on a device of `multiprocessors` under
  /// three schedules that look for races. Returns the bits of c; in `blocks` how many blocks ran.
  std::vector<uint32_t> run(uint32_t first, uint32_t end, uint32_t multiprocessors, std::set<Feature> without,
                            uint64_t &blocks) const {
    runtime::EmulatorOptions emulated;
    emulated.multiprocessors = multiprocessors;
    emulated.schedules = 3;
    auto device = std::make_shared<runtime::EmulatorDevice>(emulated);
    JitKernel::Options options;
    options.numWarps = 4;
    options.numStages = 3;
    options.without = std::move(without);
    options.constexprs = {
        {"BLOCK_M", BoundValue{side}}, {"BLOCK_N", BoundValue{side}}, {"BLOCK_K", BoundValue{int64_t(Step)}}};
    const auto kernel = kernelOf("matmul_kernel", std::move(options));
    std::vector<uint32_t> found(size_t(rows) * side);
    const auto upload = [&](const auto &values) {
      const size_t bytes = values.size() * sizeof(values[0]);
      const runtime::DeviceAddress address = *device->allocate(bytes);
      EXPECT_TRUE(device->copyToDevice(address, values.data(), bytes));
      return address;
    };
    const runtime::DeviceAddress c = upload(found);
    const std::vector<HostValue> args = {
        HostValue::pointer(upload(a) + 2 * first, ScalarKind::BFloat16),
        HostValue::pointer(upload(b) + 2 * first * side, ScalarKind::BFloat16),
        HostValue::pointer(c, ScalarKind::Float32),
        HostValue::integer(rows),
        HostValue::integer(side),
        HostValue::integer(end - first),
        HostValue::integer(depth),
        HostValue::integer(1),
        HostValue::integer(side),
        HostValue::integer(1),
        HostValue::integer(side),
        HostValue::integer(1)};
    const auto launched = kernel->launch(device, {2, 1, 1}, args);
    EXPECT_TRUE(launched) << launched.error().text;
    EXPECT_TRUE(device->copyToHost(found.data(), c, found.size() * sizeof(found[0])));
    blocks = device->report().blocks;
    return found;
  }

  static constexpr uint32_t Step = 64;
  const int64_t side;
  const uint32_t rows, depth;
  const std::vector<uint16_t> a, b;
};

/// Tiles of a thread's 32 sums, eight chunks that the blocks of a cluster add up, by `wgmma`, and of 8 sums,
/// two chunks, by `mma.sync`.
class OfEverySize : public testing::TestWithParam<int64_t> {};

TEST_P(OfEverySize, ClustersAddUpTheSumsOfTheirBlocksByRank) {
  for (uint32_t blocks = 2; blocks <= 8; ++blocks) {
    // Ten and one more: the last block has less than the others, and its last iteration is no whole one.
    const uint32_t iterations = 10 * blocks + 1, each = (iterations + blocks - 1) / blocks;
    const TwoTiles product(GetParam(), iterations * TwoTiles::Step - 24);
    std::vector<float> sums;
    uint64_t ran = 0;
    for (uint32_t first = 0; first < product.depth; first += each * TwoTiles::Step) {
      const uint32_t end = std::min(first + each * TwoTiles::Step, product.depth);
      const std::vector<uint32_t> part = product.run(first, end, 132, {Feature::Split}, ran);
      EXPECT_EQ(ran, 2u);
      sums.resize(part.size());
      for (size_t i = 0; i < part.size(); ++i)
        sums[i] = first ? sums[i] + std::bit_cast<float>(part[i]) : std::bit_cast<float>(part[i]);
    }
    // There is room for so many blocks of each program.
    const std::vector<uint32_t> shared = product.run(0, product.depth, 2 * blocks, {}, ran);
    EXPECT_EQ(ran, 2 * blocks);
    for (size_t i = 0; i < shared.size(); ++i)
      ASSERT_EQ(shared[i], std::bit_cast<uint32_t>(sums[i])) << blocks << " blocks, element " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(SplitLoops, OfEverySize, testing::Values(64, 32));

} // namespace
