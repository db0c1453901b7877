// The host side of matrix_sums.py in C++: both sums of one matrix, and on a GPU both rates.
#include "kernels/Check.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

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

/// TB/s of `launch`, which reads `bytes`: the mean of a few launches after one that compiles.
template <typename Launch> double rate(const Device &device, double bytes, Launch launch) {
  constexpr int rounds = 20;
  launch();
  device.synchronize();
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < rounds; ++i)
    launch();
  device.synchronize();
  std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  return rounds * bytes / spent.count() * 1e-12;
}

/// Both rates on a matrix far larger than the cache, for the note.
std::string rates(const Problem &p, const Sums &sums) {
  constexpr int64_t rowsEach = 256;
  const int64_t rows = (int64_t(1) << 26) / p.n;
  DeviceValues x(p.device, p.dtype, std::vector<double>(size_t(rows * p.n), 1.0));
  DeviceValues out = DeviceValues::poisoned(p.device, Dtype::f32, std::max(rows, p.n));
  DeviceValues parts = DeviceValues::poisoned(p.device, Dtype::f32, cdiv(rows, rowsEach) * p.n);
  double bytes = double(rows) * double(p.n) * double(dtypeBytes(p.dtype));
  double ofRows =
      rate(p.device, bytes, [&] { launchRows(sums, p.device, x.pointer(), out.pointer(), rows, p.n); });
  double ofColumns = rate(p.device, bytes, [&] {
    launchColumns(sums, p.device, x.pointer(), parts.pointer(), out.pointer(), rows, p.n, rowsEach);
  });
  char text[120];
  std::snprintf(text, sizeof text, "%lld rows: row sums %.2f TB/s, column sums %.2f TB/s", (long long)rows,
                ofRows, ofColumns);
  return text;
}

Outcome run(const Problem &p) {
  Sums sums = loadSums();
  Outcome outcome;
  for (int64_t rows : rowCounts)
    outcome.add(check(p, sums, rows), std::to_string(rows) + " rows");
  // Only a GPU knows time, and a few columns no rate worth knowing.
  if (p.device.name().starts_with("NVIDIA") && p.n >= 4096)
    outcome.note = rates(p, sums);
  return outcome;
}

} // namespace

HostSide matrixSums() { return {"matrix_sums", {Dtype::f32, Dtype::bf16, Dtype::f16}, run, columnCounts}; }

} // namespace tegula::kernels
