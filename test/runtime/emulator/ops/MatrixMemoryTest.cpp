// ldmatrix, stmatrix and movmatrix: what goes where, what the banks say, and the messages of these and of
// mma.

#include "runtime/emulator/ops/Opcodes.h"
#include "test/runtime/emulator/RunPtx.h"

#include <gmock/gmock.h>

namespace tegula::runtime::test {
namespace {

using ::testing::HasSubstr;

/// Four matrices of 8 x 8 halves, [matrix][row][column], with the values 0, 1, 2, ...
std::vector<uint16_t> fourMatrices() {
  std::vector<uint16_t> out(4 * 64);
  for (size_t i = 0; i < out.size(); ++i)
    out[i] = uint16_t(i);
  return out;
}

/// Copies 512 bytes from %p0 to shared memory; %r0 becomes the address of row `lane` of 16 bytes.
const std::string fill =
    "shl.b32 %r0, %r31, 4;\nmul.wide.u32 %d0, %r31, 16;\nadd.s64 %d1, %p0, %d0;\nadd.s64 %d2, "
    "%p1, %d0;\nld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%d1];\nst.shared.v4.b32 [%r0], {%r1, "
    "%r2, %r3, %r4};\nbar.sync 0;\n";

/// Returns the words that every lane has in %r1 to %r4 after `body`: [lane][register].
std::vector<uint32_t> wordsAfter(const std::string &body) {
  Runner run;
  const DeviceAddress x = run.upload(fourMatrices()), out = run.fresh(512);
  EXPECT_EQ(
      run.launch(kernel(fill + "mov.b32 %r1, -1;\nmov.b32 %r2, -1;\nmov.b32 %r3, -1;\nmov.b32 %r4, -1;\n" +
                            body + "\nst.global.v4.b32 [%d2], {%r1, %r2, %r3, %r4};",
                        2),
                 {x, out}, 1, {}, 1024),
      "")
      << body;
  return run.download<uint32_t>(out, 128);
}

uint32_t pairOf(uint32_t low, uint32_t high) { return high << 16 | low; }

TEST(MatrixMemory, LoadsRowsAndColumns) {
  const std::string vectors[] = {"{%r1}", "{%r1, %r2}", "{%r1, %r2, %r3, %r4}"};
  for (const bool transposed : {false, true})
    for (const std::string space : {".shared", ".shared::cta", ""})
      for (unsigned i = 0; i < 3; ++i) {
        const unsigned count = 1u << i;
        std::string body = "ldmatrix.sync.aligned.m8n8.x" + std::to_string(count) +
                           (transposed ? ".trans" : "") + space + ".b16 " + vectors[i] + ", ";
        if (space.empty())
          body = "cvt.u64.u32 %d4, %r0;\ncvta.shared.u64 %d5, %d4;\n" + body + "[%d5];";
        else
          body += "[%r0+0];";
        const std::vector<uint32_t> found = wordsAfter(body);
        for (uint32_t lane = 0; lane < 32; ++lane)
          for (uint32_t matrix = 0; matrix < 4; ++matrix) {
            const uint32_t outer = lane / 4, inner = lane % 4 * 2;
            const uint32_t low = transposed ? inner * 8 + outer : outer * 8 + inner;
            const uint32_t high = transposed ? low + 8 : low + 1;
            const uint32_t expected =
                matrix < count ? pairOf(matrix * 64 + low, matrix * 64 + high) : 0xffffffff;
            ASSERT_EQ(found[lane * 4 + matrix], expected) << body << " lane " << lane << " matrix " << matrix;
          }
      }
}

TEST(MatrixMemory, AddressesOfOtherLanesDoNotMatter) {
  // Lanes from 8 on have an undefined address.
  EXPECT_EQ(wordsAfter(
                "setp.lt.u32 %q0, %r31, 8;\n@%q0 mov.b32 %r9, %r0;\nldmatrix.sync.aligned.m8n8.x1.shared.b16 "
                "{%r1}, [%r9];")[4],
            pairOf(2, 3));
}

TEST(MatrixMemory, StoresWhatItLoads) {
  // A transposing load, stored plainly, is each matrix transposed; with both it is itself.
  for (const bool transposed : {false, true}) {
    const std::vector<uint32_t> found = wordsAfter(
        "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r1, %r2, %r3, %r4}, [%r0];\nbar.warp.sync -1;\n"
        "stmatrix.sync.aligned.m8n8.x4" +
        std::string(transposed ? ".trans" : "") +
        ".shared.b16 [%r0], {%r1, %r2, %r3, %r4};\nbar.warp.sync -1;\nld.shared.v4.b32 {%r1, %r2, %r3, %r4}, "
        "[%r0];");
    for (uint32_t row = 0; row < 32; ++row)
      for (uint32_t pair = 0; pair < 4; ++pair) {
        const uint32_t matrix = row / 8 * 64, at = pair * 2;
        const uint32_t low = transposed ? row % 8 * 8 + at : at * 8 + row % 8;
        ASSERT_EQ(found[row * 4 + pair], pairOf(matrix + low, matrix + low + (transposed ? 1 : 8)));
      }
  }
}

TEST(MatrixMemory, TransposesInRegisters) {
  const std::vector<uint32_t> found = wordsAfter(
      "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r5}, [%r0];\nmovmatrix.sync.aligned.m8n8.trans.b16 %r1, "
      "%r5;\nldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 %r2, [%r0];");
  for (uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(found[lane * 4], found[lane * 4 + 1]);
}

TEST(MatrixMemory, CarriesUndefinedElements) {
  // Column 7 of the matrix is never defined, and only lanes that hold it may not store it.
  const std::string body =
      "and.b32 %r5, %r31, 7;\nshl.b32 %r5, %r5, 4;\nmov.b32 %r6, {%h0, %h1};\nsetp.lt.u32 %q0, "
      "%r31, 8;\n@%q0 st.shared.b32 [%r5+12], %r6;\nbar.sync 0;\n"
      "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r0];\n";
  EXPECT_EQ(wordsAfter("mov.b16 %h0, 1;\nmov.b16 %h1, 2;\n" + body)[12], pairOf(1, 2));
  EXPECT_EQ(wordsAfter("mov.b16 %h0, 7;\n" + body +
                       "and.b32 %r7, %r31, 3;\nsetp.eq.u32 %q1, %r7, 3;\n@%q1 mov.b32 %r1, "
                       "5;")[8],
            pairOf(4, 5));
  Runner run;
  const DeviceAddress x = run.upload(fourMatrices()), out = run.fresh(512);
  EXPECT_THAT(run.launch(kernel(fill + "mov.b16 %h0, 7;\n" + body + "st.global.b32 [%d2], %r1;", 2), {x, out},
                         1, {}, 1024),
              HasSubstr("thread (3,0,0): uninitialised register `%r1` is used as a stored value"));
}

/// Bank conflicts of ldmatrix.x4 and stmatrix.x4 of a 32 x 64-byte tile with rows `address` (into %r5, of
/// %r31).
uint64_t conflicts(const std::string &address, const std::string &instruction) {
  Runner run;
  const std::string clear =
      "mov.u32 %r6, 0;\nL:\nadd.u32 %r7, %r31, %r6;\nshl.b32 %r7, %r7, 4;\nst.shared.v4.b32 [%r7], "
      "{%r31, %r31, %r31, %r31};\nadd.u32 %r6, %r6, 32;\nsetp.lt.u32 %q0, %r6, 256;\n@%q0 bra "
      "L;\nbar.sync 0;\n";
  EXPECT_EQ(
      run.launch(kernel(".file 1 \"a.py\"\n.loc 1 7 1\n" + clear + address + "\n.loc 1 8 1\n" + instruction),
                 {0}, 1, {}, 4096),
      "");
  uint64_t count = ~uint64_t(0);
  for (const EmulatorReport::Row &row : run.device.report().rows)
    if (row.line == 8) {
      EXPECT_EQ(row.counters.sharedRequests, 1u);
      count = row.counters.bankConflicts;
    }
  return count;
}

TEST(MatrixMemory, CountsBankConflictsByMatrix) {
  const std::string load = "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r5];",
                    loadFour = "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%r5];",
                    storeFour = "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r5], {%r31, %r31, %r31, %r31};";
  // Rows of 128 bytes one below the other meet in the same four banks.
  const std::string plain = "shl.b32 %r5, %r31, 7;";
  EXPECT_EQ(conflicts(plain, load), 7u);
  EXPECT_EQ(conflicts(plain, loadFour), 28u);
  EXPECT_EQ(conflicts(plain, storeFour), 28u);
  // The same with the 16-byte chunks of a row exchanged by the row's number.
  const std::string swizzled =
      "shl.b32 %r5, %r31, 7;\nand.b32 %r6, %r31, 7;\nshl.b32 %r6, %r6, 4;\nxor.b32 %r5, %r5, %r6;";
  EXPECT_EQ(conflicts(swizzled, load), 0u);
  EXPECT_EQ(conflicts(swizzled, loadFour), 0u);
  EXPECT_EQ(conflicts(swizzled, storeFour), 0u);
  // Rows of 64 bytes: two by two.
  EXPECT_EQ(conflicts("shl.b32 %r5, %r31, 6;", load), 3u);
}

/// The error for a body that the parser refuses.
std::string errorOf(const std::string &body) {
  const Result<ptx::Module> module = ptx::parse(kernel(body));
  return module ? "" : module.error().text;
}

TEST(MatrixMemory, RefusesWhatDoesNotExist) {
  const std::string operands = " {%r0, %r1, %r2, %r3}, {%r4, %r5}, {%r6}, {%r0, %r1, %r2, %r3};";
  EXPECT_EQ(errorOf("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32" + operands), "");
  for (const std::string form :
       {"m16n8k4.row.col.f32.bf16.bf16.f32", "m16n8k8.row.col.f16.bf16.bf16.f16",
        "m16n8k8.row.col.f32.f16.f16.f16", "m16n8k8.row.col.f32.f16.bf16.f32",
        "m16n8k8.col.row.f32.f16.f16.f32", "m16n8k8.row.col.rn.f32.f16.f16.f32",
        "m16n8k8.row.col.satfinite.f32.f16.f16.f32", "m16n8k32.row.col.f32.f16.f16.f32",
        "m16n8k16.row.col.f32.s8.s8.f32", "m16n8k16.row.col.kind::f8f6f4.f32.e4m3.e4m3.f32",
        "m16n8k8.row.col.f32.f16.f16", "m8n8k4.row.col.f32.f16.f16.f32", "m8n8k16.row.col.f64.f64.f64.f64",
        "m16n8k32.row.col.f32.e2m1.e2m1.f32"})
    EXPECT_THAT(errorOf("mma.sync.aligned." + form + operands),
                HasSubstr("unsupported instruction `mma.sync.aligned." + form))
        << form;
  EXPECT_THAT(errorOf("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32" + operands),
              HasSubstr("expected 4 registers as operand 2 of "
                        "`mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32`, found 2"));
  EXPECT_THAT(
      errorOf("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%r0, %r1, %r2, %r3}, {%r4, %r5}, {%r6};"),
      HasSubstr("expected 4 operands of `mma.sync"));
  EXPECT_THAT(
      errorOf("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0, %r1}, [%r2];"),
      HasSubstr("expected 4 registers as operand 1 of `ldmatrix.sync.aligned.m8n8.x4.shared.b16`, found 2"));
  for (const std::string form :
       {"ldmatrix.sync.aligned.m8n8.x3.shared.b16 {%r0}, [%r2];",
        "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r0}, [%r2];",
        "stmatrix.aligned.m8n8.x1.shared.b16 [%r2], {%r0};", "movmatrix.sync.aligned.m8n8.b16 %r0, %r2;"})
    EXPECT_THAT(errorOf(form), HasSubstr("unsupported instruction `" + form.substr(0, form.find(' '))))
        << form;
  EXPECT_EQ(errorOf("griddepcontrol.wait;\ngriddepcontrol.launch_dependents;"), "");
  EXPECT_THAT(errorOf("griddepcontrol.later;"), HasSubstr("unsupported instruction `griddepcontrol.later`"));
  EXPECT_THAT(errorOf("griddepcontrol.wait %r0;"),
              HasSubstr("expected 0 operands of `griddepcontrol.wait`, found 1"));
}

TEST(MatrixMemory, RowsMustBeInSharedMemory) {
  Runner run;
  const DeviceAddress x = run.upload(fourMatrices());
  EXPECT_THAT(run.launch(kernel("ldmatrix.sync.aligned.m8n8.x1.b16 {%r1}, [%p0];"), {x}, 1, {}, 1024),
              HasSubstr("expected a row in shared memory, found the address 0x20"));
  EXPECT_THAT(run.launch(kernel("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r9];"), {x}, 1, {}, 1024),
              HasSubstr("uninitialised register `%r9` is used as an address"));
  EXPECT_THAT(run.launch(kernel("mov.b32 %r9, 1008;\nadd.u32 %r9, %r9, %r31;\n"
                                "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r9+16], {%r31};"),
                         {x}, 1, {}, 1024),
              HasSubstr("shared store of 16 bytes at 0x400: outside the block's 1024 bytes"));
}

} // namespace
} // namespace tegula::runtime::test
