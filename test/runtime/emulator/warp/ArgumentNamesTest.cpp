// Faults name the argument that an address was computed from, and its element.
#include "test/runtime/emulator/RunPtx.h"

#include <gmock/gmock.h>

namespace tegula::runtime::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class ArgumentNames : public ::testing::Test {
protected:
  /// Launches `body` with three pointers, x to 60 floats, y to 64 of 16 bits and ys to pointers, and a
  /// number; the error. %d10 is 4 * tid.
  std::string launch(const std::string &body) {
    x = run.upload(std::vector<float>(60));
    y = run.upload(std::vector<uint16_t>(64));
    const DeviceAddress ys = run.upload(std::vector<uint64_t>{y, y});
    KernelImage image;
    image.entry = "k";
    image.ptx = kernel("mul.wide.u32 %d10, %r31, 4;\n.loc 1 7 11\n" + body, 4, ".file 1 \"kernel.py\"\n");
    image.numWarps = 2;
    image.params = {{"x_ptr", "*fp32", ParamKind::Pointer, 8, 0},
                    {"y_ptr", "*bf16", ParamKind::Pointer, 8, 8},
                    {"ys", "**bf16", ParamKind::Pointer, 8, 16},
                    {"n", "i64", ParamKind::Integer, 8, 24}};
    image.paramBytes = 32;
    Result<std::unique_ptr<LoadedKernel>> loaded = run.device.load(image);
    if (!loaded)
      return loaded.error().text;
    const std::vector<uint64_t> params{x, y, ys, 1000};
    Result<void> done = run.device.launch(**loaded, {}, std::as_bytes(std::span(params)));
    if (done)
      return "";
    place = done.error().place;
    return done.error().text;
  }

  Runner run;
  DeviceAddress x = 0, y = 0;
  SourcePlace place;
};

TEST_F(ArgumentNames, OfALoadPastTheEnd) {
  EXPECT_THAT(
      launch("add.s64 %d1, %p0, %d10;\nld.global.b32 %r1, [%d1];"),
      HasSubstr("thread (60,0,0): global load of 4 bytes at 0x2000000000f0, `x_ptr[60]` of 60: outside any "
                "allocation, 0 bytes past the end"));
  EXPECT_EQ(place.file, "kernel.py");
  EXPECT_EQ(place.line, 7u);
  EXPECT_EQ(place.column, 11u);
}

TEST_F(ArgumentNames, OfAnElementInFront) {
  EXPECT_THAT(launch("mov.b16 %h1, 1;\nsub.s64 %d1, %p1, %d10;\nst.global.b16 [%d1], %h1;"),
              HasSubstr("`y_ptr[-2]` of 64: outside any allocation"));
}

TEST_F(ArgumentNames, OfTheFirstElementOutsideOfAVector) {
  EXPECT_THAT(launch("ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%p0+224];\n"
                     "ld.global.v2.b64 {%d1, %d2}, [%p0+240];"),
              HasSubstr("`x_ptr[60]` of 60"));
  EXPECT_THAT(launch("ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%p1+128];"), HasSubstr("`y_ptr[64]` of 64"));
}

TEST_F(ArgumentNames, ThroughLoopsAndChoices) {
  EXPECT_THAT(
      launch("mov.b64 %d1, %p0;\nmov.b32 %r1, 0;\nLOOP:\nld.global.b32 %r2, [%d1];\nadd.s64 %d1, %d1, "
             "16;\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %q0, %r1, 30;\n@%q0 bra LOOP;"),
      HasSubstr("`x_ptr[60]` of 60"));
  EXPECT_THAT(
      launch("setp.eq.u32 %q0, %r31, 99;\nselp.b64 %d1, %p0, %p1, %q0;\nld.global.b32 %r2, [%d1+128];"),
      HasSubstr("`y_ptr[64]` of 64"));
}

TEST_F(ArgumentNames, NotOfOffsetsThatAreLoaded) {
  // The number's parameter, and what an index was loaded from, are no bases.
  EXPECT_THAT(
      launch("ld.global.b32 %r1, [%p1];\nmul.wide.u32 %d2, %r1, 4;\nld.param.u64 %d3, [p3];\nadd.s64 %d1, "
             "%p0, %d2;\nadd.s64 %d1, %d1, %d3;\nld.global.b32 %r2, [%d1];"),
      HasSubstr("`x_ptr[250]` of 60"));
}

TEST_F(ArgumentNames, NotOfPointersFromMemory) {
  EXPECT_THAT(launch("ld.global.b64 %d1, [%p2];\nld.global.b16 %h1, [%d1+128];"), Not(HasSubstr("`y")));
  EXPECT_THAT(launch("ld.global.b64 %d1, [%p2+16];"), HasSubstr("`ys[2]` of 2"));
}

TEST_F(ArgumentNames, OfRacesAndMisalignedAccesses) {
  EXPECT_THAT(launch("cvt.rn.f32.u32 %r1, %r31;\nst.global.b32 [%p0+8], %r1;"),
              HasSubstr(", `x_ptr[2]` of 60: this write and the"));
  EXPECT_THAT(launch("ld.global.b32 %r1, [%p1+2];"), HasSubstr("misaligned global load of 4 bytes at 0x"));
  EXPECT_THAT(launch("ld.global.b32 %r1, [%p1+2];"), HasSubstr(", `y_ptr[1]` of 64"));
}

} // namespace
} // namespace tegula::runtime::test
