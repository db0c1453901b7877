// Products that are computed under the next iteration's arithmetic
// (compiler/schedule/products/OverlapProducts.cpp): for every number of iterations, stages and loops behind
// one another, each stage of the compiler and the emulator find what the source means.
#include "test/random/Arguments.h"
#include "test/random/Differential.h"

#include <gtest/gtest.h>

using namespace tegula;
using namespace tegula::random;

namespace {

Argument numbers(const char *name, size_t count) {
  constexpr uint64_t bits[] = {0x0000, 0x3f80, 0xbf80, 0x4000,
                               0x3f80, 0xbf80, 0x0000}; // 0, 1, -1 and 2 as bf16
  return tegula::random::numbers(name, count, bits, 1, 0);
}

/// Attention with whole numbers: `first` and `second` iterations of two loops, the latter masked. The second
/// loop goes on where the first ends, or begins anew; there is an overlapped product in both cases.
RandomKernel attention(uint64_t first, uint64_t second, unsigned stages, unsigned warps,
                       bool isAnew = false) {
  constexpr size_t Keys = 32, Width = 32;
  const std::string rows = std::to_string(16 * warps);
  RandomKernel kernel;
  kernel.numWarps = warps;
  kernel.numStages = stages;
  kernel.arguments = {numbers("q", 16 * warps * Width),
                      numbers("k", 6 * Keys * Width),
                      numbers("v", 6 * Keys * Width),
                      limit("m", Keys * first),
                      limit("n", Keys * (first + second)),
                      sums("o", 16 * warps * Width),
                      sums("l", 16 * warps)};
  auto loop = [&](const std::string &range, const std::string &scores) {
    return Node{
        "for i in tl.range(" + range + ", 32, warp_specialize=True):",
        {{"kT = tl.load(k + c[:, None] + (i + c)[None, :] * 32)", {}, {}},
         {scores, {}, {}},
         {"higher = tl.maximum(top, tl.max(s, 1))", {}, {}},
         {"shrink = tl.where(higher > top, 0.5, 1.0)", {}, {}},
         {"w = tl.minimum(s, 8.0)", {}, {}},
         {"t = t * shrink + tl.sum(w, 1)", {}, {}},
         {"top = higher", {}, {}},
         {"a = a * shrink[:, None]", {}, {}},
         {"a = tl.dot(w.to(tl.bfloat16), tl.load(v + (i + c)[:, None] * 32 + c[None, :]), a)", {}, {}}},
        {}};
  };
  kernel.body = {
      {"r = tl.arange(0, " + rows + ")", {}, {}},
      {"c = tl.arange(0, 32)", {}, {}},
      {"x = tl.load(q + r[:, None] * 32 + c[None, :])", {}, {}},
      {"a = tl.zeros((" + rows + ", 32), tl.float32)", {}, {}},
      {"t = tl.zeros((" + rows + ",), tl.float32)", {}, {}},
      {"top = tl.full((" + rows + ",), -1000.0, tl.float32)", {}, {}},
      loop("0, m", "s = tl.dot(x, kT)"),
      loop(isAnew ? "0, n" : "m, n", "s = tl.where((i + c)[None, :] <= r[:, None] * 2, tl.dot(x, kT), -4.0)"),
      {"tl.store(o + r[:, None] * 32 + c[None, :], a)", {}, {}},
      {"tl.store(l + r, t)", {}, {}}};
  return kernel;
}

void expectNoDifference(const RandomKernel &kernel) {
  static Compiler compiler;
  const std::optional<Difference> difference = compare(compiler, kernel, {.schedules = 3});
  EXPECT_FALSE(difference) << describe(kernel, *difference);
}

} // namespace

TEST(OverlappedProducts, EveryNumberOfIterationsOfTwoLoops) {
  for (uint64_t first = 0; first <= 3; ++first)
    for (uint64_t second = 0; second <= 2; ++second)
      for (bool isAnew : {false, true})
        expectNoDifference(attention(first, second, 2, 4, isAnew));
}

TEST(OverlappedProducts, EveryNumberOfStages) {
  for (unsigned stages : {2, 3, 4})
    for (uint64_t first : {1, 4})
      expectNoDifference(attention(first, 1, stages, 4));
}

TEST(OverlappedProducts, TwoGroupsOfWarps) {
  for (uint64_t first : {0, 2, 5})
    expectNoDifference(attention(first, 1, 2, 8));
}
