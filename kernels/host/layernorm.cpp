// The host sides of layernorm.py in C++: rows far from 0, rows of one value, and ordinary ones.
#include "kernels/host/Check.h"

#include <algorithm>
#include <cmath>

namespace tegula::kernels {
namespace {

constexpr double epsilon = 1e-5;

struct Case {
  int64_t rows, columns;
  std::vector<double> x, weight, bias;
};

Case makeCase(const Problem &p, int64_t rows) {
  uint64_t seed = p.seed + uint64_t(rows);
  Case made{rows, p.n, randomValues(p.dtype, rows * p.n, seed), randomValues(p.dtype, p.n, seed + 1),
            randomValues(p.dtype, p.n, seed + 2)};
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < p.n; ++c) {
      double &value = made.x[size_t(r * p.n + c)];
      if (r % 4 == 1)
        value = rounded(p.dtype, value + 100); // where mean(x^2) - mean^2 would lose the variance
      else if (r % 4 == 2)
        value = 3; // no variance at all: eps keeps the quotient finite
    }
  return made;
}

/// Compares the three outputs with references in double precision, within the errors that they may have. The
/// mean has an error of some roundings of the largest summand; it reaches y multiplied by rstd and the
/// weight.
Outcome compareAll(const Problem &p, const Case &c, const std::vector<double> &y,
                   const std::vector<double> &means, const std::vector<double> &rstds) {
  const double single = std::ldexp(1.0, -24);
  std::vector<double> expected(c.x.size()), allowed(c.x.size()), mean(c.rows, 0.0), rstd(c.rows, 0.0),
      meanError(c.rows, 0.0), rstdError(c.rows, 0.0);
  for (size_t r = 0; r < size_t(c.rows); ++r) {
    const double *row = c.x.data() + r * size_t(c.columns);
    double variance = 0, largest = 0;
    for (int64_t i = 0; i < c.columns; ++i) {
      mean[r] += row[i] / double(c.columns);
      largest = std::max(largest, std::abs(row[i]));
    }
    for (int64_t i = 0; i < c.columns; ++i)
      variance += (row[i] - mean[r]) * (row[i] - mean[r]) / double(c.columns);
    rstd[r] = 1 / std::sqrt(variance + epsilon);
    meanError[r] = 24 * single * largest;
    rstdError[r] = single * rstd[r] * (16 + 8 * largest * rstd[r]);
    for (size_t i = 0; i < size_t(c.columns); ++i) {
      size_t at = r * size_t(c.columns) + i;
      double distance = row[i] - mean[r];
      expected[at] = distance * rstd[r] * c.weight[i] + c.bias[i];
      allowed[at] = std::abs(c.weight[i]) * (meanError[r] * rstd[r] + std::abs(distance) * rstdError[r]) +
                    4 * single * (std::abs(expected[at]) + std::abs(c.bias[i]));
    }
  }
  Outcome outcome = compare(p.dtype, expected, y, allowed);
  outcome.add(compare(Dtype::f32, mean, means, meanError), "means");
  outcome.add(compare(Dtype::f32, rstd, rstds, rstdError), "rstds");
  return outcome;
}

Outcome runKernel(const Problem &p, const char *name, int64_t block) {
  Kernel kernel = Program::load(sourceFolder() + "/layernorm.py").kernel(name).constexpr_("BLOCK", block);
  Outcome outcome;
  for (int64_t rows : rowCounts) {
    Case made = makeCase(p, rows);
    DeviceValues xs(p.device, p.dtype, made.x), weight(p.device, p.dtype, made.weight),
        bias(p.device, p.dtype, made.bias);
    DeviceValues ys = DeviceValues::poisoned(p.device, p.dtype, rows * p.n);
    DeviceValues means = DeviceValues::poisoned(p.device, Dtype::f32, rows);
    DeviceValues rstds = DeviceValues::poisoned(p.device, Dtype::f32, rows);
    kernel.launch(p.device, rows, xs.pointer(), ys.pointer(), weight.pointer(), bias.pointer(),
                  means.pointer(), rstds.pointer(), p.n, p.n, epsilon);
    outcome.add(compareAll(p, made, ys.download(), means.download(), rstds.download()),
                std::to_string(rows) + " rows");
  }
  return outcome;
}

Outcome run(const Problem &p) { return runKernel(p, "layernorm_kernel", nextPowerOf2(p.n)); }
Outcome runAny(const Problem &p) { return runKernel(p, "layernorm_any_kernel", 512); }

const std::vector<Dtype> dtypes = {Dtype::f32, Dtype::bf16, Dtype::f16};

} // namespace

HostSide layernorm() { return {"layernorm", dtypes, run, columnCounts}; }
HostSide layernormAny() { return {"layernorm_any", dtypes, runAny, columnCounts}; }

} // namespace tegula::kernels
