// Clusters: blocks that run side by side, their barrier, and what they read of each other's shared memory.
#include "test/runtime/emulator/InCluster.h"

namespace tegula::runtime::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(Cluster, BlocksReadEachOther) {
  for (uint32_t blocks = 2; blocks <= 8; ++blocks)
    for (uint64_t seed = 0; seed < seeds; ++seed) {
      ClusterRunner run(blocks, seed);
      ASSERT_EQ(run.run(give + meet + next + take + keep + meet, 5, 2), "") << blocks << " " << seed;
      const std::vector<uint32_t> found = run.download<uint32_t>(run.out, size_t(5) * blocks * 64);
      for (uint32_t i = 0; i < found.size(); ++i) {
        const uint32_t block = i / 64, thread = i % 64;
        const uint32_t from = block / blocks * blocks + (block % blocks + 1) % blocks;
        EXPECT_EQ(found[i], 1000 * from + thread) << i;
      }
    }
}

TEST(Cluster, OfManyMoreThanFit) {
  for (uint64_t seed = 0; seed < 3; ++seed) {
    EmulatorOptions options{.seed = seed};
    options.multiprocessors = 1;
    Runner run(options);
    run.clusterBlocks = 8;
    const DeviceAddress out = run.upload(std::vector<uint32_t>(40 * 8 * 32));
    // Two blocks of so much fit: the eight of a cluster are there all the same.
    EXPECT_EQ(
        run.launch(inCluster(give + meet + next + take + keep + meet), {out}, 1, {40, 1, 1}, 100 * 1024), "");
    EXPECT_EQ(run.download<uint32_t>(out, 40 * 8 * 32)[319 * 32], 312000u);
  }
}

TEST(Cluster, ReadsVectorsOfItsOwnBlockToo) {
  ClusterRunner run(2, 0);
  // %r15 is memory + 4 * thread; lane 0 to 3 would be misaligned as vectors, so all read the first.
  const std::string vectors =
      "mov.u32 %r15, memory;\nmov.u32 %r16, %r11;\nmapa.shared::cluster.u32 %r18, %r15, %r16;\n"
      "ld.shared::cluster.v4.b32 {%r1, %r2, %r3, %r4}, [%r18+16];\n"
      "ld.shared::cluster.v2.b64 {%d1, %d2}, [%r15+16];\nadd.u32 %r17, %r1, %r4;\n";
  ASSERT_EQ(run.run(give + meet + vectors + keep), "");
  EXPECT_EQ(run.download<uint32_t>(run.out, 64)[40], 2011u);
}

TEST(Cluster, Registers) {
  Runner run;
  run.clusterBlocks = 4;
  const std::string names[] = {"clusterid.x",      "clusterid.y",      "clusterid.z",     "nclusterid.x",
                               "nclusterid.y",     "nclusterid.z",     "cluster_ctaid.x", "cluster_ctaid.y",
                               "cluster_nctaid.x", "cluster_nctaid.z", "cluster_ctarank", "cluster_nctarank"};
  // The last block but one of the grid says what it is.
  std::string body =
      "mov.u32 %r1, %ctaid.y;\nsetp.ne.u32 %q1, %r1, 4;\n@%q1 exit;\nsetp.ne.u32 %q2, %r10, 10;\n"
      "@%q2 exit;\nmov.u32 %r1, %ctaid.z;\nsetp.ne.u32 %q1, %r1, 1;\n@%q1 exit;\n";
  for (size_t i = 0; i < std::size(names); ++i)
    body += "mov.u32 %r2, %" + names[i] + ";\nst.global.b32 [%p0+" + std::to_string(4 * i) + "], %r2;\n";
  const DeviceAddress out = run.upload(std::vector<uint32_t>(12));
  ASSERT_EQ(run.launch(inCluster(body), {out}, 1, {3, 5, 2}), "");
  EXPECT_EQ(run.download<uint32_t>(out, 12), (std::vector<uint32_t>{2, 4, 1, 3, 5, 2, 2, 0, 4, 1, 2, 4}));
}

TEST(Cluster, ALaunchWithoutHasClustersOfOne) {
  Runner run;
  const DeviceAddress out = run.upload(std::vector<uint32_t>(64));
  ASSERT_EQ(run.launch(inCluster(give + meet + "mov.u32 %r16, 0;\n" + take + keep), {out}, 1, {2, 1, 1}, 128),
            "");
  EXPECT_EQ(run.download<uint32_t>(out, 64)[33], 1001u);
}

TEST(Cluster, AReadWithoutABarrierIsARace) {
  // The barrier in front of the write keeps both there; of those behind it the reader has passed none.
  const std::string body = meet + give + signal + "mov.u32 %r17, 0;\n@!%q3 bra DONE;\nmov.u32 %r16, 0;\n" +
                           take + "DONE:\n" + meet;
  expectFaults(body,
               "race on the shared byte at 0x0 of block 0 of the cluster: this read and the write by thread ",
               "planted.py:20 (PTX line", "have no barrier of the cluster between them");
  // Nor is there anything to be read where the other has not written.
  expectFaults(meet + "mov.u32 %r15, memory;\n" + next + take + meet,
               "of the cluster: uninitialised shared memory");
}

TEST(Cluster, AReleaseIsNeeded) {
  expectFaults(give + "barrier.cluster.arrive.relaxed.aligned;\n" + wait + next + take + keep + meet,
               "race on the shared byte at 0x0 of block ", "have no barrier of the cluster between them");
}

TEST(Cluster, AWriteBehindAnArrivalIsNotPublished) {
  expectFaults(give + arrive + "st.shared.b32 [%r15], %r31;\n" + wait + next + take + keep + meet,
               "race on the shared byte at 0x0 of block ");
}

TEST(Cluster, AWriteMayNotOvertakeAnothersRead) {
  // Rank 0 reads rank 1, which then writes there again.
  const std::string reads =
      "setp.ne.u32 %q1, %r11, 0;\n@%q1 bra LATER;\nmov.u32 %r16, 1;\n" + take + "LATER:\n";
  expectFaults(give + meet + reads + signal + "@!%q1 bra DONE;\nst.shared.b32 [%r15], %r31;\nDONE:\n" + meet,
               "race on the shared byte at 0x0: this write and the read by thread (0,0,0) of block 0 of the "
               "cluster at "
               "planted.py:30 (PTX line",
               "have no barrier of the cluster between them");
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    ClusterRunner run(2, seed);
    EXPECT_EQ(
        run.run(give + meet + reads + meet + "@!%q1 bra DONE;\nst.shared.b32 [%r15], %r31;\nDONE:\n" + meet),
        "");
  }
}

TEST(Cluster, ABlockStaysForItsReaders) {
  size_t found = 0;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    ClusterRunner run(2, seed);
    const std::string error = run.run(give + meet + next + take + keep);
    if (!error.empty()) {
      EXPECT_THAT(error, AllOf(HasSubstr("of the cluster: the block may have ended, as no barrier keeps it"),
                               HasSubstr("shared load of 4 bytes at 0x0 of block ")));
      ++found;
    }
  }
  EXPECT_GT(found, 0u);
}

TEST(Cluster, ReadsAreInsideAndOfWhatWasWritten) {
  expectFaults(give + meet + next + "add.u32 %r15, %r15, 1024;\n" + take + keep + meet,
               "shared load of 4 bytes at 0x400 of block ",
               "of the cluster: outside its 1024 bytes of shared memory");
  expectFaults(give + meet + next + "add.u32 %r15, %r15, 2;\n" + take + keep + meet,
               "shared load of 4 bytes at 0x2 of block ", "of the cluster: misaligned");
  expectFaults(give + meet + next + "add.u32 %r15, %r15, 512;\n" + take + keep + meet,
               "shared load of 4 bytes at 0x200 of block ", "of the cluster: uninitialised shared memory");
  expectFaults(meet + next + "mov.u32 %r15, memory;\n" + "mov.u32 %r16, 2;\n" + take,
               "the cluster has no block 2, but 2");
  expectFaults(meet + "mov.u32 %r18, 0x9000000;\nld.shared::cluster.b32 %r17, [%r18];\n",
               "shared load of 4 bytes at 0x9000000: the cluster has no block 8, but 2");
}

TEST(Cluster, UndefinedValuesStaySo) {
  expectFaults("mov.u32 %r15, memory;\nst.shared.b32 [%r15], %r29;\n" + meet + next + take + keep + meet,
               "uninitialised register `%r17` is used as a stored value");
}

TEST(Cluster, TheBarrierIsUsedInTurn) {
  expectFaults(arrive + arrive + wait, "the warp arrives twice at the cluster's barrier, and has not waited");
  expectFaults(wait, "the warp waits at the cluster's barrier, and has not arrived");
  const std::string some = "setp.lt.u32 %q1, %r31, 7;\n@%q1 bra OUT;\n";
  expectFaults(some + arrive + "OUT:\n", "reached by part of the warp: lanes 0xffffff80 of 0xffffffff");
  expectFaults(arrive + some + wait + "OUT:\n",
               "reached by part of the warp: lanes 0xffffff80 of 0xffffffff");
}

TEST(Cluster, ThreadsThatHaveEndedCountAsArrived) {
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    ClusterRunner run(4, seed);
    EXPECT_EQ(run.run("setp.eq.u32 %q1, %r11, 2;\n@%q1 exit;\n" + meet + meet, 3, 2), "") << seed;
  }
}

TEST(Cluster, ABarrierThatABlockNeverReachesIsADeadlock) {
  const std::string body = "setp.eq.u32 %q1, %r11, 0;\n@%q1 bra OTHER;\n.loc 1 50 1\n" + meet +
                           "exit;\nOTHER:\n.loc 1 60 1\nbar.sync 1, 64;\n" + meet;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    ClusterRunner run(2, seed);
    EXPECT_THAT(run.run(body), AllOf(HasSubstr("deadlock: "), HasSubstr("planted.py:"))) << seed;
  }
  // The block that does not come to the barrier is the one to say why.
  ClusterRunner run(2, 0);
  EXPECT_THAT(run.run("setp.eq.u32 %q1, %r11, 0;\n@%q1 bra OTHER;\n.loc 1 50 1\n" + meet +
                      "exit;\nOTHER:\nbarrier.cluster.arrive.aligned;\n.loc 1 60 1\nbar.sync 1, 64;\n"),
              HasSubstr("deadlock"));
}

TEST(Cluster, ADeadlockSaysHowManyHaveArrived) {
  // One block waits for a word that no thread writes, the others for it.
  ClusterRunner run(4, 0);
  const std::string body = "setp.eq.u32 %q1, %r11, 3;\n@%q1 bra OTHER;\n.loc 1 50 1\n" + meet +
                           "exit;\nOTHER:\n.loc 1 60 1\nL:\nld.acquire.gpu.global.b32 %r20, [%p0];\n"
                           "setp.ne.u32 %q7, %r20, 7;\n@%q7 bra L;\n";
  EXPECT_THAT(run.run(body),
              AllOf(HasSubstr("waits at the barrier of its cluster, where 3 of 4 blocks have arrived"),
                    HasSubstr("goes round at planted.py:60")));
}

TEST(Cluster, StoresToGlobalMemoryAreOrdered) {
  // All blocks of the cluster write one word, one after the other.
  const std::string turns =
      "mov.u32 %r1, 0;\nL:\nsetp.ne.u32 %q1, %r1, %r11;\nsetp.ne.or.u32 %q1, %r31, 0, %q1;\n"
      "@!%q1 st.global.b32 [%p0], %r11;\n" +
      meet + "add.u32 %r1, %r1, 1;\nsetp.lt.u32 %q2, %r1, %r12;\n@%q2 bra L;\n";
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    ClusterRunner run(4, seed);
    EXPECT_EQ(run.run(turns), "") << seed;
    EXPECT_EQ(run.download<uint32_t>(run.out, 1)[0], 3u);
  }
}

TEST(Cluster, OtherClustersAreNotOrdered) {
  const std::string stores = "setp.eq.u32 %q1, %r31, 0;\nsetp.eq.and.u32 %q1, %r11, 0, %q1;\n@%q1 "
                             "st.global.b32 [%p0], %r10;\n";
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    ClusterRunner run(2, seed);
    EXPECT_THAT(run.run(meet + stores + meet, 3), HasSubstr("differ, and nothing orders the blocks")) << seed;
  }
}

TEST(Cluster, ABarrierHandsOnWhatABlockHasAcquired) {
  // Rank 1 of the first cluster stores, rank 0 says so to rank 0 of the second one, where rank 1 stores.
  const std::string turns =
      "setp.eq.u32 %q1, %r31, 0;\nsetp.eq.u32 %q2, %r10, 0;\nsetp.eq.u32 %q3, %r10, 1;\nsetp.eq.u32 %q4, "
      "%r10, "
      "2;\nsetp.eq.u32 %q5, %r10, 3;\nand.pred %q3, %q1, %q3;\nand.pred %q5, %q1, %q5;\nand.pred %q2, %q1, "
      "%q2;\n@%q3 st.global.b32 [%p0], 1;\n@!%q4 bra READY;\nL:\nld.acquire.gpu.global.b32 %r1, "
      "[%p0+128];\nsetp.ne.u32 %q6, %r1, 1;\n@%q6 bra L;\nREADY:\n" +
      meet + "@%q2 st.release.gpu.global.b32 [%p0+128], 1;\n@%q5 st.global.b32 [%p0], 2;\n" + meet;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    ClusterRunner run(2, seed);
    EXPECT_EQ(run.run(turns, 2), "") << seed;
    EXPECT_EQ(run.download<uint32_t>(run.out, 1)[0], 2u);
  }
}

TEST(Cluster, ADeadlockNamesWarpsTogetherWhereverTheyWaitedBefore) {
  // Warp 1 has been at a barrier of its own.
  ClusterRunner run(4, 0);
  const std::string body = "setp.lt.u32 %q2, %r31, 32;\n@%q2 bra ON;\nbar.sync 1, 32;\nON:\n"
                           "setp.eq.u32 %q1, %r11, 3;\n@%q1 bra OTHER;\n.loc 1 50 1\n" +
                           meet +
                           "exit;\nOTHER:\n.loc 1 60 1\nL:\nld.acquire.gpu.global.b32 %r20, [%p0];\n"
                           "setp.ne.u32 %q7, %r20, 7;\n@%q7 bra L;\n";
  EXPECT_THAT(run.run(body, 1, 2), HasSubstr("warps 0 and 1 wait at the barrier of its cluster"));
}

TEST(Cluster, ADeadlockNamesABlockThatIsMissing) {
  // Warp 1 of rank 0 waits for its warp 0, which waits for the cluster.
  const std::string body = "setp.ne.u32 %q1, %r11, 0;\nsetp.lt.or.u32 %q1, %r31, 32, %q1;\n@%q1 bra "
                           "FIRST;\n.loc 1 60 1\nbar.sync 1, 64;\nFIRST:\n.loc 1 50 1\n" +
                           meet;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    ClusterRunner run(4, seed);
    EXPECT_THAT(
        run.run(body, 1, 2),
        AllOf(HasSubstr("block (0,0,0)"), HasSubstr("warp 1 waits at barrier 1"),
              HasSubstr("warp 0 waits at the barrier of its cluster, where 3 of 4 blocks have arrived"),
              HasSubstr("planted.py:60")))
        << seed;
  }
}

TEST(Cluster, ADeadlockOfItsOwnIsThatOfTheBlock) {
  // The others may not have come to the barrier yet when the last block stands still.
  const std::string body = "setp.ne.u32 %q1, %r11, 3;\n@%q1 bra OTHER;\n.loc 1 60 1\nbar.sync 1, "
                           "64;\nOTHER:\nmov.u32 %r1, 0;\nL:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %q2, %r1, "
                           "300;\n@%q2 bra L;\n" +
                           meet;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    ClusterRunner run(4, seed);
    EXPECT_THAT(run.run(body), AllOf(HasSubstr("planted.py:60:1"), HasSubstr("block (3,0,0)"),
                                     HasSubstr("deadlock: warp 0 waits at barrier 1")))
        << seed;
  }
}

TEST(Cluster, TheSizeThatAnEntryRequires) {
  for (const uint32_t blocks : {2, 4}) {
    ClusterRunner run(blocks, 0);
    std::string text = inCluster(meet);
    text.insert(text.find(")\n{") + 1, "\n.explicitcluster\n.reqnctapercluster 4, 1, 1");
    EXPECT_EQ(run.launch(text, {0}),
              blocks == 4 ? "" : "cannot launch `k`: the entry requires clusters of 4 blocks, found 2");
  }
}

TEST(Cluster, APersistentKernelHasWholeClusters) {
  ClusterRunner run(4, 0);
  run.blocksPerMultiprocessor = 1;
  ASSERT_EQ(run.run("mov.u32 %r17, %nctaid.x;\n" + meet + keep, 3), "");
  EXPECT_EQ(run.download<uint32_t>(run.out, 1)[0], 8u);
}

TEST(Cluster, WhatIsNotThereIsRefused) {
  expectFaults("cvta.shared.u64 %d2, 0;\nmov.u32 %r16, 0;\nmapa.u64 %d0, %d2, %r16;\n" + meet,
               "`mapa` of a generic address: those of other blocks are not known here");
  Runner run;
  EXPECT_THAT(run.launch(kernel("getctarank.u64 %r1, %d1;"), {0}),
              HasSubstr("unsupported instruction `getctarank.u64`"));
  EXPECT_THAT(run.launch(kernel("barrier.cluster.sync;"), {0}),
              HasSubstr("unsupported instruction `barrier.cluster.sync`"));
}

} // namespace
} // namespace tegula::runtime::test
