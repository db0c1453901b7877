#include "kernels/host/MatrixCheck.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <random>
#include <thread>

namespace tegula::kernels {
namespace {

/// Terms that a reference adds up at most: about a second's work.
constexpr int64_t mostTerms = int64_t(1) << 29;

/// Returns the error allowed to a sum of products, as a part of the sum of magnitudes. fp32 sums keep 24 bits
/// and are cut off, not rounded, by matrix units; the few bits beyond leave room for their order.
double productError(Dtype dtype, Precision precision) {
  if (dtype == Dtype::f64)
    return std::ldexp(1, -48);
  if (dtype == Dtype::i8)
    return 0;
  const double sums = std::ldexp(1, -21);
  switch (precision) {
  case Precision::TF32: // both operands lose all behind 10 bits, rounded or cut off
    return std::ldexp(1, -9);
  case Precision::TF32x3:
    return sums + std::ldexp(1, -20);
  default:
    return sums;
  }
}

/// Rows to compare: all of them, or the first, the last and some between.
std::vector<int64_t> chosenRows(int64_t rows, int64_t termsEach) {
  int64_t count =
      std::clamp(mostTerms / std::max<int64_t>(termsEach, 1), int64_t(4), std::max<int64_t>(rows, 4));
  std::vector<int64_t> chosen;
  if (count >= rows) {
    for (int64_t r = 0; r < rows; ++r)
      chosen.push_back(r);
  } else {
    for (int64_t i = 0; i < count; ++i)
      chosen.push_back(i * (rows - 1) / (count - 1));
  }
  return chosen;
}

int64_t randomSide(std::mt19937_64 &random) {
  switch (random() % 4) {
  case 0:
    return 1 + int64_t(random() % 15);
  case 1: // at and next to multiples of 16
    return std::max<int64_t>(1, 16 * int64_t(1 + random() % 6) + int64_t(random() % 3) - 1);
  case 2:
    return 16 * int64_t(1 + random() % 7);
  default:
    return 1 + int64_t(random() % 120);
  }
}

} // namespace

Kernel withTiling(const Kernel &kernel, const Tiling &t) {
  return kernel.constexpr_("BLOCK_M", t.m)
      .constexpr_("BLOCK_N", t.n)
      .constexpr_("BLOCK_K", t.k)
      .numWarps(t.warps)
      .numStages(t.stages);
}

std::vector<Tiling> configsOf(const std::string &file) {
  std::ifstream source(sourceFolder() + "/" + file);
  std::vector<Tiling> configs;
  for (std::string line; std::getline(source, line);) {
    if (line.find("triton.Config({") == std::string::npos)
      continue;
    auto number = [&](const std::string &name, int64_t otherwise) {
      size_t at = line.find(name);
      return at == std::string::npos ? otherwise : std::strtoll(line.c_str() + at + name.size(), nullptr, 10);
    };
    configs.push_back({number("\"BLOCK_M\": ", 0), number("\"BLOCK_N\": ", 0), number("\"BLOCK_K\": ", 0),
                       int(number("num_warps=", 4)), int(number("num_stages=", 3))});
  }
  if (configs.empty())
    throw Error(ErrorKind::Io, "`" + file + "` names no config");
  return configs;
}

std::vector<ProductShape> productShapes(const Problem &p) {
  if (p.n != 0)
    return {{p.m ? p.m : p.n, p.n, p.k ? p.k : p.n}};
  std::mt19937_64 random(p.seed);
  std::vector<ProductShape> shapes = {{140, 270, 150}, {1, 1, 1}, {16, 16, 0}, {64, 64, 64}};
  while (shapes.size() < shapesEach)
    shapes.push_back({randomSide(random), randomSide(random), randomSide(random)});
  return shapes;
}

Tiling tilingFor(const Problem &p, size_t index, const Tiling &usual) {
  // Few elements a thread and stage: what takes time is compiling for each shape's facts.
  static constexpr Tiling small[] = {{32, 32, 32, 2, 2}, {64, 32, 32, 4, 3}, {32, 64, 32, 8, 4},
                                     {64, 64, 32, 8, 3}, {16, 32, 32, 4, 5}, {64, 32, 32, 8, 1},
                                     {16, 16, 32, 1, 2}};
  return p.n != 0 || index == 0 ? usual : small[index % std::size(small)];
}

Matrix::Matrix(const Problem &p, Dtype dtype, int64_t rows, int64_t columns, Order order, uint64_t seed)
    : rows(rows), columns(columns), rowStride(1), columnStride(1), values([&] {
        const bool byColumns = order == Order::Columns || order == Order::ColumnsWithGaps;
        const bool gaps = order == Order::RowsWithGaps || order == Order::ColumnsWithGaps;
        const int64_t lines = byColumns ? columns : rows, side = byColumns ? rows : columns;
        const int64_t step = side + (gaps ? 5 : 0);
        (byColumns ? columnStride : rowStride) = step;
        std::vector<double> made = randomValues(dtype, std::max<int64_t>(1, lines * step), seed);
        for (int64_t i = 0; i < lines * step; ++i) {
          if (dtype == Dtype::i8)
            made[size_t(i)] = double(int8_t(int64_t(made[size_t(i)]) * 73 + i));
          else if (i % step >= side)
            made[size_t(i)] = std::numeric_limits<double>::quiet_NaN();
        }
        return made;
      }()),
      onDevice(p.device, dtype, values) {}

Reference multiply(const MatrixView &a, const MatrixView &b, Dtype dtype, Precision precision) {
  const int64_t K = a.columns, N = b.columns;
  Reference result{chosenRows(a.rows, K * N), N, {}, {}, {}};
  result.exact.resize(result.rows.size() * size_t(N));
  result.plain = result.allowed = result.exact;
  std::vector<double> dense(size_t(K * N), 0.0);
  inParallel(K, [&](int64_t k) {
    for (int64_t n = 0; n < N; ++n)
      dense[size_t(k * N + n)] = b.at(k, n);
  });
  const double error = productError(dtype, precision);
  inParallel(int64_t(result.rows.size()), [&](int64_t i) {
    double *exact = result.exact.data() + i * N, *plain = result.plain.data() + i * N;
    double *allowed = result.allowed.data() + i * N;
    std::vector<float> sums(size_t(N), 0.0f);
    for (int64_t k = 0; k < K; ++k) {
      const double x = a.at(result.rows[size_t(i)], k), *row = dense.data() + k * N;
      const bool rounds = precision == Precision::TF32;
      const float short_ = float(rounds ? roundedToTf32(x) : x);
      for (int64_t n = 0; n < N; ++n) {
        exact[n] += x * row[n];
        allowed[n] += std::abs(x * row[n]);
        sums[size_t(n)] += short_ * float(rounds ? roundedToTf32(row[n]) : row[n]);
      }
    }
    for (int64_t n = 0; n < N; ++n) {
      // Whole numbers and doubles have no plainer program than the exact one.
      plain[n] = dtype == Dtype::f64 || dtype == Dtype::i8 ? exact[n] : double(sums[size_t(n)]);
      allowed[n] *= error;
    }
  });
  return result;
}

void Reference::finish(const std::vector<double> *bias, const std::function<double(double)> &activation,
                       double slope, bool inexact) {
  for (size_t i = 0; i < exact.size(); ++i) {
    double added = bias ? (*bias)[i % size_t(columns)] : 0;
    // The addition and the scaling of small differences by fp32 functions.
    const double single = std::ldexp(1, -24);
    allowed[i] = slope * (allowed[i] + single * std::abs(exact[i] + added)) +
                 (inexact ? 16 * single * (1 + std::abs(exact[i] + added)) : 0);
    exact[i] = activation(exact[i] + added);
    plain[i] = double(float(activation(double(float(plain[i]) + float(added)))));
  }
}

void Reference::append(const Reference &below, int64_t first) {
  for (int64_t row : below.rows)
    rows.push_back(first + row);
  exact.insert(exact.end(), below.exact.begin(), below.exact.end());
  plain.insert(plain.end(), below.plain.begin(), below.plain.end());
  allowed.insert(allowed.end(), below.allowed.begin(), below.allowed.end());
}

Result::Result(const Problem &p, Dtype dtype, int64_t rows, int64_t columns)
    : dtype(dtype), rows(rows), columns(columns),
      onDevice(DeviceValues::poisoned(p.device, dtype, rows * (columns + gap))) {}

Outcome Result::compareWith(const Reference &reference) const {
  std::vector<double> all = onDevice.download(), found;
  for (int64_t row : reference.rows)
    found.insert(found.end(), all.begin() + row * stride(), all.begin() + row * stride() + columns);
  Outcome outcome = compareRows(dtype, reference, found);
  for (int64_t i = 0; i < rows * stride(); ++i)
    if (i % stride() >= columns && !std::isnan(all[size_t(i)]) && all[size_t(i)] != -1 &&
        outcome.wrong++ == 0)
      outcome.firstWrong = "written behind row " + std::to_string(i / stride());
  return outcome;
}

Outcome compareRows(Dtype dtype, const Reference &reference, const std::vector<double> &found) {
  Outcome outcome = compare(dtype, reference.exact, found, reference.allowed);
  for (size_t i = 0; i < found.size(); ++i) {
    double ours = found[i] - reference.exact[i],
           plain = rounded(dtype, reference.plain[i]) - reference.exact[i];
    if (std::isfinite(ours) && std::isfinite(plain)) {
      outcome.squares += ours * ours;
      outcome.plainSquares += plain * plain;
    }
  }
  return outcome;
}

void judgeMeanError(Outcome &outcome) {
  if (outcome.plainSquares == 0)
    return;
  double ratio = std::sqrt(outcome.squares / outcome.plainSquares);
  char text[80];
  std::snprintf(text, sizeof text, "mean error %.3f of a plain program's", ratio);
  outcome.note += (outcome.note.empty() ? "" : ", ") + std::string(text);
  if (ratio > 1.25 && outcome.wrong++ == 0)
    outcome.firstWrong = text;
}

double roundedToTf32(double value) {
  if (value == 0 || !std::isfinite(value))
    return value;
  int exponent = std::ilogb(value) - 10;
  return std::ldexp(std::nearbyint(std::ldexp(value, -exponent)), exponent);
}

double unitRoundoff(Dtype dtype) {
  return std::ldexp(1, dtype == Dtype::bf16  ? -8
                       : dtype == Dtype::f16 ? -11
                       : dtype == Dtype::f32 ? -24
                                             : -53);
}

void inParallel(int64_t count, const std::function<void(int64_t)> &body) {
  std::atomic<int64_t> next = 0;
  auto work = [&] {
    for (int64_t i = next++; i < count; i = next++)
      body(i);
  };
  // A thread costs more than a few dozen short rows.
  int64_t extra = std::min<int64_t>(std::thread::hardware_concurrency(), count / 64) - 1;
  std::vector<std::thread> threads;
  threads.reserve(size_t(std::max<int64_t>(extra, 0)));
  for (int64_t i = 0; i < extra; ++i)
    threads.emplace_back(work);
  work();
  for (std::thread &thread : threads)
    thread.join();
}

} // namespace tegula::kernels
