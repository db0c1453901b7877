// The host side of rmsnorm.py in C++.
#include "kernels/host/Check.h"

#include <cmath>

namespace tegula::kernels {

static Outcome runRows(const Problem &p, const Kernel &kernel, int64_t rows) {
  constexpr double epsilon = 1e-6;
  const double single = std::ldexp(1.0, -24);
  std::vector<double> x = randomValues(p.dtype, rows * p.n, p.seed + uint64_t(rows));
  std::vector<double> weight = randomValues(p.dtype, p.n, p.seed + 1);
  for (int64_t c = 0; rows > 2 && c < p.n; ++c)
    x[size_t(2 * p.n + c)] = 0; // eps keeps the quotient finite
  DeviceValues xs(p.device, p.dtype, x), weights(p.device, p.dtype, weight);
  DeviceValues ys = DeviceValues::poisoned(p.device, p.dtype, rows * p.n);
  kernel.launch(p.device, rows, xs.pointer(), ys.pointer(), weights.pointer(), p.n, p.n, epsilon);

  std::vector<double> expected(x.size()), allowed(x.size());
  for (int64_t r = 0; r < rows; ++r) {
    double squares = 0;
    for (int64_t c = 0; c < p.n; ++c)
      squares += x[size_t(r * p.n + c)] * x[size_t(r * p.n + c)];
    for (int64_t c = 0; c < p.n; ++c) {
      size_t i = size_t(r * p.n + c);
      expected[i] = x[i] / std::sqrt(squares / double(p.n) + epsilon) * weight[size_t(c)];
      allowed[i] = 16 * single * std::abs(expected[i]);
    }
  }
  return compare(p.dtype, expected, ys.download(), allowed);
}

static Outcome run(const Problem &p) {
  Kernel kernel =
      Program::load(sourceFolder() + "/rmsnorm.py").kernel().constexpr_("BLOCK", nextPowerOf2(p.n));
  Outcome outcome;
  for (int64_t rows : rowCounts)
    outcome.add(runRows(p, kernel, rows), std::to_string(rows) + " rows");
  return outcome;
}

HostSide rmsnorm() { return {"rmsnorm", {Dtype::f32, Dtype::bf16, Dtype::f16}, run, columnCounts}; }

} // namespace tegula::kernels
