// Whole programs, as the compiler emits them.

#include "test/runtime/emulator/RunPtx.h"

#include <chrono>

namespace tegula::runtime::test {
namespace {

/// Vector add of 1024 elements a block of 4 warps: two vectors of four elements a thread.
std::string vectorAdd() {
  std::string body =
      ".reg .f32 %f<32>;\n.file 1 \"vector_add.py\"\n.loc 1 10 4\n"
      "mov.u32 %r0, %ctaid.x;\nshl.b32 %r1, %r0, 10;\nshl.b32 %r2, %r31, 2;\nadd.s32 %r3, %r1, %r2;\n"
      "cvt.u32.u64 %r4, %p3;\n";
  for (int half = 0; half < 2; ++half) {
    const std::string offset = std::to_string(half * 512);
    const std::string f = std::to_string(half * 12);
    (void)f;
    body += "add.s32 %r5, %r3, " + offset +
            ";\nsetp.lt.s32 %q1, %r5, %r4;\nmul.wide.s32 %d0, %r5, 4;\n"
            "add.s64 %d1, %p0, %d0;\nadd.s64 %d2, %p1, %d0;\nadd.s64 %d3, %p2, %d0;\n.loc 1 12 4\n"
            "mov.u32 %r10, 0; mov.u32 %r11, 0; mov.u32 %r12, 0; mov.u32 %r13, 0;\n"
            "@%q1 ld.global.v4.b32 {%r10, %r11, %r12, %r13}, [ %d1 + 0 ];\n"
            "mov.u32 %r14, 0; mov.u32 %r15, 0; mov.u32 %r16, 0; mov.u32 %r17, 0;\n"
            "@%q1 ld.global.L1::evict_first.v4.b32 {%r14, %r15, %r16, %r17}, [ %d2 + 0 ];\n.loc 1 13 4\n"
            "add.f32 %r10, %r10, %r14;\nadd.f32 %r11, %r11, %r15;\nadd.f32 %r12, %r12, %r16;\nadd.f32 %r13, "
            "%r13, %r17;\n"
            ".loc 1 14 4\n@%q1 st.global.v4.b32 [ %d3 + 0 ], {%r10, %r11, %r12, %r13};\n";
  }
  return kernel(body, 4);
}

TEST(Program, AddsTwoVectorsOfAMillionElements) {
  const size_t n = 1000000;
  Runner run;
  std::vector<float> x(n), y(n);
  for (size_t i = 0; i < n; ++i) {
    x[i] = float(i) * 0.5f;
    y[i] = float(i % 1000);
  }
  const DeviceAddress a = run.upload(x), b = run.upload(y), out = run.fresh(n * 4);
  const auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(run.launch(vectorAdd(), {a, b, out, n}, 4, {uint32_t((n + 1023) / 1024), 1, 1}), "");
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  RecordProperty("milliseconds", int(seconds * 1000));
  std::printf("vector add of a million elements: %.1f ms\n", seconds * 1000);
  const std::vector<float> z = run.download<float>(out, n);
  for (size_t i = 0; i < n; ++i)
    ASSERT_EQ(z[i], x[i] + y[i]) << i;
  const EmulatorReport report = run.device.report();
  EXPECT_EQ(report.blocks, 977u);
  EXPECT_EQ(report.total.loadSectors, 2 * n / 8);
  EXPECT_EQ(report.total.loadSectorsIdeal, 2 * n / 8);
  EXPECT_EQ(report.total.loadBytes, 2 * n * 4);
  EXPECT_EQ(report.total.storeSectors, n / 8);
  EXPECT_EQ(report.total.storeBytes, n * 4);
}

} // namespace
} // namespace tegula::runtime::test
