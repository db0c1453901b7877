// Tests which signs are known, which are trusted, and how accesses use them.
#include "compiler/analysis/access/MemoryAccess.h"
#include "compiler/analysis/access/SignTrust.h"
#include "test/compiler/analysis/AnalysisFixture.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::testing;

namespace {

/// `x[offset]` of 1024 elements, with what comes before.
std::string loadAt(const std::string &before) {
  return before + R"(
    %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
    %p = tile.addptr %xs, %offset : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
    %v = tile.load %p : tensor<1024x!tile.ptr<f32>>
    tile.print "" [false] values(%v : tensor<1024xf32>))";
}

/// The indices of a program of 1024.
const std::string indices = R"(
    %pid = tile.program_id x
    %c1024 = arith.constant 1024 : i32
    %start = arith.muli %pid, %c1024 : i32
    %a = tile.arange 0 to 1024 : tensor<1024xi32>
    %s = tile.splat %start : i32 -> tensor<1024xi32>
    %i = arith.addi %s, %a : tensor<1024xi32>
    %ws = tile.splat %size : i32 -> tensor<1024xi32>
    %ms = tile.splat %m : i32 -> tensor<1024xi32>
    %c64 = arith.constant dense<64> : tensor<1024xi32>
    %c128 = arith.constant dense<128> : tensor<1024xi32>)";

std::optional<TrustedAccess> trustOfLoad(AnalysedKernel &kernel) {
  SignTrust trust(*kernel.module);
  std::optional<TrustedAccess> result;
  kernel.module->walk([&](tile::LoadOp load) { result = trust.of(load); });
  return result;
}

} // namespace

TEST(Signs, AreCarriedFromArgumentsThroughArithmetic) {
  AnalysedKernel kernel(R"(
    %c16 = arith.constant 16 : i32
    %c15 = arith.constant 15 : i32
    %pid = tile.program_id x
    %count = tile.num_programs y
    %least = arith.minsi %size, %pid : i32
    %most = arith.maxsi %m, %size : i32
    %tiles = arith.divsi %size, %c16 : i32
    %place = arith.remsi %pid, %m : i32
    %sizeWide = arith.extsi %size : i32 to i64
    %both = arith.minsi %sizeWide, %wide : i64
    %is = arith.cmpi slt, %m, %size : i32
    %either = arith.select %is, %size, %pid : i32
    %low = arith.andi %m, %c15 : i32
    tile.print "" [true] values(%least : i32)
    tile.print "" [true] values(%most : i32)
    tile.print "" [true] values(%tiles : i32)
    tile.print "" [true] values(%place : i32)
    tile.print "" [true] values(%both : i64)
    tile.print "" [true] values(%either : i32)
    tile.print "" [true] values(%low : i32)
    tile.print "" [true] values(%count : i32)
    tile.print "" [true] values(%m : i32))",
                        Trust::Nothing);
  for (unsigned i = 0; i < 8; ++i)
    EXPECT_TRUE(kernel.isNotNegative(i)) << i;
  EXPECT_FALSE(kernel.isNotNegative(8));
}

TEST(Signs, OfSumsAndProductsAreTrustedAndNotProven) {
  const std::string body = R"(
    %c16 = arith.constant 16 : i32
    %c15 = arith.constant 15 : i32
    %sum = arith.addi %size, %c15 : i32
    %tiles = arith.divsi %sum, %c16 : i32
    %product = arith.muli %size, %tiles : i32
    %less = arith.subi %size, %c15 : i32
    tile.print "" [true] values(%sum : i32)
    tile.print "" [true] values(%tiles : i32)
    tile.print "" [true] values(%product : i32)
    tile.print "" [true] values(%less : i32))";
  AnalysedKernel trusting(body), strict(body, Trust::Nothing);
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_TRUE(trusting.isNotNegative(i)) << i;
    EXPECT_FALSE(strict.isNotNegative(i)) << i;
  }
  EXPECT_FALSE(trusting.isNotNegative(3));
}

TEST(Signs, OfLoopsThatCountUpwards) {
  AnalysedKernel kernel(R"(
    %c0 = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    %end = scf.for %k = %c0 to %size step %c16 iter_args(%at = %c0) -> (i32) : i32 {
      tile.print "" [true] values(%k : i32)
      tile.print "" [true] values(%at : i32)
      %next = arith.addi %at, %c16 : i32
      %hinted = tile.hint %next divisibility = [16] : i32
      scf.yield %hinted : i32
    }
    tile.print "" [true] values(%end : i32))");
  EXPECT_TRUE(kernel.isNotNegative(0));
  EXPECT_TRUE(kernel.isNotNegative(1));
  EXPECT_TRUE(kernel.isNotNegative(2));
}

TEST(Signs, AreReadFromAssumptions) {
  AnalysedKernel kernel(R"(
    %c0 = arith.constant 0 : i32
    %is = arith.cmpi sge, %m, %c0 : i32
    tile.assume %is
    %sum = arith.addi %n, %n : i32
    %isToo = arith.cmpi sgt, %sum, %c0 : i32
    tile.assume %isToo
    tile.print "" [true] values(%m : i32)
    tile.print "" [true] values(%sum : i32))",
                        Trust::Nothing);
  EXPECT_TRUE(kernel.isNotNegative(0));
  EXPECT_TRUE(kernel.isNotNegative(1));
}

TEST(Signs, WithTheFactQuotientsAndRemaindersKeepVectors) {
  for (const char *offset : {R"(
    %q = arith.divsi %i, %c64 : tensor<1024xi32>
    %row = arith.muli %q, %c128 : tensor<1024xi32>
    %r = arith.remsi %i, %c64 : tensor<1024xi32>
    %offset = arith.addi %row, %r : tensor<1024xi32>)",
                             R"(
    %q = arith.divsi %i, %ws : tensor<1024xi32>
    %row = arith.muli %q, %ws : tensor<1024xi32>
    %r = arith.remsi %i, %ws : tensor<1024xi32>
    %offset = arith.addi %row, %r : tensor<1024xi32>)",
                             R"(
    %offset = arith.remsi %i, %ws : tensor<1024xi32>)"}) {
    AnalysedKernel kernel(loadAt(indices + offset));
    std::optional<TrustedAccess> trust = trustOfLoad(kernel);
    ASSERT_TRUE(trust);
    EXPECT_EQ(trust->trusted[0], 4u);
    EXPECT_EQ(trust->proven[0], 1u);
    for (const TrustedDivision &division : trust->divisions)
      EXPECT_TRUE(division.unlessOverflow); // of `pid * 1024`
  }
}

TEST(Signs, ProvenDividendsNeedNoTrust) {
  AnalysedKernel kernel(loadAt(indices + R"(
    %q = arith.divsi %a, %ws : tensor<1024xi32>
    %row = arith.muli %q, %ws : tensor<1024xi32>
    %r = arith.remsi %a, %ws : tensor<1024xi32>
    %offset = arith.addi %row, %r : tensor<1024xi32>)"));
  EXPECT_FALSE(trustOfLoad(kernel));
  std::optional<MemoryAccess> access;
  kernel.module->walk([&](tile::LoadOp load) {
    access = analyzeAccess(load, AxisInfoAnalysis(*kernel.module, Trust::Nothing));
  });
  EXPECT_EQ(access->run(), 4u);
}

TEST(Signs, AnUnknownSignIsTrusted) {
  AnalysedKernel kernel(loadAt(indices + R"(
    %shifted = arith.subi %a, %c128 : tensor<1024xi32>
    %offset = arith.remsi %shifted, %c64 : tensor<1024xi32>)"));
  std::optional<TrustedAccess> trust = trustOfLoad(kernel);
  ASSERT_TRUE(trust);
  ASSERT_EQ(trust->divisions.size(), 1u);
  EXPECT_FALSE(trust->divisions[0].unlessOverflow);
}

TEST(Signs, TheRemainderThatIsNeverNegativeNeedsNone) {
  AnalysedKernel kernel(loadAt(indices + R"(
    %shifted = arith.subi %a, %c128 : tensor<1024xi32>
    %r = arith.remsi %shifted, %ws : tensor<1024xi32>
    %c0 = arith.constant dense<0> : tensor<1024xi32>
    %below = arith.cmpi slt, %r, %c0 : tensor<1024xi32>
    %moved = arith.addi %r, %ws : tensor<1024xi32>
    %offset = arith.select %below, %moved, %r : tensor<1024xi1>, tensor<1024xi32>)"));
  EXPECT_FALSE(trustOfLoad(kernel));
}

TEST(Signs, GroupedOrderOfTilesNeedsNoMoreThanTrustInArithmetic) {
  AnalysedKernel kernel(loadAt(R"(
    %c7 = arith.constant 7 : i32
    %c8 = arith.constant 8 : i32
    %c1024 = arith.constant 1024 : i32
    %pid = tile.program_id x
    %padded = arith.addi %size, %c7 : i32
    %tiles = arith.divsi %padded, %c8 : i32
    %wide8 = arith.muli %tiles, %c8 : i32
    %group = arith.divsi %pid, %wide8 : i32
    %place = arith.remsi %pid, %wide8 : i32
    %first = arith.muli %group, %c8 : i32
    %left = arith.subi %tiles, %first : i32
    %rows = arith.minsi %left, %c8 : i32
    %column = arith.divsi %place, %rows : i32
    %start = arith.muli %column, %c1024 : i32
    %s = tile.splat %start : i32 -> tensor<1024xi32>
    %a = tile.arange 0 to 1024 : tensor<1024xi32>
    %i = arith.addi %s, %a : tensor<1024xi32>
    %ws = tile.splat %size : i32 -> tensor<1024xi32>
    %offset = arith.remsi %i, %ws : tensor<1024xi32>)"));
  std::optional<TrustedAccess> trust = trustOfLoad(kernel);
  ASSERT_TRUE(trust);
  EXPECT_EQ(trust->trusted[0], 4u);
  ASSERT_EQ(trust->divisions.size(), 1u);
  EXPECT_TRUE(trust->divisions[0].unlessOverflow);
}

TEST(Signs, ADivisionOfABranchIsTrustedByTheAccess) {
  AnalysedKernel kernel(loadAt(indices + R"(
    %wraps = arith.cmpi sgt, %size, %c1024 : i32
    %offset = scf.if %wraps -> (tensor<1024xi32>) {
      %r = arith.remsi %i, %ws : tensor<1024xi32>
      scf.yield %r : tensor<1024xi32>
    } else {
      scf.yield %i : tensor<1024xi32>
    })"));
  std::optional<TrustedAccess> trust = trustOfLoad(kernel);
  ASSERT_TRUE(trust);
  EXPECT_EQ(trust->trusted[0], 4u);
  EXPECT_EQ(trust->proven[0], 1u);
  EXPECT_EQ(trust->divisions.size(), 1u);
}
