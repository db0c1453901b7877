// The emulator as a device: memory, loading, launching, printing, and the errors on the way.

#include "test/runtime/emulator/RunPtx.h"

#include <gmock/gmock.h>

namespace tegula::runtime::test {
namespace {

using ::testing::HasSubstr;

TEST(EmulatorDevice, AllocatesCopiesAndFrees) {
  EmulatorOptions options;
  options.memory = 1000;
  EmulatorDevice device(options);
  const Result<DeviceAddress> a = device.allocate(600);
  ASSERT_TRUE(bool(a));
  EXPECT_EQ(*a % 256, 0u);
  const Result<DeviceAddress> tooMuch = device.allocate(500);
  ASSERT_FALSE(bool(tooMuch));
  EXPECT_EQ(tooMuch.error().kind, ErrorKind::OutOfResources);
  EXPECT_EQ(tooMuch.error().text, "cannot allocate 500 bytes: 600 of 1000 are in use");
  const uint32_t words[2] = {7, 8};
  uint32_t back[2] = {};
  EXPECT_TRUE(bool(device.copyToDevice(*a + 592, words, 8)));
  EXPECT_TRUE(bool(device.copyOnDevice(*a, *a + 592, 8)));
  EXPECT_TRUE(bool(device.copyToHost(back, *a, 8)));
  EXPECT_EQ(back[1], 8u);
  EXPECT_THAT(device.copyToDevice(*a + 596, words, 8).error().text,
              HasSubstr("the 8 bytes at 0x200000000254 are not inside an allocation"));
  EXPECT_FALSE(bool(device.copyToHost(back, 12, 8)));
  EXPECT_FALSE(bool(device.copyOnDevice(*a, 12, 8)));
  EXPECT_FALSE(bool(device.copyOnDevice(12, *a, 8)));
  EXPECT_TRUE(bool(device.copyToHost(nullptr, 0, 0)));
  EXPECT_THAT(device.free(*a + 1).error().text, HasSubstr("is not the start of an allocation"));
  EXPECT_TRUE(bool(device.free(*a)));
  EXPECT_FALSE(bool(device.free(*a)));
  EXPECT_FALSE(bool(device.copyToHost(back, *a, 8)));
  const Result<DeviceAddress> empty = device.allocate(0);
  ASSERT_TRUE(bool(empty));
  EXPECT_TRUE(bool(device.free(*empty)));
}

TEST(EmulatorDevice, CopiesCarryInitialisation) {
  Runner run;
  const DeviceAddress fresh = run.fresh(128), known = run.upload(std::vector<uint32_t>(32, 5)),
                      target = run.upload(std::vector<uint32_t>(32, 1));
  const std::string read =
      kernel("mul.wide.u32 %d0, %r31, 4;\nadd.s64 %d1, %p0, %d0;\nld.global.b32 %r0, [%d1];");
  ASSERT_TRUE(bool(run.device.copyOnDevice(target, fresh, 64)));
  EXPECT_THAT(run.launch(read, {target}), HasSubstr("uninitialised global memory"));
  ASSERT_TRUE(bool(run.device.copyOnDevice(target, known, 64)));
  EXPECT_EQ(run.launch(read, {target}), "");
}

TEST(EmulatorDevice, RefusesImagesThatDisagreeWithTheirText) {
  EmulatorDevice device;
  KernelImage image;
  image.entry = "k";
  image.ptx = kernel("", 1);
  image.paramBytes = 8;
  const auto error = [&] {
    const Result<std::unique_ptr<LoadedKernel>> loaded = device.load(image);
    return loaded ? std::string() : loaded.error().text;
  };
  EXPECT_EQ(error(), "");
  image.paramBytes = 4;
  EXPECT_EQ(error(), "cannot load `k`: the entry takes 8 bytes of parameters, the manifest has 4");
  image.paramBytes = 8;
  image.entry = "other";
  EXPECT_EQ(error(), "cannot load `other`: the PTX has no entry of this name");
  image.entry = "k";
  image.ptx = ".entry k(.param .u64 p0)\n.reqntid 64\n{ret;}";
  EXPECT_EQ(error(), "cannot load `k`: the entry requires blocks of 64 threads, the manifest has 128");
  image.ptx = ".entry k(.param .u64 p0)\n.maxntid 64\n{ret;}";
  EXPECT_EQ(error(), "cannot load `k`: the entry allows blocks of 64 threads, the manifest has 128");
  image.ptx = ".shared .b8 big[200000];\n.entry k(.param .u64 p0)\n{ret;}";
  image.sharedBytes = 40000;
  EXPECT_EQ(error(), "cannot load `k`: expected at most 232448 bytes of shared memory, found 240000");
  for (const auto &[target, most] :
       {std::pair{"sm_80", 166912}, {"sm_86", 101376}, {"sm_120a", 101376}, {"sm_90a", 232448}}) {
    image.ptx = std::string(".version 8.7\n.target ") + target + "\n.entry k(.param .u64 p0)\n{ret;}";
    image.sharedBytes = uint32_t(most);
    EXPECT_EQ(error(), "");
    image.sharedBytes += 1;
    EXPECT_EQ(error(), "cannot load `k`: expected at most " + std::to_string(most) +
                           " bytes of shared memory" +
                           (most < 232448 ? std::string(" on `") + target + "`" : "") + ", found " +
                           std::to_string(most + 1));
  }
  image.sharedBytes = 0;
  std::string many = ".entry k(.param .u64 p0)\n{\n.reg .b32 %r<150000>;\n";
  for (int i = 0; i < 140000; ++i)
    many += "mov.u32 %r" + std::to_string(i) + ", 1;\n";
  image.ptx = many + "ret;\n}";
  image.numWarps = 32;
  EXPECT_EQ(error(),
            "cannot load `k`: expected at most 1073741824 bytes of registers in a block, found 1146888192");
  image.numWarps = 4;
  image.ptx = ".global .u64 x = nowhere;\n.entry k(.param .u64 p0)\n{ret;}";
  EXPECT_EQ(error(), "cannot load `k`: undefined name `nowhere` in an initial value");
  image.ptx = "garbage";
  EXPECT_EQ(error(), "cannot load `k`: line 1: expected a directive, found `garbage`");
  EmulatorOptions small;
  small.memory = 10;
  EmulatorDevice tiny(small);
  image.ptx = ".global .b8 x[100];\n.entry k(.param .u64 p0)\n{ret;}";
  EXPECT_EQ(tiny.load(image).error().text, "cannot load `k`: no memory for the variable `x`");
}

TEST(EmulatorDevice, LendsAllSharedMemoryThatALaunchAsksFor) {
  Runner run;
  const DeviceAddress out = run.fresh(4);
  const uint32_t bytes = 227 * 1024;
  EXPECT_EQ(
      run.launch(kernel("mov.u32 %r0, smem;\nadd.u32 %r0, %r0, " + std::to_string(bytes - 4) +
                            ";\nsetp.eq.u32 %q0, %r31, 0;\n@%q0 st.shared.b32 [%r0], 77;\n@%q0 ld.shared.b32 "
                            "%r1, [%r0];\n@%q0 st.global.b32 [%p0], %r1;",
                        1, ".extern .shared .align 16 .b8 smem[];"),
                 {out}, 1, {}, bytes),
      "");
  EXPECT_EQ(run.download<uint32_t>(out, 1)[0], 77u);
}

TEST(EmulatorDevice, ChecksLimitsBeforeTheLaunch) {
  EmulatorDevice device;
  KernelImage image;
  image.entry = "k";
  image.ptx = kernel("", 1);
  image.paramBytes = 8;
  const std::array<std::byte, 8> params{};
  const auto error = [&](Grid grid, size_t bytes) {
    const Result<std::unique_ptr<LoadedKernel>> loaded = device.load(image);
    return device.launch(**loaded, grid, std::span(params).first(bytes)).error().text;
  };
  EXPECT_EQ(error({0, 1, 1}, 8), "cannot launch `k`: expected at least 1 block in x, found 0");
  EXPECT_EQ(error({1, 70000, 1}, 8), "cannot launch `k`: expected at most 65535 blocks in y, found 70000");
  EXPECT_EQ(error({1, 1, 1}, 4), "cannot launch `k`: expected 8 bytes of parameters, found 4");
  image.numWarps = 33;
  EXPECT_EQ(error({1, 1, 1}, 8), "cannot launch `k`: expected at most 1024 threads in a block, found 1056");
  image.numWarps = 0;
  EXPECT_EQ(error({1, 1, 1}, 8), "cannot launch `k`: expected at least 1 warp in a block, found 0");
}

/// Every warp is a program: it adds its number, and how many there are, to its word of p0.
const std::string packedPtx = R"(.version 8.0
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 p0, .param .u32 programs)
.reqntid 128
{
.reg .b32 %r<8>;
.reg .b64 %d<4>;
.reg .pred %q<2>;
ld.param.u64 %d0, [p0];
ld.param.u32 %r0, [programs];
mov.u32 %r1, %tid.x;
shr.u32 %r2, %r1, 5;
mov.u32 %r3, %ctaid.x;
shl.b32 %r3, %r3, 2;
add.s32 %r3, %r3, %r2;
setp.ge.u32 %q0, %r3, %r0;
@%q0 ret;
and.b32 %r1, %r1, 31;
setp.ne.u32 %q1, %r1, 0;
@%q1 ret;
shl.b32 %r0, %r0, 8;
add.s32 %r0, %r0, %r3;
mul.wide.u32 %d1, %r3, 4;
add.s64 %d1, %d0, %d1;
st.global.b32 [%d1], %r0;
ret;
}
)";

TEST(EmulatorDevice, ProgramsThatShareABlock) {
  Runner run;
  KernelImage image;
  image.entry = "k";
  image.ptx = packedPtx;
  image.numWarps = image.programsPerBlock = 4;
  image.paramBytes = 8;
  addImplicitPrograms(image, 0);
  const DeviceAddress x = run.upload(std::vector<uint32_t>(8, 5));
  const uint64_t param = x;
  const auto launch = [&](Grid grid) {
    const Result<std::unique_ptr<LoadedKernel>> loaded = run.device.load(image);
    return loaded ? run.device.launch(**loaded, grid, std::as_bytes(std::span(&param, 1))).error().text
                  : loaded.error().text;
  };
  const Result<std::unique_ptr<LoadedKernel>> loaded = run.device.load(image);
  ASSERT_TRUE(bool(loaded)) << loaded.error().text;
  ASSERT_TRUE(bool(run.device.launch(**loaded, {6, 1, 1}, std::as_bytes(std::span(&param, 1)))));
  EXPECT_EQ(run.download<uint32_t>(x, 8),
            (std::vector<uint32_t>{0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 5, 5}));
  EXPECT_EQ(run.device.report().blocks, 2u);

  // A fault names the program: with nine of them the last one writes behind the array.
  const Result<void> behind = run.device.launch(**loaded, {9, 1, 1}, std::as_bytes(std::span(&param, 1)));
  EXPECT_THAT(behind ? "" : behind.error().text,
              HasSubstr("block (2,0,0), program (8,0,0), thread (0,0,0): global store"));
  EXPECT_EQ(launch({0, 1, 1}), "cannot launch `k`: expected at least 1 program in x, found 0");
  KernelImage without = image;
  without.implicit.clear();
  EXPECT_EQ(run.device.load(without).error().text,
            "cannot load `k`: the entry takes 12 bytes of parameters, the manifest has 8");
  image.programsPerBlock = 2;
  EXPECT_EQ(launch({1, 1, 1}),
            "cannot launch `k`: expected 1 program in a block, or one for each of its 4 warps, "
            "found 2");
  image.numWarps = 2;
  image.ptx = image.ptx.replace(image.ptx.find("128"), 3, "64");
  EXPECT_EQ(launch({0xffffffffu, 1, 1}),
            "cannot launch `k`: expected at most 2147483647 programs in x, found 4294967295");
}

TEST(EmulatorDevice, BlocksThatRunSeveralPrograms) {
  // Block b of B adds 1 to element t, for each t from b on by B, and B to the last.
  EmulatorOptions options;
  options.multiprocessors = 2;
  Runner run(options);
  KernelImage image;
  image.entry = "k";
  image.ptx = R"(.version 8.0
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 x, .param .u32 nx, .param .u32 ny, .param .u32 nz) .reqntid 32
{
.reg .b64 %d0, %d1;
.reg .b32 %r0, %r1, %r2, %r3, %r4, %r5;
.reg .pred %q0, %q1;
mov.u32 %r0, %tid.x;
setp.ne.u32 %q0, %r0, 0;
@%q0 ret;
ld.param.u64 %d0, [x];
ld.param.u32 %r1, [nx];
ld.param.u32 %r2, [ny];
mul.lo.u32 %r1, %r1, %r2;
ld.param.u32 %r2, [nz];
mul.lo.u32 %r1, %r1, %r2;
mov.u32 %r2, %ctaid.x;
mov.u32 %r3, %nctaid.x;
LOOP:
mul.wide.u32 %d1, %r2, 4;
add.s64 %d1, %d0, %d1;
ld.global.b32 %r4, [%d1];
add.u32 %r4, %r4, %r3;
st.global.b32 [%d1], %r4;
add.u32 %r2, %r2, %r3;
setp.lt.u32 %q1, %r2, %r1;
@%q1 bra LOOP;
ret;
}
)";
  image.numWarps = 1;
  image.blocksPerMultiprocessor = 3;
  image.paramBytes = 8;
  for (uint8_t axis = 0; axis < 3; ++axis)
    addImplicitPrograms(image, axis);
  const Result<std::unique_ptr<LoadedKernel>> loaded = run.device.load(image);
  ASSERT_TRUE(bool(loaded)) << loaded.error().text;
  const auto blocksOf = [&](Grid grid) {
    const uint32_t programs = grid.x * grid.y * grid.z;
    const uint64_t x = run.upload(std::vector<uint32_t>(programs + 1, 0));
    const Result<void> done = run.device.launch(**loaded, grid, std::as_bytes(std::span(&x, 1)));
    EXPECT_TRUE(bool(done)) << done.error().text;
    const std::vector<uint32_t> counted = run.download<uint32_t>(x, programs + 1);
    for (uint32_t i = 0; i < programs; ++i)
      EXPECT_EQ(counted[i], counted[0]) << i;
    EXPECT_EQ(counted[programs], 0u);
    return counted[0];
  };
  // Half of the six that are resident, so that each has several; of few programs half.
  EXPECT_EQ(blocksOf({5, 3, 2}), 3u);
  EXPECT_EQ(blocksOf({1, 4, 1}), 2u);
  EXPECT_EQ(blocksOf({1, 1, 1}), 1u);
}

TEST(EmulatorDevice, ProgramsThatShareABlockWithManyParameters) {
  // 516 bytes of parameters and the number of programs behind them.
  Runner run;
  KernelImage image;
  image.entry = "k";
  image.ptx = ".entry k(.param .u64 p0, .param .align 4 .b8 rest[508], .param .u32 programs)\n{\n"
              ".reg .b64 %d0;\n.reg .b32 %r0;\nld.param.u64 %d0, [p0];\nld.param.u32 %r0, [programs];\n"
              "st.global.b32 [%d0], %r0;\nret;\n}\n";
  image.numWarps = image.programsPerBlock = 2;
  image.paramBytes = 516;
  addImplicitPrograms(image, 0);
  const DeviceAddress x = run.upload(std::vector<uint32_t>{0});
  std::vector<std::byte> params(516);
  std::memcpy(params.data(), &x, 8);
  const Result<std::unique_ptr<LoadedKernel>> loaded = run.device.load(image);
  ASSERT_TRUE(bool(loaded)) << loaded.error().text;
  const Result<void> done = run.device.launch(**loaded, {3, 1, 1}, params);
  ASSERT_TRUE(bool(done)) << done.error().text;
  EXPECT_EQ(run.download<uint32_t>(x, 1)[0], 3u);
}

TEST(EmulatorDevice, SchedulesStartFromTheSameMemory) {
  EmulatorOptions options;
  options.schedules = 5;
  Runner run(options);
  const DeviceAddress x = run.upload(std::vector<uint32_t>{7}), out = run.fresh(4);
  const std::string once =
      "setp.ne.u32 %q0, %r31, 0;\n@%q0 exit;\nld.global.b32 %r0, [%p0];\nadd.u32 %r0, %r0, "
      "1;\nst.global.b32 [%p0], %r0;\nst.global.b32 [%p1], %r0;";
  ASSERT_EQ(run.launch(kernel(once, 2), {x, out}), "");
  EXPECT_EQ(run.download<uint32_t>(x, 1)[0], 8u);
  EXPECT_EQ(run.download<uint32_t>(out, 1)[0], 8u);
  EXPECT_EQ(run.device.report().launches, 1u);
  // What the last run left uninitialised is so again: this one reads before it writes.
  const DeviceAddress fresh = run.fresh(4);
  EXPECT_THAT(
      run.launch(kernel("mov.u32 %r0, 1;\nld.global.b32 %r1, [%p0];\nst.global.b32 [%p0], %r0;"), {fresh}),
      HasSubstr("uninitialised global memory (schedule 0)"));
}

TEST(EmulatorDevice, SchedulesFindWhatOneOrderHides) {
  // Trouble only where block 2 comes before block 1, which the natural order never has.
  const std::string body = "setp.ne.u32 %q0, %r31, 0;\n@%q0 exit;\nmov.u32 %r1, %ctaid.x;\n"
                           "atom.global.max.u32 %r0, [%p0], %r1;\nsetp.eq.u32 %q1, %r1, 1;\n"
                           "setp.eq.u32 %q2, %r0, 2;\nand.pred %q3, %q1, %q2;\n@%q3 trap;";
  for (const uint32_t schedules : {1u, 16u}) {
    EmulatorOptions options;
    options.schedules = schedules;
    Runner run(options);
    const std::string error = run.launch(kernel(body), {run.upload(std::vector<uint32_t>{0})}, 1, {3, 1, 1});
    EXPECT_EQ(error.empty(), schedules == 1) << error;
    if (schedules > 1)
      EXPECT_THAT(error, HasSubstr("block (1,0,0) thread (0,0,0): trap (schedule "));
  }
}

TEST(EmulatorDevice, KernelOfAnotherKind) {
  struct Foreign : LoadedKernel {
    explicit Foreign(KernelImage image) : LoadedKernel(std::move(image)) {}
  };
  KernelImage image;
  image.entry = "k";
  Foreign foreign(image);
  EmulatorDevice device;
  EXPECT_EQ(device.launch(foreign, {}, {}).error().text, "`k` was loaded on another device");
}

TEST(EmulatorDevice, StreamsAndEvents) {
  EmulatorDevice device;
  const auto stream = device.createStream();
  const auto start = device.createEvent(), end = device.createEvent();
  EXPECT_EQ((*end)->millisecondsSince(**start).error().text, "expected two recorded events of the emulator");
  ASSERT_TRUE(bool((*start)->record(stream->get())));
  ASSERT_TRUE(bool((*end)->record(nullptr)));
  EXPECT_TRUE(bool((*stream)->synchronize()));
  EXPECT_TRUE(bool((*end)->synchronize()));
  EXPECT_GE(*(*end)->millisecondsSince(**start), 0.0f);
  EXPECT_EQ(device.properties().name, "emulator");
  EXPECT_EQ(device.properties().arch, "sm_90a");
}

TEST(EmulatorDevice, KernelsOutliveTheirDevice) {
  std::unique_ptr<LoadedKernel> kept;
  {
    EmulatorDevice device;
    KernelImage image;
    image.entry = "k";
    image.ptx = ".global .b32 x = 5;\n.entry k()\n{ret;}";
    kept = std::move(*device.load(image));
  }
  kept.reset();
}

/// Text that lanes 0 and 1 print with `format`; `fill` stores the arguments into [%d9], local memory.
std::string printed(const std::string &format, const std::string &fill, const std::string &name = "fmt") {
  std::string bytes;
  for (const char c : format)
    bytes += std::to_string(int(uint8_t(c))) + ", ";
  const std::string before = ".global .align 1 .b8 fmt[" + std::to_string(format.size() + 1) + "] = {" +
                             bytes +
                             "0};\n.global .b8 word[4] = {97, 98, 99, 0};\n"
                             ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n";
  Runner run;
  const std::string error = run.launch(
      kernel("setp.gt.u32 %q0, %r31, 1;\n@%q0 ret;\n.local .align 8 .b8 depot[64];\nmov.u64 %d9, depot;\n" +
                 fill +
                 "\n{\n.param .b64 param0;\n.param .b64 param1;\n.param .b32 retval0;\n"
                 "mov.b64 %d8, " +
                 name +
                 ";\ncvta.global.u64 %d8, %d8;\nst.param.b64 [param0], %d8;\ncvta.local.u64 %d7, "
                 "%d9;\nst.param.b64 [param1], %d7;\n"
                 "call.uni (retval0), vprintf, (param0, param1);\nld.param.b32 %r0, [retval0];\nsetp.eq.s32 "
                 "%q1, %r0, 0;\n@%q1 trap;\n}",
             1, before),
      {0});
  const std::string text = run.device.takePrintedText();
  EXPECT_EQ(run.device.takePrintedText(), "");
  return error.empty() ? text : error;
}

TEST(EmulatorDevice, PrintsWhatKernelsPrint) {
  EXPECT_EQ(printed("hello\n", ""), "hello\nhello\n");
  EXPECT_EQ(
      printed("%d %5.2f|",
              "st.local.b32 [%d9], %r31;\nmov.b64 %d0, 0d3ff4000000000000;\nst.local.b64 [%d9+8], %d0;"),
      "0  1.25|1  1.25|");
  EXPECT_EQ(
      printed("%u %x %lld %c%%|",
              "mov.b64 %d0, -3;\nmov.b32 %r1, -2;\nmov.b32 %r2, 65;\nst.local.b32 [%d9], %r1;\nst.local.b32 "
              "[%d9+4], %r1;\nst.local.b64 [%d9+8], %d0;\nst.local.b32 [%d9+16], %r2;"),
      "4294967294 fffffffe -3 A%|4294967294 fffffffe -3 A%|");
  EXPECT_EQ(printed("%s %.2s %p;", "mov.b64 %d0, word;\nst.local.b64 [%d9], %d0;\nst.local.b64 [%d9+8], "
                                   "%d0;\nmov.b64 %d1, 255;\nst.local.b64 [%d9+16], %d1;"),
            "abc ab 0xff;abc ab 0xff;");
  EXPECT_EQ(printed("%*d|%-4d|%04d|%.*f|",
                    "mov.b32 %r1, 5;\nst.local.b32 [%d9], %r1;\nst.local.b32 [%d9+4], %r31;\nst.local.b32 "
                    "[%d9+8], %r31;\nst.local.b32 [%d9+12], %r31;\nst.local.b32 [%d9+16], %r31;\nmov.b64 "
                    "%d0, 0d4004000000000000;\nst.local.b64 [%d9+24], %d0;"),
            "    0|0   |0000|2|    1|1   |0001|2.5|");
  EXPECT_EQ(printed("%n%", ""), "%n%%n%");
}

TEST(EmulatorDevice, PrintingChecksItsArguments) {
  EXPECT_THAT(printed("%d", ""), HasSubstr("an uninitialised value is printed"));
  EXPECT_THAT(printed("%s", "mov.b64 %d0, 5;\nst.local.b64 [%d9], %d0;"),
              HasSubstr("global load of 1 bytes at 0x5: a null address"));
}

TEST(EmulatorDevice, AssertionsFail) {
  const std::string before = ".global .b8 message[6] = {110, 32, 62, 32, 48, 0};\n.global .b8 file[5] = {97, "
                             "46, 112, 121, 0};\n.extern .func __assertfail(.param .b64 a, .param .b64 b, "
                             ".param .b32 c, .param .b64 d, .param .b64 e);\n";
  Runner run;
  const std::string error =
      run.launch(kernel("setp.ne.u32 %q0, %r31, 3;\n@%q0 bra OK;\n{\n.param .b64 a;\n.param .b64 b;\n.param "
                        ".b32 c;\n.param .b64 d;\n.param .b64 e;\nmov.b64 %d0, message;\nst.param.b64 [a], "
                        "%d0;\nmov.b64 %d1, file;\n"
                        "st.param.b64 [b], %d1;\nst.param.b32 [c], 12;\nst.param.b64 [d], %d1;\nst.param.b64 "
                        "[e], 1;\ncall.uni __assertfail, (a, b, c, d, e);\n}\nOK:",
                        1, before),
                 {0});
  EXPECT_THAT(error, HasSubstr("thread (3,0,0): assertion failed: n > 0 (a.py:12, in a.py)"));
  EXPECT_EQ(run.kind, ErrorKind::Fault);
}

} // namespace
} // namespace tegula::runtime::test
