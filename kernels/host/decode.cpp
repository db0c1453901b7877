// The host side of decode.py in C++: sequences of unequal lengths, none among them; heads that share keys;
// caches that are contiguous and that lie in pages of any order; one chunk and many.
#include "kernels/host/MatrixCheck.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace tegula::kernels {
namespace {

/// Sequences of so many keys, with `keyHeads` heads of keys, each shared by `group` heads of queries, of
/// `size` numbers. `page` is 0 for a contiguous cache. A program takes `chunk` keys.
struct Shape {
  std::vector<int64_t> lengths;
  int64_t keyHeads, group, size, page, chunk;

  int64_t batch() const { return int64_t(lengths.size()); }
  int64_t heads() const { return keyHeads * group; }
  int64_t longest() const { return *std::max_element(lengths.begin(), lengths.end()); }
  /// Rows of each sequence and head in a contiguous cache, or of a page.
  int64_t rows() const { return page ? page : std::max<int64_t>(longest(), 1); }
  int64_t pagesEach() const { return page ? std::max<int64_t>(cdiv(longest(), page), 1) : 1; }
  int64_t splits() const { return std::max<int64_t>(cdiv(longest(), chunk), 1); }
};

std::vector<Shape> shapesOf(const Problem &p) {
  if (p.n != 0)
    return {{std::vector<int64_t>(size_t(p.m ? p.m : 4), p.n), 2, 4, p.k ? p.k : 128, 0, 512}};
  std::vector<Shape> shapes = {{{200, 1, 0}, 2, 4, 64, 0, 128},
                               {{1}, 1, 1, 64, 16, 128},
                               {{15, 16, 17}, 2, 8, 64, 16, 128},
                               {{63, 65}, 1, 4, 128, 64, 128},
                               {{127, 129, 0, 300}, 1, 8, 64, 128, 128},
                               {{513, 40}, 1, 1, 128, 64, 128},
                               {{0, 0}, 2, 4, 64, 64, 128},
                               {{256, 255}, 2, 3, 64, 0, 256},
                               {{400}, 1, 16, 64, 32, 128},
                               {{130}, 1, 20, 32, 0, 128},
                               {{140}, 1, 4, 256, 64, 128}};
  static constexpr int64_t groups[] = {1, 4, 8}, pages[] = {0, 16, 64, 128};
  std::mt19937_64 random(p.seed);
  while (shapes.size() < 24) {
    Shape s{{},
            1 + int64_t(random() % 2),
            groups[random() % 3],
            random() % 3 ? 64 : 128,
            pages[random() % 4],
            128 * int64_t(1 + random() % 2)};
    for (uint64_t left = 1 + random() % 3; left != 0; --left)
      s.lengths.push_back(int64_t(random() % 400));
    shapes.push_back(s);
  }
  return shapes;
}

/// Tells where the keys of each sequence lie.
struct Cache {
  explicit Cache(const Shape &s, uint64_t seed) : shape(s), table(size_t(s.batch() * s.pagesEach())) {
    std::iota(table.begin(), table.end(), 0);
    std::shuffle(table.begin(), table.end(), std::mt19937_64(seed));
  }

  /// Returns the row of the cache that has key `n` of a sequence and head.
  int64_t rowOf(int64_t sequence, int64_t head, int64_t n) const {
    if (shape.page == 0)
      return (sequence * shape.keyHeads + head) * shape.rows() + n;
    const int64_t page = int64_t(table[size_t(sequence * shape.pagesEach() + n / shape.page)]);
    return (page * shape.keyHeads + head) * shape.page + n % shape.page;
  }
  int64_t rows() const { return shape.batch() * shape.pagesEach() * shape.keyHeads * shape.rows(); }

  const Shape &shape;
  std::vector<double> table;
};

/// Rows of the result as exact numbers, and as a plain program has them: fp32, weights rounded to the type
/// before they meet the values.
Reference reference(const Problem &p, const Shape &s, const Cache &cache, const Matrix &q, const Matrix &k,
                    const Matrix &v, double scale) {
  const int64_t D = s.size, count = s.batch() * s.heads();
  const size_t numbers = size_t(count * D);
  Reference result{std::vector<int64_t>(size_t(count)), D, std::vector<double>(numbers),
                   std::vector<double>(numbers), std::vector<double>(numbers)};
  std::iota(result.rows.begin(), result.rows.end(), 0);
  const MatrixView queries = q.all(), keys = k.all(), values = v.all();
  const double roundoff = unitRoundoff(p.dtype), precise = std::ldexp(1, -20);
  inParallel(count, [&](int64_t row) {
    const int64_t sequence = row / s.heads(), head = row % s.heads() / s.group;
    const int64_t length = s.lengths[size_t(sequence)];
    std::vector<double> scores(size_t(length), 0.0);
    double top = -INFINITY, most = 0, total = 0;
    for (int64_t n = 0; n < length; ++n) {
      double magnitude = 0;
      for (int64_t d = 0; d < D; ++d) {
        const double term = queries.at(row, d) * keys.at(cache.rowOf(sequence, head, n), d);
        scores[size_t(n)] += term;
        magnitude += std::abs(term);
      }
      top = std::max(top, scores[size_t(n)]);
      most = std::max(most, scale * precise * (magnitude + std::abs(scores[size_t(n)])));
    }
    double *exact = result.exact.data() + row * D, *plain = result.plain.data() + row * D;
    double *allowed = result.allowed.data() + row * D;
    for (int64_t n = 0; n < length; ++n) {
      const double weight = std::exp(scale * (scores[size_t(n)] - top));
      const double shortWeight = rounded(p.dtype, weight);
      total += weight;
      for (int64_t d = 0; d < D; ++d) {
        const double value = values.at(cache.rowOf(sequence, head, n), d);
        exact[d] += weight * value;
        plain[d] += shortWeight * value;
        allowed[d] += weight * std::abs(value);
      }
    }
    for (int64_t d = 0; d < D && length != 0; ++d) {
      exact[d] /= total;
      plain[d] /= total;
      allowed[d] *= (2 * roundoff + 2 * most + precise) / total;
    }
  });
  return result;
}

Outcome runShape(const Problem &p, const Kernel &kernel, const Shape &s, const Tiling &t, size_t index) {
  const double scale = double(float(1 / std::sqrt(double(s.size))));
  const uint64_t seed = p.seed + 4 * index;
  const Cache cache(s, seed);
  Matrix q(p, p.dtype, s.batch() * s.heads(), s.size, Order::Rows, seed + 1);
  Matrix k(p, p.dtype, cache.rows(), s.size, Order::Rows, seed + 2);
  Matrix v(p, p.dtype, cache.rows(), s.size, Order::Rows, seed + 3);
  const int64_t members = s.batch() * s.keyHeads, parts = members * s.splits() * s.group;
  DeviceValues o = DeviceValues::poisoned(p.device, p.dtype, s.batch() * s.heads() * s.size);
  DeviceValues values = DeviceValues::poisoned(p.device, Dtype::f32, parts * s.size);
  DeviceValues tops = DeviceValues::poisoned(p.device, Dtype::f32, parts);
  DeviceValues sums = DeviceValues::poisoned(p.device, Dtype::f32, parts);
  DeviceValues arrivals(p.device, Dtype::i32, std::vector<double>(size_t(members), 0.0));
  DeviceValues lengths(p.device, Dtype::i32, std::vector<double>(s.lengths.begin(), s.lengths.end()));
  DeviceValues table(p.device, Dtype::i32, cache.table);
  Kernel bound = kernel.constexpr_("BLOCK_N", t.n)
                     .constexpr_("D", s.size)
                     .constexpr_("GROUP", s.group)
                     .constexpr_("ROWS", std::max<int64_t>(16, nextPowerOf2(s.group)))
                     .constexpr_("PAGE", s.page)
                     .numWarps(t.warps)
                     .numStages(t.stages);
  bound.launch(p.device, {s.splits(), s.keyHeads, s.batch()}, q.pointer(), k.pointer(), v.pointer(),
               o.pointer(), values.pointer(), tops.pointer(), sums.pointer(), arrivals.pointer(),
               lengths.pointer(), table.pointer(), s.keyHeads * s.rows() * s.size, s.rows() * s.size, s.size,
               s.pagesEach(), s.chunk, scale);
  Outcome outcome = compareRows(p.dtype, reference(p, s, cache, q, k, v, scale), o.download());
  Outcome counters = compare(Dtype::i32, std::vector<double>(size_t(members), 0.0), arrivals.download(), 0);
  outcome.add(counters, "arrivals");
  return outcome;
}

Outcome run(const Problem &p) {
  Kernel kernel = Program::load(sourceFolder() + "/decode.py").kernel("decode_kernel");
  const std::vector<Tiling> tilings = configsOf("decode.py");
  Outcome outcome;
  std::vector<Shape> shapes = shapesOf(p);
  for (size_t i = 0; i < shapes.size(); ++i) {
    const Shape &s = shapes[i];
    std::string lengths;
    for (int64_t length : s.lengths)
      lengths += (lengths.empty() ? "" : ",") + std::to_string(length);
    outcome.add(runShape(p, kernel, s, tilings[i % tilings.size()], i),
                "lengths " + lengths + ", " + std::to_string(s.keyHeads) + "x" + std::to_string(s.group) +
                    " heads of " + std::to_string(s.size) + ", pages of " + std::to_string(s.page) +
                    ", chunks of " + std::to_string(s.chunk));
  }
  judgeMeanError(outcome);
  return outcome;
}

} // namespace

HostSide decode() { return {"decode", {Dtype::f16, Dtype::bf16}, run, {}}; }

} // namespace tegula::kernels
