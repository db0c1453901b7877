// Several blocks at once: who waits for whom, what counts as a deadlock, and what races between blocks.

#include "test/runtime/emulator/RunPtx.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>

namespace tegula::runtime::test {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;

EmulatorOptions withSeed(uint64_t seed) {
  EmulatorOptions options;
  options.seed = seed;
  return options;
}

/// Seeds that the tests of this file go through; 0 is the natural order.
constexpr uint64_t seeds = 12;

/// %r10 is the block's number; thread 0 goes on alone.
const std::string firstThread =
    ".loc 1 10 1\nmov.u32 %r10, %ctaid.x;\nsetp.ne.u32 %q0, %r31, 0;\n@%q0 exit;\n";

/// A kernel with source lines: `.loc 1 N 1` is planted.py:N.
std::string located(const std::string &body, unsigned params = 1) {
  return kernel(body, params, ".file 1 \"planted.py\"");
}

/// Waits until the word at `address` is `value`, reading at line `line`.
std::string spinUntil(const std::string &address, const std::string &value, int line,
                      const std::string &label) {
  return ".loc 1 " + std::to_string(line) + " 1\n" + label + ":\nld.acquire.gpu.global.b32 %r20, [" +
         address + "];\nsetp.ne.u32 %q7, %r20, " + value + ";\n@%q7 bra " + label + ";\n";
}

TEST(Launch, BlockThatWaitsForALaterOneEnds) {
  const std::string body = firstThread + "setp.ne.u32 %q1, %r10, 0;\n@%q1 bra LATER;\n" +
                           spinUntil("%p0", "7", 11, "L") +
                           "st.global.b32 [%p0+4], %r20;\nexit;\nLATER:\nst.release.gpu.global.b32 [%p0], 7;";
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Runner run(withSeed(seed));
    const DeviceAddress x = run.upload(std::vector<uint32_t>{0, 0});
    EXPECT_EQ(run.launch(located(body), {x}, 1, {2, 1, 1}), "") << seed;
    EXPECT_EQ(run.download<uint32_t>(x, 2)[1], 7u);
  }
}

TEST(Launch, BlocksThatLookBackEndInAnyOrder) {
  // Each adds its number to what the block before it has left: a chain of 40, while their order is any.
  const std::string body = firstThread +
                           "mul.wide.u32 %d0, %r10, 4;\nadd.s64 %d0, %p0, %d0;\n.loc 1 11 1\nL:\n"
                           "ld.acquire.gpu.global.b32 %r20, [%d0];\nsetp.eq.u32 %q7, %r20, 0;\n@%q7 bra L;\n"
                           "add.u32 %r20, %r20, %r10;\nst.release.gpu.global.b32 [%d0+4], %r20;";
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Runner run(withSeed(seed));
    std::vector<uint32_t> chain(41);
    chain[0] = 1;
    const DeviceAddress x = run.upload(chain);
    EXPECT_EQ(run.launch(located(body), {x}, 1, {40, 1, 1}), "") << seed;
    EXPECT_EQ(run.download<uint32_t>(x, 41)[40], 1u + 39 * 40 / 2);
  }
}

/// All blocks meet: each counts itself and waits until it sees `expected`.
std::string meet(const std::string &expected) {
  return firstThread + ".loc 1 11 1\natom.acq_rel.gpu.global.add.u32 %r0, [%p0], 1;\n" +
         spinUntil("%p0", expected, 12, "L");
}

TEST(Launch, AllBlocksMeetWhereTheyFit) {
  for (const uint64_t seed : {0, 1, 2}) {
    Runner run(withSeed(seed));
    EXPECT_EQ(run.launch(located(meet("132")), {run.upload(std::vector<uint32_t>{0})}, 4, {132, 1, 1}), "");
    EmulatorOptions options = withSeed(seed);
    options.multiprocessors = 8;
    Runner small(options);
    const DeviceAddress x = small.upload(std::vector<uint32_t>{0});
    EXPECT_EQ(small.launch(located(meet("16")), {x}, 4, {16, 1, 1}, 100 * 1024), "") << seed;
  }
}

TEST(Launch, BlocksThatDoNotFitAreNamed) {
  for (const uint64_t seed : {0, 1, 2}) {
    EmulatorOptions options = withSeed(seed);
    options.multiprocessors = 2;
    Runner run(options);
    EXPECT_EQ(run.device.properties().multiprocessors, 2u);
    const DeviceAddress x = run.upload(std::vector<uint32_t>{0});
    // Of 100 KiB two fit on a multiprocessor, of 32 warps two as well.
    EXPECT_THAT(run.launch(located(meet("5")), {x}, 4, {5, 1, 1}, 100 * 1024),
                AllOf(HasSubstr("deadlock: "), HasSubstr("planted.py:12 (PTX line"),
                      HasSubstr("; 1 more blocks have not begun, as 4 fit at once")));
    EXPECT_THAT(run.launch(located(meet("6")), {run.upload(std::vector<uint32_t>{0})}, 32, {6, 1, 1}),
                HasSubstr("; 2 more blocks have not begun, as 4 fit at once"));
  }
}

TEST(Launch, DeadlockOfBlocksNamesBothLines) {
  const std::string body = firstThread + "setp.ne.u32 %q1, %r10, 0;\n@%q1 bra LATER;\n" +
                           spinUntil("%p0", "1", 11, "A") +
                           "st.release.gpu.global.b32 [%p0+4], 1;\nexit;\nLATER:\n" +
                           spinUntil("%p0+4", "1", 12, "B") + "st.release.gpu.global.b32 [%p0], 1;";
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Runner run(withSeed(seed));
    const std::string error =
        run.launch(located(body), {run.upload(std::vector<uint32_t>{0, 0})}, 1, {2, 1, 1});
    EXPECT_THAT(error, AllOf(HasSubstr("deadlock: "), HasSubstr("no warp gets any further: "),
                             HasSubstr("block (0,0,0) warp 0 goes round at planted.py:11 (PTX line"),
                             HasSubstr("block (1,0,0) warp 0 goes round at planted.py:12 (PTX line")))
        << seed;
    EXPECT_LT(run.device.report().total.warpInstructions, 1000000u);
  }
}

TEST(Launch, SpinBesideAWarpAtABarrierIsNoticed) {
  // Warp 1 waits at a barrier for warp 0, which waits for a flag that is never set.
  const std::string body = "setp.ge.u32 %q1, %r31, 32;\n@%q1 bra MEET;\n" + spinUntil("%p0", "1", 11, "L") +
                           "MEET:\n.loc 1 12 1\nbar.sync 0;";
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Runner run(withSeed(seed));
    EXPECT_THAT(run.launch(located(body), {run.upload(std::vector<uint32_t>{0})}, 2),
                AllOf(HasSubstr("deadlock: "), HasSubstr("warp 0 goes round at planted.py:11"),
                      HasSubstr("warp 1 waits at barrier 0 (32 of 64 threads arrived), planted.py:12")))
        << seed;
  }
}

TEST(Launch, SpinOfAllWarpsRoundABarrierIsNoticed) {
  // As Triton's `while tl.atomic_add(flag, 0) == 0`: one thread asks, all learn it through shared memory.
  const std::string body = "mov.u32 %r0, 0;\nL:\n.loc 1 11 1\nsetp.ne.u32 %q0, %r31, 0;\n@%q0 bra WAIT;\n"
                           "atom.acquire.gpu.global.add.u32 %r1, [%p0], 0;\nst.shared.b32 [%r0], %r1;\n"
                           "WAIT:\nbar.sync 0;\nld.shared.b32 %r2, [%r0];\nbar.sync 0;\n"
                           "setp.eq.u32 %q1, %r2, 0;\n@%q1 bra L;";
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Runner run(withSeed(seed));
    EXPECT_THAT(
        run.launch(located(body), {run.upload(std::vector<uint32_t>{0})}, 8, {}, 4),
        AllOf(AnyOf(HasSubstr("deadlock: "), HasSubstr("an endless loop: ")), HasSubstr("planted.py:11")))
        << seed;
    EXPECT_LT(run.device.report().total.warpInstructions, 4000000u);
  }
}

TEST(Launch, SlowLoopBehindABarrierIsNoSpin) {
  // Warp 1 does the same again and again between two barriers; only warp 0 counts, in a step or two each
  // time.
  const std::string body = "mov.u32 %r1, 0;\nsetp.ge.u32 %q1, %r31, 32;\n@%q1 bra SAME;\n"
                           "COUNT:\nbar.sync 0;\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %q2, %r1, 300;\n"
                           "selp.b32 %r2, 1, 0, %q2;\nst.shared.b32 [0], %r2;\nbar.sync 0;\n@%q2 bra COUNT;\n"
                           "exit;\n"
                           "SAME:\nbar.sync 0;\nmov.u32 %r3, 0;\n"
                           "WORK:\nadd.u32 %r3, %r3, 1;\nsetp.lt.u32 %q3, %r3, 500;\n@%q3 bra WORK;\n"
                           "bar.sync 0;\nld.shared.b32 %r4, [0];\nsetp.ne.u32 %q4, %r4, 0;\n@%q4 bra SAME;";
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Runner run(withSeed(seed));
    EXPECT_EQ(run.launch(kernel(body), {0}, 2, {}, 4), "") << seed;
  }
}

TEST(Launch, LoopThatCountsInMemoryAloneIsNoSpin) {
  // What is read is gone from the registers where the loop goes round.
  const std::string body = firstThread + "L:\nld.global.b32 %r1, [%p0];\nadd.u32 %r1, %r1, 1;\n"
                                         "st.global.b32 [%p0], %r1;\nsetp.lt.u32 %q1, %r1, 100000;\n"
                                         "mov.u32 %r1, 0;\n@%q1 bra L;";
  Runner run;
  const DeviceAddress x = run.upload(std::vector<uint32_t>{0});
  EXPECT_EQ(run.launch(kernel(body), {x}), "");
  EXPECT_EQ(run.download<uint32_t>(x, 1)[0], 100000u);
}

TEST(Launch, LoopInAFunctionCalledManyTimesIsNoSpin) {
  // Inside the function every call looks like the one before; the caller counts.
  const std::string before = ".func f()\n{\n.reg .b32 %n;\n.reg .pred %q;\nmov.u32 %n, 0;\nL:\n"
                             "add.u32 %n, %n, 1;\nsetp.lt.u32 %q, %n, 1000;\n@%q bra L;\nret;\n}\n";
  const std::string body = "mov.u32 %r1, 0;\nM:\ncall.uni f, ();\nadd.u32 %r1, %r1, 1;\n"
                           "setp.lt.u32 %q1, %r1, 200;\n@%q1 bra M;";
  Runner run;
  EXPECT_EQ(run.launch(kernel(body, 1, before), {0}), "");
}

TEST(Launch, BlocksThatSpinDoNotHideRacesOfOthers) {
  // Block 0 waits for block 1, so both are resident; block 1's warps race on a word that block 0 reads.
  const std::string body = "mov.u32 %r10, %ctaid.x;\nsetp.ne.u32 %q1, %r10, 0;\n@%q1 bra LATER;\n"
                           "ld.global.b32 %r2, [%p0+8];\n" +
                           spinUntil("%p0", "1", 11, "L") +
                           "exit;\nLATER:\n.loc 1 20 1\nld.global.b32 %r1, [%p0+8];\nsetp.ne.u32 %q2, %r31, "
                           "40;\n.loc 1 21 1\n@!%q2 st.global.b32 [%p0+8], 9;\nsetp.eq.u32 %q3, %r31, "
                           "0;\n@%q3 st.release.gpu.global.b32 [%p0], 1;";
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Runner run(withSeed(seed));
    EXPECT_THAT(
        run.launch(located(body), {run.upload(std::vector<uint32_t>(4))}, 2, {2, 1, 1}),
        AllOf(HasSubstr("race on the global byte"), HasSubstr("planted.py:20"), HasSubstr("planted.py:21")))
        << seed;
  }
}

TEST(Launch, BlocksThatTakeTurnsDoNotRace) {
  // Two blocks change one word in turns, each after it has acquired what the other released.
  const std::string body = firstThread +
                           "mov.u32 %r1, %r10;\nNEXT:\nL:\nld.acquire.gpu.global.b32 %r20, [%p0];\n"
                           "setp.ne.u32 %q7, %r20, %r1;\n@%q7 bra L;\n.loc 1 13 1\nst.global.b32 [%p0+4], "
                           "%r1;\nadd.u32 %r2, %r1, 1;\nst.{release|relaxed}.gpu.global.b32 [%p0], "
                           "%r2;\nadd.u32 %r1, %r1, 2;\nsetp.lt.u32 %q1, %r1, 20;\n@%q1 bra NEXT;";
  const std::string choice = "{release|relaxed}";
  for (uint64_t seed = 0; seed < seeds; ++seed)
    for (const char *order : {"release", "relaxed"}) {
      Runner run(withSeed(seed));
      std::string text = body;
      text.replace(text.find(choice), choice.size(), order);
      const DeviceAddress x = run.upload(std::vector<uint32_t>{0, 0});
      const std::string error = run.launch(located(text), {x}, 1, {2, 1, 1});
      if (order == std::string("release"))
        EXPECT_EQ(error, "") << seed;
      else
        EXPECT_THAT(error, HasSubstr("and the write by another block at planted.py:13")) << seed;
    }
}

TEST(Launch, WhatAWarpLearnsThroughAnotherBlockIsNoRace) {
  // Warp 0 of block 0 writes a word and releases; block 1 acquires and releases; warp 1 of block 0 acquires
  // and reads the word.
  const std::string body =
      "mov.u32 %r10, %ctaid.x;\nand.b32 %r0, %r31, 31;\nsetp.ne.u32 %q0, %r0, 0;\n@%q0 exit;\n"
      "setp.ne.u32 %q1, %r10, 0;\n@%q1 bra OTHER;\nsetp.ne.u32 %q2, %r31, 0;\n@%q2 bra SECOND;\n"
      "st.global.b32 [%p0+8], 5;\nst.release.gpu.global.b32 [%p0], 1;\nexit;\n"
      "SECOND:\n" +
      spinUntil("%p0+4", "1", 11, "A") +
      "ld.global.b32 %r1, [%p0+8];\nst.global.b32 [%p0+12], %r1;\nexit;\n" +
      "OTHER:\nsetp.ne.u32 %q3, %r31, 0;\n@%q3 exit;\n" + spinUntil("%p0", "1", 12, "B") +
      "st.release.gpu.global.b32 [%p0+4], 1;";
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Runner run(withSeed(seed));
    const DeviceAddress x = run.upload(std::vector<uint32_t>(4));
    EXPECT_EQ(run.launch(located(body), {x}, 2, {2, 1, 1}), "") << seed;
    EXPECT_EQ(run.download<uint32_t>(x, 4)[3], 5u);
  }
}

TEST(Launch, CopiesUnderWayBelongToTheirBlock) {
  // Each block has a copy under way while the other one runs, and waits for its own alone.
  const std::string body =
      "mov.u32 %r10, %ctaid.x;\nmul.wide.u32 %d0, %r10, 128;\nadd.s64 %d1, %p0, %d0;\n"
      "mul.wide.u32 %d2, %r31, 4;\nadd.s64 %d1, %d1, %d2;\ncvt.u32.u64 %r0, %d2;\n"
      "cp.async.ca.shared.global [%r0], [%d1], 4;\ncp.async.commit_group;\n"
      "setp.ne.u32 %q0, %r31, 0;\n@!%q0 red.release.gpu.global.add.u32 [%p1], 1;\n" +
      spinUntil("%p1", "2", 11, "L") +
      "cp.async.wait_group 0;\nld.shared.b32 %r1, [%r0];\nadd.s64 %d3, %p2, %d0;\nadd.s64 %d3, %d3, %d2;\n"
      "st.global.b32 [%d3], %r1;";
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Runner run(withSeed(seed));
    std::vector<uint32_t> in(64);
    for (uint32_t i = 0; i < 64; ++i)
      in[i] = 1000 + i;
    const DeviceAddress out = run.fresh(256);
    EXPECT_EQ(run.launch(located(body, 3), {run.upload(in), run.upload(std::vector<uint32_t>{0}), out}, 1,
                         {2, 1, 1}, 128),
              "")
        << seed;
    EXPECT_EQ(run.download<uint32_t>(out, 64), in);
  }
}

TEST(Launch, EqualSeedsGiveEqualRuns) {
  // The order in which blocks draw their tickets.
  const std::string body = firstThread + "mul.wide.u32 %d0, %r10, 4;\nadd.s64 %d0, %p1, %d0;\n"
                                         "atom.relaxed.gpu.global.add.u32 %r1, [%p0], 1;\n"
                                         "st.global.b32 [%d0], %r1;";
  const auto order = [&](uint64_t seed) {
    Runner run(withSeed(seed));
    const DeviceAddress out = run.fresh(64 * 4);
    EXPECT_EQ(run.launch(kernel(body, 2), {run.upload(std::vector<uint32_t>{0}), out}, 1, {64, 1, 1}), "");
    return run.download<uint32_t>(out, 64);
  };
  for (uint64_t seed = 0; seed < seeds; ++seed)
    EXPECT_EQ(order(seed), order(seed));
  EXPECT_EQ(order(0)[5], 5u);
  EXPECT_NE(order(1), order(2));
}

TEST(Launch, TellsHowFarItHasCome) {
  Runner run;
  std::vector<uint64_t> seen;
  run.device.setProgress([&](uint64_t done, uint64_t total) {
    seen.push_back(done);
    EXPECT_EQ(total, 2000000u);
  });
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(run.launch(kernel("", 0), {}, 1, {2000000, 1, 1}), "");
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_LE(double(seen.size()), spent.count() * 10 + 1); // ten times a second at most
  if (spent.count() >= 0.5)                               // else there was hardly time to tell
    EXPECT_FALSE(seen.empty());
}

TEST(Launch, EmptyBlocksCostNextToNothing) {
  Runner run;
  EXPECT_EQ(run.launch(kernel(""), {0}, 4, {200000, 1, 1}), "");
  EXPECT_EQ(run.device.report().blocks, 200000u);
}

} // namespace
} // namespace tegula::runtime::test
