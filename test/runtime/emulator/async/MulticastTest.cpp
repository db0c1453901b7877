// Bulk copies to several blocks of a cluster, and arrivals at each other's mbarriers: right programs, and
// planted faults with correct twins.
#include "test/runtime/emulator/InCluster.h"

#include <algorithm>

namespace tegula::runtime::test {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

/// %q1: warp 0, %q2: thread 0, %q3: rank 0, %q4: thread 0 of rank 0, %q5: thread 32.
const std::string names =
    "shr.u32 %r2, %r31, 5;\nsetp.eq.u32 %q1, %r2, 0;\nsetp.eq.u32 %q2, %r31, 0;\nsetp.eq.u32 %q3, %r11, 0;\n"
    "and.pred %q4, %q2, %q3;\nsetp.eq.u32 %q5, %r31, 32;\n";
const std::string fence = "fence.mbarrier_init.release.cluster;\n";

std::string multicast(const std::string &to, const std::string &from, const std::string &bytes,
                      const std::string &mbarrier, const std::string &mask) {
  return "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [" + to +
         "], [" + from + "], " + bytes + ", [" + mbarrier + "], " + mask + ";\n";
}

/// Waits for the phase of a parity; `scope` is ".acquire.cluster" or empty.
std::string await(const std::string &label, const std::string &mbarrier, const std::string &parity,
                  const std::string &scope = {}) {
  return label + ":\nmbarrier.try_wait.parity" + scope + ".shared::cta.b64 %q7, [" + mbarrier + "], " +
         parity + ";\n@!%q7 bra " + label + ";\n";
}

/// Launches of clusters of two blocks of two warps, with 4096 bytes of shared memory. %p0 has 8192 bytes of
/// words that count, %p1 as many to write.
struct Pair {
  explicit Pair(uint64_t seed, uint32_t blocks = 2) : run({.seed = seed, .instructionLimit = 400000}) {
    run.clusterBlocks = blocks;
    std::vector<uint32_t> words(2048);
    for (uint32_t i = 0; i < words.size(); ++i)
      words[i] = i;
    in = run.upload(words);
    out = run.upload(std::vector<uint32_t>(8192));
  }
  std::string launch(const std::string &body, uint32_t clusters = 1) {
    return run.launch(inCluster(names + body, 2), {in, out}, 2, {clusters, 1, 1}, 4096);
  }
  Runner run;
  DeviceAddress in = 0, out = 0;
};

/// Runs both readings of `text`, which has `{wrong|right}` where they differ, under every seed. The wrong one
/// must end with an error that has all `pieces`, of which a bar separates alternatives.
void expectPlanted(const std::string &text, const std::vector<std::string> &pieces) {
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    EXPECT_EQ(Pair(seed).launch(choose(text, true)), "") << "the twin, seed " << seed;
    const std::string error = Pair(seed).launch(choose(text, false));
    for (const std::string &piece : pieces) {
      bool isThere = false;
      for (size_t at = 0; at <= piece.size(); at = std::min(piece.find('|', at), piece.size()) + 1)
        isThere |= error.find(piece.substr(at, piece.find('|', at) - at)) != std::string::npos;
      EXPECT_TRUE(isThere) << "seed " << seed << ": expected " << piece << "\nfound " << error;
    }
  }
}

/// Describes how a ring differs from others. Texts with `{wrong|right}` are chosen from later on.
struct Ring {
  std::string init = "@%q2 mbarrier.init.shared.b64 [2048], 1;\n@%q2 mbarrier.init.shared.b64 [2056], 1;\n"
                     "@%q2 mbarrier.init.shared.b64 [2064], 2;\n@%q2 mbarrier.init.shared.b64 [2072], 2;\n" +
                     fence;
  std::string begin = meet, end = meet;
  /// Makes the thread that issues wait until both blocks have read slot %r4, whose barrier is at %r7.
  std::string awaitEmpty = await("EMPTY", "%r7", "%r8", ".acquire.cluster");
  std::string mask = "3";
  /// Runs in thread 32 once its warp has read the slot: %r9 is the address of the barrier in the block that
  /// fills it.
  std::string release = "@%q5 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r9];\n";
  uint32_t rounds = 8;
};

/// Rank 0 fills slot 0 of both blocks, rank 1 slot 1, by turns: 1024 bytes at 0 and 1024, with barriers for
/// "full" at 2048 and 2056, and for "empty" at 2064 and 2072 in the block that fills. Warp 1 of each block
/// stores what comes. %r3 counts the turns, %r4 is the slot, %r5 its address.
std::string ringOf(const Ring &ring) {
  const std::string loop =
      "and.b32 %r4, %r3, 1;\nshl.b32 %r5, %r4, 10;\nshl.b32 %r6, %r4, 3;\nadd.u32 %r7, %r6, "
      "2064;\nadd.u32 %r6, %r6, 2048;\nshr.u32 %r8, %r3, 1;\nand.b32 %r8, %r8, 1;\n";
  const auto next = [&](const std::string &label) {
    return "add.u32 %r3, %r3, 1;\nsetp.lt.u32 %q6, %r3, " + std::to_string(ring.rounds) + ";\n@%q6 bra " +
           label + ";\n";
  };
  return ring.init + ring.begin + "mov.u32 %r3, 0;\n@!%q1 bra READ;\n@!%q2 bra END;\nFILL:\n" + loop +
         // The slot's phase before has come here before its next bytes are expected.
         "xor.b32 %r8, %r8, 1;\n" + await("BEFORE", "%r6", "%r8") +
         "mbarrier.arrive.expect_tx.shared.b64 _, [%r6], 1024;\nsetp.ne.u32 %q6, %r4, %r11;\n@%q6 bra "
         "SKIP;\n" +
         ring.awaitEmpty +
         "shl.b32 %r13, %r3, 10;\ncvt.u64.u32 %d1, %r13;\nadd.s64 %d1, %p0, %d1;\nmov.u16 %h1, " + ring.mask +
         ";\n.loc 1 60 1\n" + multicast("%r5", "%d1", "1024", "%r6", "%h1") + "SKIP:\n" + next("FILL") +
         "bra END;\nREAD:\n" + loop + await("FULL", "%r6", "%r8") +
         "sub.u32 %r13, %r31, 32;\nshl.b32 %r14, %r13, 5;\nadd.u32 %r13, %r14, %r5;\n.loc 1 70 1\n"
         "ld.shared.v4.b32 {{%r16, %r17, %r18, %r19}}, [%r13];\nld.shared.v4.b32 {{%r20, %r21, %r22, %r23}}, "
         "[%r13+16];\nmad.lo.u32 %r15, %r11, 8, %r3;\nmad.lo.u32 %r14, %r15, 1024, %r14;\ncvt.u64.u32 %d1, "
         "%r14;\n"
         "add.s64 %d1, %p1, %d1;\nst.global.v4.b32 [%d1], {{%r16, %r17, %r18, %r19}};\nst.global.v4.b32 "
         "[%d1+16], {{%r20, %r21, %r22, %r23}};\nbar.warp.sync -1;\n.loc 1 80 1\n"
         "mapa.shared::cluster.u32 %r9, %r7, %r4;\n" +
         ring.release + ".loc 1 90 1\n" + next("READ") + "END:\nbar.warp.sync -1;\n" + ring.end;
}

TEST(Multicast, TwoBlocksFillARingByTurns) {
  for (uint64_t seed = 0; seed < 21; ++seed) {
    Pair pair(seed);
    ASSERT_EQ(pair.launch(choose(ringOf({}), true)), "") << seed;
    const std::vector<uint32_t> got = pair.run.download<uint32_t>(pair.out, 4096);
    for (uint32_t i = 0; i < got.size(); ++i)
      ASSERT_EQ(got[i], i % 2048) << i;
  }
}

TEST(Multicast, ASlotIsFilledOnceTheOtherBlockHasReadIt) {
  Ring ring;
  // Without the arrival of the other block the barrier waits for the own one alone.
  ring.init = "@%q2 mbarrier.init.shared.b64 [2048], 1;\n@%q2 mbarrier.init.shared.b64 [2056], 1;\n"
              "@%q2 mbarrier.init.shared.b64 [2064], {1|2};\n@%q2 mbarrier.init.shared.b64 [2072], {1|2};\n" +
              fence;
  ring.release = "setp.eq.and.u32 %q8, %r4, %r11, %q5;\n{@%q8|@%q5} "
                 "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r9];\n";
  expectPlanted(ringOf(ring),
                {" of block ", "race on the shared byte at|has not been waited for", "planted.py:60"});
}

TEST(Multicast, ASlotIsFilledAfterAWaitForItsReaders) {
  Ring ring;
  ring.awaitEmpty = "{|" + ring.awaitEmpty + "}";
  expectPlanted(ringOf(ring), {"race on the shared byte at|has not been waited for", "planted.py:60"});
}

TEST(Multicast, ArrivalsAndWaitsHaveTheScopeOfACluster) {
  Ring arrival;
  const std::vector<std::string> unscoped = {
      "expected `.release.cluster`: the thread arrives at the mbarrier at 0x81", " of block ",
      "planted.py:80"};
  arrival.release = "@%q5 mbarrier.arrive.release.{cta|cluster}.shared::cluster.b64 _, [%r9];\n";
  expectPlanted(ringOf(arrival), unscoped);
  arrival.release = "@%q5 mbarrier.arrive.{relaxed|release}.cluster.shared::cluster.b64 _, [%r9];\n";
  expectPlanted(ringOf(arrival), unscoped);
  Ring wait;
  wait.awaitEmpty = await("EMPTY", "%r7", "%r8", "{|.acquire.cluster}");
  expectPlanted(ringOf(wait), {"expected `.acquire.cluster`: thread (32,0,0) of block ",
                               "of the cluster has arrived for this phase, at planted.py:80"});
}

TEST(Multicast, TheMaskNamesBlocksThatAreThere) {
  Ring ring;
  ring.mask = "{7|3}";
  expectPlanted(ringOf(ring), {"a bulk copy with the mask 0x7", "the cluster has no block 2, but 2"});
  ring.mask = "{0|3}";
  expectPlanted(ringOf(ring), {"whose mask is 0: expected at least one block"});
  ring.mask = "{1|3}";
  expectPlanted(ringOf(ring), {"deadlock: |may arrive at its mbarrier"});
}

TEST(Multicast, MbarriersAreThereInAllBlocks) {
  Ring ring;
  ring.begin = "{bar.sync 0;\n|" + meet + "}";
  expectPlanted(ringOf(ring),
                {"there is no mbarrier at 0x8|may not have begun|nothing orders the two|uninitialised"});
  // One that rank 1 does not initialise, and that it does not use.
  const std::string one =
      "@{%q4|%q2} mbarrier.init.shared.b64 [2048], 1;\n" + fence + meet +
      "{@!%q3 bra END;\n|}@%q2 mbarrier.arrive.expect_tx.shared.b64 _, [2048], 64;\nmov.u16 %h1, 3;\n"
      ".loc 1 60 1\n@%q4 " +
      multicast("0", "%p0", "64", "2048", "%h1") + await("W", "2048", "0") + "END:\n" + meet;
  expectPlanted(one, {"there is no mbarrier at 0x800 of block 1 of the cluster", "planted.py:60"});
}

TEST(Multicast, InitialisationsAreFenced) {
  Ring ring;
  ring.init.replace(ring.init.find(fence), fence.size(), "{|" + fence + "}");
  expectPlanted(ringOf(ring), {"a bulk copy signals the mbarrier at 0x80", "no `fence.mbarrier_init`"});
  // Behind the fence a relaxed barrier does for mbarriers, and for nothing else.
  Ring relaxed;
  relaxed.init.replace(relaxed.init.find(fence), fence.size(), "{|" + fence + "}");
  relaxed.begin = "barrier.cluster.arrive.relaxed.aligned;\n" + wait;
  expectPlanted(ringOf(relaxed), {"the mbarrier at 0x8", "nothing orders the two|no `fence.mbarrier_init`"});
}

TEST(Multicast, ABlockStaysForArrivalsAndCopies) {
  Ring ring;
  ring.end = "{|" + meet + "}";
  expectPlanted(ringOf(ring), {"of the cluster ends, and thread (32,0,0) of block |the block may have ended",
                               "of block ", "planted.py:80|planted.py:60|may arrive at its mbarrier"});
  const std::string leaves =
      "@%q2 mbarrier.init.shared.b64 [2048], 1;\n" + fence + meet +
      "@!%q2 bra END;\n{@!%q3 bra END;\n|}"
      "mbarrier.arrive.expect_tx.shared.b64 _, [2048], 64;\nmov.u16 %h1, 3;\n.loc 1 60 1\n"
      "@%q4 " +
      multicast("0", "%p0", "64", "2048", "%h1") + await("W", "2048", "0") + "END:\n";
  // The twin: rank 1 waits for the copy, and rank 0 has nothing to wait for.
  expectPlanted(leaves,
                {"block 1 of the cluster ends before this bulk copy to its memory is complete|of block 1 of "
                 "the cluster: the block may have ended, as no barrier keeps it",
                 "planted.py:60", "block (0,0,0)"});
}

TEST(Multicast, DeadlocksNameWhatEachBlockWaitsFor) {
  Ring ring;
  ring.release = "setp.eq.and.u32 %q8, %r4, %r11, %q5;\n{@%q8|@%q5} "
                 "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r9];\n";
  expectPlanted(
      ringOf(ring),
      {"deadlock: ", "block (0,0,0) warp 0 waits at the mbarrier at 0x810 (phase 0: 1 of 2 arrivals)",
       "block (1,0,0) warp 0 waits at the mbarrier at 0x818 (phase 0: 1 of 2 arrivals)"});
}

TEST(Multicast, BytesMayComeBeforeTheyAreExpected) {
  // Rank 1 asks in vain for a while, so that the copy comes first, and counts how often its phase was
  // complete.
  const std::string body =
      "@%q2 mbarrier.init.shared.b64 [2048], 1;\n" + fence + meet +
      "@!%q2 bra END;\nmov.u16 %h1, 3;\nmov.u32 %r13, 0;\n@%q3 bra ISSUE;\nmov.u32 %r3, 0;\nASK:\n"
      "mbarrier.test_wait.parity.shared.b64 %q7, [2048], 0;\n@%q7 add.u32 %r13, %r13, 1;\nadd.u32 %r3, %r3, "
      "1;\n"
      "setp.lt.u32 %q6, %r3, 200;\n@%q6 bra ASK;\nbra EXPECT;\nISSUE:\n" +
      multicast("0", "%p0", "64", "2048", "%h1") +
      "EXPECT:\nmbarrier.arrive.expect_tx.shared.b64 _, [2048], 64;\n" + await("W", "2048", "0") +
      "ld.shared.b32 %r14, [60];\nmul.wide.u32 %d1, %r11, 8;\nadd.s64 %d1, %p1, %d1;\nst.global.v2.b32 "
      "[%d1], "
      "{%r13, %r14};\nEND:\nbar.warp.sync -1;\n" +
      meet;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Pair pair(seed);
    ASSERT_EQ(pair.launch(body), "") << seed;
    EXPECT_EQ(pair.run.download<uint32_t>(pair.out, 4), (std::vector<uint32_t>{0, 15, 0, 15})) << seed;
  }
}

TEST(Multicast, AnArrivalOrdersMemoryOfBothBlocks) {
  // Rank 0 writes its own memory and arrives at rank 1's barrier; rank 1 reads rank 0's memory, and answers.
  const std::string arrives = "@%q2 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r5];\n",
                    stores = ".loc 1 20 1\n@%q2 st.shared.b32 [0], 5;\n";
  const std::string body =
      "mov.u32 %r3, 1;\nmov.u32 %r4, 0;\nmapa.shared::cluster.u32 %r5, 2048, %r3;\n"
      "mapa.shared::cluster.u32 %r6, 2056, %r4;\nmapa.shared::cluster.u32 %r7, 0, %r4;\n"
      "@%q2 mbarrier.init.shared.b64 [2048], 1;\n@%q2 mbarrier.init.shared.b64 [2056], 1;\n" +
      meet + "@!%q3 bra READ;\n{" + arrives + stores + "|" + stores + arrives + "}" +
      await("A", "2056", "0", ".acquire.cluster") + "@%q2 st.shared.b32 [0], 6;\nbra END;\nREAD:\n" +
      await("B", "2048", "0", ".acquire.cluster") +
      ".loc 1 30 1\nld.shared::cluster.b32 %r13, [%r7];\nbar.sync 0;\n@%q2 "
      "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r6], 1;\nEND:\n" +
      meet;
  expectPlanted(body, {"race on the shared byte at 0x0"});
  // The next write must come after the answer.
  std::string late = choose(body, true);
  const std::string answered = await("A", "2056", "0", ".acquire.cluster");
  late.replace(late.find(answered), answered.size(), "{|" + answered + "}");
  expectPlanted(late, {"race on the shared byte at 0x0"});
}

TEST(Multicast, StoresToGlobalMemoryAreOrderedByArrivals) {
  const std::string body =
      "mov.u32 %r3, 1;\nmapa.shared::cluster.u32 %r5, 2048, %r3;\n@%q2 "
      "mbarrier.init.shared.b64 [2048], 1;\n" +
      fence + "barrier.cluster.arrive.relaxed.aligned;\n" + wait +
      "@!%q2 bra END;\n@!%q3 bra SECOND;\nst.global.b32 [%p1], 1;\n"
      "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r5];\nbra END;\nSECOND:\n" +
      await("A", "2048", "0", ".acquire.cluster") + "st.global.b32 [%p1], 2;\nEND:\nbar.warp.sync -1;\n" +
      meet;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Pair pair(seed);
    ASSERT_EQ(pair.launch(body), "") << seed;
    EXPECT_EQ(pair.run.download<uint32_t>(pair.out, 1)[0], 2u);
  }
}

TEST(Multicast, BytesAreExpectedOfAnotherBlock) {
  // Rank 0 says for rank 1 how many bytes come, in both ways that there are.
  for (const std::string expect :
       {"mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%r5], 64;\n",
        "mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [%r5], 64;\n"
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r5], 1;\n"}) {
    const std::string body =
        "mov.u32 %r3, 1;\nmapa.shared::cluster.u32 %r5, 2048, %r3;\n@%q2 "
        "mbarrier.init.shared.b64 [2048], 1;\n" +
        fence + meet + "@!%q2 bra END;\n@!%q3 bra SECOND;\nmov.u16 %h1, 2;\n" + expect +
        multicast("0", "%p0", "64", "2048", "%h1") + "bra END;\nSECOND:\n" +
        await("A", "2048", "0", ".acquire.cluster") +
        "ld.shared.b32 %r13, [4];\nst.global.b32 [%p1], %r13;\nEND:\nbar.warp.sync -1;\n" + meet;
    for (uint64_t seed = 0; seed < seeds; ++seed) {
      Pair pair(seed);
      ASSERT_EQ(pair.launch(body), "") << seed;
      EXPECT_EQ(pair.run.download<uint32_t>(pair.out, 1)[0], 1u);
    }
    std::string unscoped = body;
    const std::string scope = ".relaxed.cluster";
    if (const size_t at = unscoped.find("expect_tx" + scope); at != std::string::npos)
      EXPECT_THAT(
          Pair(0).launch(unscoped.erase(at + 9, scope.size())),
          HasSubstr("expected `.relaxed.cluster`: the thread expects bytes at the mbarrier at 0x800 of "
                    "block 1 of the cluster"));
  }
}

TEST(Multicast, OtherWritesToTheSlotsArePublished) {
  // Rank 1 writes its slot before rank 0 fills it: a fence must stand between.
  const std::string body =
      "@%q2 mbarrier.init.shared.b64 [2048], 1;\n" + fence +
      "@%q2 st.shared.v4.b32 [16], {{%r31, %r31, %r31, %r31}};\n{|fence.proxy.async;\n}" + meet +
      "@!%q2 bra END;\nmbarrier.arrive.expect_tx.shared.b64 _, [2048], 64;\nmov.u16 %h1, 2;\n"
      "@%q3 mov.u16 %h1, 1;\n.loc 1 60 1\n" +
      multicast("0", "%p0", "64", "2048", "{%h2|%h1}") + await("W", "2048", "0") +
      "END:\nbar.warp.sync -1;\n" + meet;
  std::string to = body;
  to.replace(to.find("mov.u16 %h1, 2;"), 15, "mov.u16 %h1, 2;\nmov.u16 %h2, 2;\n@!%q3 mov.u16 %h2, 1;");
  expectPlanted(to, {"`cp.async.bulk` writes the shared byte at 0x10 of block ",
                     "no `fence.proxy.async` stands between", "planted.py:60"});
}

TEST(Multicast, BoxesOfATensorMapAreCountedOnce) {
  KernelImage image;
  image.entry = "k";
  image.numWarps = 2;
  image.sharedBytes = 4096;
  image.sourceFile = "planted.py";
  image.splits = SplitLoop{{1, std::nullopt}, 1, 4};
  for (const char *name : {"p0", "p1"})
    addParam(image, {name, "*bf16", ParamKind::Pointer, 8});
  addImplicitMap(image, {.base = 0,
                         .element = "bf16",
                         .elementBytes = 2,
                         .axes = {{{64}, {1}, 64}, {{16}, {64}, 8}},
                         .swizzle = 128});
  image.ptx = inCluster(
      names + "mov.b64 %d10, m0;\ncvta.param.u64 %d10, %d10;\n@%q2 mbarrier.init.shared.b64 [2048], 1;\n" +
          fence + meet +
          "@!%q2 bra END;\nmbarrier.arrive.expect_tx.shared.b64 _, [2048], 1024;\nmov.u32 %r20, 0;\nmov.u32 "
          "%r21, "
          "8;\nmov.u64 %d12, 0;\nmov.u16 %h1, 13;\nsetp.eq.u32 %q6, %r11, 3;\n.loc 1 60 1\n@%q6 "
          "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::"
          "cluster."
          "L2::cache_hint [1024], [%d10, {%r20, %r21}], [2048], %h1, %d12;\nsetp.eq.u32 %q6, %r11, 1;\n@%q6 "
          "bra "
          "END;\n.loc 1 61 1\n" +
          await("W", "2048", "0") +
          "ld.shared.b32 %r22, [1152];\nmul.wide.u32 %d1, %r11, 4;\nadd.s64 %d1, %p1, %d1;\nst.global.b32 "
          "[%d1], "
          "%r22;\nEND:\nbar.warp.sync -1;\n" +
          meet,
      2);
  image.ptx.insert(image.ptx.find(")\n{"), ", .param .align 64 .b8 m0[128]");
  // Rank 1 is not in the mask: it expects nothing.
  const std::string expects = "mbarrier.arrive.expect_tx";
  image.ptx.insert(image.ptx.find(expects), "setp.eq.u32 %q6, %r11, 1;\n@!%q6 ");
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Pair pair(seed, 4);
    const std::unique_ptr<LoadedKernel> kernel = std::move(*pair.run.device.load(image));
    const uint64_t params[] = {pair.in, pair.out};
    Result<void> done =
        pair.run.device.launch(*kernel, {}, std::as_bytes(std::span(params)), nullptr, {.clusterBlocks = 4});
    ASSERT_TRUE(bool(done)) << done.error().text;
    // Row 9 of the matrix is row 1 of the box: 32 words a row, of which the swizzle moves four at a time.
    EXPECT_EQ(pair.run.download<uint32_t>(pair.out, 4),
              (std::vector<uint32_t>{9 * 32 + 4, 0, 9 * 32 + 4, 9 * 32 + 4}));
    const EmulatorReport report = pair.run.device.report();
    const auto row = std::ranges::find(report.rows, 60u, &EmulatorReport::Row::line);
    ASSERT_NE(row, report.rows.end());
    EXPECT_EQ(row->counters.loadRequests, 1u);
    EXPECT_EQ(row->counters.loadSectors, 32u);
    EXPECT_EQ(row->counters.sharedBytes, 3 * 1024u);
  }
}

TEST(Multicast, ALaunchWithoutClustersIsOneOfOneBlock) {
  const std::string body =
      "@%q2 mbarrier.init.shared.b64 [2048], 1;\n" + fence +
      "bar.sync 0;\n@!%q2 bra END;\nmbarrier.arrive.expect_tx.shared.b64 _, [2048], 64;\n"
      "mov.u16 %h1, 1;\n" +
      multicast("0", "%p0", "64", "2048", "%h1") + await("W", "2048", "0") + "END:\n";
  for (uint64_t seed = 0; seed < seeds; ++seed)
    EXPECT_EQ(Pair(seed, 1).launch(body), "");
}

TEST(Multicast, UnknownFormsAreRefused) {
  const std::string copy =
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster";
  EXPECT_THAT(Pair(0).launch(copy + ".cta_group::2 [0], [%p0], 64, [2048], %h1;\n"),
              HasSubstr("unsupported modifier `.cta_group::2` of `" + copy));
  EXPECT_THAT(Pair(0).launch(copy + " [0], [%p0], 64, [2048];\n"), HasSubstr("operands"));
  EXPECT_THAT(Pair(0).launch("mbarrier.arrive.release.cluster.shared::cluster.b64 %d1, [2048];\n"),
              HasSubstr("expected `_`, as the state of another block's mbarrier is not returned"));
  EXPECT_THAT(Pair(0).launch("mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [2048], 64;\n"),
              HasSubstr("unsupported instruction `mbarrier.complete_tx"));
}

} // namespace
} // namespace tegula::runtime::test
