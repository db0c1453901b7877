// The roofline: arithmetic by instruction, bytes, and the peaks of devices.
#include "tools/insight/Roofline.h"

#include "compiler/target/Target.h"
#include "tools/insight/Peaks.h"

#include <gmock/gmock.h>

using namespace tegula;
using namespace tegula::explain;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

static std::string told(const char *instruction) {
  const std::optional<Flops> found = flopsOf(instruction);
  if (!found)
    return "none";
  return found->kind + " " + std::to_string(found->ofThread) + " " + std::to_string(found->ofWarp);
}

TEST(Roofline, CountsTheArithmeticOfAThread) {
  EXPECT_EQ(told("\tfma.rn.f32 \t%f1, %f2, %f3, %f4;"), "fp32 2 0");
  EXPECT_EQ(told("\t@%p1 add.rn.ftz.f32 %f1, %f2, %f3;"), "fp32 1 0");
  EXPECT_EQ(told("fma.rn.bf16x2 %r1, %r2, %r3, %r4;"), "bf16 4 0");
  EXPECT_EQ(told("add.rn.f32x2 %rd1, %rd2, %rd3;"), "fp32 2 0");
  EXPECT_EQ(told("mul.f64 %fd1, %fd2, %fd3;"), "fp64 1 0");
  EXPECT_EQ(told("{ ex2.approx.ftz.f32 %f1, %f2; }"), "fp32 1 0");
}

TEST(Roofline, CountsAProductByItsShape) {
  EXPECT_EQ(told("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f2};"),
            "products of fp16 0 4096");
  EXPECT_EQ(told("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1}, {%r1}, {%r2}, {%f2};"),
            "products of tf32 0 2048");
  EXPECT_EQ(told("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%r1}, {%r2}, {%r3}, {%r4};"),
            "products of int8 0 8192");
  // Four warps execute one together.
  EXPECT_EQ(told("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {%f1}, %rd1, %rd2, 1, 1, 1, 0, 0;"),
            "products of bf16 0 32768");
  EXPECT_EQ(told("wgmma.mma_async.sync.aligned.m64n8k32.f16.e4m3.e5m2 {%r1}, %rd1, %rd2, 1, 1, 1;"),
            "products of fp8 0 8192");
}

TEST(Roofline, CountsNothingElse) {
  for (const char *other :
       {"add.s32 %r1, %r2, %r3;", "mad.lo.s32 %r1, %r2, %r3, %r4;", "ld.global.f32 %f1, [%rd1];",
        "cvt.rn.f16.f32 %h1, %f1;", "wgmma.fence.sync.aligned;", "wgmma.mma_async.sync.aligned",
        "mma.sync.m16", "mma.sync.aligned.m16n8k8.row.col.f32", "", "}", "$L__BB0_1:", "// fma.f32x9", "fma",
        "add..", ".", "mma.sync.aligned.m99999999999999999999n8k8.f32.f16.f16.f32"})
    EXPECT_EQ(told(other), "none") << other;
}

/// A run of three instructions on lines 1 to 3 of its PTX, with 3 sectors of which 2 are needed.
static Run someRun() {
  Run run;
  run.profile.ptx = "fma.rn.f32 %f1, %f2, %f3, %f4;\n"
                    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f2};\n"
                    "add.s32 %r1, %r2, %r3;\n";
  for (uint32_t line : {1u, 2u, 3u, 77u}) {
    runtime::InstructionProfile &one = run.profile.instructions.emplace_back();
    one.line = line;
    one.counters.warpInstructions = 10;
    one.counters.threadInstructions = 300;
  }
  run.report.total.loadSectors = 3;
  run.report.total.loadSectorsIdeal = 2;
  return run;
}

TEST(Roofline, IsOfTheLanesAndWarpsThatRan) {
  const Roofline made = rooflineOf(someRun(), "sm_90a");
  EXPECT_THAT(made.flops, ElementsAre(Pair("fp32", 600u), Pair("products of fp16", 40960u)));
  EXPECT_EQ(made.bytesMoved, 96u);
  EXPECT_EQ(made.bytesLeast, 64u);
  ASSERT_TRUE(made.peaks);
  EXPECT_EQ(made.peaks->from, "data sheet of NVIDIA H200 SXM");
}

TEST(Roofline, TellsTheArithmeticThatTakesMostOfItsPeak) {
  Roofline made = rooflineOf(someRun(), "sm_90a");
  EXPECT_EQ(
      rooflineText(made, "sm_90a"),
      "40960 flop of products of fp16, 427 a byte moved; the roof is that of memory up to 206, then that "
      "of products of fp16 (data sheet of NVIDIA H200 SXM)");
  made.flops["fp32"] = 40000; // fewer, and of what is ten times as slow
  EXPECT_THAT(rooflineText(made, "sm_90a"), HasSubstr("40000 flop of fp32, 417 a byte moved; "));
}

TEST(Roofline, WithoutPeaksThereIsNoRoof) {
  const Roofline made = rooflineOf(someRun(), "sm_121a");
  EXPECT_FALSE(made.peaks);
  EXPECT_EQ(rooflineText(made, "sm_121a"),
            "40960 flop of products of fp16, 427 a byte moved; peaks of sm_121a are not known");
}

TEST(Roofline, NothingIsSaidOfARunWithoutArithmeticOrBytes) {
  EXPECT_EQ(rooflineText({}, "sm_90a"), "");
  EXPECT_EQ(rooflineText({{{"fp32", 8}}, 0, 0, {}}, "sm_90a"), "");
  EXPECT_EQ(rooflineText({{}, 32, 32, peaksOfTarget("sm_90a")}, "sm_90a"), "");
}

TEST(Peaks, UnitsDoMoreOfSmallerElements) {
  for (const Target &target : allTargets()) {
    const std::optional<Peaks> peaks = peaksOfTarget(target.name);
    if (!peaks)
      continue;
    const auto &flops = peaks->flopsPerSecond;
    EXPECT_GT(peaks->bytesPerSecond, 1e11) << target.name;
    EXPECT_GT(flops.at("products of fp16"), flops.at("fp32")) << target.name;
    EXPECT_GE(flops.at("products of int8"), 1.9 * flops.at("products of fp16")) << target.name;
    EXPECT_EQ(flops.contains("products of bf16"), target.wideMatrices) << target.name;
    EXPECT_EQ(flops.contains("products of fp8"), target.fp8Products) << target.name;
    const double ridge = flops.at("products of fp16") / peaks->bytesPerSecond;
    EXPECT_TRUE(ridge > 50 && ridge < 500) << target.name << ": " << ridge;
  }
  EXPECT_FALSE(peaksOfTarget("sm_121a"));
  EXPECT_FALSE(peaksOfTarget("nothing"));
}

/// An H100 as its driver describes it.
static runtime::DeviceProperties hopper() {
  runtime::DeviceProperties device;
  device.name = "NVIDIA H100 80GB HBM3";
  device.computeMajor = 9;
  device.multiprocessors = 132;
  device.clockKilohertz = 1830000;
  device.memoryClockKilohertz = 2619000;
  device.memoryBusBits = 5120;
  return device;
}

TEST(Peaks, AreThoseOfTheClocksThatADeviceReports) {
  const std::optional<Peaks> peaks = peaksOfDevice(hopper());
  ASSERT_TRUE(peaks);
  EXPECT_EQ(peaks->from, "clocks that NVIDIA H100 80GB HBM3 reports");
  EXPECT_NEAR(peaks->bytesPerSecond, 3.35e12, 0.01e12); // what its data sheet says
  EXPECT_NEAR(peaks->flopsPerSecond.at("products of fp16"), 989.5e12, 1e12);
  runtime::DeviceProperties half = hopper();
  half.multiprocessors /= 2;
  EXPECT_NEAR(peaksOfDevice(half)->flopsPerSecond.at("fp32"), 33.5e12, 0.1e12);
}

TEST(Peaks, AreNotKnownOfADeviceThatDoesNotReportThem) {
  runtime::DeviceProperties other = hopper();
  other.computeMajor = 3;
  EXPECT_FALSE(peaksOfDevice(other));
  for (uint32_t runtime::DeviceProperties::*member :
       {&runtime::DeviceProperties::clockKilohertz, &runtime::DeviceProperties::memoryClockKilohertz,
        &runtime::DeviceProperties::memoryBusBits}) {
    runtime::DeviceProperties silent = hopper();
    silent.*member = 0;
    EXPECT_FALSE(peaksOfDevice(silent));
  }
}
