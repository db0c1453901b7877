// The facts that real kernels depend on.
#include "test/compiler/analysis/AnalysisFixture.h"

using namespace tegula;
using namespace tegula::testing;

TEST(AxisInfo, OffsetsAndMaskOfAnElementwiseKernel) {
  AnalysedKernel kernel(R"(
    %pid = tile.program_id x
    %c1024 = arith.constant 1024 : i32
    %start = arith.muli %pid, %c1024 : i32
    %i = tile.arange 0 to 1024 : tensor<1024xi32>
    %s = tile.splat %start : i32 -> tensor<1024xi32>
    %offs = arith.addi %s, %i : tensor<1024xi32>
    %ns = tile.splat %n : i32 -> tensor<1024xi32>
    %mask = arith.cmpi slt, %offs, %ns : tensor<1024xi32>
    %xs = tile.splat %x : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
    %p = tile.addptr %xs, %offs : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
    tile.print "" [true] values(%offs : tensor<1024xi32>)
    tile.print "" [true] values(%mask : tensor<1024xi1>)
    tile.print "" [true] values(%p : tensor<1024x!tile.ptr<f32>>))");
  EXPECT_EQ(kernel.printed(0), "contiguity [1024] divisibility [1024] constancy [1]");
  EXPECT_EQ(kernel.printed(1), "contiguity [1] divisibility [1] constancy [16]");
  EXPECT_EQ(kernel.printed(2), "contiguity [1024] divisibility [16] constancy [1]");
}

TEST(AxisInfo, RowsAndColumns) {
  AnalysedKernel kernel(R"(
    %i = tile.arange 0 to 32 : tensor<32xi32>
    %j = tile.arange 0 to 64 : tensor<64xi32>
    %r = tile.expand_dims %i, 1 : tensor<32xi32> -> tensor<32x1xi32>
    %c = tile.expand_dims %j, 0 : tensor<64xi32> -> tensor<1x64xi32>
    %n1 = tile.splat %n : i32 -> tensor<32x1xi32>
    %rn = arith.muli %r, %n1 : tensor<32x1xi32>
    %rb = tile.broadcast %rn : tensor<32x1xi32> -> tensor<32x64xi32>
    %cb = tile.broadcast %c : tensor<1x64xi32> -> tensor<32x64xi32>
    %o = arith.addi %rb, %cb : tensor<32x64xi32>
    tile.print "" [true] values(%o : tensor<32x64xi32>))");
  EXPECT_EQ(kernel.printed(), "contiguity [1, 64] divisibility [1, 16] constancy [1, 1]");
}

TEST(AxisInfo, QuotientAndRemainderOfProvablyNonNegativeOffsets) {
  AnalysedKernel kernel(R"(
    %i = tile.arange 0 to 1024 : tensor<1024xi32>
    %w = arith.constant dense<64> : tensor<1024xi32>
    %q = arith.divsi %i, %w : tensor<1024xi32>
    %r = arith.remsi %i, %w : tensor<1024xi32>
    tile.print "" [true] values(%q : tensor<1024xi32>)
    tile.print "" [true] values(%r : tensor<1024xi32>))");
  EXPECT_EQ(kernel.printed(0), "contiguity [1] divisibility [1] constancy [64]");
  EXPECT_EQ(kernel.printed(1), "contiguity [64] divisibility [64] constancy [1]");
}

TEST(AxisInfo, SignedQuotientOfWhatMayBeNegativeIsNotConstant) {
  AnalysedKernel kernel(R"(
    %i = tile.arange 0 to 64 : tensor<64xi32>
    %s = arith.constant dense<64> : tensor<64xi32>
    %neg = arith.subi %i, %s : tensor<64xi32>
    %q = arith.divsi %neg, %s : tensor<64xi32>
    tile.print "" [true] values(%q : tensor<64xi32>))",
                        Trust::Nothing);
  EXPECT_EQ(kernel.printed(), "contiguity [1] divisibility [1] constancy [1]");
}

TEST(AxisInfo, RemainderByWhatMayBeNegativeKeepsRuns) {
  AnalysedKernel kernel(R"(
    %i = tile.arange 0 to 64 : tensor<64xi32>
    %ns = tile.splat %n : i32 -> tensor<64xi32>
    %w = arith.remsi %i, %ns : tensor<64xi32>
    tile.print "" [true] values(%w : tensor<64xi32>))");
  EXPECT_EQ(kernel.printed(), "contiguity [16] divisibility [16] constancy [1]");
}

TEST(AxisInfo, RunsOfUnknownSignAreTakenOnTrustToWrapAtTheEndOnly) {
  AnalysedKernel kernel(R"(
    %i = tile.arange 0 to 64 : tensor<64xi32>
    %c64 = arith.constant 64 : i32
    %first = arith.muli %m, %c64 : i32
    %firsts = tile.splat %first : i32 -> tensor<64xi32>
    %j = arith.addi %firsts, %i : tensor<64xi32>
    %ns = tile.splat %n : i32 -> tensor<64xi32>
    %w = arith.remsi %j, %ns : tensor<64xi32>
    tile.print "" [true] values(%w : tensor<64xi32>))");
  EXPECT_EQ(kernel.printed(), "contiguity [16] divisibility [16] constancy [1]");
}

TEST(AxisInfo, AMultipleStatedOfRunsSaysNothingOfTheGroupsInside) {
  // The runs of `i % n` may be longer than the 16 that are known: a group of 16 may begin at 16.
  AnalysedKernel kernel(R"(
    %i = tile.arange 0 to 64 : tensor<64xi32>
    %ns = tile.splat %n : i32 -> tensor<64xi32>
    %w = arith.remui %i, %ns : tensor<64xi32>
    %a = tile.hint %w divisibility = [64] : tensor<64xi32>
    %b = tile.hint %a contiguity = [32] : tensor<64xi32>
    %c = tile.hint %b contiguity = [64] divisibility = [64] : tensor<64xi32>
    tile.print "" [true] values(%w : tensor<64xi32>)
    tile.print "" [true] values(%a : tensor<64xi32>)
    tile.print "" [true] values(%b : tensor<64xi32>)
    tile.print "" [true] values(%c : tensor<64xi32>))");
  EXPECT_EQ(kernel.printed(0), "contiguity [16] divisibility [16] constancy [1]");
  EXPECT_EQ(kernel.printed(1), "contiguity [16] divisibility [16] constancy [1]");
  EXPECT_EQ(kernel.printed(2), "contiguity [32] divisibility [32] constancy [1]");
  EXPECT_EQ(kernel.printed(3), "contiguity [64] divisibility [64] constancy [1]");
}

TEST(AxisInfo, HintsAreTakenOnTrust) {
  AnalysedKernel kernel(R"(
    %i = tile.arange 0 to 64 : tensor<64xi32>
    %ms = tile.splat %m : i32 -> tensor<64xi32>
    %w = arith.remsi %i, %ms : tensor<64xi32>
    %a = tile.hint %w divisibility = [64] : tensor<64xi32>
    %b = tile.hint %a contiguity = [64] : tensor<64xi32>
    tile.print "" [true] values(%w : tensor<64xi32>)
    tile.print "" [true] values(%b : tensor<64xi32>))");
  EXPECT_EQ(kernel.printed(0), "contiguity [1] divisibility [1] constancy [1]");
  EXPECT_EQ(kernel.printed(1), "contiguity [64] divisibility [64] constancy [1]");
}

TEST(AxisInfo, LoopsReachAFixpoint) {
  AnalysedKernel kernel(R"(
    %c0 = arith.constant 0 : i32
    %c48 = arith.constant 48 : i32
    %i = tile.arange 0 to 64 : tensor<64xi32>
    %xs = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
    %p0 = tile.addptr %xs, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    %step = arith.constant dense<2> : tensor<64xi32>
    %end = scf.for %k = %c0 to %n step %c48 iter_args(%p = %p0) -> (tensor<64x!tile.ptr<f32>>) : i32 {
      tile.print "" [true] values(%k : i32)
      tile.print "" [true] values(%p : tensor<64x!tile.ptr<f32>>)
      %q = tile.addptr %p, %step : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
      scf.yield %q : tensor<64x!tile.ptr<f32>>
    }
    tile.print "" [true] values(%end : tensor<64x!tile.ptr<f32>>))");
  EXPECT_EQ(kernel.printed(0), "contiguity [1] divisibility [16] constancy [1]");
  EXPECT_EQ(kernel.printed(1), "contiguity [64] divisibility [8] constancy [1]");
  EXPECT_EQ(kernel.printed(2), "contiguity [64] divisibility [8] constancy [1]");
}

TEST(AxisInfo, ALoopThatCountsDownwardsKeepsItsStep) {
  AnalysedKernel kernel(R"(
    %first = arith.constant -1 : i32
    %c48 = arith.constant 48 : i32
    scf.for %k = %first to %n step %c48 : i32 {
      %above = arith.subi %k, %first : i32
      tile.print "" [true] values(%above : i32)
      %other = arith.constant 7 : i32
      %off = arith.subi %k, %other : i32
      tile.print "" [true] values(%off : i32)
    }
    scf.for %k = %n to %m step %c48 : i32 {
      %above = arith.subi %k, %n : i32
      tile.print "" [true] values(%above : i32)
      %c96 = arith.constant 96 : i32
      %ahead = arith.addi %k, %c96 : i32
      %further = arith.subi %ahead, %n : i32
      tile.print "" [true] values(%further : i32)
      %c8 = arith.constant 8 : i32
      %between = arith.addi %k, %c8 : i32
      %apart = arith.subi %between, %n : i32
      tile.print "" [true] values(%apart : i32)
    })");
  EXPECT_EQ(kernel.printed(0), "contiguity [1] divisibility [16] constancy [1]");
  EXPECT_EQ(kernel.printed(1), "contiguity [1] divisibility [1] constancy [1]");
  EXPECT_EQ(kernel.printed(2), "contiguity [1] divisibility [16] constancy [1]");
  EXPECT_EQ(kernel.printed(3), "contiguity [1] divisibility [16] constancy [1]") << "as loads ahead have it";
  EXPECT_EQ(kernel.printed(4), "contiguity [1] divisibility [8] constancy [1]");
}

TEST(AxisInfo, BranchesKeepWhatBothSidesHave) {
  AnalysedKernel kernel(R"(
    %c0 = arith.constant 0 : i32
    %i = tile.arange 0 to 64 : tensor<64xi32>
    %four = arith.constant dense<4> : tensor<64xi32>
    %cond = arith.cmpi sgt, %m, %c0 : i32
    %r = scf.if %cond -> tensor<64xi32> {
      scf.yield %i : tensor<64xi32>
    } else {
      %j = arith.addi %i, %four : tensor<64xi32>
      scf.yield %j : tensor<64xi32>
    }
    tile.print "" [true] values(%r : tensor<64xi32>))");
  EXPECT_EQ(kernel.printed(), "contiguity [64] divisibility [4] constancy [1]");
}

TEST(AxisInfo, PointerCastsKeepAlignment) {
  AnalysedKernel kernel(R"(
    %i = tile.arange 0 to 64 : tensor<64xi32>
    %hs = tile.splat %h : !tile.ptr<bf16> -> tensor<64x!tile.ptr<bf16>>
    %p = tile.addptr %hs, %i : tensor<64x!tile.ptr<bf16>>, tensor<64xi32>
    %same = tile.bitcast %p : tensor<64x!tile.ptr<bf16>> -> tensor<64x!tile.ptr<i16>>
    %other = tile.bitcast %p : tensor<64x!tile.ptr<bf16>> -> tensor<64x!tile.ptr<i32>>
    tile.print "" [true] values(%same : tensor<64x!tile.ptr<i16>>)
    tile.print "" [true] values(%other : tensor<64x!tile.ptr<i32>>))");
  EXPECT_EQ(kernel.printed(0), "contiguity [64] divisibility [16] constancy [1]");
  EXPECT_EQ(kernel.printed(1), "contiguity [1] divisibility [2] constancy [1]");
}

TEST(AxisInfo, IntegersWiderThanTheDialectsAreUnknown) {
  AnalysedKernel kernel(R"(
    %c = arith.constant 170141183460469231731687303715884105727 : i128
    %t = arith.trunci %c : i128 to i32
    %u = arith.extui %n : i32 to i128
    %v = arith.addi %u, %c : i128
    tile.print "" [true] values(%t : i32))");
  EXPECT_EQ(kernel.printed(), "contiguity [1] divisibility [1] constancy [1]");
}
