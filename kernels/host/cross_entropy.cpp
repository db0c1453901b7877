// The host side of cross_entropy.py in C++.
#include "kernels/host/Check.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tegula::kernels {
namespace {

constexpr int64_t ignoreIndex = -100;

/// First and last class, some between, and rows that are to be ignored.
std::vector<double> makeTargets(int64_t rows, int64_t classes) {
  std::vector<double> targets(size_t(rows), 0.0);
  for (int64_t r = 0; r < rows; ++r)
    targets[size_t(r)] = double(r % 4 == 3 ? ignoreIndex : r % 4 == 2 ? classes - 1 : r * 7919 % classes);
  return targets;
}

Outcome runRows(const Problem &p, const Kernel &kernel, int64_t rows) {
  const double single = std::ldexp(1.0, -24), largestLogit = p.dtype == Dtype::f16 ? 6e4 : 1e30;
  std::vector<double> x = randomValues(p.dtype, rows * p.n, p.seed + uint64_t(rows));
  std::vector<double> targets = makeTargets(rows, p.n);
  for (int64_t r = 1; r < rows; ++r)
    for (int64_t c = 0; c < p.n; ++c) {
      double &value = x[size_t(r * p.n + c)];
      if (r % 5 == 1 && c % 2 == 1)
        value = -std::numeric_limits<double>::infinity(); // impossible classes
      else if (r % 5 == 2)
        value = rounded(p.dtype, c % 3 == 0 ? largestLogit : -largestLogit);
    }
  DeviceValues xs(p.device, p.dtype, x), ts(p.device, Dtype::i64, targets);
  DeviceValues losses = DeviceValues::poisoned(p.device, Dtype::f32, rows);
  kernel.launch(p.device, rows, xs.pointer(), ts.pointer(), losses.pointer(), p.n, p.n, ignoreIndex);

  std::vector<double> expected(size_t(rows), 0.0), allowed(size_t(rows), 0.0);
  for (int64_t r = 0; r < rows; ++r) {
    if (targets[size_t(r)] == ignoreIndex)
      continue;
    const double *row = x.data() + r * p.n;
    double top = *std::max_element(row, row + p.n), total = 0, target = row[int64_t(targets[size_t(r)])];
    for (int64_t c = 0; c < p.n; ++c)
      total += std::exp(row[c] - top);
    expected[size_t(r)] = std::log(total) + (top - target);
    allowed[size_t(r)] = single * (64 + 4 * std::log(total) + 2 * std::abs(top - target));
  }
  return compare(Dtype::f32, expected, losses.download(), allowed);
}

Outcome run(const Problem &p) {
  Kernel kernel = Program::load(sourceFolder() + "/cross_entropy.py").kernel().constexpr_("BLOCK", 512);
  Outcome outcome;
  for (int64_t rows : rowCounts)
    outcome.add(runRows(p, kernel, rows), std::to_string(rows) + " rows");
  return outcome;
}

} // namespace

HostSide crossEntropy() {
  return {"cross_entropy", {Dtype::f32, Dtype::bf16, Dtype::f16}, run, columnCounts};
}

} // namespace tegula::kernels
