// The host sides of softmax.py in C++: the same rows through each of its three kernels.
#include "kernels/host/Check.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tegula::kernels {
namespace {

/// A matrix whose rows are ordinary and extreme by turns.
std::vector<double> hardRows(const Problem &p, int64_t rows) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double largest = p.dtype == Dtype::f16 ? 65504 : rounded(p.dtype, 3e38);
  std::vector<double> x = randomValues(p.dtype, rows * p.n, p.seed + uint64_t(rows));
  for (int64_t r = 1; r < rows; ++r)
    for (int64_t c = 0; c < p.n; ++c) {
      double &value = x[size_t(r * p.n + c)];
      switch (r % 9) {
      case 1:
        value = c % 3 == 0 ? -infinity : value;
        break; // some -inf, as a causal mask leaves
      case 2:
        value = c == p.n / 2 ? value : -infinity;
        break; // all but one: that one gets 1
      case 3:
        value = rounded(p.dtype, value * 1000);
        break; // one gets nearly all
      case 4:
        value = c % 2 == 0 ? largest : -largest;
        break; // differences that overflow
      case 5:
        value = -infinity;
        break; // nothing to choose from: NaN
      case 6:
        value = c == 0 ? infinity : value;
        break; // inf - inf: NaN
      case 7:
        value = -largest;
        break; // all equal, 1 / n
      default:
        break; // random ones
      }
    }
  return x;
}

/// Compares with softmax in double precision. exp(a) in fp32 has the rounding of its argument as a relative
/// error, so the allowed error of an element grows with its distance from the maximum.
Outcome compareRows(const Problem &p, const std::vector<double> &x, const std::vector<double> &y,
                    int64_t rows) {
  const double single = std::ldexp(1.0, -24);
  std::vector<double> expected(x.size()), allowed(x.size());
  for (int64_t r = 0; r < rows; ++r) {
    const double *row = x.data() + r * p.n;
    double top = *std::max_element(row, row + p.n), total = 0;
    for (int64_t c = 0; c < p.n; ++c)
      total += std::exp(row[c] - top);
    for (int64_t c = 0; c < p.n; ++c) {
      size_t i = size_t(r * p.n + c);
      expected[i] = std::exp(row[c] - top) / total;
      // The sum's own rounding; 2^-125 because results below the normal range may become 0.
      allowed[i] = std::ldexp(1.0, -125);
      if (expected[i] > 0)
        allowed[i] += expected[i] * single * (16 + 4 * (top - row[c]));
    }
  }
  return compare(p.dtype, expected, y, allowed);
}

/// Runs `launch(kernel file, x, y, rows)` over matrices of p.n columns.
template <typename Launch> Outcome runRows(const Problem &p, Launch launch) {
  Program program = Program::load(sourceFolder() + "/softmax.py");
  Outcome outcome;
  for (int64_t rows : rowCounts) {
    std::vector<double> x = hardRows(p, rows);
    DeviceValues xs(p.device, p.dtype, x);
    DeviceValues ys = DeviceValues::poisoned(p.device, p.dtype, rows * p.n);
    launch(program, xs.pointer(), ys.pointer(), rows);
    outcome.add(compareRows(p, x, ys.download(), rows), std::to_string(rows) + " rows");
  }
  return outcome;
}

Outcome run(const Problem &p) {
  return runRows(p, [&](const Program &program, Pointer x, Pointer y, int64_t rows) {
    program.kernel("softmax_kernel")
        .constexpr_("BLOCK", nextPowerOf2(p.n))
        .launch(p.device, rows, x, y, p.n, p.n);
  });
}

Outcome runPersistent(const Problem &p) {
  constexpr int64_t programs = 8;
  return runRows(p, [&](const Program &program, Pointer x, Pointer y, int64_t rows) {
    program.kernel("softmax_persistent_kernel")
        .constexpr_("BLOCK", nextPowerOf2(p.n))
        .constexpr_("STAGES", 2)
        .launch(p.device, std::min(rows, programs), x, y, p.n, rows, p.n);
  });
}

Outcome runOnline(const Problem &p) {
  return runRows(p, [&](const Program &program, Pointer x, Pointer y, int64_t rows) {
    program.kernel("softmax_online_kernel").constexpr_("BLOCK", 512).launch(p.device, rows, x, y, p.n, p.n);
  });
}

const std::vector<Dtype> dtypes = {Dtype::f32, Dtype::bf16, Dtype::f16};

} // namespace

HostSide softmax() { return {"softmax", dtypes, run, columnCounts}; }
HostSide softmaxPersistent() { return {"softmax_persistent", dtypes, runPersistent, columnCounts}; }
HostSide softmaxOnline() { return {"softmax_online", dtypes, runOnline, columnCounts}; }

} // namespace tegula::kernels
