// Shared by the tests of row kernels: the device, data, and comparison of floats.
#pragma once

#include <tegula/tegula.h>

#include <string>
#include <vector>

namespace tegula::e2e {

/// The device that TEGULA_DEVICE names, else the emulator under three random schedules of each launch.
const Device &device();

/// A kernel of Inputs/constructs.py; the file is parsed once.
Kernel kernel(const std::string &name);

/// `count` values of a normal distribution, the same on every machine.
std::vector<float> normal(size_t count, uint64_t seed);

/// The least power of two that is not below `n`.
int blockFor(int n);

/// Every element within `tolerance` of what is expected, relative where that is above 1.
void expectNear(const std::vector<float> &found, const std::vector<double> &expected, double tolerance,
                const std::string &what);
void expectNear(const std::vector<float> &found, const std::vector<float> &expected, double tolerance,
                const std::string &what);

} // namespace tegula::e2e
