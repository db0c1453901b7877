// The host side of perceptron.py in C++.
#include "kernels/host/MatrixCheck.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace tegula::kernels {
namespace {

struct Shape {
  int64_t rows, inputs, hidden, outputs;
};

std::vector<Shape> shapesOf(const Problem &p) {
  if (p.n != 0)
    return {{p.m ? p.m : 4096, std::min<int64_t>(p.n, 256), p.k ? p.k : 4 * p.n, p.n}};
  std::mt19937_64 random(p.seed);
  std::vector<Shape> shapes = {{100, 128, 300, 128}, {1, 1, 1, 1}, {64, 64, 128, 64}};
  while (shapes.size() < shapesEach)
    shapes.push_back({1 + int64_t(random() % 100), 1 + int64_t(random() % 64), 1 + int64_t(random() % 150),
                      1 + int64_t(random() % 100)});
  return shapes;
}

double gelu(double x) { return x / 2 * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))); }

/// A vector or matrix of numbers near `size`, in memory by rows.
struct Numbers {
  Numbers(const Problem &p, int64_t rows, int64_t columns, double size, uint64_t seed)
      : rows(rows), columns(columns), values(randomValues(p.dtype, rows * columns, seed)),
        onDevice((scale(p.dtype, size), DeviceValues(p.device, p.dtype, values))) {}
  MatrixView view() const { return {values.data(), rows, columns, columns, 1}; }
  Pointer pointer() const { return onDevice.pointer(); }

  int64_t rows, columns;
  std::vector<double> values;
  DeviceValues onDevice;

private:
  void scale(Dtype dtype, double size) {
    for (double &value : values)
      value = rounded(dtype, value * size);
  }
};

/// Both layers in double precision. What the hidden units may be off comes to the outputs through the second
/// layer's weights.
Reference reference(const Problem &p, const Numbers &x, const Numbers &w1, const Numbers &b1,
                    const Numbers &w2, const Numbers &b2) {
  const bool single = p.dtype == Dtype::f32;
  const Precision precision = single ? Precision::TF32 : Precision::Exact;
  const double roundoff = single ? std::ldexp(1, -10) : unitRoundoff(p.dtype);
  Reference hidden = multiply(x.view(), w1.view(), p.dtype, precision);
  hidden.finish(&b1.values, gelu, 1.13, true);
  const int64_t count = int64_t(hidden.rows.size()), units = w1.columns;
  std::vector<double> rounded_ = hidden.plain;
  if (!single)
    for (double &value : rounded_)
      value = rounded(p.dtype, value);
  Reference result = multiply({hidden.exact.data(), count, units, units, 1}, w2.view(), p.dtype, precision);
  Reference plain = multiply({rounded_.data(), count, units, units, 1}, w2.view(), p.dtype, precision);
  inParallel(int64_t(result.rows.size()), [&](int64_t i) {
    const int64_t row = result.rows[size_t(i)];
    for (int64_t o = 0; o < w2.columns; ++o) {
      double extra = 0;
      for (int64_t h = 0; h < units; ++h) {
        const size_t unit = size_t(row * units + h);
        extra += (hidden.allowed[unit] + 2 * roundoff * std::abs(hidden.exact[unit])) *
                 std::abs(w2.values[size_t(h * w2.columns + o)]);
      }
      result.allowed[size_t(i * w2.columns + o)] += extra;
    }
  });
  result.plain = plain.plain;
  result.finish(
      &b2.values, [](double y) { return y; }, 1, false);
  for (int64_t &row : result.rows)
    row = hidden.rows[size_t(row)];
  return result;
}

Outcome runShape(const Problem &p, const Kernel &kernel, const Shape &s, const Tiling &tiling, int64_t blockH,
                 size_t index) {
  const uint64_t seed = p.seed + 5 * index;
  Numbers x(p, s.rows, s.inputs, 1, seed),
      w1(p, s.inputs, s.hidden, 1 / std::sqrt(double(s.inputs)), seed + 1);
  Numbers b1(p, 1, s.hidden, 1, seed + 2), b2(p, 1, s.outputs, 1, seed + 4);
  Numbers w2(p, s.hidden, s.outputs, 1 / std::sqrt(double(s.hidden)), seed + 3);
  DeviceValues y = DeviceValues::poisoned(p.device, p.dtype, s.rows * s.outputs);
  const int64_t blockOut =
      std::clamp<int64_t>(nextPowerOf2(s.outputs), 16, p.n == 0 && index != 0 ? 32 : 128);
  Kernel bound = kernel.constexpr_("BLOCK_M", tiling.m)
                     .constexpr_("BLOCK_H", blockH)
                     .constexpr_("BLOCK_IN", std::max<int64_t>(16, nextPowerOf2(s.inputs)))
                     .constexpr_("BLOCK_OUT", blockOut)
                     .numWarps(tiling.warps)
                     .numStages(tiling.stages);
  bound.launch(p.device, {cdiv(s.rows, tiling.m), cdiv(s.outputs, blockOut)}, x.pointer(), w1.pointer(),
               b1.pointer(), w2.pointer(), b2.pointer(), y.pointer(), s.rows, s.inputs, s.hidden, s.outputs);
  Reference expected = reference(p, x, w1, b1, w2, b2);
  std::vector<double> all = y.download(), found;
  for (int64_t row : expected.rows)
    found.insert(found.end(), all.begin() + row * s.outputs, all.begin() + (row + 1) * s.outputs);
  return compareRows(p.dtype, expected, found);
}

Outcome run(const Problem &p) {
  static constexpr Tiling small[] = {
      {32, 0, 32, 4, 2}, {64, 0, 32, 8, 3}, {16, 0, 64, 2, 1}, {16, 0, 16, 1, 4}};
  Kernel kernel = Program::load(sourceFolder() + "/perceptron.py").kernel("perceptron_kernel");
  Outcome outcome;
  std::vector<Shape> shapes = shapesOf(p);
  for (size_t i = 0; i < shapes.size(); ++i) {
    const Shape &s = shapes[i];
    Tiling tiling = configsOf("perceptron.py").front();
    tiling.k = 64; // as BLOCK_H there
    if (p.n == 0 && i != 0)
      tiling = small[i % std::size(small)];
    outcome.add(runShape(p, kernel, s, tiling, tiling.k, i),
                std::to_string(s.rows) + " rows, " + std::to_string(s.inputs) + "-" +
                    std::to_string(s.hidden) + "-" + std::to_string(s.outputs));
  }
  judgeMeanError(outcome);
  return outcome;
}

} // namespace

HostSide perceptron() { return {"perceptron", {Dtype::f16, Dtype::bf16, Dtype::f32}, run, {}}; }

} // namespace tegula::kernels
