// The host side of matrix_sums.py in C++: both sums of one matrix.
#include "kernels/host/Check.h"

#include <cmath>

namespace tegula::kernels {
namespace {

constexpr int64_t columnBlock = 128;

struct Sums {
  Kernel rows, columns;
};

Sums loadSums() {
  Program program = Program::load(sourceFolder() + "/matrix_sums.py");
  return {program.kernel("row_sums_kernel").constexpr_("BLOCK_M", 4).constexpr_("BLOCK_N", 1024),
          program.kernel("column_sums_kernel").constexpr_("BLOCK_M", 16).constexpr_("BLOCK_N", columnBlock)};
}

void launchRows(const Sums &sums, const Device &device, Pointer x, Pointer out, int64_t M, int64_t N) {
  sums.rows.launch(device, cdiv(M, 4), x, out, M, N, N);
}

/// Sums of parts of `rowsEach` rows into `parts`, then theirs into `out`.
void launchColumns(const Sums &sums, const Device &device, Pointer x, Pointer parts, Pointer out, int64_t M,
                   int64_t N, int64_t rowsEach) {
  int64_t count = cdiv(M, rowsEach), blocks = cdiv(N, columnBlock);
  sums.columns.launch(device, {blocks, count}, x, parts, M, N, N, rowsEach);
  sums.columns.launch(device, {blocks, 1}, parts, out, count, N, N, count);
}

/// Whole numbers as data: their sums are exact in fp32, so every missing or doubled element is seen.
Outcome check(const Problem &p, const Sums &sums, int64_t rows) {
  constexpr int64_t rowsEach = 8;
  std::vector<double> x = randomValues(p.dtype, rows * p.n, p.seed + uint64_t(rows));
  for (double &value : x)
    value = std::round(value * 4);
  DeviceValues xs(p.device, p.dtype, x);
  DeviceValues rowSums = DeviceValues::poisoned(p.device, Dtype::f32, rows);
  DeviceValues parts = DeviceValues::poisoned(p.device, Dtype::f32, cdiv(rows, rowsEach) * p.n);
  DeviceValues columnSums = DeviceValues::poisoned(p.device, Dtype::f32, p.n);
  launchRows(sums, p.device, xs.pointer(), rowSums.pointer(), rows, p.n);
  launchColumns(sums, p.device, xs.pointer(), parts.pointer(), columnSums.pointer(), rows, p.n, rowsEach);

  std::vector<double> ofRows(size_t(rows), 0.0), ofColumns(size_t(p.n), 0.0);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < p.n; ++c) {
      ofRows[size_t(r)] += x[size_t(r * p.n + c)];
      ofColumns[size_t(c)] += x[size_t(r * p.n + c)];
    }
  Outcome outcome = compare(Dtype::f32, ofRows, rowSums.download(), 0);
  outcome.add(compare(Dtype::f32, ofColumns, columnSums.download(), 0), "column sums");
  return outcome;
}

Outcome run(const Problem &p) {
  Sums sums = loadSums();
  Outcome outcome;
  for (int64_t rows : rowCounts)
    outcome.add(check(p, sums, rows), std::to_string(rows) + " rows");
  return outcome;
}

} // namespace

HostSide matrixSums() { return {"matrix_sums", {Dtype::f32, Dtype::bf16, Dtype::f16}, run, columnCounts}; }

} // namespace tegula::kernels
