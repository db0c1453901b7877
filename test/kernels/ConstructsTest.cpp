// Runs the kernels of Inputs/constructs.py, which together use each construct of a row kernel, and compares
// them with an oracle. TEGULA_DEVICE=cuda runs them on a GPU.
#include "test/kernels/ConstructsTestRun.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace tegula;
using namespace tegula::e2e;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

TEST(Constructs, LayernormBackwardByLocksAndPartialSums) {
  constexpr int rows = 13, n = 300, groups = 4;
  std::vector<float> x = normal(rows * n, 1), dy = normal(rows * n, 2), w = normal(n, 3), mean(rows),
                     rstd(rows);
  std::vector<float> dx(rows * n);
  std::vector<double> dw(n), db(n);
  for (int r = 0; r < rows; ++r) {
    const float *row = &x[r * n], *drow = &dy[r * n];
    double m = std::accumulate(row, row + n, 0.0) / n, variance = 0, along = 0, shift = 0;
    for (int c = 0; c < n; ++c)
      variance += (row[c] - m) * (row[c] - m) / n;
    double s = 1 / std::sqrt(variance + 1e-5);
    mean[r] = float(m), rstd[r] = float(s);
    for (int c = 0; c < n; ++c) {
      along += (row[c] - m) * s * w[c] * drow[c] / n;
      shift += w[c] * drow[c] / n;
      dw[c] += drow[c] * (row[c] - m) * s;
      db[c] += drow[c];
    }
    for (int c = 0; c < n; ++c)
      dx[r * n + c] = float((w[c] * drow[c] - ((row[c] - m) * s * along + shift)) * s);
  }
  for (int warps : {1, 4}) {
    Array<float> dxs(device(), rows * n), dws(device(), groups * n), dbs(device(), groups * n);
    Array<int32_t> locks(device(), std::vector<int32_t>(2 * groups, 0));
    kernel("norm_backward")
        .constexpr_("GROUPS", groups)
        .constexpr_("BLOCK", 512)
        .numWarps(warps)
        .launch(device(), rows, dxs, Array<float>(device(), dy), dws, dbs, Array<float>(device(), x),
                Array<float>(device(), w), Array<float>(device(), mean), Array<float>(device(), rstd), locks,
                n, n);
    expectNear(dxs.download(), dx, 1e-5, "dx");
    Kernel add = kernel("add_groups").constexpr_("BLOCK_M", 4).constexpr_("BLOCK_N", 128).numWarps(warps);
    Array<float> totals(device(), n);
    add.launch(device(), cdiv(n, 128), dws, totals, groups, n);
    expectNear(totals.download(), dw, 1e-4, "dw");
    add.launch(device(), cdiv(n, 128), dbs, totals, groups, n);
    expectNear(totals.download(), db, 1e-4, "db");
  }
}

/// The first word of Philox 4x32-10 with `seed` as key, at `counter`.
uint32_t philox(uint64_t seed, uint32_t counter) {
  uint32_t c[4] = {counter, 0, 0, 0}, k0 = uint32_t(seed), k1 = uint32_t(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    uint64_t a = uint64_t(0xD2511F53u) * c[0], b = uint64_t(0xCD9E8D57u) * c[2];
    uint32_t next[4] = {uint32_t(b >> 32) ^ c[1] ^ k0, uint32_t(b), uint32_t(a >> 32) ^ c[3] ^ k1,
                        uint32_t(a)};
    std::copy(next, next + 4, c);
    k0 += 0x9E3779B9u, k1 += 0xBB67AE85u;
  }
  return c[0];
}

TEST(Constructs, SeededDropoutDropsTheSameElementsEverywhere) {
  constexpr int n = 3000;
  std::vector<float> x = normal(n, 4), expected(n);
  for (int seed : {0, 123, 1 << 30}) {
    Array<float> ys(device(), n);
    kernel("seeded_dropout")
        .constexpr_("BLOCK", 1024)
        .launch(device(), cdiv(n, 1024), Array<float>(device(), x), ys, n, 0.25, seed);
    for (int i = 0; i < n; ++i) {
      auto word = int32_t(philox(uint64_t(seed), uint32_t(i)));
      float uniform = float(word < 0 ? -word - 1 : word) * 4.6566127342e-10f;
      expected[i] = uniform > 0.25f ? x[i] / 0.75f : 0.0f;
    }
    expectNear(ys.download(), expected, 1e-6, "seed " + std::to_string(seed));
  }
}

TEST(Constructs, ExtremesWithTheirPlaces) {
  for (int n : {1, 2, 31, 500, 1024})
    for (int warps : {1, 4, 8}) {
      constexpr int rows = 5;
      std::vector<float> x(rows * n), values;
      std::vector<int32_t> places;
      std::vector<float> random = normal(rows * n, n);
      for (size_t i = 0; i < x.size(); ++i)
        x[i] = std::round(random[i] * 3); // many ties: the first counts
      for (int r = 0; r < rows; ++r) {
        auto begin = x.begin() + r * n, end = begin + n, high = std::max_element(begin, end),
             low = std::min_element(begin, end);
        values.insert(values.end(), {*high, *low});
        places.insert(places.end(), {int32_t(high - begin), int32_t(low - begin)});
      }
      Array<float> valuesOut(device(), 2 * rows);
      Array<int32_t> placesOut(device(), 2 * rows);
      kernel("extremes")
          .constexpr_("BLOCK", blockFor(n))
          .numWarps(warps)
          .launch(device(), rows, Array<float>(device(), x), valuesOut, placesOut, n, n);
      EXPECT_EQ(valuesOut.download(), values) << n << " columns, " << warps << " warps";
      EXPECT_EQ(placesOut.download(), places) << n << " columns, " << warps << " warps";
    }
}

TEST(Constructs, AReductionOfPairsByACombinationOfOnesOwn) {
  for (int warps : {1, 4}) {
    constexpr int m = 16, n = 64;
    std::vector<float> keys = normal(m * n, 6); // no two alike
    std::vector<int32_t> values(m * n), expected(m);
    std::iota(values.begin(), values.end(), 100);
    for (int r = 0; r < m; ++r)
      expected[r] = values[std::max_element(&keys[r * n], &keys[r * n] + n) - keys.data()];
    Array<int32_t> out(device(), m);
    kernel("value_of_greatest_key")
        .constexpr_("BLOCK_M", m)
        .constexpr_("BLOCK_N", n)
        .numWarps(warps)
        .launch(device(), 1, Array<float>(device(), keys), Array<int32_t>(device(), values), out);
    EXPECT_EQ(out.download(), expected);
  }
}

TEST(Constructs, ReductionsOverEachAxisOfThreeAndOverAll) {
  constexpr int A = 4, B = 16, C = 8;
  for (int warps : {1, 4}) {
    std::vector<float> x(A * B * C), planes(A), lines(A * C);
    int bits = 0;
    for (int i = 0; i < A * B * C; ++i) {
      x[i] = float((i * 7919) % 101);
      planes[i / (B * C)] += x[i];
      lines[i / (B * C) * C + i % C] += x[i];
      bits ^= int(x[i]);
    }
    std::vector<float> totals = {std::accumulate(x.begin(), x.end(), 0.0f),
                                 *std::max_element(x.begin(), x.end()), float(bits)};
    Array<float> planesOut(device(), A), linesOut(device(), A * C), totalsOut(device(), 3);
    kernel("cube_sums")
        .constexpr_("A", A)
        .constexpr_("B", B)
        .constexpr_("C", C)
        .numWarps(warps)
        .launch(device(), 1, Array<float>(device(), x), planesOut, linesOut, totalsOut);
    EXPECT_EQ(planesOut.download(), planes);
    EXPECT_EQ(linesOut.download(), lines);
    EXPECT_EQ(totalsOut.download(), totals);
  }
}

TEST(Constructs, AWhileLoopOverAScalar) {
  constexpr int n = 30;
  std::vector<int32_t> expected(n);
  for (int i = 0; i < n; ++i)
    for (int64_t value = i + 1; value != 1 && expected[i] < 100; ++expected[i])
      value = value % 2 == 0 ? value / 2 : 3 * value + 1;
  Array<int32_t> steps(device(), n);
  kernel("collatz_steps").launch(device(), n, steps, 100);
  EXPECT_EQ(steps.download(), expected);
}

TEST(Constructs, ARangeDownwardsThatCarriesAPointerAndATuple) {
  constexpr int block = 64;
  for (int rows : {1, 2, 9})
    for (int unroll : {2, 3, 5}) {
      std::vector<float> x(rows * block), expected(2 * block);
      std::vector<float> random = normal(rows * block, rows);
      for (size_t i = 0; i < x.size(); ++i)
        x[i] = std::round(random[i] * 2);
      for (int c = 0; c < block; ++c) {
        float low = infinity, high = -infinity;
        for (int r = 0; r < rows; ++r)
          low = std::min(low, x[r * block + c]), high = std::max(high, x[r * block + c]);
        expected[c] = (high - low) * (high - low);
        expected[block + c] = float(std::pow(high - low, unroll));
      }
      Array<float> out(device(), 2 * block);
      kernel("ranges")
          .constexpr_("BLOCK", block)
          .constexpr_("UNROLL", unroll)
          .launch(device(), 1, Array<float>(device(), x), out, rows, block);
      EXPECT_EQ(out.download(), expected) << rows << " rows";
    }
}

TEST(Constructs, EarlyReturnsOfKernelAndHelper) {
  constexpr int rows = 6, stride = 10;
  std::vector<float> x(rows * stride, 0.0f);
  x[3] = 2, x[stride + 9] = 2, x[3 * stride] = 2;
  std::vector<int32_t> lengths = {10, 5, 0, 1, -1, 10}, expected = {3, 5, -1, 0, 77, 10};
  Array<int32_t> out(device(), std::vector<int32_t>(rows, 77));
  kernel("search").launch(device(), rows, Array<float>(device(), x), out, Array<int32_t>(device(), lengths),
                          stride, 1.0);
  EXPECT_EQ(out.download(), expected);
}

TEST(Constructs, AttentionThatCarriesMaximumSumAndResult) {
  for (int n : {1, 40, 200})
    for (int warps : {1, 4}) {
      std::vector<float> q = normal(n, 1), k = normal(n, 2), v = normal(n, 3);
      std::vector<double> expected(n);
      for (int i = 0; i < n; ++i) {
        double top = -infinity, total = 0;
        for (int j = 0; j < n; ++j)
          top = std::max(top, double(q[i]) * k[j]);
        for (int j = 0; j < n; ++j) {
          double weight = std::exp(double(q[i]) * k[j] - top);
          total += weight;
          expected[i] += weight * v[j];
        }
        expected[i] /= total;
      }
      Array<float> z(device(), n);
      kernel("attention_row")
          .constexpr_("BLOCK_I", 16)
          .constexpr_("BLOCK_J", 32)
          .numWarps(warps)
          .launch(device(), cdiv(n, 16), Array<float>(device(), q), Array<float>(device(), k),
                  Array<float>(device(), v), z, n);
      expectNear(z.download(), expected, 1e-5, std::to_string(n) + " positions");
    }
}

TEST(Constructs, AtomicsHandOutEachNumberOnce) {
  constexpr int programs = 50, n = 40;
  Array<int32_t> next(device(), std::vector<int32_t>{0}), owners(device(), n);
  kernel("tickets").launch(device(), programs, next, owners, n);
  EXPECT_EQ(next.download(), std::vector<int32_t>{programs}); // once a program, not once a thread
  std::vector<int32_t> found = owners.download();
  std::sort(found.begin(), found.end());
  EXPECT_EQ(std::adjacent_find(found.begin(), found.end()), found.end());
  EXPECT_GE(found.front(), 1);
  EXPECT_LE(found.back(), programs);
}

template <typename T> void checkScattered() {
  constexpr int n = 700, slots = 16;
  std::vector<float> random = normal(n, 8), tops(slots, -infinity), lows(slots, infinity), sums(slots);
  std::vector<T> x(n);
  std::vector<int32_t> where(n), bits(3 * slots);
  std::fill(bits.begin() + 2 * slots, bits.end(), -1);
  for (int i = 0; i < n; ++i) {
    float value = std::round(random[i] * 2); // sums of these are exact in every type
    x[i] = T(value), where[i] = i * 7 % slots;
    int s = where[i];
    sums[s] += value, tops[s] = std::max(tops[s], value), lows[s] = std::min(lows[s], value);
    bits[s] |= 1 << (i % 31), bits[slots + s] ^= i, bits[2 * slots + s] &= ~(1 << (i % 31));
  }
  Array<T> sumsOut(device(), std::vector<T>(slots, T(0.0f)));
  Array<float> topsOut(device(), std::vector<float>(slots, -infinity)),
      lowsOut(device(), std::vector<float>(slots, infinity));
  std::vector<int32_t> start(3 * slots);
  std::fill(start.begin() + 2 * slots, start.end(), -1);
  Array<int32_t> bitsOut(device(), start);
  kernel("scattered")
      .constexpr_("BLOCK", 256)
      .launch(device(), cdiv(n, 256), Array<T>(device(), x), Array<int32_t>(device(), where), sumsOut,
              topsOut, lowsOut, bitsOut, n);
  std::vector<float> found;
  for (T sum : sumsOut.download())
    found.push_back(float(sum));
  EXPECT_EQ(found, sums);
  EXPECT_EQ(topsOut.download(), tops);
  EXPECT_EQ(lowsOut.download(), lows);
  EXPECT_EQ(bitsOut.download(), bits);
}

TEST(Constructs, ScatteredAtomicsOfEveryKind) {
  checkScattered<float>();
  checkScattered<f16>();
  checkScattered<bf16>();
}

TEST(Constructs, FunctionsStringsAndNoneChooseWhatIsCompiled) {
  constexpr int n = 100;
  std::vector<float> x = normal(n, 1), bias = normal(n, 2);
  for (bool withBias : {false, true})
    for (float scale : {0.5f, 2.0f})
      for (std::string activation : {"none", "relu", "leaky_relu"}) {
        std::vector<float> expected(n);
        for (int i = 0; i < n; ++i) {
          double a = double(x[i]) + (withBias ? bias[i] : 0.0f);
          double y = scale > 1.5f ? (2 * a - a * a) * scale : (2 * a - a * a) + scale;
          expected[i] = float(y >= 0 || activation == "none" ? y : activation == "relu" ? 0 : 0.25 * y);
        }
        Array<float> xs(device(), x), biases(device(), bias), ys(device(), n);
        kernel("chosen")
            .constexpr_("ACTIVATION", activation)
            .constexpr_("BLOCK", 128)
            .launch(device(), 1, xs, ys, withBias ? Argument(biases) : Argument(std::nullopt), scale, n);
        expectNear(ys.download(), expected, 1e-5, activation);
      }
}

} // namespace
