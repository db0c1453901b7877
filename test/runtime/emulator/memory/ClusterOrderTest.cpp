// Stores of a block to the shared memory of others in its cluster, and which accesses race across it.
#include "test/runtime/emulator/InCluster.h"

namespace tegula::runtime::test {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;

/// %r18 becomes the address of %r15 in the block whose rank is in %r16.
const std::string map = "mapa.shared::cluster.u32 %r18, %r15, %r16;\n";
/// Stores %r13 to the word of the thread's number in the next block.
const std::string send = map + ".loc 1 40 1\nst.shared::cluster.b32 [%r18], %r13;\n";
/// Loads the word of the thread's number.
const std::string look = ".loc 1 50 1\nld.shared.b32 %r17, [%r15];\n";
const std::string race = "race on the shared byte at 0x0",
                  unordered = "have no barrier of the cluster between";

/// Runs `body` in a cluster of two under every seed, none of which ends with an error.
void expectNone(const std::string &body, uint32_t warps = 1) {
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    ClusterRunner run(2, seed);
    EXPECT_EQ(run.run(body, 1, warps), "") << seed;
  }
}

/// `body` for rank 0 alone, or for the others.
std::string only(bool first, const std::string &body, const std::string &label) {
  return std::string("setp.") + (first ? "ne" : "eq") + ".u32 %q1, %r11, 0;\n@%q1 bra " + label + ";\n" +
         body + label + ":\n";
}

TEST(ClusterOrder, StoresReachOtherBlocks) {
  for (uint32_t blocks = 2; blocks <= 8; ++blocks)
    for (uint64_t seed = 0; seed < seeds; ++seed) {
      ClusterRunner run(blocks, seed);
      ASSERT_EQ(run.run(give + meet + next + send + meet + look + keep, 3, 2), "") << blocks << " " << seed;
      const std::vector<uint32_t> found = run.download<uint32_t>(run.out, size_t(3) * blocks * 64);
      for (uint32_t i = 0; i < found.size(); ++i) {
        const uint32_t block = i / 64, rank = block % blocks;
        EXPECT_EQ(found[i], 1000 * (block - rank + (rank + blocks - 1) % blocks) + i % 64) << i;
      }
    }
}

TEST(ClusterOrder, StoresOfVectors) {
  // Each thread has 16 bytes; one store fills all of them, or two do.
  const std::string rows =
      "mov.u32 %r15, memory;\nmad.lo.u32 %r15, %r31, 16, %r15;\nadd.u32 %r1, %r11, 7;\n"
      "mov.u32 %r2, 20;\nmov.u32 %r3, 300;\nmov.u32 %r4, 4000;\nmov.b64 %d1, {%r3, %r4};\n";
  for (const char *stores :
       {"st.shared::cluster.v4.b32 [%r18], {%r1, %r2, %r3, %r4};\n",
        "st.shared::cluster.v2.b32 [%r18], {%r1, %r2};\nst.shared::cluster.b64 [%r18+8], %d1;\n"})
    for (uint64_t seed = 0; seed < seeds; ++seed) {
      ClusterRunner run(2, seed);
      const std::string sums = "ld.shared.v4.b32 {%r5, %r6, %r7, %r8}, [%r15];\nadd.u32 %r17, %r5, %r6;\n"
                               "add.u32 %r17, %r17, %r7;\nadd.u32 %r17, %r17, %r8;\n";
      ASSERT_EQ(run.run(rows + meet + next + map + stores + meet + sums + keep), "");
      const std::vector<uint32_t> found = run.download<uint32_t>(run.out, 64);
      EXPECT_EQ(found[5], 4328u);
      EXPECT_EQ(found[37], 4327u);
    }
}

TEST(ClusterOrder, AStoreIsOrderedWithTheOwnersAccesses) {
  // Without a barrier between them either comes first: the later one is the race.
  expectFaults(give + meet + next + send + look + meet, race, unordered, " of the cluster at planted.py:");
  expectFaults(give + meet + next + send + "st.shared.b32 [%r15], 5;\n" + meet, race, unordered);
  expectNone(give + meet + look + meet + next + send + meet + look + meet);
  // The owner's accesses come first here, and then last.
  expectFaults(
      give + meet + only(true, look, "A") + signal + only(false, "mov.u32 %r16, 0;\n" + send, "B") + meet,
      race + " of block 0 of the cluster: this write and the read by thread (0,0,0) of block 0 of the "
             "cluster at planted.py:50 (PTX line",
      unordered);
  expectFaults(
      give + meet + only(true, "mov.u32 %r16, 1;\n" + send, "A") + signal + only(false, look, "B") + meet,
      race + ": this read and the write by thread (0,0,0) of block 0 of the cluster at planted.py:40",
      unordered);
}

TEST(ClusterOrder, StoresOfTwoBlocksRace) {
  const std::string toFirst = give + meet + "mov.u32 %r16, 0;\n";
  expectFaults(toFirst + "setp.eq.u32 %q1, %r11, 0;\n@%q1 bra OUT;\n" + send + "OUT:\n" +
                   only(true, "st.shared.b32 [%r15], 9;\n", "B") + meet,
               race, unordered);
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    ClusterRunner run(4, seed);
    EXPECT_THAT(run.run(toFirst + only(false, send, "A") + meet),
                AllOf(HasSubstr(race + " of block 0 of the cluster: this write and the write by thread "),
                      HasSubstr("of the cluster at planted.py:40"), HasSubstr(unordered)))
        << seed;
    // Bytes of one word are different bytes.
    const std::string bytes = "mov.u32 %r15, memory;\nadd.u32 %r15, %r15, %r11;\nmov.u32 %r16, 0;\n" + map;
    EXPECT_EQ(run.run(bytes + meet +
                      "setp.ne.u32 %q2, %r31, 0;\n@!%q2 st.shared::cluster.b8 [%r18], %r31;\n" + meet),
              "")
        << seed;
  }
}

TEST(ClusterOrder, ReadersAndWritersOfThirdBlocks) {
  // Rank 1 reads and rank 2 writes what is rank 0's.
  const std::string both = give + meet +
                           "mov.u32 %r16, 0;\nsetp.eq.u32 %q1, %r11, 1;\n@%q1 bra READ;\n"
                           "setp.ne.u32 %q1, %r11, 2;\n@%q1 bra DONE;\n{|" +
                           meet + "}" + send + "bra DONE;\nREAD:\n" + take + "{|" + meet + "}DONE:\n" + meet +
                           "{|setp.eq.u32 %q2, %r11, 0;\nsetp.eq.or.u32 %q2, %r11, 3, %q2;\n@!%q2 exit;\n" +
                           meet + "}";
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    ClusterRunner run(4, seed);
    EXPECT_THAT(run.run(choose(both, false)),
                AllOf(HasSubstr(race + " of block 0 of the cluster: this "), HasSubstr(unordered)))
        << seed;
    EXPECT_EQ(run.run(choose(both, true)), "") << seed;
  }
}

TEST(ClusterOrder, AReadBetweenArrivalAndWaitIsTooEarly) {
  // The barrier may be complete: the reader has not waited for it.
  expectFaults(give + meet + next + "st.shared.b32 [%r15], 7;\n" + arrive + take + wait + meet, race,
               unordered);
  // A write there comes too early for what others have read before they arrived.
  expectFaults(give + meet + next + take + arrive + "st.shared.b32 [%r15], 7;\n" + wait + meet, race,
               unordered);
}

TEST(ClusterOrder, BarriersOfABlockHandOnThoseOfTheCluster) {
  // Warp 1 waits for warp 0 alone, which has waited for the cluster.
  const std::string body =
      give + meet + "st.shared.b32 [%r15], 7;\n" + arrive + "setp.ge.u32 %q2, %r31, 32;\n@%q2 bra LATER;\n" +
      wait + "LATER:\n{|bar.sync 0;\n}" + "@!%q2 bra BOTH;\n" + next + take + wait + "BOTH:\n" + meet;
  expectNone(choose(body, true), 2);
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    ClusterRunner run(2, seed);
    EXPECT_THAT(run.run(choose(body, false), 1, 2),
                AllOf(HasSubstr("race on the shared byte at 0x80"), HasSubstr(unordered)))
        << seed;
  }
}

TEST(ClusterOrder, ThreadsOfOneBlockRaceInAnother) {
  // Both warps of rank 1 write one word of rank 0: a barrier of their block is enough.
  const std::string body =
      give + meet +
      "mov.u32 %r15, memory;\nmov.u32 %r16, 0;\nsetp.eq.u32 %q1, %r11, 0;\n"
      "setp.eq.u32 %q2, %r31, 0;\n@%q1 bra DONE;\n" +
      map + "setp.eq.u32 %q3, %r31, 32;\n@%q2 st.shared::cluster.b32 [%r18], 1;\n{|bar.sync 0;\n}" +
      "@%q3 st.shared::cluster.b32 [%r18], 2;\nDONE:\n" + meet;
  expectNone(choose(body, true), 2);
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    ClusterRunner run(2, seed);
    EXPECT_THAT(run.run(choose(body, false), 1, 2),
                AllOf(HasSubstr(race + " of block 0 of the cluster: this write and the write by thread ("),
                      HasSubstr("have no barrier between them")))
        << seed;
  }
}

TEST(ClusterOrder, UndefinedValuesMayBeStored) {
  expectFaults(give + meet + next + map + "st.shared::cluster.b32 [%r18], %r29;\n" + meet + look + keep,
               "uninitialised register `%r17` is used as a stored value");
}

TEST(ClusterOrder, ABlockThatMayNotHaveBegun) {
  size_t found = 0;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    ClusterRunner run(8, seed);
    const std::string error = run.run(give + next + send + meet);
    found += error.find("the block may not have begun, as no barrier waits for it") != error.npos;
    EXPECT_THAT(error, AnyOf(HasSubstr("may not have begun"), HasSubstr(race))) << seed;
  }
  EXPECT_GT(found, 0u);
}

TEST(ClusterOrder, StoresAreInside) {
  expectFaults(give + meet + next + "add.u32 %r15, %r15, 1024;\n" + send + meet,
               "shared store of 4 bytes at 0x400 of block ",
               "of the cluster: outside its 1024 bytes of shared memory");
  expectFaults(give + meet + "mov.u32 %r18, 0x3000000;\nst.shared::cluster.b32 [%r18], 1;\n" + meet,
               "shared store of 4 bytes at 0x3000000: the cluster has no block 2, but 2");
}

TEST(ClusterOrder, OtherAccessesStayInTheirBlock) {
  const std::string only =
      "only loads, stores, arrivals at mbarriers and `.multicast::cluster` reach another block";
  const std::string there = give + meet + next + "mov.u32 %r15, memory;\n" + map;
  expectFaults(there + "atom.shared::cluster.add.u32 %r17, [%r18], 1;\n" + meet,
               "shared atomic of 4 bytes at 0x0 of block ", only);
  expectFaults(there + "ld.shared.b32 %r17, [%r18];\n" + meet, "shared load of 4 bytes at 0x0 of block ",
               only);
  expectFaults(there + "cvt.u64.u32 %d1, %r18;\ncvta.shared.u64 %d1, %d1;\nld.b32 %r17, [%d1];\n" + meet,
               "shared load of 4 bytes at 0x0 of block ", only);
  expectFaults(there + "mbarrier.try_wait.parity.shared.b64 %q1, [%r18], 1;\n" + meet,
               "shared atomic of 8 bytes at 0x0 of block ", only);
  expectFaults(there + "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r18], 1;\n" + meet,
               "there is no mbarrier at 0x0 of block ", "of the cluster: it is not initialised, or not yet");
  expectFaults(
      there +
          "setp.eq.u32 %q2, %r31, 0;\n@%q2 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
          "bytes [%r18], [%p0], 64, [%r15];\n" +
          meet,
      "a bulk copy of 64 bytes at 0x0 of block ", only);
  expectFaults(there + "ld.relaxed.cluster.shared::cluster.b32 %r17, [%r18];\n" + meet,
               "shared access of 4 bytes at 0x0 of block ",
               "expected a weak one: the order that others make between blocks is not emulated");
  expectFaults(there + "st.release.cluster.shared::cluster.b32 [%r18], 1;\n" + meet, "expected a weak one");
}

TEST(ClusterOrder, TheOwnBlockHasAnAddressInTheClusterToo) {
  // An mbarrier and an atomic under addresses of `mapa`, and whose they are.
  expectNone("mov.u32 %r15, memory;\nmov.u32 %r16, %r11;\n" + map +
             "setp.eq.u32 %q2, %r31, 0;\n@%q2 mbarrier.init.shared.b64 [%r15], 1;\nbar.sync 0;\n"
             "@%q2 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r18], 1;\nst.shared.b32 "
             "[%r15+64], 0;\nbar.sync 0;\n"
             "atom.shared::cluster.add.u32 %r17, [%r18+64], 1;\n" +
             meet);
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    ClusterRunner run(4, seed);
    ASSERT_EQ(run.run("mov.u32 %r15, memory;\n" + next + map +
                      "getctarank.shared::cluster.u32 %r1, %r18;\ngetctarank.shared::cluster.u32 %r2, %r15;\n"
                      "mad.lo.u32 %r17, %r1, 10, %r2;\n" +
                      keep),
              "");
    EXPECT_EQ(run.download<uint32_t>(run.out, 128)[64], 32u);
  }
  expectFaults("mov.u32 %r18, 0x9000000;\ngetctarank.shared::cluster.u32 %r1, %r18;\n" + meet,
               "the cluster has no block 8, but 2");
  Runner alone;
  const DeviceAddress out = alone.upload(std::vector<uint32_t>(1, 7));
  EXPECT_EQ(alone.launch(kernel("mov.u32 %r1, 64;\ngetctarank.shared::cluster.u32 %r2, %r1;\n"
                                "st.global.b32 [%p0], %r2;\n"),
                         {out}),
            "");
  EXPECT_EQ(alone.download<uint32_t>(out, 1)[0], 0u);
}

TEST(ClusterOrder, UnitsAndTheStoresOfOtherBlocks) {
  // Rank 0 stores 16 bytes of its memory in bulk, which rank 1 has written.
  const std::string bulk = only(true,
                                "setp.ne.u32 %q2, %r31, 0;\n@%q2 bra MID;\n.loc 1 70 1\n"
                                "cp.async.bulk.global.shared::cta.bulk_group [%p0], [memory], 16;\n"
                                "cp.async.bulk.commit_group;\n{MID:\n|cp.async.bulk.wait_group 0;\nMID:\n}",
                                "B");
  const std::string sends = only(false, "mov.u32 %r16, 0;\n" + send, "A");
  const std::string fence = "fence.proxy.async;\n";
  const std::string bulkThen = choose(bulk, true), bulkOnly = choose(bulk, false);
  expectFaults(
      give + fence + meet + sends + meet + bulkThen + meet,
      "`cp.async.bulk` reads the shared byte at 0x0, which thread (0,0,0) of block 1 of the cluster wrote "
      "at planted.py:40",
      "no `fence.proxy.async` stands between");
  expectNone(give + fence + meet + sends + meet + fence + bulkThen + meet);
  expectNone(give + fence + meet + sends + fence + meet + bulkThen + meet);
  // The store may still read them.
  expectFaults(give + fence + meet + bulkOnly + meet + sends + meet,
               "shared write of 4 bytes at 0x0 of block 0 of the cluster: the bulk copy at planted.py:70",
               "may still read them");
}

TEST(ClusterOrder, WhatOtherBlocksMustNotTouch) {
  const std::string first = "mov.u32 %r15, memory;\nmov.u32 %r16, 0;\nsetp.ne.u32 %q3, %r31, 0;\n";
  const std::string reads = only(false, take, "A");
  expectFaults(first + only(true, "@!%q3 mbarrier.init.shared.b64 [%r15], 1;\n", "M") + meet + reads + meet,
               "shared access of 4 bytes at 0x0 of block 0 of the cluster: they hold the mbarrier that was "
               "initialised at ");
  expectFaults(first + only(true, "@!%q3 cp.async.ca.shared.global [%r15], [%p0], 4;\n", "M") + meet + reads +
                   meet,
               "shared access of 4 bytes at 0x0 of block 0 of the cluster: the copy to it at ",
               "has not been waited for");
}

} // namespace
} // namespace tegula::runtime::test
