#include "test/kernels/ConstructsTestRun.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

namespace tegula::e2e {

const Device &device() {
  static const Device opened = Device::open(std::getenv("TEGULA_DEVICE") ? "" : "emulator:3");
  return opened;
}

Kernel kernel(const std::string &name) {
  static const Program program = Program::load(TEGULA_TEST_INPUTS "/constructs.py");
  return program.kernel(name);
}

std::vector<float> normal(size_t count, uint64_t seed) {
  // Sums of twelve uniform numbers, since std::normal_distribution differs between libraries.
  std::vector<float> values(count);
  uint64_t state = seed * 0x9E3779B97F4A7C15u + 1;
  for (float &value : values) {
    double sum = -6;
    for (int i = 0; i < 12; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      sum += double(state >> 11) * 0x1p-53;
    }
    value = float(sum);
  }
  return values;
}

int blockFor(int n) {
  int block = 1;
  while (block < n)
    block *= 2;
  return block;
}

void expectNear(const std::vector<float> &found, const std::vector<double> &expected, double tolerance,
                const std::string &what) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i)
    ASSERT_NEAR(found[i], expected[i], tolerance * std::max(1.0, std::abs(expected[i])))
        << what << " at " << i;
}

void expectNear(const std::vector<float> &found, const std::vector<float> &expected, double tolerance,
                const std::string &what) {
  expectNear(found, std::vector<double>(expected.begin(), expected.end()), tolerance, what);
}

} // namespace tegula::e2e
