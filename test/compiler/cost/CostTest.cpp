// The terms of kernels whose amounts are known, and what holds of every estimate.
#include "compiler/cost/EstimateText.h"
#include "compiler/cost/TermsJson.h"
#include "compiler/driver/Compiler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace tegula;

namespace {

const char *const matmulSource = R"(import triton
import triton.language as tl

@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    sums = tl.zeros((BM, BN), tl.float32)
    for first in range(0, K, BK):
        x = tl.load(a + m[:, None] * K + (first + k)[None, :])
        y = tl.load(b + (first + k)[:, None] * N + n[None, :])
        sums = tl.dot(x, y, sums)
    tl.store(c + m[:, None] * N + n[None, :], sums.to(tl.bfloat16))
)";

const char *const loopsSource = R"(import triton
import triton.language as tl

@triton.jit
def triangle(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    sums = tl.zeros((BLOCK,), tl.float32)
    for j in range(tl.program_id(0)):
        sums += tl.exp(tl.load(x + j * BLOCK + i))
    if tl.program_id(0) == 3:
        tl.store(out + i, sums)

@triton.jit
def loaded(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    sums = tl.zeros((BLOCK,), tl.int32)
    for j in range(tl.load(x)):
        sums += i
    tl.store(out + i, sums)

@triton.jit
def divides(x, out, n, by):
    for j in range(n // by, n % by + 9):
        tl.store(out + j, tl.load(x + j))

@triton.jit
def waits(x, out):
    n = tl.load(x)
    while n > 0:
        n = n // 2
    tl.store(out, n)
)";

BoundValue number(int64_t value) { return BoundValue{value}; }

TermsResult termsOf(const char *source, const KernelSpec &spec, const cost::LaunchFacts &launch) {
  static Compiler compiler;
  return compiler.terms(*compiler.parse("kernel.py", source), spec, launch);
}

/// A product of two matrices of bf16 by blocks.
cost::KernelTerms matmul(int64_t m, int64_t n, int64_t k, int64_t bm, int64_t bn, int64_t bk,
                         uint32_t stages = 3, uint32_t warps = 4, ScalarKind kind = ScalarKind::BFloat16) {
  KernelSpec spec;
  spec.kernel = "matmul";
  spec.target = "sm_90a";
  spec.numStages = stages;
  spec.numWarps = warps;
  const RuntimeArg pointer{kind, 1, {16}}, side{ScalarKind::Int32, 0, {16, true}};
  spec.args = {{"a", pointer}, {"b", pointer},     {"c", pointer},     {"M", side},       {"N", side},
               {"K", side},    {"BM", number(bm)}, {"BN", number(bn)}, {"BK", number(bk)}};
  cost::LaunchFacts launch;
  launch.grid = {uint32_t((m + bm - 1) / bm), uint32_t((n + bn - 1) / bn), 1};
  launch.numbers = {{"M", m}, {"N", n}, {"K", k}};
  launch.multiprocessors = 132;
  TermsResult found = termsOf(matmulSource, spec, launch);
  EXPECT_TRUE(found.terms) << found.unknown;
  return found.terms.value_or(cost::KernelTerms());
}

TermsResult loops(const char *kernel, uint32_t programs) {
  KernelSpec spec;
  spec.kernel = kernel;
  const bool isTriangle = spec.kernel == "triangle";
  const RuntimeArg pointer{isTriangle ? ScalarKind::Float32 : ScalarKind::Int32, 1, {16}};
  spec.args = {{"x", pointer}, {"out", pointer}};
  if (spec.kernel != "waits")
    spec.args.emplace("BLOCK", number(128));
  if (isTriangle)
    spec.args.emplace("n", RuntimeArg{ScalarKind::Int32, 0, {}});
  cost::LaunchFacts launch;
  launch.grid = {programs, 1, 1};
  return termsOf(loopsSource, spec, launch);
}

const Target &hopper() { return *lookupTarget("sm_90a"); }

TEST(CostTerms, AProductCountsWholeTiles) {
  const cost::KernelTerms terms = matmul(1000, 500, 300, 128, 64, 32);
  EXPECT_EQ(terms.programs, 8u * 8);
  EXPECT_EQ(terms.sumBytes, 4u * 128 * 64);
  ASSERT_EQ(terms.sections.size(), 2u);
  const cost::Section &around = terms.sections[0], &loop = terms.sections[1];
  EXPECT_EQ(loop.times, 10);
  EXPECT_EQ(loop.stages, 3u);
  ASSERT_EQ(loop.products.size(), 1u);
  EXPECT_EQ(loop.products[0].flops(), 2.0 * 128 * 64 * 32);
  EXPECT_EQ(loop.loadedBytes(), 2.0 * 32 * (128 + 64));
  EXPECT_EQ(loop.stagedBytes(), 2.0 * 32 * (128 + 64));
  EXPECT_TRUE(around.products.empty());
  EXPECT_EQ(around.loadedBytes(), 0);
  EXPECT_EQ(around.times * around.storedBytes(), 2.0 * 128 * 64);
}

TEST(CostTerms, ProgramsThatShareABlockAreCounted) {
  // All of a grid of 4 by 4 are evaluated: four programs have the same rows, four the same columns.
  const cost::KernelTerms small = matmul(512, 512, 512, 128, 128, 64);
  for (const cost::AccessTerms &access : small.sections[1].accesses)
    EXPECT_EQ(access.copies, 4);
  // Of a larger grid they are estimated from a sample: well for the rows, whose programs are far apart in it.
  const cost::KernelTerms large = matmul(8192, 8192, 512, 128, 128, 64);
  EXPECT_NEAR(std::log2(large.sections[1].accesses[0].copies), 6, 1.5);
  EXPECT_GE(large.sections[1].accesses[1].copies, 1);
}

TEST(CostTerms, ALoopRunsAsOftenAsTheProgramSays) {
  const TermsResult found = loops("triangle", 4);
  ASSERT_TRUE(found.terms);
  double times = 0, most = 0, stored = 0;
  for (const cost::Section &section : found.terms->sections) {
    if (section.depth)
      times = section.times, most = section.mostTimes;
    stored += section.times * section.storedBytes();
  }
  EXPECT_EQ(times, 1.5); // 0, 1, 2 and 3 times
  EXPECT_EQ(most, 3);
  EXPECT_EQ(stored, 4 * 128 / 4.0); // one of four
}

TEST(CostTerms, ALoopOfUnknownLengthIsNotModelled) {
  EXPECT_EQ(loops("loaded", 1).unknown,
            "the number of iterations of a loop is read from memory or computed in a loop");
  EXPECT_EQ(loops("waits", 1).unknown, "a `while` loop runs until something holds that the kernel computes");
}

TEST(CostTerms, ALaunchOfNoProgramsIsNotModelled) {
  EXPECT_EQ(loops("triangle", 0).unknown, "the launch has no programs");
}

// The processor stops a program that divides the least number by -1, or anything by 0.
TEST(CostTerms, NumbersThatNoQuotientHasStopNothing) {
  for (int64_t by : {-1, 0}) {
    KernelSpec spec;
    spec.kernel = "divides";
    const RuntimeArg pointer{ScalarKind::Int32, 1, {16}}, count{ScalarKind::Int64, 0, {}};
    spec.args = {{"x", pointer}, {"out", pointer}, {"n", count}, {"by", count}};
    cost::LaunchFacts launch;
    launch.grid = {1, 1, 1};
    launch.numbers = {{"n", std::numeric_limits<int64_t>::min()}, {"by", by}};
    const TermsResult found = termsOf(loopsSource, spec, launch);
    ASSERT_TRUE(found.terms) << found.unknown;
    for (const cost::Section &section : found.terms->sections)
      EXPECT_GE(section.times, 0);
  }
}

TEST(CostTerms, SurviveJson) {
  const cost::KernelTerms terms = matmul(1000, 500, 300, 128, 64, 32);
  const std::optional<cost::KernelTerms> again = cost::termsFrom(cost::toJson(terms));
  ASSERT_TRUE(again);
  EXPECT_EQ(cost::toJson(*again), cost::toJson(terms));
  EXPECT_FALSE(cost::termsFrom(llvm::json::Object{{"programs", 1}}));
}

TEST(CostModel, WhatDoesNotFitIsNeverFirst) {
  // One stage alone has more than the shared memory of a block.
  const cost::Estimate none = cost::estimate(matmul(4096, 4096, 4096, 256, 256, 256), hopper(), 132);
  EXPECT_FALSE(none.fits());
  EXPECT_TRUE(std::isinf(none.cycles));
  EXPECT_EQ(cost::text(none), "does not fit: 262144 bytes of shared memory");
}

TEST(CostModel, TakesFewerStagesWhereSoManyDoNotFit) {
  const cost::Estimate some = cost::estimate(matmul(4096, 4096, 4096, 128, 256, 128, 5), hopper(), 132);
  EXPECT_EQ(some.stages, 2u);
  EXPECT_LE(some.sharedBytes, hopper().maxSharedPerBlock);
}

TEST(CostModel, GrowsWithTheWork) {
  for (int64_t side : {1024, 4096}) {
    const double one = cost::estimate(matmul(side, side, side, 128, 128, 64), hopper(), 132).cycles;
    EXPECT_LT(one, cost::estimate(matmul(side, side, 2 * side, 128, 128, 64), hopper(), 132).cycles);
    EXPECT_LT(one, cost::estimate(matmul(4 * side, side, side, 128, 128, 64), hopper(), 132).cycles);
    EXPECT_LE(one, cost::estimate(matmul(side, side, side, 128, 128, 64), hopper(), 66).cycles);
  }
}

TEST(CostModel, NoProductIsQuickerThanTheUnits) {
  for (const Target &target : allTargets()) {
    const cost::Estimate found = cost::estimate(matmul(8192, 8192, 8192, 128, 128, 64), target, 100);
    ASSERT_TRUE(found.fits()) << target.name;
    EXPECT_GE(found.cycles, 2.0 * 8192 * 8192 * 8192 / (cost::ratesOf(target).unitFlops * 100))
        << target.name;
  }
}

// Warp groups add up fp8 in few bits, so threads do, too, of some columns at a time where each group has 64
// rows.
TEST(CostModel, SumsOfFp8TakeSlotsAndRegisters) {
  auto of = [](int64_t bm, int64_t bn, bool isOfFloats8, const Target &target) {
    cost::KernelTerms terms = matmul(8192, 8192, 8192, bm, bn, 128, 3, 8, ScalarKind::Float8E4M3);
    for (cost::Section &section : terms.sections)
      for (cost::ProductTerms &product : section.products) {
        EXPECT_TRUE(product.isOfFloats8);
        product.isOfFloats8 = isOfFloats8;
      }
    return cost::estimate(terms, target, 132);
  };
  const cost::Estimate plain = of(128, 256, false, hopper()), columns = of(128, 256, true, hopper()),
                       rows = of(256, 128, true, hopper());
  EXPECT_GT(columns.issueCycles, plain.issueCycles);
  EXPECT_EQ(columns.registers, plain.registers);
  EXPECT_GT(rows.registers, columns.registers);
  EXPECT_GT(rows.cycles, columns.cycles);
  const Target &ada = *lookupTarget("sm_89"); // adds up in f32
  EXPECT_EQ(of(128, 256, true, ada).cycles, of(128, 256, false, ada).cycles);
}

TEST(CostModel, LargeTilesAreForLargeProducts) {
  auto cycles = [](int64_t side, int64_t bm, int64_t bn, uint32_t warps) {
    return cost::estimate(matmul(side, side, side, bm, bn, 64, 3, warps), hopper(), 132).cycles;
  };
  EXPECT_LT(cycles(8192, 128, 256, 8), cycles(8192, 64, 64, 4));
  EXPECT_LT(cycles(512, 64, 64, 4), cycles(512, 128, 256, 8));
}

TEST(CostModel, AClusterLiesInOnePartOfTheDevice) {
  const uint32_t expected[] = {66, 44, 29, 22, 22, 14, 14}; // of 7 parts of 18 multiprocessors, and one of 6
  for (uint32_t blocks = 2; blocks <= 8; ++blocks)
    EXPECT_EQ(cost::clustersAtOnce(blocks, 132, 18), expected[blocks - 2]) << blocks;
  EXPECT_EQ(cost::clustersAtOnce(8, 4, 18), 0u);
  EXPECT_EQ(cost::clustersAtOnce(3, 8, 18), 2u);
}

TEST(CostModel, FewProgramsAreSharedByTheBlocksOfClusters) {
  const cost::KernelTerms terms = matmul(512, 512, 16384, 128, 128, 64);
  const cost::Estimate shared = cost::estimate(terms, hopper(), 132);
  EXPECT_EQ(shared.split, 6u); // 16 clusters of seven do not run at once
  EXPECT_DOUBLE_EQ(shared.waves, 16.0 * 6 / (132 * shared.resident));
  // A device that has no multiprocessors to spare takes longer by nearly as much.
  const cost::Estimate alone = cost::estimate(terms, hopper(), 16);
  EXPECT_EQ(alone.split, 1u);
  EXPECT_GT(alone.cycles, 2.5 * shared.cycles);
  EXPECT_EQ(cost::estimate(matmul(1024, 1024, 4096, 128, 128, 64), hopper(), 132).split, 2u);
  EXPECT_EQ(cost::estimate(matmul(512, 512, 512, 128, 128, 64), hopper(), 132).split, 1u)
      << "little is saved";
  EXPECT_EQ(cost::estimate(matmul(2048, 1024, 4096, 128, 128, 64), hopper(), 132).split, 1u);
}

TEST(CostModel, AMultiprocessorHasTwoSharingBlocksWhereThreadsCopy) {
  cost::KernelTerms terms = matmul(768, 704, 8192, 64, 64, 64); // 132 tiles
  EXPECT_EQ(cost::estimate(terms, hopper(), 132).split, 1u);
  for (cost::Section &section : terms.sections)
    for (cost::AccessTerms &access : section.accesses)
      access.vectorBytes = 2;
  EXPECT_EQ(cost::estimate(terms, hopper(), 132).split, 2u);
}

} // namespace
