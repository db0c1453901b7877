// Every check of the emulator, provoked once: the right name, the right line, the right thread.

#include "test/runtime/emulator/ExpectFault.h"

namespace tegula::runtime::test {
namespace {

using ::testing::HasSubstr;

using Fault = ExpectFault;

TEST_F(Fault, LoadPastTheEndNamesTheAllocation) {
  const DeviceAddress x = run.upload(std::vector<uint32_t>(20, 7));
  expectFault(laneAddress + "ld.global.b32 %r0, [%d1];", {x},
              {"global load of 4 bytes at 0x200000000050: outside any allocation, 0 bytes past the end of "
               "the 80 bytes",
               "thread (20,0,0)", "`ld.global.b32`"});
}

TEST_F(Fault, VectorThatStraddlesTheEnd) {
  const DeviceAddress x = run.upload(std::vector<uint32_t>(3, 7));
  expectFault("ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%p0];", {x},
              {"global load of 16 bytes", "4 of its bytes are past the end of the 12 bytes"});
}

TEST_F(Fault, StoreFarOutside) {
  expectFault("mov.u64 %d0, 0x123456789000;\nst.global.b32 [%d0], %r31;", {0},
              {"global store of 4 bytes at 0x123456789000: outside any allocation"});
}

TEST_F(Fault, NullPointer) {
  expectFault("ld.global.b32 %r0, [%p0+16];", {0},
              {"global load of 4 bytes at 0x10: a null address", "thread (0,0,0)"});
}

TEST_F(Fault, UseAfterFree) {
  const DeviceAddress x = run.upload(std::vector<uint32_t>(32));
  ASSERT_TRUE(bool(run.device.free(x)));
  expectFault("ld.global.b32 %r0, [%p0+4];", {x}, {"the memory at 0x200000000000 (128 bytes) was freed"});
}

TEST_F(Fault, Misaligned) {
  const DeviceAddress x = run.upload(std::vector<uint32_t>(64));
  expectFault("ld.global.v2.b32 {%r0, %r1}, [%p0+4];", {x},
              {"misaligned global load of 8 bytes at 0x200000000004"});
}

TEST_F(Fault, MaskedOffAccessIsNotChecked) {
  expectNoFault("setp.lt.u32 %q0, %r31, 0;\nmov.u32 %r0, 0;\n@%q0 ld.global.b32 %r0, [%p0];\n@%q0 "
                "st.global.b32 [%p0], %r0;",
                {0});
}

TEST_F(Fault, StoreToConstant) {
  before = ".const .align 4 .b32 table[2] = {1, 2};\n";
  expectFault("mov.u64 %d0, table;\nst.global.b32 [%d0], %r31;", {0},
              {"store of 4 bytes", "`table` is constant"});
}

TEST_F(Fault, UninitialisedGlobal) {
  const DeviceAddress x = run.fresh(256);
  expectFault(
      laneAddress + "setp.lt.u32 %q0, %r31, 8;\n@%q0 st.global.b32 [%d1], %r31;\nld.global.b32 %r0, [%d1];",
      {x}, {"global load of 4 bytes at 0x200000000020: uninitialised global memory", "thread (8,0,0)"});
}

TEST_F(Fault, UninitialisedShared) {
  expectFault("mov.u32 %r0, 0;\nld.shared.b32 %r1, [%r0+64];", {0},
              {"shared load of 4 bytes at 0x40: uninitialised shared memory"}, 1, 128);
}

TEST_F(Fault, SharedOutside) {
  expectFault("mov.u32 %r0, 128;\nst.shared.b32 [%r0], %r31;", {0},
              {"shared store of 4 bytes at 0x80: outside the block's 128 bytes of shared memory"}, 1, 128);
}

TEST_F(Fault, MisalignedShared) {
  expectFault("mov.u32 %r0, 2;\nst.shared.b32 [%r0], %r31;", {0},
              {"misaligned shared store of 4 bytes at 0x2"}, 1, 128);
}

TEST_F(Fault, SharedThroughGenericAddress) {
  expectFault("mov.u64 %d0, 256;\ncvta.shared.u64 %d1, %d0;\nst.b32 [%d1], %r31;", {0},
              {"shared store of 4 bytes at 0x100: outside the block's 128 bytes"}, 1, 128);
}

TEST_F(Fault, LocalOutside) {
  expectFault(".local .align 8 .b8 depot[16];\nmov.u64 %d0, depot;\nst.local.b32 [%d0+16], %r31;", {0},
              {"local store of 4 bytes at 0x10: outside the thread's 16 bytes"});
}

TEST_F(Fault, ParameterOutside) {
  expectFault("ld.param.u64 %d0, [p0+8];", {0},
              {"parameter load of 8 bytes at offset 8: outside the parameters"});
}

TEST_F(Fault, RaceBetweenWarps) {
  // Each thread writes its word and reads the one of the next warp, without a barrier.
  const std::string body = "shl.b32 %r0, %r31, 2;\nst.shared.b32 [%r0], %r31;\n%BARRIER%xor.b32 %r1, %r0, "
                           "128;\nld.shared.b32 %r2, [%r1];";
  const auto with = [&](const std::string &barrier) {
    std::string text = body;
    return text.replace(text.find("%BARRIER%"), 9, barrier);
  };
  expectNoFault(with("bar.sync 0;\n"), {0}, 2, 256);
  for (uint64_t seed = 0; seed < 8; ++seed) {
    EmulatorOptions options;
    options.seed = seed;
    options.checkUninitialised = false;
    Runner other(options);
    const std::string error = other.launch(kernel(with("")), {0}, 2, {}, 256);
    EXPECT_THAT(error, HasSubstr("race on the shared byte at"));
    EXPECT_THAT(error, HasSubstr("have no barrier between them"));
  }
}

TEST_F(Fault, RaceNamesBothPlaces) {
  expectFault(".loc 1 40 1\nmov.u32 %r0, 16;\nsetp.eq.u32 %q0, %r31, 3;\n@%q0 st.shared.b32 [%r0], "
              "%r31;\n.loc 1 42 3\nld.shared.b32 %r1, [%r0];",
              {0},
              {"race on the shared byte at 0x10: this read and the write by thread (3,0,0) at kernel.py:40 "
               "(PTX line"},
              1, 64);
}

TEST_F(Fault, WriteAfterReadIsARace) {
  expectFault("mov.u32 %r0, 0;\n@%q15 bra L;\nL:", {0}, {"uninitialised register `%q15`"}, 1, 64);
  expectFault("setp.eq.u32 %q0, %r31, 0;\nmov.u32 %r0, 0;\n@%q0 st.shared.b32 [%r0], %r31;\nbar.warp.sync "
              "0xffffffff;\n"
              "ld.shared.b32 %r1, [%r0];\nsetp.eq.u32 %q1, %r31, 9;\n@%q1 st.shared.b32 [%r0], %r31;",
              {0}, {"this write and the read by threads (0,0,0) to (31,0,0)", "thread (9,0,0)"}, 1, 64);
}

TEST_F(Fault, LanesOfAWarpAreOrderedBySyncwarpOnly) {
  const std::string store = "shl.b32 %r0, %r31, 2;\nst.shared.b32 [%r0], %r31;\n",
                    load = "xor.b32 %r1, %r0, 4;\nld.shared.b32 %r2, [%r1];";
  expectNoFault(store + "bar.warp.sync -1;\n" + load, {0}, 1, 128);
  expectFault(store + load, {0}, {"race on the shared byte"}, 1, 128);
}

TEST_F(Fault, LanesOfOneStoreMayAgree) {
  expectNoFault("mov.u32 %r0, 0;\nmov.u32 %r1, 7;\nst.shared.b32 [%r0], %r1;", {0}, 1, 64);
  expectFault("mov.u32 %r0, 0;\nst.shared.b32 [%r0], %r31;", {0},
              {"this write and the write by thread (0,0,0)", "thread (1,0,0)"}, 1, 64);
}

TEST_F(Fault, NamedBarrierOrdersItsWarpsOnly) {
  // Warps 0 and 1 meet at barrier 1; warp 2 does not and reads all the same.
  const std::string body =
      "shr.u32 %r4, %r31, 5;\nsetp.lt.u32 %q0, %r4, 2;\nshl.b32 %r0, %r31, 2;\nand.b32 %r1, %r0, 124;\n"
      "setp.eq.u32 %q1, %r4, 0;\n@%q1 st.shared.b32 [%r0], %r31;\n@!%q0 bra SKIP;\nbar.sync 1, 64;\nSKIP:\n";
  expectNoFault(body + "setp.eq.u32 %q2, %r4, 1;\n@%q2 ld.shared.b32 %r2, [%r1];", {0}, 3, 128);
  EmulatorOptions options;
  options.checkUninitialised = false;
  Runner other(options);
  EXPECT_THAT(other.launch(kernel(body + "setp.eq.u32 %q2, %r4, 2;\n@%q2 ld.shared.b32 %r2, [%r1];"), {0}, 3,
                           {}, 128),
              HasSubstr("race on the shared byte"));
}

TEST_F(Fault, AtomicsDoNotRaceWithEachOther) {
  before = ".shared .align 4 .b32 counter;\n";
  const std::string zero =
      "setp.eq.u32 %q0, %r31, 0;\nmov.u32 %r0, 0;\n@%q0 st.shared.b32 [counter], %r0;\nbar.sync 0;\n";
  expectNoFault(zero + "atom.shared.add.u32 %r1, [counter], 1;\nred.shared.add.u32 [counter], 1;", {0}, 4);
  expectFault(zero + "red.shared.add.u32 [counter], 1;\n@%q0 st.shared.b32 [counter], %r0;", {0},
              {"race on the shared byte"}, 1);
}

TEST_F(Fault, EqualStoresOfSeveralThreadsAreOneResult) {
  const DeviceAddress x = run.upload(std::vector<uint32_t>(64, 9));
  expectNoFault("mov.u32 %r1, 7;\nst.global.b32 [%p0], %r1;", {x}, 2);
  expectFault("st.global.b32 [%p0], %r31;", {x},
              {"race on the global byte at", "this write and the write by thread ("}, 2);
}

TEST_F(Fault, WarpsLoadComesBeforeItsStoreWhereItIsWhole) {
  const DeviceAddress x = run.upload(std::vector<uint32_t>(64, 9));
  const std::string load = "ld.global.b32 %r1, [%p0];\nadd.u32 %r1, %r1, 1;\nsetp.eq.u32 %q0, %r31, 0;\n";
  expectNoFault(load + "@%q0 st.global.b32 [%p0], %r1;", {x});
  // Another warp's load may come after the store, and so may that of lanes on another path.
  expectFault(load + "@%q0 st.global.b32 [%p0], %r1;", {x}, {"race on the global byte at"}, 2);
  expectFault("mov.u32 %r1, 5;\nsetp.eq.u32 %q0, %r31, 0;\n@!%q0 ld.global.b32 %r1, [%p0];\n@%q0 "
              "st.global.b32 [%p0], "
              "%r1;",
              {x}, {"this write and the read by threads (0,0,0) to (31,0,0)"});
}

TEST_F(Fault, RacesAreOfSingleBytes) {
  const DeviceAddress x = run.upload(std::vector<uint32_t>(64, 9));
  const std::string bytes = "cvt.u64.u32 %d0, %r31;\nadd.s64 %d1, %p0, %d0;\nst.global.b8 [%d1], %r31;\n";
  expectNoFault(bytes + "ld.global.b8 %r1, [%d1];", {x}, 2);
  expectFault(bytes + "setp.eq.u32 %q0, %r31, 0;\n@%q0 ld.global.b32 %r1, [%d1];", {x},
              {"race on the global byte at 0x200000000001", "the write by thread (1,0,0)"});
}

TEST_F(Fault, ALockOrdersTheBlocks) {
  // Each block stores its number and what was there, between taking and leaving a lock at p1.
  const DeviceAddress x = run.upload(std::vector<uint32_t>(2, 9)),
                      lock = run.upload(std::vector<uint32_t>(1, 0));
  const auto body = [](const std::string &take, const std::string &leave) {
    return kernel("setp.ne.u32 %q0, %r31, 0;\n@%q0 exit;\nmov.u32 %r2, %ctaid.x;\nL:\natom." + take +
                      ".cas.b32 %r1, [%p1], 0, 1;\nsetp.ne.u32 %q1, %r1, 0;\n@%q1 bra L;\n"
                      "st.global.b32 [%p0], %r2;\natom." +
                      leave + ".exch.b32 %r1, [%p1], 0;",
                  2);
  };
  EXPECT_EQ(run.launch(body("acquire.gpu.global", "release.gpu.global"), {x, lock}, 1, {4, 1, 1}), "");
  EXPECT_EQ(run.launch(body("acq_rel.gpu.global", "acq_rel.gpu.global"), {x, lock}, 1, {4, 1, 1}), "");
  EXPECT_THAT(run.launch(body("relaxed.gpu.global", "relaxed.gpu.global"), {x, lock}, 1, {4, 1, 1}),
              HasSubstr("this write and the write by another block at"));
}

TEST_F(Fault, FencesMakeRelaxedAccessesOrder) {
  // Warp 0 stores to p0 and raises the flag at p1; warp 1 waits for the flag and loads.
  const auto body = [](const std::string &fence) {
    return kernel(
        "setp.lt.u32 %q0, %r31, 32;\nand.b32 %r5, %r31, 31;\nsetp.ne.u32 %q1, %r5, 0;\n@%q1 exit;\n@%q0 bra "
        "SET;\nL:\nld.volatile.global.b32 %r1, [%p1];\nsetp.eq.u32 %q2, %r1, 0;\n@%q2 bra L;\n" +
            fence + "ld.global.b32 %r2, [%p0];\nbra END;\nSET:\nst.global.b32 [%p0], 5;\n" + fence +
            "st.volatile.global.b32 [%p1], 1;\nEND:",
        2);
  };
  for (const std::string fence :
       {"fence.acq_rel.cta;\n", "fence.sc.gpu;\n", "membar.gl;\n", "membar.cta;\n"}) {
    const DeviceAddress x = run.upload(std::vector<uint32_t>(1, 9)),
                        flag = run.upload(std::vector<uint32_t>(1, 0));
    EXPECT_EQ(run.launch(body(fence), {x, flag}, 2), "") << fence;
  }
  const DeviceAddress x = run.upload(std::vector<uint32_t>(1, 9)),
                      flag = run.upload(std::vector<uint32_t>(1, 0));
  EXPECT_THAT(run.launch(body("fence.proxy.async;\n"), {x, flag}, 2),
              HasSubstr("race on the global byte at"));
}

TEST_F(Fault, GlobalRaceCheckCanBeTurnedOff) {
  EmulatorOptions options;
  options.checkGlobalRaces = false;
  Runner other(options);
  const DeviceAddress x = other.fresh(4);
  EXPECT_EQ(other.launch(kernel("st.global.b32 [%p0], %r31;"), {x}, 2, {2, 1, 1}), "");
}

TEST_F(Fault, BarrierReachedByPartOfTheWarp) {
  expectFault("setp.lt.u32 %q0, %r31, 16;\n@!%q0 bra DONE;\nbar.sync 0;\nDONE:", {0},
              {"reached by part of the warp: lanes 0x0000ffff of 0xffffffff", "`bar.sync`"});
}

TEST_F(Fault, ShuffleReachedByPartOfTheWarp) {
  expectFault(
      "setp.lt.u32 %q0, %r31, 16;\n@!%q0 bra DONE;\nshfl.sync.bfly.b32 %r0, %r31, 1, 31, -1;\nDONE:", {0},
      {"reached by part of the warp: lanes 0xffff0000 of the member mask 0xffffffff are elsewhere"});
  expectNoFault(
      "setp.lt.u32 %q0, %r31, 16;\n@!%q0 bra DONE;\nshfl.sync.bfly.b32 %r0, %r31, 1, 31, 0xffff;\nDONE:",
      {0});
}

TEST_F(Fault, LaneOutsideItsMemberMask) {
  expectFault("vote.sync.ballot.b32 %r0, %q0, 0xfffffffe;", {0},
              {"the thread is not in the member mask 0xfffffffe", "thread (0,0,0)"});
}

TEST_F(Fault, ExitedLanesAreNotWaitedFor) {
  expectNoFault("setp.ge.u32 %q0, %r31, 40;\n@%q0 exit;\nbar.sync 0;\nvote.sync.any.pred %q1, %q0, -1;", {0},
                2);
}

TEST_F(Fault, Deadlock) {
  expectFault(
      "setp.lt.u32 %q0, %r31, 32;\n@%q0 bra FIRST;\nbar.sync 1;\nbra DONE;\nFIRST:\nbar.sync 0;\nDONE:", {0},
      {"deadlock: warp 0 waits at barrier 0 (32 of 64 threads arrived), kernel.py:42 (PTX line",
       "warp 1 waits at barrier 1"},
      2);
}

TEST_F(Fault, BarrierMisuse) {
  expectFault("mov.u32 %r0, 16;\nbar.sync %r0;", {0}, {"expected a barrier from 0 to 15, found 16"});
  expectFault("bar.sync 1, 40;", {0}, {"expected a multiple of 32 threads at a barrier, found 40"});
  expectFault("bar.sync %r31;", {0}, {"the lanes of the warp name different barriers"});
  expectFault("bar.arrive 1, 64;\nbar.arrive 1, 64;", {0}, {"the warp arrives twice at barrier 1"});
  expectFault("setp.lt.u32 %q0, %r31, 32;\nselp.b32 %r0, 96, 64, %q0;\nbar.arrive 1, %r0;", {0},
              {"barrier 1 expects", "found an arrival for"}, 2);
}

TEST_F(Fault, Trap) { expectFault("setp.eq.u32 %q0, %r31, 5;\n@%q0 trap;", {0}, {"thread (5,0,0): trap"}); }

TEST_F(Fault, EndlessLoop) {
  EmulatorOptions options;
  options.instructionLimit = 1000;
  Runner other(options);
  EXPECT_THAT(other.launch(kernel("L: bra L;"), {0}),
              HasSubstr("the kernel did not end within 1000 instructions"));
  EXPECT_EQ(other.kind, ErrorKind::Fault);
}

TEST_F(Fault, LoopThatGetsNowhere) {
  const DeviceAddress flag = run.upload(std::vector<uint32_t>(1, 0));
  expectFault("L:\nld.volatile.global.b32 %r0, [%p0];\nsetp.eq.u32 %q0, %r0, 0;\n@%q0 bra L;", {flag},
              {"an endless loop: ", "instructions into the launch", "kernel.py:42"}, 4);
  // A loop as long that counts, while other warps wait for it, is none.
  expectNoFault(
      "mov.u32 %r1, 0;\nsetp.lt.u32 %q0, %r31, 32;\n@%q0 bra COUNT;\nL:\nld.volatile.global.b32 %r0, "
      "[%p0];\nsetp.eq.u32 %q1, %r0, 0;\n@%q1 bra L;\nbra END;\nCOUNT:\nadd.u32 %r1, %r1, "
      "1;\nsetp.lt.u32 %q1, %r1, 700000;\n@%q1 bra COUNT;\nst.volatile.global.b32 [%p0], %r1;\nEND:",
      {flag}, 2);
}

TEST_F(Fault, AsyncCopyNotWaitedFor) {
  const DeviceAddress x = run.upload(std::vector<uint32_t>(32, 9));
  const std::string copy =
      laneAddress +
      "shl.b32 %r0, %r31, 2;\ncp.async.ca.shared.global [%r0], [%d1], 4;\ncp.async.commit_group;\n";
  expectFault(copy + "ld.shared.b32 %r1, [%r0];", {x},
              {"shared access of 4 bytes at 0x0: a `cp.async` to it has not been waited for"}, 1, 128);
  expectNoFault(copy + "cp.async.wait_group 0;\nld.shared.b32 %r1, [%r0];", {x}, 1, 128);
  expectFault(copy + "cp.async.wait_group 1;\nld.shared.b32 %r1, [%r0];", {x}, {"has not been waited for"}, 1,
              128);
}

TEST_F(Fault, BranchTable) {
  expectFault("T: .branchtargets A, B;\nmov.u32 %r0, 2;\nbrx.idx %r0, T;\nA:\nB:", {0},
              {"branch index 2 is beyond the 2 targets"});
}

TEST_F(Fault, AtomicOnLocalMemory) {
  expectFault(".local .b32 x;\nmov.u64 %d0, x;\ncvta.local.u64 %d1, %d0;\natom.add.u32 %r0, [%d1], 1;", {0},
              {"expected an address in global or shared memory of an atomic operation"});
}

TEST_F(Fault, CallsNestedTooDeeply) {
  before = ".func f()\n{\ncall.uni f, ();\nret;\n}\n";
  const std::string error = run.launch(kernel("call.uni f, ();", 1, before), {0});
  EXPECT_THAT(error, HasSubstr("calls nested too deeply at `f`"));
}

TEST_F(Fault, DeviceWorksAfterwards) {
  expectFault("trap;", {0}, {"trap"});
  const DeviceAddress x = run.fresh(128);
  expectNoFault(laneAddress + "st.global.b32 [%d1], %r31;", {x});
  EXPECT_TRUE(bool(run.device.synchronize()));
}

TEST_F(Fault, ChecksCanBeTurnedOff) {
  EmulatorOptions options;
  options.checkUninitialised = options.checkRaces = false;
  Runner other(options);
  const DeviceAddress x = other.fresh(128);
  EXPECT_EQ(other.launch(kernel("ld.global.b32 %r0, [%p0];\nmov.u32 %r8, 0;\nst.shared.b32 [%r8], "
                                "%r31;\nst.global.b32 [%p0], %r9;\n@%q3 mov.u32 %r0, 1;"),
                         {x}, 1, {}, 64),
            "");
}

} // namespace
} // namespace tegula::runtime::test
