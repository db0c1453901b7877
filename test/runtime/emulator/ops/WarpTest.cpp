// Exchanges within a warp, control flow that splits it, and barriers across warps.

#include "test/runtime/emulator/RunPtx.h"

#include <algorithm>
#include <numeric>

namespace tegula::runtime::test {
namespace {

const std::string laneOut = "mul.wide.u32 %d0, %r31, 4;\nadd.s64 %d1, %p0, %d0;\n";

/// The word that every thread leaves in %r0.
std::vector<uint32_t> perThread(const std::string &body, uint32_t warps = 1, const std::string &before = {},
                                EmulatorOptions options = {}, uint32_t shared = 0) {
  Runner run(std::move(options));
  const DeviceAddress out = run.fresh(warps * 128);
  EXPECT_EQ(run.launch(kernel(body + "\n" + laneOut + "st.global.b32 [%d1], %r0;", 1, before), {out}, warps,
                       {}, shared),
            "")
      << body;
  return run.download<uint32_t>(out, warps * 32);
}

/// The definition in the PTX manual, for the lane's own value as data.
uint32_t shuffled(const std::string &mode, uint32_t lane, uint32_t b, uint32_t c, bool &valid) {
  const uint32_t segment = c >> 8 & 31, clamp = c & 31;
  const uint32_t maxLane = (lane & segment) | (clamp & ~segment), minLane = lane & segment;
  int from = 0;
  if (mode == "up") {
    from = int(lane) - int(b);
    valid = from >= int(maxLane);
  }
  if (mode == "down") {
    from = int(lane + b);
    valid = from <= int(maxLane);
  }
  if (mode == "bfly") {
    from = int(lane ^ b);
    valid = from <= int(maxLane);
  }
  if (mode == "idx") {
    from = int(minLane | (b & ~segment));
    valid = from <= int(maxLane);
  }
  return valid ? uint32_t(from) : lane;
}

TEST(Warp, ShufflesOfEveryMode) {
  for (const std::string mode : {"up", "down", "bfly", "idx"})
    for (uint32_t b : {0u, 1u, 3u, 5u, 16u, 31u})
      for (uint32_t c : {0u, 31u, 0x181fu, 0x1c03u, 7u}) {
        const std::vector<uint32_t> found =
            perThread("shfl.sync." + mode + ".b32 %r0|%q0, %r31, " + std::to_string(b) + ", " +
                      std::to_string(c) + ", 0xffffffff;\n@%q0 add.u32 %r0, %r0, 100;");
        for (uint32_t lane = 0; lane < 32; ++lane) {
          bool valid = false;
          const uint32_t from = shuffled(mode, lane, b, c, valid);
          ASSERT_EQ(found[lane], from + (valid ? 100 : 0))
              << mode << " " << b << " " << c << " lane " << lane;
        }
      }
}

TEST(Warp, VotesMatchesAndReductions) {
  const std::string odd = "and.b32 %r1, %r31, 1;\nsetp.eq.u32 %q0, %r1, 1;\n";
  EXPECT_EQ(perThread(odd + "vote.sync.ballot.b32 %r0, %q0, -1;")[5], 0xaaaaaaaau);
  EXPECT_EQ(perThread(odd + "vote.sync.ballot.b32 %r0, !%q0, -1;")[5], 0x55555555u);
  EXPECT_EQ(perThread(odd + "vote.sync.any.pred %q1, %q0, -1;\nselp.b32 %r0, 1, 0, %q1;")[0], 1u);
  EXPECT_EQ(perThread(odd + "vote.sync.all.pred %q1, %q0, -1;\nselp.b32 %r0, 1, 0, %q1;")[0], 0u);
  EXPECT_EQ(perThread(odd + "vote.sync.uni.pred %q1, %q0, -1;\nselp.b32 %r0, 1, 0, %q1;")[0], 0u);
  EXPECT_EQ(perThread("shr.u32 %r1, %r31, 3;\nmatch.any.sync.b32 %r0, %r1, -1;")[9], 0x0000ff00u);
  EXPECT_EQ(perThread("match.all.sync.b32 %r0|%q0, 7, -1;\n@!%q0 mov.u32 %r0, 1;")[9], 0xffffffffu);
  EXPECT_EQ(perThread("match.all.sync.b32 %r0|%q0, %r31, -1;\n@!%q0 add.u32 %r0, %r0, 9;")[9], 9u);
  EXPECT_EQ(perThread("redux.sync.add.u32 %r0, %r31, -1;")[3], 496u);
  EXPECT_EQ(perThread("sub.s32 %r1, 5, %r31;\nredux.sync.min.s32 %r0, %r1, -1;")[3], uint32_t(-26));
  EXPECT_EQ(perThread("redux.sync.max.u32 %r0, %r31, -1;")[3], 31u);
  EXPECT_EQ(perThread("or.b32 %r1, %r31, 64;\nredux.sync.and.b32 %r0, %r1, -1;")[3], 64u);
  EXPECT_EQ(perThread("redux.sync.or.b32 %r0, %r31, -1;")[3], 31u);
  EXPECT_EQ(perThread("redux.sync.xor.b32 %r0, %r31, -1;")[3], 0u);
  const std::vector<uint32_t> elected = perThread("elect.sync %r0|%q0, -1;\n@%q0 mov.u32 %r0, 77;");
  EXPECT_EQ(elected[0], 77u);
  EXPECT_EQ(elected[1], 0u);
  EXPECT_EQ(perThread("setp.lt.u32 %q0, %r31, 4;\nmov.u32 %r0, 0;\n@%q0 activemask.b32 %r0;")[2], 15u);
}

TEST(Warp, SpecialRegisters) {
  EXPECT_EQ(perThread("mov.u32 %r0, %laneid;", 2)[33], 1u);
  EXPECT_EQ(perThread("mov.u32 %r0, %warpid;", 2)[33], 1u);
  EXPECT_EQ(perThread("mov.u32 %r0, %ntid.x;", 2)[33], 64u);
  EXPECT_EQ(perThread("mov.u32 %r0, %nctaid.y;")[3], 1u);
  EXPECT_EQ(perThread("mov.u32 %r0, %lanemask_lt;")[5], 31u);
  EXPECT_EQ(perThread("mov.u32 %r0, %lanemask_ge;")[31], 0x80000000u);
  EXPECT_EQ(perThread("mov.u32 %r0, %lanemask_gt;")[31], 0u);
  EXPECT_EQ(perThread("mov.u32 %r0, %lanemask_le;")[31], 0xffffffffu);
  EXPECT_EQ(perThread("mov.u32 %r0, %dynamic_smem_size;", 1, "", {}, 96)[0], 96u);
  EXPECT_EQ(perThread("mov.u64 %d2, %clock64;\nmov.u64 %d3, %clock64;\nsetp.lt.u64 %q0, %d2, %d3;\nmov.u32 "
                      "%r1, %clock;\nmov.u64 %d4, %globaltimer;\nselp.b32 %r0, 1, 0, %q0;")[0],
            1u);
}

TEST(Warp, LanesLoopDifferentTimesAndMeetAgain) {
  const std::vector<uint32_t> found =
      perThread("mov.u32 %r1, 0;\nmov.u32 %r2, 0;\nLOOP:\nsetp.ge.u32 %q0, %r1, %r31;\n@%q0 bra DONE;\n"
                "add.u32 %r1, %r1, 1;\nand.b32 %r3, %r1, 1;\nsetp.eq.u32 %q1, %r3, 0;\n@%q1 bra "
                "EVEN;\nadd.u32 %r2, %r2, %r1;\nbra.uni NEXT;\n"
                "EVEN:\nadd.u32 %r2, %r2, 1000;\nNEXT:\nbra LOOP;\nDONE:\nvote.sync.ballot.b32 %r4, %q0, "
                "-1;\nsetp.ne.u32 %q2, %r4, -1;\n@%q2 trap;\nmov.u32 %r0, %r2;");
  for (uint32_t lane = 0; lane < 32; ++lane) {
    uint32_t expected = 0;
    for (uint32_t i = 1; i <= lane; ++i)
      expected += i % 2 ? i : 1000;
    EXPECT_EQ(found[lane], expected);
  }
}

TEST(Warp, BranchesByTable) {
  const std::vector<uint32_t> found =
      perThread("T: .branchtargets A, B, C, A;\nand.b32 %r1, %r31, 3;\nmov.u32 %r0, 0;\nbrx.idx %r1, "
                "T;\nA:\nadd.u32 %r0, %r0, 1;\nbra END;\n"
                "B:\nadd.u32 %r0, %r0, 10;\nC:\nadd.u32 %r0, %r0, 100;\nEND:\nbar.warp.sync -1;");
  EXPECT_EQ(std::vector<uint32_t>(found.begin(), found.begin() + 4), (std::vector<uint32_t>{1, 110, 100, 1}));
}

TEST(Warp, CallsPassParametersAndReturnValues) {
  const std::string helper =
      ".func (.param .b32 r) power(.param .b32 x, .param .align 8 .b8 n[8])\n{\n.reg .b32 %a, %b, %n;\n.reg "
      ".pred %p;\n"
      "ld.param.b32 %a, [x];\nld.param.b32 %n, [n+4];\nmov.b32 %b, 1;\nL:\nsetp.eq.s32 %p, %n, 0;\n@%p bra "
      "D;\nmul.lo.s32 %b, %b, %a;\nsub.s32 %n, %n, 1;\nbra L;\nD:\n"
      "st.param.b32 [r], %b;\nret;\n}\n";
  const std::vector<uint32_t> found =
      perThread("and.b32 %r1, %r31, 3;\nmov.u32 %r0, 0;\nsetp.gt.u32 %q0, %r31, 7;\n@!%q0 bra "
                "SKIP;\n{\n.param .b32 a;\n.param .align 8 .b8 b[8];\n.param .b32 z;\n"
                "st.param.b32 [a], %r31;\nst.param.b32 [b+4], %r1;\ncall.uni (z), power, (a, "
                "b);\nld.param.b32 %r0, [z];\n}\nSKIP:",
                1, helper);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    uint32_t expected = lane > 7 ? 1 : 0;
    for (uint32_t i = 0; i < lane % 4; ++i)
      expected *= lane;
    EXPECT_EQ(found[lane], expected) << lane;
  }
}

TEST(Warp, RecursionKeepsLocalMemoryApart) {
  const std::string body =
      ".func (.param .b32 r) fact(.param .b32 n)\n{\n.local .b32 keep;\n.reg .b32 %n, %m;\n.reg .b64 "
      "%l;\n.reg .pred %p;\nld.param.b32 %n, [n];\nmov.u64 %l, keep;\nst.local.b32 [%l], %n;\n"
      "setp.le.s32 %p, %n, 1;\n@%p bra ONE;\nsub.s32 %m, %n, 1;\n{\n.param .b32 a;\n.param .b32 "
      "z;\nst.param.b32 [a], %m;\ncall (z), fact, (a);\nld.param.b32 %m, [z];\n}\n"
      "ld.local.b32 %n, [%l];\nmul.lo.s32 %m, %m, %n;\nst.param.b32 [r], %m;\nret;\nONE:\nst.param.b32 [r], "
      "1;\nret;\n}\n";
  const std::vector<uint32_t> found =
      perThread("and.b32 %r1, %r31, 7;\n{\n.param .b32 a;\n.param .b32 z;\nst.param.b32 [a], %r1;\ncall (z), "
                "fact, (a);\nld.param.b32 %r0, [z];\n}",
                1, body);
  EXPECT_EQ(found[7], 5040u);
  EXPECT_EQ(found[12], 24u);
  EXPECT_EQ(found[0], 1u);
}

TEST(Warp, ReduxOfFloats) {
  // Lane 3 holds -0.0, lane 5 NaN, lane 7 -8.0, the others 1.0.
  const std::string values =
      "mov.b32 %r1, 0f3F800000;\nsetp.eq.u32 %q0, %r31, 3;\n@%q0 mov.b32 %r1, "
      "0f80000000;\nsetp.eq.u32 %q1, %r31, 5;\n@%q1 mov.b32 %r1, 0x7fc12345;\nsetp.eq.u32 "
      "%q2, %r31, 7;\n@%q2 mov.b32 %r1, 0fC1000000;\n";
  const auto reduced = [&](const std::string &op) { return perThread(values + op)[11]; };
  EXPECT_EQ(reduced("redux.sync.min.f32 %r0, %r1, -1;"), 0xc1000000u);
  EXPECT_EQ(reduced("redux.sync.max.f32 %r0, %r1, -1;"), 0x3f800000u);
  EXPECT_EQ(reduced("redux.sync.max.abs.f32 %r0, %r1, -1;"), 0x41000000u);
  EXPECT_EQ(reduced("redux.sync.min.abs.f32 %r0, %r1, -1;"), 0u);
  EXPECT_EQ(reduced("redux.sync.min.NaN.f32 %r0, %r1, -1;"), 0x7fffffffu);
  EXPECT_EQ(reduced("redux.sync.max.abs.NaN.f32 %r0, %r1, -1;"), 0x7fffffffu);
  EXPECT_EQ(reduced("mov.b32 %r1, 0x7fc12345;\nredux.sync.min.f32 %r0, %r1, -1;"), 0x7fffffffu);
}

TEST(Warp, BarriersReduceOverTheBlock) {
  const std::string odd = "and.b32 %r1, %r31, 1;\nsetp.eq.u32 %q0, %r1, 1;\n";
  EXPECT_EQ(perThread(odd + "bar.red.popc.u32 %r0, 0, %q0;", 4)[70], 64u);
  EXPECT_EQ(perThread(odd + "barrier.cta.red.or.aligned.pred %q1, 0, %q0;\nselp.b32 %r0, 1, 0, %q1;", 4)[70],
            1u);
  EXPECT_EQ(perThread(odd + "bar.red.and.pred %q1, 0, !%q0;\nselp.b32 %r0, 1, 0, %q1;", 4)[70], 0u);
}

TEST(Warp, ProducersAndConsumersMeetAtNamedBarriers) {
  // Warp 0 fills shared memory and arrives at barrier 1; warp 1 waits there and reads.
  const std::string body =
      "and.b32 %r2, %r31, 31;\nshl.b32 %r3, %r2, 2;\nmov.u32 %r0, 0;\nsetp.ge.u32 %q0, %r31, 32;\n@%q0 bra "
      "CONSUMER;\nst.shared.b32 [%r3], %r31;\nbar.arrive 1, 64;\nbra END;\n"
      "CONSUMER:\nbar.sync 1, 64;\nld.shared.b32 %r0, [%r3];\nEND:";
  for (uint64_t seed = 0; seed < 16; ++seed) {
    EmulatorOptions options;
    options.seed = seed;
    const std::vector<uint32_t> found = perThread(body, 2, "", options, 128);
    for (uint32_t lane = 0; lane < 32; ++lane)
      EXPECT_EQ(found[32 + lane], lane);
  }
}

TEST(Warp, AcquireAndReleaseOrderThroughAFlag) {
  const std::string body =
      "mov.u32 %r4, 0;\nmov.u32 %r5, 4;\nmov.u32 %r0, 0;\nsetp.eq.u32 %q0, %r31, 0;\n@%q0 st.shared.b32 "
      "[%r5], %r4;\nbar.sync 0;\nsetp.eq.u32 %q1, %r31, 32;\n@%q0 bra WRITE;\n@%q1 bra READ;\nbra END;\n"
      "WRITE:\nst.shared.b32 [%r4], 55;\nst.release.cta.shared.b32 [%r5], 1;\nbra "
      "END;\nREAD:\nld.acquire.cta.shared.b32 %r6, [%r5];\nsetp.eq.u32 %q2, %r6, 0;\n@%q2 bra "
      "READ;\nld.shared.b32 %r0, [%r4];\nEND:";
  EXPECT_EQ(perThread(body, 2, "", {}, 8)[32], 55u);
}

TEST(Warp, EqualSeedsGiveEqualSchedules) {
  // The order in which warps increment a counter shows the schedule.
  const std::string body =
      "{\n.reg .b64 %g;\nmov.u32 %r5, 0;\nL:\nadd.u32 %r5, %r5, 1;\nsetp.lt.u32 %q0, %r5, 20;\n@%q0 bra "
      "L;\nmov.u64 %g, counter;\natom.global.add.u32 %r0, [%g], 1;\n}";
  const std::string counter = ".global .b32 counter;\n";
  const auto order = [&](uint64_t seed) {
    EmulatorOptions options;
    options.seed = seed;
    return perThread(body, 8, counter, options);
  };
  EXPECT_EQ(order(5), order(5));
  EXPECT_NE(order(5), order(6));
}

TEST(Warp, SeedsPermuteTheBlocks) {
  for (uint64_t seed : {0u, 1u, 2u}) {
    EmulatorOptions options;
    options.seed = seed;
    Runner run(options);
    const DeviceAddress out = run.fresh(3 * 5 * 7 * 4), counter = run.upload(std::vector<uint32_t>{0});
    const std::string body = "mov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %ctaid.y;\nmov.u32 %r2, "
                             "%ctaid.z;\nmad.lo.s32 %r3, %r2, 5, %r1;\nmad.lo.s32 %r3, %r3, 3, %r0;\n"
                             "mul.wide.u32 %d0, %r3, 4;\nadd.s64 %d1, %p0, %d0;\nsetp.eq.u32 %q0, %r31, "
                             "0;\n@%q0 atom.global.add.u32 %r4, [%p1], 1;\n@%q0 st.global.b32 [%d1], %r4;";
    ASSERT_EQ(run.launch(kernel(body, 2), {out, counter}, 1, {3, 5, 7}), "");
    std::vector<uint32_t> order = run.download<uint32_t>(out, 105), natural(105);
    std::iota(natural.begin(), natural.end(), 0);
    EXPECT_EQ(order == natural, seed == 0);
    std::sort(order.begin(), order.end());
    EXPECT_EQ(order, natural);
  }
}

} // namespace
} // namespace tegula::runtime::test
