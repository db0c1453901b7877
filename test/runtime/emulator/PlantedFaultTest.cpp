// Faults planted in small kernels, each found by its right name, source line and thread under several
// schedules; and each with its correct twin, which runs clean under the same ones.

#include "test/runtime/emulator/RunPtx.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace tegula::runtime::test {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

/// `text` has one `{wrong|right}` for every place where the faulty kernel and its twin differ. Lines 10 and
/// 11 of planted.py are where faults show.
struct Planted {
  const char *name;
  const char *text;
  /// Pieces of the message; a bar separates alternatives of which one must be there, as the schedule decides.
  std::vector<std::string> pieces;
  uint32_t grid = 1;
};

/// Two warps with 256 bytes of shared memory. %p0 points to 64 initialised words, %p1 to as many fresh ones,
/// %p2 to freed memory, %p3 to a word that is zero. Before each text: %r0 = 4 * tid, %r1 = the same in the
/// other warp, %d1 and %d2 the addresses in p0 with these offsets, %r2 the warp, %q0 says lane below 16, %q1
/// warp 0, %q2 thread 0.
const std::string prelude = R"(
.loc 1 5 1
shl.b32 %r0, %r31, 2;
xor.b32 %r1, %r0, 128;
cvt.u64.u32 %d1, %r0;
add.s64 %d1, %p0, %d1;
cvt.u64.u32 %d2, %r1;
add.s64 %d2, %p0, %d2;
shr.u32 %r2, %r31, 5;
and.b32 %r30, %r31, 31;
setp.lt.u32 %q0, %r30, 16;
setp.eq.u32 %q1, %r2, 0;
setp.eq.u32 %q2, %r31, 0;
mov.u32 %r20, 0;
.loc 1 10 1
)";

const std::vector<Planted> planted = {
    {"SharedReadAfterWrite",
     "st.shared.b32 [%r0], %r31;\n{|bar.sync 0;}\n.loc 1 11 1\nld.shared.b32 %r3, [%r1];",
     {"race on the shared byte at", "the ", "planted.py:10", "planted.py:11", "thread (",
      "no barrier between"}},
    {"SharedWriteAfterRead",
     ".loc 1 9 1\nst.shared.b32 [%r0], %r31;\nbar.sync 0;\n.loc 1 10 1\nld.shared.b32 %r3, "
     "[%r1];\n{|bar.sync "
     "0;}\n.loc 1 11 1\nst.shared.b32 [%r0], %r3;",
     {"race on the shared byte at", "planted.py:10", "planted.py:11", "no barrier between"}},
    {"SharedWriteAfterWrite",
     "st.shared.b32 [%r0], %r31;\n{|bar.sync 0;}\n.loc 1 11 1\nst.shared.b32 [%r1], %r31;",
     {"race on the shared byte at", "and the write by", "planted.py:10", "planted.py:11"}},
    {"LanesWithoutWarpBarrier",
     "st.shared.b32 [%r0], %r31;\n{|bar.warp.sync -1;}\n.loc 1 11 1\nxor.b32 %r3, %r0, 4;\nld.shared.b32 "
     "%r4, [%r3];",
     {"race on the shared byte at", "this read and the write by thread (", "planted.py:10", "planted.py:11"}},
    {"BarriersThatDoNotMeet",
     "st.shared.b32 [%r0], %r31;\nadd.u32 %r3, %r2, 1;\nbar.sync {%r3, 32|1, 64};\n.loc 1 11 "
     "1\nld.shared.b32 "
     "%r4, [%r1];",
     {"race on the shared byte at", "planted.py:10", "planted.py:11"}},
    {"RelaxedFlagPublishesNothing",
     ".loc 1 8 1\n@%q2 st.shared.b32 [%r20], %r20;\nbar.sync 0;\n@!%q1 bra READER;\n.loc 1 10 1\n@%q2 "
     "st.shared.b32 "
     "[%r20+4], 7;\n@%q2 st.{relaxed|release}.cta.shared.b32 [%r20], 1;\nbra DONE;\nREADER:\n.loc 1 9 "
     "1\nld.acquire.cta.shared.b32 %r3, [%r20];\nsetp.eq.u32 %q3, %r3, 0;\n@%q3 bra READER;\n.loc 1 11 "
     "1\nld.shared.b32 %r4, [%r20+4];\nDONE:",
     {"race on the shared byte at 0x4", "the write by thread (0,0,0) at planted.py:10", "planted.py:11"}},
    {"GlobalReadAfterWrite",
     "st.global.b32 [%d1], %r31;\n{|bar.sync 0;}\n.loc 1 11 1\nld.global.b32 %r3, [%d2];",
     {"race on the global byte at", "planted.py:10", "planted.py:11", "no barrier between"}},
    {"GlobalWriteAfterRead",
     "ld.global.b32 %r3, [%d2];\n{|bar.sync 0;}\n.loc 1 11 1\nst.global.b32 [%d1], %r3;",
     {"race on the global byte at", "planted.py:10", "planted.py:11", "no barrier between"}},
    {"GlobalWriteAfterWrite",
     "st.global.b32 [%d1], %r31;\n{|bar.sync 0;}\n.loc 1 11 1\nst.global.b32 [%d2], %r31;",
     {"race on the global byte at", "and the write by", "planted.py:10", "planted.py:11"}},
    {"GlobalStoreBesideAtomic",
     "atom.global.add.u32 %r3, [%p0], 1;\n{|bar.sync 0;}\n.loc 1 11 1\n@%q2 st.global.b32 [%p0], %r31;",
     {"race on the global byte at", "planted.py:10", "planted.py:11"}},
    {"BlocksStoreDifferentValues",
     "mov.u32 %r3, %ctaid.x;\n@%q2 {st|atom}.global.{b32|exch.b32 %r4,} [%p0], %r3;",
     {"race on the global byte at", "this write and the write by another block at planted.py:10", "differ"},
     2},
    {"LoadOutOfBounds",
     "ld.global.b32 %r3, [%d1+{16|0}];",
     {"global load of 4 bytes at", "outside any allocation, 0 bytes past the end of the 256 bytes",
      "thread (60,0,0)"}},
    {"StoreOutOfBounds",
     "st.global.b32 [%d1+{4|0}], %r31;",
     {"global store of 4 bytes at", "outside any allocation", "thread (63,0,0)"}},
    {"AtomicOutOfBounds",
     "red.global.add.u32 [%d1+{128|0}], 1;",
     {"global atomic of 4 bytes at", "outside any allocation", "thread (32,0,0)"}},
    {"MisalignedVectorLoad",
     "ld.global.v4.b32 {{%r3, %r4, %r5, %r6}}, [%p0+{8|16}];",
     {"misaligned global load of 16 bytes at", "thread ("}},
    {"MisalignedVectorStore",
     "@%q2 st.global.v2.b32 [%p0+{4|8}], {{%r31, %r31}};",
     {"misaligned global store of 8 bytes at", "thread (0,0,0)"}},
    {"SharedOutOfBounds",
     "st.shared.b32 [%r0+{4|0}], %r31;",
     {"shared store of 4 bytes at 0x100: outside the block's 256 bytes", "thread (63,0,0)"}},
    {"SharedMisaligned",
     "@%q2 st.shared.b32 [%r0+{2|4}], %r31;",
     {"misaligned shared store of 4 bytes at 0x2", "thread (0,0,0)"}},
    {"UninitialisedRegister",
     "{@%q2|} mov.u32 %r3, 5;\nadd.u32 %r3, %r3, %r31;\nst.global.b32 [%d1], %r3;",
     {"uninitialised register `%r3` is used as a stored value"}},
    {"UninitialisedPredicate",
     "{@%q2|} setp.eq.u32 %q4, %r31, 3;\n@%q4 mov.u32 %r3, 1;",
     {"uninitialised register `%q4` is used as a predicate"}},
    {"UninitialisedShared",
     "{@%q0|} st.shared.b32 [%r0], %r31;\nbar.sync 0;\nld.shared.b32 %r3, [%r1];",
     {"uninitialised shared memory"}},
    {"UninitialisedGlobal",
     "ld.global.b32 %r3, [{%p1|%p0}+128];",
     {"global load of 4 bytes at", "uninitialised global memory"}},
    {"DivergentShuffle",
     "@!%q0 bra DONE;\nshfl.sync.bfly.b32 %r3, %r31, 1, 31, {-1|0xffff};\nDONE:",
     {"reached by part of the warp: lanes 0xffff0000 of the member mask 0xffffffff are elsewhere",
      "`shfl.sync"}},
    {"ShuffleFromAbsentLane",
     "@!%q0 bra DONE;\nshfl.sync.bfly.b32 %r3, %r31, {16|8}, 31, 0xffff;\nDONE:",
     {"the shuffle reads lane 16, which does not take part in it"}},
    {"VoteOutsideItsMask",
     "vote.sync.ballot.b32 %r3, %q0, {0xfffffffe|-1};",
     {"the thread is not in the member mask 0xfffffffe"}},
    {"PartialRedux",
     "@!%q0 bra DONE;\nredux.sync.add.u32 %r3, %r31, {-1|0xffff};\nDONE:",
     {"reached by part of the warp", "`redux.sync.add.u32`"}},
    {"DivergentBarrier",
     "{@!%q0|@!%q1} bra DONE;\nbar.sync {0|1, 32};\nDONE:",
     {"reached by part of the warp: lanes 0x0000ffff of 0xffffffff", "`bar.sync`"}},
    {"BarrierCountsDiffer",
     "@%q1 bra FIRST;\nbar.sync 1, {96|64};\nbra DONE;\nFIRST:\nbar.sync 1, 64;\nDONE:",
     {"barrier 1 expects", "found an arrival for"}},
    {"WarpLeavesOthersWaiting",
     "@%q1 bra FIRST;\n{|bar.arrive 1, 64;}\nexit;\nFIRST:\nbar.sync 1, 64;",
     {"deadlock: warp 0 waits at barrier 1 (32 of 64 threads arrived), planted.py:10"}},
    {"AsyncCopyNotWaitedFor",
     "cp.async.ca.shared.global [%r0], [%d1], "
     "4;\ncp.async.commit_group;\n{|cp.async.wait_all;}\nld.shared.b32 "
     "%r3, [%r0];",
     {"a `cp.async` to it has not been waited for"}},
    {"WaitLeavesTheGroupOpen",
     "cp.async.ca.shared.global [%r0], [%d1], 4;\ncp.async.commit_group;\ncp.async.wait_group "
     "{1|0};\nld.shared.b32 %r3, [%r0];",
     {"a `cp.async` to it has not been waited for"}},
    {"AsyncCopyWithoutBarrier",
     ".loc 1 9 1\nst.shared.b32 [%r0], %r31;\nbar.sync 0;\n.loc 1 10 1\ncp.async.ca.shared.global [%r0], "
     "[%d1], "
     "4;\ncp.async.wait_all;\n{|bar.sync 0;}\n.loc 1 11 1\nld.shared.b32 %r3, [%r1];",
     {"race on the shared byte at|a `cp.async` to it has not been waited for"}},
    {"AsyncSlotOverwrittenTooEarly",
     ".loc 1 9 1\nst.shared.b32 [%r0], %r31;\nbar.sync 0;\n.loc 1 10 1\nld.shared.b32 %r3, "
     "[%r1];\n{|bar.sync "
     "0;}\n.loc 1 11 1\ncp.async.ca.shared.global [%r0], [%d1], 4;\ncp.async.wait_all;",
     {"race on the shared byte at|a `cp.async` to it has not been waited for", "planted.py:10",
      "planted.py:11"}},
    {"AsyncSlotInFlightTwice",
     "cp.async.ca.shared.global [%r0], [%d1], 4;\ncp.async.commit_group;\n{|cp.async.wait_group 0;}\n.loc 1 "
     "11 "
     "1\ncp.async.ca.shared.global [%r0], [%d1], 4;\ncp.async.wait_all;",
     {"a `cp.async` to it has not been waited for, the one at planted.py:10 (PTX line"}},
    {"AsyncSourceChanges",
     "cp.async.ca.shared.global [%r0], [%d1], 4;\n{|cp.async.wait_all;}\n.loc 1 11 1\nst.global.b32 [%d1], "
     "%r31;\ncp.async.wait_all;",
     {"the source of the `cp.async` at planted.py:10 (PTX line", "changed before it was waited for",
      "thread ("}},
    {"AsyncSourceOfAnotherThread",
     "cp.async.ca.shared.global [%r0], [%d2], 4;\n{|cp.async.wait_all;\nbar.sync 0;}\n.loc 1 11 "
     "1\nst.global.b32 "
     "[%d1], %r31;\ncp.async.wait_all;",
     {"the source of the `cp.async` at planted.py:10|race on the global byte at"}},
    {"AsyncGroupOfOtherLanes",
     "cp.async.ca.shared.global [%r0], [%d1], 4;\n{@%q0|} cp.async.commit_group;\ncp.async.wait_group "
     "0;\n.loc 1 11 "
     "1\nld.shared.b32 %r3, [%r0];",
     {"a `cp.async` to it has not been waited for", "thread ("}},
    {"AsyncWaitOfOtherLanes",
     "cp.async.ca.shared.global [%r0], [%d1], 4;\n{@%q0|} cp.async.wait_all;\n.loc 1 11 1\nld.shared.b32 "
     "%r3, [%r0];",
     {"a `cp.async` to it has not been waited for", "thread ("}},
    {"AsyncSourceTooLarge",
     "mov.u32 %r3, {8|4};\ncp.async.ca.shared.global [%r0], [%d1], 4, %r3;\ncp.async.wait_all;",
     {"expected a source of at most 4 bytes, found 8"}},
    {"AsyncSourceMisaligned",
     "mov.u32 %r3, 4;\n@%q2 cp.async.ca.shared.global [%r20], [%p0+{4|8}], 8, %r3;\ncp.async.wait_all;",
     {"misaligned global load of 8 bytes at", "thread (0,0,0)"}},
    {"MatrixRowMisaligned",
     "st.shared.b32 [%r0], %r31;\nbar.sync 0;\nand.b32 %r4, %r31, 7;\nshl.b32 %r4, %r4, "
     "4;\nldmatrix.sync.aligned.m8n8.x1.shared.b16 {{%r3}}, [%r4+{8|16}];",
     {"misaligned shared load of 16 bytes at 0x8", "`ldmatrix.sync.aligned.m8n8.x1.shared.b16`"}},
    {"MatrixWithoutBarrier",
     "st.shared.b32 [%r0], %r31;\n{bar.warp.sync -1|bar.sync 0};\nand.b32 %r4, %r31, 7;\nshl.b32 %r4, %r4, "
     "4;\nxor.b32 "
     "%r5, %r2, 1;\nshl.b32 %r5, %r5, 7;\nadd.u32 %r4, %r4, %r5;\n.loc 1 11 "
     "1\nldmatrix.sync.aligned.m8n8.x1.shared.b16 {{%r3}}, [%r4];",
     {"race on the shared byte at", "planted.py:10", "planted.py:11"}},
    {"MatrixWithoutWarpBarrier",
     "and.b32 %r4, %r31, 7;\nshl.b32 %r4, %r4, 4;\nshl.b32 %r5, %r2, 7;\nadd.u32 %r4, %r4, "
     "%r5;\nst.shared.b32 [%r0], "
     "%r31;\n{|bar.warp.sync -1;}\n.loc 1 11 1\nldmatrix.sync.aligned.m8n8.x1.shared.b16 {{%r3}}, [%r4];",
     {"race on the shared byte at", "this read and the write by thread (", "planted.py:10", "planted.py:11"}},
    {"MatrixStoredThenLoaded",
     "and.b32 %r4, %r31, 7;\nshl.b32 %r4, %r4, 4;\nshl.b32 %r5, %r2, 7;\nadd.u32 %r4, %r4, "
     "%r5;\nstmatrix.sync.aligned.m8n8.x1.shared.b16 [%r4], {{%r31}};\n{|bar.warp.sync -1;}\n.loc 1 11 "
     "1\nldmatrix.sync.aligned.m8n8.x1.shared.b16 {{%r3}}, [%r4];",
     {"race on the shared byte at", "this read and the write by threads (", "planted.py:10",
      "planted.py:11"}},
    {"MatrixUninitialised",
     "{@%q0|} st.shared.b32 [%r0], %r31;\nbar.sync 0;\nand.b32 %r4, %r31, 7;\nshl.b32 %r4, %r4, "
     "4;\nldmatrix.sync.aligned.m8n8.x1.shared.b16 {{%r3}}, [%r4];",
     {"uninitialised shared memory"}},
    {"MatrixLoadedByPartOfAWarp",
     "st.shared.b32 [%r0], %r31;\nbar.sync 0;\nand.b32 %r4, %r31, 7;\nshl.b32 %r4, %r4, 4;\n{@%q0|} "
     "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {{%r3}}, [%r4];",
     {"reached by part of the warp: lanes 0x0000ffff of 0xffffffff", "`ldmatrix"}},
    {"MatrixProductOfPartOfAWarp",
     "{@%q0|} mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {{%r3, %r4, %r5, %r6}}, {{%r31, %r31}}, "
     "{{%r31}}, {{%r20, "
     "%r20, %r20, %r20}};",
     {"reached by part of the warp: lanes 0x0000ffff of 0xffffffff", "`mma.sync"}},
    {"MatrixProductAfterLanesLeft",
     "{@%q0 exit;|} mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {{%r3, %r4, %r5, %r6}}, {{%r31, "
     "%r31}}, {{%r31}}, "
     "{{%r20, %r20, %r20, %r20}};",
     {"reached by part of the warp: lanes 0xffff0000 of 0xffffffff", "`mma.sync"}},
    {"MatrixProductOfUndefinedRows",
     "{@%q0|} mov.b32 %r7, 0;\nmma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {{%r3, %r4, %r5, %r6}}, "
     "{{%r7, %r31}}, "
     "{{%r31}}, {{%r20, %r20, %r20, %r20}};\nst.global.b32 [%d1], %r5;\n.loc 1 11 1\nst.global.b32 [%d1], "
     "%r3;",
     {"uninitialised register `%r3` is used as a stored value", "planted.py:11"}},
    {"MatrixProductOfUndefinedColumns",
     "{@%q0|} mov.b32 %r7, 0;\nmma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {{%r3, %r4}}, {{%r31, "
     "%r31}}, "
     "{{%r7}}, {{%r20, %r20}};\nand.b32 %r8, %r31, 2;\nsetp.eq.u32 %q3, %r8, 0;\n@%q3 st.global.b32 [%d1], "
     "%r3;\n.loc 1 "
     "11 1\nst.global.b32 [%d1], %r4;",
     {"uninitialised register `%r4` is used as a stored value", "planted.py:11"}},
    {"MatrixProductOfUndefinedSums",
     "{@%q0|} mov.b32 %r7, 0;\nmma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {{%r3, %r4, %r5, %r6}}, "
     "{{%r31, %r31}}, "
     "{{%r31}}, {{%r20, %r20, %r7, %r20}};\nst.global.b32 [%d1], %r6;\n.loc 1 11 1\nst.global.b32 [%d1], "
     "%r5;",
     {"uninitialised register `%r5` is used as a stored value", "planted.py:11"}},
    {"EndlessSpin",
     "@%q1 bra {WAIT|SET};\nbra WAIT;\nSET:\n@%q2 st.relaxed.gpu.global.u32 [%p3], "
     "1;\nWAIT:\nld.relaxed.gpu.global.u32 "
     "%r3, [%p3];\nsetp.eq.u32 %q3, %r3, 0;\n@%q3 bra WAIT;",
     {"the kernel did not end within 20000 instructions|an endless loop: "}},
    {"UseAfterFree", "ld.global.b32 %r3, [{%p2|%p0}];", {"global load of 4 bytes at", "was freed"}},
    {"NullPointer",
     "mov.u64 %d3, {0|%p0};\nld.global.b32 %r3, [%d3+16];",
     {"global load of 4 bytes at 0x10: a null address"}},
    {"StoreToConstant",
     "mov.u64 %d3, {table|word};\n@%q2 st.global.b32 [%d3], %r31;",
     {"`table` is constant", "thread (0,0,0)"}},
};

/// The error of the kernel under the schedule `seed`; empty when there is none.
std::string launch(const Planted &fault, bool right, uint64_t seed) {
  EmulatorOptions options;
  options.seed = seed;
  options.instructionLimit = 20000;
  Runner run(options);
  const DeviceAddress words = run.upload(std::vector<uint32_t>(64, 9)), fresh = run.fresh(256),
                      gone = run.fresh(256), zero = run.upload(std::vector<uint32_t>(1, 0));
  EXPECT_TRUE(bool(run.device.free(gone)));
  const std::string text = kernel(prelude + choose(fault.text, right) + "\n.loc 1 12 1", 4,
                                  ".file 1 \"planted.py\"\n.const .b32 table = 3;\n.global .b32 word = 3;\n");
  const std::string error = run.launch(text, {words, fresh, gone, zero}, 2, {fault.grid, 1, 1}, 256);
  EXPECT_EQ(run.kind == ErrorKind::Fault, !error.empty()) << error;
  return error;
}

class PlantedFault : public ::testing::TestWithParam<Planted> {};

TEST_P(PlantedFault, IsFoundAndItsTwinIsClean) {
  for (uint64_t seed = 0; seed < 6; ++seed) {
    EXPECT_EQ(launch(GetParam(), true, seed), "") << "the twin, seed " << seed;
    const std::string error = launch(GetParam(), false, seed);
    EXPECT_THAT(error, AnyOf(HasSubstr("kernel `k` faulted at planted.py:10:1 (PTX line"),
                             HasSubstr("kernel `k` faulted at planted.py:11:1 (PTX line")))
        << "seed " << seed;
    EXPECT_THAT(error, HasSubstr("block ("));
    EXPECT_THAT(error, HasSubstr("thread"));
    for (const std::string &piece : GetParam().pieces) {
      const size_t bar = std::min(piece.find('|'), piece.size());
      const std::string other = bar < piece.size() ? piece.substr(bar + 1) : piece;
      EXPECT_THAT(error, AnyOf(HasSubstr(piece.substr(0, bar)), HasSubstr(other))) << "seed " << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, PlantedFault, ::testing::ValuesIn(planted),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
} // namespace tegula::runtime::test
