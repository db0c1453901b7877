// Loads, stores, atomics and asynchronous copies; and what the counters say of them.

#include "test/runtime/emulator/RunPtx.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <numeric>

namespace tegula::runtime::test {
namespace {

TEST(Memory, ReducesVectors) {
  Runner run;
  const auto launch = [&](const std::string &instruction, std::vector<uint32_t> words) {
    const DeviceAddress x = run.upload(words);
    EXPECT_EQ(
        run.launch(kernel("setp.gt.u32 %q0, %r31, 1;\n@%q0 exit;\nmov.b32 %r0, 0f3F800000;\nmov.b32 %r1, "
                          "0f40000000;\nmov.b32 %r2, 0x3c004000;\nmov.b32 %r3, 0x3f804000;\nmov.b16 %h0, "
                          "0x3c00;\n" +
                          instruction),
                   {x}),
        "")
        << instruction;
    return run.download<uint32_t>(x, words.size());
  };
  using Words = std::vector<uint32_t>;
  // Two lanes add 1 and 2, and 2 halves of each word.
  EXPECT_EQ(launch("red.global.add.v2.f32 [%p0], {%r0, %r1};", {0, 0x3f800000}),
            (Words{0x40000000, 0x40a00000}));
  EXPECT_EQ(launch("red.relaxed.gpu.global.add.v4.f32 [%p0], {%r0, %r1, %r0, %r1};", {0, 0, 0, 0}),
            (Words{0x40000000, 0x40800000, 0x40000000, 0x40800000}));
  EXPECT_EQ(launch("red.global.add.noftz.v2.f16x2 [%p0], {%r2, %r2};", {0, 0}),
            (Words{0x40004400, 0x40004400}));
  EXPECT_EQ(launch("red.global.max.noftz.v2.bf16x2 [%p0], {%r3, %r3};", {0x40400000, 0}),
            (Words{0x40404000, 0x3f804000}));
  EXPECT_EQ(launch("red.global.add.noftz.v2.f16 [%p0], {%h0, %h0};", {0}), (Words{0x40004000}));
  // A result that goes nowhere makes the same of `atom`.
  EXPECT_EQ(launch("atom.global.gpu.relaxed.add.v2.f32 _, [%p0], {%r0, %r1};", {0, 0x3f800000}),
            (Words{0x40000000, 0x40a00000}));
  // The generic address and the results: the second lane returns what the first left.
  EXPECT_EQ(launch("atom.add.v2.f32 {%r8, %r9}, [%p0], {%r0, %r1};\nsetp.eq.u32 %q1, %r31, 1;\n@%q1 "
                   "st.global.v2.b32 [%p0+8], {%r8, %r9};",
                   {0, 0, 0, 0}),
            (Words{0x40000000, 0x40800000, 0x3f800000, 0x40000000}));
  EXPECT_THAT(
      run.launch(
          kernel("mov.u64 %d0, 0;\ncvta.shared.u64 %d1, %d0;\nmov.b32 %r0, 0f3F800000;\nred.add.v2.f32 "
                 "[%d1], {%r0, %r0};"),
          {0}, 1, {}, 64),
      ::testing::HasSubstr("expected an address in global memory of an atomic operation"));
}

TEST(Memory, RefusesAtomicsThatDoNotExist) {
  for (const std::string form :
       {"red.global.add.f16 [%p0], %h0;", "red.global.add.noftz.f32 [%p0], %r0;",
        "red.global.add.s64 [%p0], %d0;", "red.global.min.noftz.f16 [%p0], %h0;",
        "red.global.min.f32 [%p0], %r0;", "red.global.inc.s32 [%p0], %r0;", "red.global.exch.b32 [%p0], %r0;",
        "red.acquire.gpu.global.add.u32 [%p0], %r0;", "red.shared.add.v2.f32 [%r0], {%r0, %r1};",
        "red.global.add.v8.f32 [%p0], {%r0, %r1, %r2, %r3, %r4, %r5, "
        "%r6, %r7};",
        "red.global.and.u32 [%p0], %r0;"}) {
    Runner run;
    const std::string error = run.launch(kernel(form), {0});
    EXPECT_TRUE(error.find("unsupported") != std::string::npos) << form << ": " << error;
  }
  Runner run;
  EXPECT_THAT(run.launch(kernel("red.global.add.v2.f32 [%p0], %r0;"), {0}),
              ::testing::HasSubstr("expected as many registers as the access has elements"));
}

TEST(Memory, LoadsExtendToTheRegister) {
  Runner run;
  const DeviceAddress x = run.upload(std::vector<uint64_t>{0xfedcba9876543280, 0x8877665544332211}),
                      out = run.fresh(64);
  const std::string body =
      "ld.global.s8 %r0, [%p0];\nld.global.u8 %r1, [%p0];\nld.global.s16 %d0, [%p0+6];\nld.global.b16 %h0, "
      "[%p0+6];\ncvt.u32.u16 %r2, %h0;\nld.global.s32 %d1, [%p0+4];\n"
      "ld.global.u32 %d2, [%p0+4];\nst.global.b32 [%p1], %r0;\nst.global.b32 [%p1+4], %r1;\nst.global.b64 "
      "[%p1+8], %d0;\nst.global.b32 [%p1+16], %r2;\nst.global.b64 [%p1+24], %d1;\nst.global.b64 [%p1+32], "
      "%d2;";
  ASSERT_EQ(run.launch(kernel(body, 2), {x, out}), "");
  const std::vector<uint64_t> found = run.download<uint64_t>(out, 5);
  EXPECT_EQ(found[0], 0x00000080'ffffff80u);
  EXPECT_EQ(found[1], 0xfffffffffffffedc);
  EXPECT_EQ(found[2] & 0xffffffff, 0xfedcu);
  EXPECT_EQ(found[3], 0xfffffffffedcba98);
  EXPECT_EQ(found[4], 0xfedcba98u);
}

TEST(Memory, VectorsOfEveryShapeAndEveryHint) {
  Runner run;
  std::vector<uint32_t> values(64);
  std::iota(values.begin(), values.end(), 1);
  const DeviceAddress x = run.upload(values), out = run.fresh(256);
  const std::string body =
      "ld.global.nc.L1::evict_last.L2::128B.v4.b32 {%r0, %r1, %r2, %r3}, [%p0];\nst.global.cs.v4.b32 [%p1], "
      "{%r3, %r2, %r1, %r0};\n"
      "ld.volatile.global.v2.u64 {%d0, %d1}, [%p0+16];\nst.global.wt.v2.u64 [%p1+16], {%d1, %d0};\n"
      "ld.relaxed.gpu.global.b64 %d2, [%p0+32];\nst.release.sys.global.b64 [%p1+32], %d2;\n"
      "ld.global.ca.v8.b32 {%r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11}, [%p0+64];\nst.global.v4.b64 [%p1+64], "
      "{%d0, %d1, %d2, %d2};\n"
      ".reg .b128 %w;\nld.global.b128 %w, [%p0+16];\nst.global.b128 [%p1+48], %w;\n"
      "createpolicy.fractional.L2::evict_first.b64 %d5, 1.0;\nld.global.L2::cache_hint.v2.b16 {%h0, _}, "
      "[%p0+4], %d5;\ncvt.u32.u16 %r12, %h0;\nst.global.b32 [%p1+40], %r12;\nst.global.b32 [%p1+44], "
      "%r11;\nprefetch.global.L2 [%p0];";
  ASSERT_EQ(run.launch(kernel(body, 2), {x, out}), "");
  EXPECT_EQ(run.download<uint32_t>(out, 24), (std::vector<uint32_t>{4, 3, 2, 1, 7, 8, 5, 6, 9, 10, 2, 24,
                                                                    5, 6, 7, 8, 5, 6, 7, 8, 9, 10, 9, 10}));
}

TEST(Memory, VariablesAndInitialValues) {
  Runner run;
  const DeviceAddress out = run.fresh(64);
  const std::string before = ".const .align 4 .f32 table[3] = {1.5, 0f40000000, -2.0};\n.global .align 8 "
                             ".u64 pointers[2] = {generic(table), table+4};\n.visible .global .u16 plain = "
                             "7;\n.global .b8 text[4] = {104, 105};\n.global .s32 zero;\n";
  const std::string body =
      "mov.u64 %d0, pointers;\nld.global.u64 %d1, [%d0+8];\nld.b32 %r0, [%d1];\nst.global.b32 [%p0], "
      "%r0;\nld.const.b32 %r1, [table+8];\nst.global.b32 [%p0+4], %r1;\n"
      "ld.global.u16 %r2, [plain];\nst.global.b32 [%p0+8], %r2;\nld.global.b32 %r3, [text];\nst.global.b32 "
      "[%p0+12], %r3;\nld.global.b32 %r4, [zero];\nst.global.b32 [%p0+16], %r4;\nisspacep.global %q0, "
      "%d1;\nselp.b32 %r5, 1, 0, %q0;\nst.global.b32 [%p0+20], %r5;";
  ASSERT_EQ(run.launch(kernel(body, 1, before), {out}), "");
  EXPECT_EQ(run.download<uint32_t>(out, 6), (std::vector<uint32_t>{0x40000000, 0xc0000000, 7, 0x6968, 0, 1}));
}

TEST(Memory, StaticAndDynamicShared) {
  Runner run;
  const DeviceAddress out = run.fresh(128);
  const std::string before = ".shared .align 4 .b8 fixed[100];\n.extern .shared .align 16 .b8 dynamic[];\n";
  const std::string body =
      "mov.u32 %r0, dynamic;\nmov.u64 %d0, dynamic;\ncvta.shared.u64 %d1, %d0;\ncvta.to.shared.u64 %d2, "
      "%d1;\ncvt.u32.u64 %r1, %d2;\nshl.b32 %r2, %r31, 2;\nadd.s32 %r3, %r0, %r2;\n"
      "st.shared.b32 [%r3], %r0;\nld.shared.b32 %r4, [%r3];\nmul.wide.u32 %d3, %r31, 4;\nadd.s64 %d4, %p0, "
      "%d3;\nadd.s32 %r4, %r4, %r1;\nst.global.b32 [%d4], %r4;\nisspacep.shared %q0, %d1;\n@!%q0 trap;";
  ASSERT_EQ(run.launch(kernel(body, 1, before), {out}, 1, {}, 128), "");
  EXPECT_EQ(run.download<uint32_t>(out, 1)[0], 112u + 112u);
}

struct AtomicCase {
  const char *code;
  uint64_t start, operand, expected;
};

TEST(Memory, AtomicsOfEveryOperation) {
  const AtomicCase cases[] = {{"add.u32", 5, 7, 12},
                              {"add.u64", 5, 7, 12},
                              {"min.s32", 0xfffffffe, 3, 0xfffffffe},
                              {"min.u32", 0xfffffffe, 3, 3},
                              {"max.s64", 5, 7, 7},
                              {"and.b32", 12, 10, 8},
                              {"or.b64", 12, 10, 14},
                              {"xor.b32", 12, 10, 6},
                              {"exch.b32", 12, 10, 10},
                              {"inc.u32", 9, 10, 10},
                              {"inc.u32", 10, 10, 0},
                              {"dec.u32", 0, 10, 10},
                              {"dec.u32", 7, 10, 6},
                              {"add.f32", 0x3f800000, 0x40000000, 0x40400000},
                              {"add.f64", 0x3ff0000000000000, 0x3ff0000000000000, 0x4000000000000000},
                              {"add.noftz.f16", 0x3c00, 0x3c00, 0x4000},
                              {"add.noftz.bf16", 0x3f80, 0x3f80, 0x4000},
                              {"add.noftz.f16x2", 0x3c003c00, 0x40003c00, 0x42004000},
                              {"add.noftz.bf16x2", 0x3f803f80, 0x3f803f80, 0x40004000}};
  for (const AtomicCase &one : cases)
    for (const bool shared : {false, true})
      for (const bool returns : {false, true}) {
        const std::string type(one.code), suffix = type.substr(type.rfind('.') + 1);
        const unsigned bits = suffix == "f16x2" || suffix == "bf16x2"
                                  ? 32
                                  : unsigned(std::stoul(suffix.substr(suffix.find_first_of("0123456789"))));
        const std::string reg = bits == 16   ? "%h1"
                                : bits == 32 ? "%r1"
                                             : "%d1",
                          old = bits == 16   ? "%h2"
                                : bits == 32 ? "%r2"
                                             : "%d2",
                          width = std::to_string(bits);
        Runner run;
        const DeviceAddress x = run.upload(std::vector<uint64_t>{one.start}),
                            out = run.upload(std::vector<uint64_t>{0, 0});
        const std::string address = shared ? "%r9" : "%p0", space = shared ? "shared" : "global";
        std::string body = "setp.ne.u32 %q0, %r31, 0;\n@%q0 exit;\nmov.u32 %r9, 0;\nld.global.b" + width +
                           " " + reg + ", [%p0];\n" +
                           (shared ? "st.shared.b" + width + " [%r9], " + reg + ";\n" : "") + "mov.b" +
                           width + " " + reg + ", " + std::to_string(one.operand) + ";\n" +
                           (returns ? "atom.relaxed.gpu." + space + "." + type + " " + old + ", [" + address +
                                          "], " + reg + ";\nst.global.b" + width + " [%p1+8], " + old + ";\n"
                                    : "red." + space + "." + type + " [" + address + "], " + reg + ";\n") +
                           "ld." + space + ".b" + width + " " + reg + ", [" + address + "];\nst.global.b" +
                           width + " [%p1], " + reg + ";";
        if (!returns && type.starts_with("exch"))
          continue;
        ASSERT_EQ(run.launch(kernel(body, 2), {x, out}, 1, {}, 8), "") << type;
        const std::vector<uint64_t> found = run.download<uint64_t>(out, 2);
        EXPECT_EQ(found[0], one.expected) << type << space;
        if (returns)
          EXPECT_EQ(found[1], one.start) << type << space;
      }
}

TEST(Memory, AtomicSinglesFlushInGlobalMemoryOnly) {
  Runner run;
  const DeviceAddress x = run.upload(std::vector<uint32_t>{1});
  ASSERT_EQ(
      run.launch(
          kernel("setp.ne.u32 %q0, %r31, 0;\n@%q0 exit;\nmov.u32 %r0, 1;\nred.global.add.f32 [%p0], %r0;"),
          {x}),
      "");
  EXPECT_EQ(run.download<uint32_t>(x, 1)[0], 0u);
  ASSERT_EQ(
      run.launch(
          kernel(
              "setp.ne.u32 %q0, %r31, 0;\n@%q0 exit;\nmov.u32 %r0, 1;\nmov.u32 %r1, 0;\nst.shared.b32 [%r1], "
              "%r0;\nred.shared.add.f32 [%r1], %r0;\nld.shared.b32 %r2, [%r1];\nst.global.b32 [%p0], %r2;"),
          {x}, 1, {}, 4),
      "");
  EXPECT_EQ(run.download<uint32_t>(x, 1)[0], 2u);
}

TEST(Memory, CompareAndSwapHasOneWinner) {
  Runner run;
  const DeviceAddress x = run.upload(std::vector<uint32_t>{0}), out = run.fresh(256);
  ASSERT_EQ(run.launch(kernel("add.u32 %r1, %r31, 1;\natom.global.cas.b32 %r0, [%p0], 0, %r1;\nmul.wide.u32 "
                              "%d0, %r31, 4;\nadd.s64 %d1, %p1, %d0;\nst.global.b32 [%d1], %r0;",
                              2),
                       {x, out}, 2),
            "");
  const std::vector<uint32_t> found = run.download<uint32_t>(out, 64);
  EXPECT_EQ(std::count(found.begin(), found.end(), 0u), 1);
}

TEST(Memory, AsyncCopiesLandAtTheirWait) {
  Runner run;
  std::vector<uint32_t> values(256);
  std::iota(values.begin(), values.end(), 0);
  const DeviceAddress x = run.upload(values), out = run.fresh(1024);
  // Two groups in flight, the second with a source of 8 bytes filled up with zeros.
  const std::string body =
      "mul.wide.u32 %d0, %r31, 16;\nadd.s64 %d1, %p0, %d0;\nadd.s64 %d2, %p1, %d0;\nshl.b32 %r0, %r31, "
      "4;\nmov.u32 %r9, 8;\ncp.async.cg.shared.global [%r0], [%d1], 16;\ncp.async.commit_group;\n"
      "cp.async.ca.shared.global.L2::128B [%r0+512], [%d1+512], 16, "
      "%r9;\ncp.async.commit_group;\ncp.async.wait_group 1;\nld.shared.v4.b32 {%r1, %r2, %r3, %r4}, "
      "[%r0];\nst.global.v4.b32 [%d2], {%r1, %r2, %r3, %r4};\n"
      "cp.async.wait_all;\nld.shared.v4.b32 {%r1, %r2, %r3, %r4}, [%r0+512];\nst.global.v4.b32 [%d2+512], "
      "{%r1, %r2, %r3, %r4};";
  ASSERT_EQ(run.launch(kernel(body, 2), {x, out}, 1, {}, 1024), "");
  const std::vector<uint32_t> found = run.download<uint32_t>(out, 256);
  for (uint32_t i = 0; i < 256; ++i)
    EXPECT_EQ(found[i], i >= 128 && i % 4 > 1 ? 0 : i);
}

TEST(Memory, AsyncCopiesFillWithZeros) {
  Runner run;
  std::vector<uint8_t> values(64);
  std::iota(values.begin(), values.end(), uint8_t(1));
  const DeviceAddress x = run.upload(values), out = run.fresh(512);
  // Lane i copies i bytes of 16, from i = 17 on nothing; the source ends where lane 3's bytes end.
  const std::string
      begin = "mul.wide.u32 %d0, %r31, 16;\nadd.s64 %d1, %p0, %d0;\nadd.s64 %d2, %p1, %d0;\nshl.b32 "
              "%r0, %r31, 4;\nmov.b32 %r1, -1;\nst.shared.v4.b32 [%r0], {%r1, %r1, %r1, %r1};\n",
      end = "cp.async.wait_all;\nld.shared.v4.b32 {%r1, %r2, %r3, %r4}, [%r0];\nst.global.v4.b32 [%d2], "
            "{%r1, %r2, %r3, %r4};";
  ASSERT_EQ(run.launch(kernel(begin +
                                  "setp.gt.u32 %q0, %r31, 3;\nselp.b32 %r9, 0, %r31, %q0;\n"
                                  "cp.async.cg.shared.global [%r0], [%d1], 16, %r9;\n" +
                                  end,
                              2),
                       {x, out}, 1, {}, 512),
            "");
  std::vector<uint8_t> found = run.download<uint8_t>(out, 512);
  for (uint32_t i = 0; i < 512; ++i)
    ASSERT_EQ(found[i], i / 16 < 4 && i % 16 < i / 16 ? i + 1 : 0) << i;
  // A predicate says whether the source is ignored; what is ignored need not exist. A cache policy changes
  // nothing.
  ASSERT_EQ(
      run.launch(kernel(begin +
                            "setp.gt.u32 %q0, %r31, 2;\nmov.u64 %d3, "
                            "0;\ncp.async.ca.shared::cta.global.L2::cache_hint.L2::64B [%r0], [%d1], 8, %q0, "
                            "%d3;\n@!%q0 cp.async.ca.shared.global [%r0+8], [%d1], 4, !%q0;\n@!%q0 "
                            "cp.async.wait_all;\n@%q0 bra DONE;\n" +
                            end + "\nDONE:",
                        2),
                 {x, out}, 1, {}, 512),
      "");
  found = run.download<uint8_t>(out, 48);
  for (uint32_t i = 0; i < 48; ++i)
    ASSERT_EQ(found[i], i % 16 < 8 ? i + 1 : i % 16 < 12 ? 0 : 255) << i;
}

/// Counters of one warp that loads and stores at `address` (into %d1) with `access` bytes a lane.
Counters traffic(const std::string &address, const std::string &load, const std::string &store) {
  Runner run;
  const DeviceAddress x = run.upload(std::vector<uint8_t>(65536, 1));
  EXPECT_EQ(run.launch(kernel(".file 1 \"a.py\"\n.loc 1 7 1\n" + address + "\n.loc 1 8 1\n" + load +
                                  "\n.loc 1 9 1\n" + store,
                              1),
                       {x}, 1, {}, 16384),
            "");
  const EmulatorReport report = run.device.report();
  Counters out;
  for (const EmulatorReport::Row &row : report.rows) {
    if (row.line == 8 || row.line == 9) {
      EXPECT_EQ(row.file, "a.py");
      out += row.counters;
    }
  }
  return out;
}

TEST(Counters, ContiguousStrideTwoColumnsAndMisaligned) {
  const std::string load = "ld.global.b32 %r0, [%d1];", store = "st.global.b32 [%d1], %r0;";
  Counters found = traffic("mul.wide.u32 %d0, %r31, 4;\nadd.s64 %d1, %p0, %d0;", load, store);
  EXPECT_EQ(found.loadRequests, 1u);
  EXPECT_EQ(found.loadSectors, 4u);
  EXPECT_EQ(found.loadSectorsIdeal, 4u);
  EXPECT_EQ(found.loadBytes, 128u);
  EXPECT_EQ(found.storeSectors, 4u);
  found = traffic("mul.wide.u32 %d0, %r31, 8;\nadd.s64 %d1, %p0, %d0;", load, store); // stride 2
  EXPECT_EQ(found.loadSectors, 8u);
  EXPECT_EQ(found.loadSectorsIdeal, 4u);
  found = traffic("mul.wide.u32 %d0, %r31, 1024;\nadd.s64 %d1, %p0, %d0;", load, store); // a column
  EXPECT_EQ(found.loadSectors, 32u);
  EXPECT_EQ(found.storeSectorsIdeal, 4u);
  found = traffic("mul.wide.u32 %d0, %r31, 4;\nadd.s64 %d1, %p0, %d0;\nadd.s64 %d1, %d1, 20;", load,
                  store); // misaligned base
  EXPECT_EQ(found.loadSectors, 5u);
  EXPECT_EQ(found.loadSectorsIdeal, 4u);
  found = traffic("mov.u64 %d1, %p0;", load, store); // one address for all
  EXPECT_EQ(found.loadSectors, 1u);
  EXPECT_EQ(found.loadSectorsIdeal, 1u);
  EXPECT_EQ(found.loadBytes, 128u);
  found = traffic("sub.u32 %r5, 31, %r31;\nmul.wide.u32 %d0, %r5, 16;\nadd.s64 %d1, %p0, %d0;",
                  "ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%d1];",
                  "st.global.v4.b32 [%d1], {%r0, %r1, %r2, %r3};"); // reversed vectors
  EXPECT_EQ(found.loadSectors, 16u);
  EXPECT_EQ(found.storeSectors, 16u);
  EXPECT_EQ(found.storeBytes, 512u);
  found = traffic(
      "mul.wide.u32 %d0, %r31, 4;\nadd.s64 %d1, %p0, %d0;\nsetp.lt.u32 %q0, %r31, 5;\nmov.u32 %r0, 1;",
      "@%q0 " + load, "@%q0 " + store); // masked
  EXPECT_EQ(found.loadSectors, 1u);
  EXPECT_EQ(found.loadBytes, 20u);
  EXPECT_EQ(found.warpInstructions, 2u + 1u); // and the `ret`, which has the last line
  EXPECT_EQ(found.threadInstructions, 10u + 32u);
}

uint64_t conflicts(uint32_t stride, uint32_t bytes) {
  const std::string vector = bytes == 4   ? "b32"
                             : bytes == 8 ? "v2.b32"
                                          : "v4.b32",
                    registers = bytes == 4   ? "%r1"
                                : bytes == 8 ? "{%r1, %r2}"
                                             : "{%r1, %r2, %r3, %r4}";
  const Counters found = traffic("mul.lo.u32 %r0, %r31, " + std::to_string(stride) +
                                     ";\nmov.u32 %r1, 1;\nmov.u32 %r2, 1;\nmov.u32 %r3, 1;\nmov.u32 %r4, 1;",
                                 "st.shared." + vector + " [%r0], " + registers + ";", "");
  EXPECT_EQ(found.sharedRequests, 1u);
  EXPECT_EQ(found.sharedBytes, 32u * bytes);
  return found.bankConflicts;
}

TEST(Counters, BankConflicts) {
  EXPECT_EQ(conflicts(4, 4), 0u);
  EXPECT_EQ(conflicts(8, 4), 1u);
  EXPECT_EQ(conflicts(16, 4), 3u);
  EXPECT_EQ(conflicts(128, 4), 31u);
  EXPECT_EQ(conflicts(132, 4), 0u);
  EXPECT_EQ(conflicts(8, 8), 0u);
  EXPECT_EQ(conflicts(16, 16), 0u);
  EXPECT_EQ(conflicts(32, 16), 4u);
}

TEST(Counters, AsyncCopiesOnBothSides) {
  const auto copy = [](const std::string &address, const std::string &size) {
    return traffic("mul.wide.u32 %d0, %r31, 16;\nadd.s64 %d1, %p0, %d0;\n" + address,
                   "cp.async.ca.shared.global [%r0], [%d1], " + size + ";", "cp.async.wait_all;");
  };
  Counters found = copy("shl.b32 %r0, %r31, 4;", "16");
  EXPECT_EQ(found.loadRequests, 1u);
  EXPECT_EQ(found.loadSectors, 16u);
  EXPECT_EQ(found.loadSectorsIdeal, 16u);
  EXPECT_EQ(found.loadBytes, 512u);
  EXPECT_EQ(found.sharedRequests, 1u);
  EXPECT_EQ(found.sharedBytes, 512u);
  EXPECT_EQ(found.bankConflicts, 0u);
  found = copy("shl.b32 %r0, %r31, 7;", "16"); // rows of 128 bytes: the first chunk of each
  EXPECT_EQ(found.bankConflicts, 28u);
  found = copy("shl.b32 %r0, %r31, 7;", "4");
  EXPECT_EQ(found.loadSectors, 16u);
  EXPECT_EQ(found.loadSectorsIdeal, 4u);
  EXPECT_EQ(found.bankConflicts, 31u);
  found = copy("shl.b32 %r0, %r31, 4;", "16, 0"); // nothing is read
  EXPECT_EQ(found.loadRequests, 0u);
  EXPECT_EQ(found.sharedBytes, 512u);
}

TEST(Counters, ResetAndTotals) {
  Runner run;
  ASSERT_EQ(run.launch(kernel("add.u32 %r0, %r31, 1;"), {0}, 2, {3, 1, 1}), "");
  EmulatorReport report = run.device.report();
  EXPECT_EQ(report.launches, 1u);
  EXPECT_EQ(report.blocks, 3u);
  EXPECT_EQ(report.total.warpInstructions, 2u * 3u * 4u);
  EXPECT_EQ(report.total.threadInstructions, 32u * 2u * 3u * 4u);
  run.device.resetReport();
  EXPECT_EQ(run.device.report().total, Counters{});
}

} // namespace
} // namespace tegula::runtime::test
