// Runs many elementwise expressions in one kernel and compares each of their results with an oracle.
#pragma once

#include "test/kernels/ElementwiseTestOracle.h"

#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace tegula {

/// Prints a test's parameter in GoogleTest's lists.
inline void PrintTo(Dtype type, std::ostream *out) { *out << e2e::languageName(type); }

} // namespace tegula

namespace tegula::e2e {

/// The device that TEGULA_DEVICE names, else the emulator.
const Device &device();

/// An input: the name by which expressions call it, and its values.
struct Column {
  std::string name;
  Dtype type;
  std::vector<Bits> bits;
};

struct Expected {
  long double real = 0; ///< compared where `ulps` is above zero
  Bits bits = 0;        ///< compared where it is not; any NaN equals any
  double ulps = 0;
  bool eitherZero = false; ///< of `bits`: +0 where -0 is expected, or the reverse
};
inline Expected exactly(Bits bits) { return {0, bits, 0, false}; }
inline Expected about(long double real, double ulps) { return {real, 0, ulps, false}; }

/// An expression in the names of the columns, with the type and the values in each row that it must give.
struct Expression {
  std::string text;
  Dtype type;
  std::function<Expected(size_t row)> oracle;
};

struct Launch {
  int warps = 4;
  int block = 128;
};

/// Compiles one kernel with all expressions over columns of one length, runs it and reports what differs.
void check(const std::vector<Column> &columns, const std::vector<Expression> &expressions,
           Launch launch = {});

/// Memory of one element type whose values are bits, as kernels see it. It may begin some elements late,
/// which takes its alignment away.
class Memory {
public:
  Memory(Dtype type, const std::vector<Bits> &values, size_t skip = 0);
  std::vector<Bits> read() const;
  Pointer pointer() const { return {buffer.address() + skip * bytesOf(type), type}; }

private:
  Dtype type;
  size_t count, skip;
  Buffer buffer;
};

} // namespace tegula::e2e
