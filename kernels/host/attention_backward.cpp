// The host sides of attention_backward.py in C++: every head size and type, lengths that no block divides,
// full and causal, heads that share keys and values.
#include "kernels/host/MatrixCheck.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace tegula::kernels {
namespace {

/// `heads` heads of `length` queries of `size` numbers each, of which `group` share their keys and values.
struct Shape {
  int64_t heads, length, size, group;
};

std::vector<Shape> shapesOf(const Problem &p) {
  if (p.n != 0)
    return {{p.m ? p.m : 4, p.n, p.k ? p.k : 64, 1}};
  static constexpr int64_t sizes[] = {32, 64, 16, 128};
  std::mt19937_64 random(p.seed);
  std::vector<Shape> shapes = {{2, 200, 64, 1}, {1, 1, 32, 1}, {2, 128, 128, 2}};
  while (shapes.size() < shapesEach / 2) {
    const int64_t length = random() % 3 == 0 ? 32 * int64_t(1 + random() % 4) : 1 + int64_t(random() % 130);
    const int64_t group = 1 + int64_t(random() % 3);
    shapes.push_back({group * (1 + int64_t(random() % 2)), length, sizes[shapes.size() % 4], group});
  }
  return shapes;
}

/// The first config of the file for what is asked for and the first shape, small ones for the others.
Tiling tilingOf(const Problem &p, size_t index) {
  static constexpr Tiling small[] = {
      {32, 32, 0, 2, 2}, {32, 64, 0, 4, 3}, {64, 32, 0, 4, 2}, {16, 32, 0, 1, 1}, {64, 64, 0, 8, 2}};
  return p.n != 0 || index == 0 ? configsOf("attention_backward.py").front()
                                : small[index % std::size(small)];
}

/// Rows of numbers in double precision, and by how much each may be off.
struct Numbers {
  Numbers(int64_t rows, int64_t columns) : exact(size_t(rows * columns)), allowed(exact) {}
  std::vector<double> exact, allowed;
};

/// All heads: what a forward pass hands on, and the results.
struct Pass {
  Pass(const Shape &s)
      : o(size_t(s.heads * s.length * s.size)), lse(size_t(s.heads * s.length)),
        dq(s.heads * s.length, s.size), dk(s.heads / s.group * s.length, s.size), dv(dk) {}
  std::vector<double> o, lse;
  Numbers dq, dk, dv;
};

/// One head of a pass, from matrices of `length` rows.
class Head {
public:
  Head(const Problem &p, const Shape &s, bool causal, double scale, Pass &pass, int64_t number)
      : p(p), s(s), causal(causal), scale(scale), pass(pass), number(number) {}

  void run(const MatrixView &q, const MatrixView &k, const MatrixView &v, const MatrixView &slopes) {
    // Rows of dk and dv belong to one thread at a time: heads that share them come one after the other.
    for (int64_t m = 0; m < s.length; ++m)
      addQuery(q, k, v, slopes, m);
  }

private:
  static double dot(const MatrixView &a, int64_t row, const MatrixView &b, int64_t other, double &size) {
    double sum = 0;
    size = 0;
    for (int64_t d = 0; d < a.columns; ++d) {
      const double product = a.at(row, d) * b.at(other, d);
      sum += product;
      size += std::abs(product);
    }
    return sum;
  }

  void addQuery(const MatrixView &q, const MatrixView &k, const MatrixView &v, const MatrixView &slopes,
                int64_t m) {
    const int64_t last = causal ? m + 1 : s.length, row = number * s.length + m,
                  keys = number / s.group * s.length;
    std::vector<double> weights(static_cast<size_t>(last)), spread(weights);
    double top = -INFINITY, sum = 0;
    for (int64_t n = 0; n < last; ++n) {
      weights[size_t(n)] = scale * dot(q, m, k, n, spread[size_t(n)]);
      top = std::max(top, weights[size_t(n)]);
    }
    for (double &weight : weights)
      sum += weight = std::exp(weight - top);
    double *o = pass.o.data() + row * s.size;
    double delta = 0, deltaSize = 0;
    for (int64_t d = 0; d < s.size; ++d) {
      for (int64_t n = 0; n < last; ++n)
        o[d] += weights[size_t(n)] / sum * v.at(n, d);
      o[d] = rounded(p.dtype, o[d]); // as a forward pass leaves it
      delta += o[d] * slopes.at(m, d);
      deltaSize += std::abs(o[d] * slopes.at(m, d));
    }
    pass.lse[size_t(row)] = top + std::log(sum);
    for (int64_t n = 0; n < last; ++n) {
      double size = 0;
      const double weight = weights[size_t(n)] / sum, slope = dot(slopes, m, v, n, size) - delta;
      const double error = relativeError(spread[size_t(n)]);
      for (int64_t d = 0; d < s.size; ++d) {
        add(pass.dv, keys + n, d, weight * slopes.at(m, d), error);
        add(pass.dq, row, d, scale * weight * slope * k.at(n, d), 0);
        add(pass.dk, keys + n, d, scale * weight * slope * q.at(m, d), 0);
        const double uncertain = scale * weight * (size + deltaSize) * error;
        pass.dq.allowed[size_t(row * s.size + d)] += uncertain * std::abs(k.at(n, d));
        pass.dk.allowed[size_t((keys + n) * s.size + d)] += uncertain * std::abs(q.at(m, d));
      }
    }
  }

  /// The relative error of a weight as an operand: its score's, of products whose magnitudes add up to
  /// `spread`, its own rounding, and that of what it is multiplied by.
  double relativeError(double spread) const {
    const double ofProduct = std::ldexp(1, p.dtype == Dtype::f32 ? -10 : -19);
    const double own = p.dtype == Dtype::f32 ? std::ldexp(1, -10) : unitRoundoff(p.dtype);
    return 2 * own + scale * spread * ofProduct + std::ldexp(1, -18);
  }

  void add(Numbers &to, int64_t row, int64_t column, double value, double error) {
    to.exact[size_t(row * s.size + column)] += value;
    to.allowed[size_t(row * s.size + column)] += std::abs(value) * error;
  }

  const Problem &p;
  const Shape &s;
  bool causal;
  double scale;
  Pass &pass;
  int64_t number;
};

Outcome runShape(const Problem &p, const Program &program, const Shape &s, const Tiling &t, bool causal,
                 size_t index) {
  const double scale = double(float(1 / std::sqrt(double(s.size))));
  const int64_t rows = s.heads * s.length, keys = rows / s.group;
  const uint64_t seed = p.seed + 4 * index;
  Matrix q(p, p.dtype, rows, s.size, Order::Rows, seed), k(p, p.dtype, keys, s.size, Order::Rows, seed + 1);
  Matrix v(p, p.dtype, keys, s.size, Order::Rows, seed + 2),
      slopes(p, p.dtype, rows, s.size, Order::Rows, seed + 3);
  Pass pass(s);
  for (int64_t h = 0; h < s.heads; ++h) {
    const int64_t first = h * s.length, shared = h / s.group * s.length;
    Head(p, s, causal, scale, pass, h)
        .run(q.part(first, s.length), k.part(shared, s.length), v.part(shared, s.length),
             slopes.part(first, s.length));
  }
  DeviceValues o(p.device, p.dtype, pass.o), lse(p.device, Dtype::f32, pass.lse);
  DeviceValues tops = DeviceValues::poisoned(p.device, Dtype::f32, rows),
               deltas = DeviceValues::poisoned(p.device, Dtype::f32, rows);
  DeviceValues dq = DeviceValues::poisoned(p.device, p.dtype, rows * s.size),
               dk = DeviceValues::poisoned(p.device, p.dtype, keys * s.size),
               dv = DeviceValues::poisoned(p.device, p.dtype, keys * s.size);
  auto bound = [&](const char *name, int64_t queries, int64_t ofKeys) {
    return program.kernel(name)
        .constexpr_("BLOCK_M", queries)
        .constexpr_("BLOCK_N", ofKeys)
        .constexpr_("D", s.size)
        .constexpr_("CAUSAL", causal)
        .constexpr_("GROUP", s.group)
        .numWarps(t.warps)
        .numStages(t.stages);
  };
  constexpr int64_t block = 32;
  program.kernel("attention_backward_rows_kernel")
      .constexpr_("D", s.size)
      .constexpr_("BLOCK", block)
      .launch(p.device, {cdiv(rows, block)}, o.pointer(), slopes.pointer(), lse.pointer(), tops.pointer(),
              deltas.pointer(), rows);
  bound("attention_backward_kv_kernel", t.m, t.n)
      .launch(p.device, {cdiv(s.length, t.n), s.heads / s.group}, q.pointer(), k.pointer(), v.pointer(),
              slopes.pointer(), dk.pointer(), dv.pointer(), tops.pointer(), deltas.pointer(),
              s.length * s.size, s.size, s.length, scale);
  // Programs of this one keep as many queries as those of the other keep keys.
  bound("attention_backward_q_kernel", t.n, t.m)
      .launch(p.device, {cdiv(s.length, t.n), s.heads}, q.pointer(), k.pointer(), v.pointer(),
              slopes.pointer(), dq.pointer(), tops.pointer(), deltas.pointer(), s.length * s.size, s.size,
              s.length, scale);
  Outcome outcome;
  outcome.add(compare(p.dtype, pass.dq.exact, dq.download(), pass.dq.allowed), "dq");
  outcome.add(compare(p.dtype, pass.dk.exact, dk.download(), pass.dk.allowed), "dk");
  outcome.add(compare(p.dtype, pass.dv.exact, dv.download(), pass.dv.allowed), "dv");
  return outcome;
}

Outcome run(const Problem &p, bool causal) {
  const Program program = Program::load(sourceFolder() + "/attention_backward.py");
  Outcome outcome;
  std::vector<Shape> shapes = shapesOf(p);
  for (size_t i = 0; i < shapes.size(); ++i) {
    const Shape &s = shapes[i];
    outcome.add(runShape(p, program, s, tilingOf(p, i), causal, i),
                std::to_string(s.heads) + " heads of " + std::to_string(s.length) + "x" +
                    std::to_string(s.size) + " in groups of " + std::to_string(s.group));
  }
  return outcome;
}

Outcome runFull(const Problem &p) { return run(p, false); }
Outcome runCausal(const Problem &p) { return run(p, true); }

const std::vector<Dtype> dtypes = {Dtype::f16, Dtype::bf16, Dtype::f32};

} // namespace

HostSide attentionBackward() { return {"attention_backward", dtypes, runFull, {}}; }
HostSide attentionBackwardCausal() { return {"attention_backward_causal", dtypes, runCausal, {}}; }

} // namespace tegula::kernels
