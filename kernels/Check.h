// What the host sides share: data on both sides, and the comparison with a reference in double precision.
#pragma once

#include <tegula/tegula.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tegula::kernels {

/// One run of a kernel: where, how large, on which element type, with which random data.
struct Problem {
  Device device;
  int64_t n;
  Dtype dtype;
  uint64_t seed;
};

/// What came of it.
struct Outcome {
  double worstError = 0; ///< largest |found - expected|
  int64_t wrong = 0;     ///< elements farther from the reference than their type allows
  std::string firstWrong; ///< "at 17: expected 1.5, found 2.5"
};

/// A bundled kernel's host side: it makes data, launches and compares.
struct HostSide {
  std::string name;
  std::vector<Dtype> dtypes;
  Outcome (*run)(const Problem &problem);
};

HostSide vectorAdd();
HostSide gelu();
HostSide stridedCopy();
HostSide transpose();

/// The folder with the kernels' sources; set once by `main`.
std::string &sourceFolder();

/// `name` as the language spells it: "fp32".
std::string dtypeName(Dtype dtype);
size_t dtypeBytes(Dtype dtype);

/// `count` values of a type: normal for floats, small integers, 0 and 1 for bools; each is exact in
/// the type.
std::vector<double> randomValues(Dtype dtype, int64_t count, uint64_t seed);
/// The nearest value of the type.
double rounded(Dtype dtype, double value);

/// Values in a device's memory under an element type.
class DeviceValues {
public:
  DeviceValues(const Device &device, Dtype dtype, const std::vector<double> &values);
  /// `count` elements holding a bit pattern that no kernel here computes, to show what was not written.
  static DeviceValues poisoned(const Device &device, Dtype dtype, int64_t count);
  Pointer pointer() const { return {buffer.address(), dtype}; }
  std::vector<double> download() const;

private:
  DeviceValues(const Device &device, Dtype dtype, int64_t count);
  Dtype dtype;
  int64_t count;
  Buffer buffer;
};

/// Compares element by element. `ulps` is how many units in the last place of `dtype` are allowed;
/// an integer or bool must be equal.
Outcome compare(Dtype dtype, const std::vector<double> &expected, const std::vector<double> &found, double ulps);

} // namespace tegula::kernels
