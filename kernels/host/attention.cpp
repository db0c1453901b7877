// The host sides of attention.py in C++: every head size and type, lengths that no block divides, full and
// causal.
#include "kernels/host/MatrixCheck.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace tegula::kernels {
namespace {

/// `heads` heads of `length` queries and keys of `size` numbers each.
struct Shape {
  int64_t heads, length, size;
};

std::vector<Shape> shapesOf(const Problem &p) {
  if (p.n != 0)
    return {{p.m ? p.m : 16, p.n, p.k ? p.k : 64}};
  static constexpr int64_t sizes[] = {32, 64, 128, 16};
  std::mt19937_64 random(p.seed);
  std::vector<Shape> shapes = {{2, 200, 64}, {1, 1, 32}, {1, 128, 128}};
  while (shapes.size() < shapesEach) {
    int64_t length = random() % 3 == 0 ? 32 * int64_t(1 + random() % 5) : 1 + int64_t(random() % 170);
    shapes.push_back({1 + int64_t(random() % 2), length, sizes[shapes.size() % 4]});
  }
  return shapes;
}

/// The configs of the file for what is asked for and the first shape, small ones for the others.
Tiling tilingOf(const Problem &p, size_t index) {
  static constexpr Tiling small[] = {
      {32, 32, 0, 2, 2}, {64, 32, 0, 4, 3}, {32, 64, 0, 1, 1}, {64, 64, 0, 4, 3}};
  return p.n != 0 || index == 0 ? configsOf("attention.py").front() : small[index % std::size(small)];
}

/// Some rows of one head's results, as exact numbers and as a plain program has them: fp32, weights rounded
/// to the type before they meet the values, as PyTorch does.
struct HeadReference {
  Reference values, sums;
};

HeadReference attend(const Problem &p, const MatrixView &q, const MatrixView &k, const MatrixView &v,
                     bool causal, double scale) {
  const bool single = p.dtype == Dtype::f32;
  const MatrixView keys = {k.values, k.columns, k.rows, k.columnStride, k.rowStride};
  Reference scores = multiply(q, keys, p.dtype, single ? Precision::TF32 : Precision::Exact);
  const int64_t N = k.rows, D = v.columns, count = int64_t(scores.rows.size());
  const size_t values = size_t(count * D);
  HeadReference result{
      {scores.rows, D, std::vector<double>(values), std::vector<double>(values), std::vector<double>(values)},
      {scores.rows, 1, std::vector<double>(size_t(count)), std::vector<double>(size_t(count)),
       std::vector<double>(size_t(count))}};
  // tf32 has the mantissa of fp16 and may be cut off.
  const double roundoff = single ? std::ldexp(1, -10) : unitRoundoff(p.dtype), precise = std::ldexp(1, -20);
  inParallel(count, [&](int64_t i) {
    const int64_t last = causal ? scores.rows[size_t(i)] + 1 : N;
    const double *score = scores.exact.data() + i * N, *plainScore = scores.plain.data() + i * N;
    const double *scoreError = scores.allowed.data() + i * N;
    double top = score[0], most = 0, total = 0, plainTotal = 0;
    for (int64_t n = 0; n < last; ++n) {
      top = std::max(top, score[n]);
      most = std::max(most, scale * (scoreError[n] + precise * std::abs(score[n])));
    }
    double *exact = result.values.exact.data() + i * D, *plain = result.values.plain.data() + i * D;
    double *allowed = result.values.allowed.data() + i * D;
    for (int64_t n = 0; n < last; ++n) {
      const double weight = std::exp(scale * (score[n] - top));
      const float plainWeight = std::exp(float(scale) * float(plainScore[n] - top));
      const double shortWeight =
          single ? roundedToTf32(double(plainWeight)) : rounded(p.dtype, double(plainWeight));
      total += weight;
      plainTotal += double(plainWeight);
      for (int64_t d = 0; d < D; ++d) {
        exact[d] += weight * v.at(n, d);
        plain[d] += shortWeight * (single ? roundedToTf32(v.at(n, d)) : v.at(n, d));
        allowed[d] += weight * std::abs(v.at(n, d));
      }
    }
    for (int64_t d = 0; d < D; ++d) {
      exact[d] /= total;
      plain[d] /= plainTotal;
      allowed[d] *= (2 * roundoff + 2 * most + precise) / total;
    }
    result.sums.exact[size_t(i)] = scale * top + std::log(total);
    result.sums.plain[size_t(i)] = result.sums.exact[size_t(i)];
    result.sums.allowed[size_t(i)] = most + precise * (1 + std::abs(result.sums.exact[size_t(i)]));
  });
  return result;
}

/// The numbers that belong to the rows of a reference, out of all.
std::vector<double> rowsOf(const std::vector<double> &all, const Reference &reference) {
  std::vector<double> found;
  for (int64_t row : reference.rows)
    found.insert(found.end(), all.begin() + row * reference.columns,
                 all.begin() + (row + 1) * reference.columns);
  return found;
}

Outcome runShape(const Problem &p, const Kernel &kernel, const Shape &s, const Tiling &t, bool causal,
                 size_t index) {
  const double scale = double(float(1 / std::sqrt(double(s.size))));
  const int64_t rows = s.heads * s.length;
  Matrix q(p, p.dtype, rows, s.size, Order::Rows, p.seed + 3 * index);
  Matrix k(p, p.dtype, rows, s.size, Order::Rows, p.seed + 3 * index + 1);
  Matrix v(p, p.dtype, rows, s.size, Order::Rows, p.seed + 3 * index + 2);
  DeviceValues o = DeviceValues::poisoned(p.device, p.dtype, rows * s.size);
  DeviceValues lse = DeviceValues::poisoned(p.device, Dtype::f32, rows);
  Kernel bound = kernel.constexpr_("BLOCK_M", t.m)
                     .constexpr_("BLOCK_N", t.n)
                     .constexpr_("D", s.size)
                     .constexpr_("CAUSAL", causal)
                     .numWarps(t.warps)
                     .numStages(t.stages);
  bound.launch(p.device, {cdiv(s.length, t.m), s.heads}, q.pointer(), k.pointer(), v.pointer(), o.pointer(),
               lse.pointer(), s.length * s.size, s.size, s.length, scale);
  std::vector<double> values = o.download(), sums = lse.download();
  HeadReference all{{{}, s.size, {}, {}, {}}, {{}, 1, {}, {}, {}}};
  // The first and the last of many heads tell whether an offset is wrong.
  for (int64_t h = 0; h < s.heads; h += p.n ? std::max<int64_t>(s.heads - 1, 1) : 1) {
    const int64_t first = h * s.length;
    HeadReference one =
        attend(p, q.part(first, s.length), k.part(first, s.length), v.part(first, s.length), causal, scale);
    all.values.append(one.values, first);
    all.sums.append(one.sums, first);
  }
  Outcome outcome = compareRows(p.dtype, all.values, rowsOf(values, all.values));
  Outcome logarithms = compareRows(Dtype::f32, all.sums, rowsOf(sums, all.sums));
  logarithms.squares = logarithms.plainSquares = 0;
  outcome.add(logarithms, "lse");
  return outcome;
}

Outcome run(const Problem &p, bool causal) {
  Kernel kernel = Program::load(sourceFolder() + "/attention.py").kernel("attention_kernel");
  Outcome outcome;
  std::vector<Shape> shapes = shapesOf(p);
  for (size_t i = 0; i < shapes.size(); ++i) {
    const Shape &s = shapes[i];
    outcome.add(runShape(p, kernel, s, tilingOf(p, i), causal, i), std::to_string(s.heads) + " heads of " +
                                                                       std::to_string(s.length) + "x" +
                                                                       std::to_string(s.size));
  }
  judgeMeanError(outcome);
  return outcome;
}

Outcome runFull(const Problem &p) { return run(p, false); }
Outcome runCausal(const Problem &p) { return run(p, true); }

const std::vector<Dtype> dtypes = {Dtype::f16, Dtype::bf16, Dtype::f32};

} // namespace

HostSide attention() { return {"attention", dtypes, runFull, {}}; }
HostSide attentionCausal() { return {"attention_causal", dtypes, runCausal, {}}; }

} // namespace tegula::kernels
