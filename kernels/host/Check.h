// Helpers of the host sides: data on both sides, and the comparison with a reference in double precision.
#pragma once

#include <tegula/tegula.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tegula::kernels {

/// One run of a kernel: where, how large, on which element type, with which random data.
struct Problem {
  Device device;
  int64_t n; ///< elements, or the columns of a matrix where a kernel goes by rows
  Dtype dtype;
  uint64_t seed;
  /// Sides of kernels with several of them, as their host side says; 0 leaves a side to it. Where `n` is 0 as
  /// well it uses shapes of its own.
  int64_t m = 0, k = 0;
};

/// Result of a check.
struct Outcome {
  double worstError = 0;  ///< largest |found - expected|
  int64_t wrong = 0;      ///< elements farther from the reference than their type allows
  std::string firstWrong; ///< "at 17: expected 1.5, found 2.5"
  std::string note;       ///< what else there is to say of the run
  /// Sums of squared errors: of the result, and of a computation in fp32, one term after the other, rounded
  /// once; 0 where the latter was not computed.
  double squares = 0, plainSquares = 0;

  /// Takes in what came of another part of the same run; `part` says which in `firstWrong`.
  void add(const Outcome &other, const std::string &part);
};

/// A bundled kernel's host side: it makes data, launches and compares.
struct HostSide {
  std::string name;
  std::vector<Dtype> dtypes;
  Outcome (*run)(const Problem &problem);
  /// Sizes to run by default; where it is empty, one run with shapes of the kernel's own.
  std::vector<int64_t> sizes = {1, 97, 1024, 98432, 1000003};
};

HostSide vectorAdd();
HostSide gelu();
HostSide stridedCopy();
HostSide transpose();
HostSide softmax();
HostSide softmaxPersistent();
HostSide softmaxOnline();
HostSide layernorm();
HostSide layernormAny();
HostSide rmsnorm();
HostSide matrixSums();
HostSide crossEntropy();
HostSide histogram();
HostSide matmul();
HostSide matmulGrouped();
HostSide matmulTuned();
HostSide batchedMatmul();
HostSide smallBatchedMatmul();
HostSide int8Matmul();
HostSide int8MatmulScaled();
HostSide fp8Matmul();
HostSide attention();
HostSide attentionCausal();
HostSide attentionBackward();
HostSide attentionBackwardCausal();
HostSide decode();
HostSide allReduce();
HostSide perceptron();

/// The numbers of columns that kernels over rows are checked with: one, primes, around and at powers of two.
inline const std::vector<int64_t> columnCounts = {1, 2, 31, 97, 256, 781, 1000, 1024, 4096};
/// The numbers of rows for each of those: one, fewer than share a block, and no multiple of that number.
inline constexpr int64_t rowCounts[] = {1, 3, 21};

/// The least power of two that is not below `n`: the block that holds a row.
int64_t nextPowerOf2(int64_t n);

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
Outcome compare(Dtype dtype, const std::vector<double> &expected, const std::vector<double> &found,
                double ulps);
/// The same with an allowed error of its own for each element, to which the rounding to `dtype` comes.
Outcome compare(Dtype dtype, const std::vector<double> &expected, const std::vector<double> &found,
                const std::vector<double> &allowed);

} // namespace tegula::kernels
