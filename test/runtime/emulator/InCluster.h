// PTX that runs in clusters, for tests of what their blocks do with each other's memory.
#pragma once

#include "test/runtime/emulator/RunPtx.h"

#include <gmock/gmock.h>

namespace tegula::runtime::test {

/// Seeds that the tests go through; 0 is the natural order.
inline constexpr uint64_t seeds = 12;

/// %r10 is the block's number, %r11 its rank, %r12 the size of its cluster; `.loc 1 N 1` is planted.py:N.
inline std::string inCluster(const std::string &body, unsigned params = 1) {
  return kernel(
      "mov.u32 %r10, %ctaid.x;\nmov.u32 %r11, %cluster_ctarank;\nmov.u32 %r12, %cluster_nctarank;\n" + body,
      params, ".file 1 \"planted.py\"\n.extern .shared .align 16 .b8 memory[];\n");
}

inline const std::string arrive = "barrier.cluster.arrive.release.aligned;\n",
                         wait = "barrier.cluster.wait.acquire.aligned;\n";
inline const std::string meet = arrive + wait;
/// Each thread puts 1000 * block + thread into the word of its number.
inline const std::string give =
    "mad.lo.u32 %r13, %r10, 1000, %r31;\nshl.b32 %r14, %r31, 2;\nmov.u32 %r15, memory;\n"
    "add.u32 %r15, %r15, %r14;\n.loc 1 20 1\nst.shared.b32 [%r15], %r13;\n";
/// Reads the word of the thread's number in the block whose rank is in %r16 to %r17.
inline const std::string take =
    "mapa.shared::cluster.u32 %r18, %r15, %r16;\n.loc 1 30 1\nld.shared::cluster.b32 %r17, [%r18];\n";
/// Stores %r17 to the word of the thread among all.
inline const std::string keep =
    "mov.u32 %r20, %ntid.x;\nmad.lo.u32 %r20, %r10, %r20, %r31;\nmul.wide.u32 %d0, %r20, 4;\n"
    "add.s64 %d0, %p0, %d0;\nst.global.b32 [%d0], %r17;\n";
/// %r16 becomes the rank of the next block, round the cluster.
inline const std::string next = "add.u32 %r16, %r11, 1;\nrem.u32 %r16, %r16, %r12;\n";

struct ClusterRunner : Runner {
  ClusterRunner(uint32_t blocks, uint64_t seed) : Runner({.seed = seed}) { clusterBlocks = blocks; }
  std::string run(const std::string &body, uint32_t clusters = 1, uint32_t warps = 1, uint32_t bytes = 1024) {
    out = upload(std::vector<uint32_t>(size_t(clusters) * clusterBlocks * warps * 32));
    return launch(inCluster(body), {out}, warps, {clusters, 1, 1}, bytes);
  }
  DeviceAddress out = 0;
};

/// Rank 1 goes on once rank 0 has been here: but no one orders what they do.
inline const std::string signal =
    "setp.ne.u32 %q3, %r11, 0;\n@%q3 bra SPIN;\nst.volatile.global.b32 [%p0], 1;\nbra SEEN;\nSPIN:\n"
    "ld.volatile.global.b32 %r21, [%p0];\nsetp.ne.u32 %q4, %r21, 1;\n@%q4 bra SPIN;\nSEEN:\n";

/// Runs `body` under every seed, of which each must end with an error that has all of `parts`.
template <typename... Parts> void expectFaults(const std::string &body, Parts... parts) {
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    ClusterRunner run(2, seed);
    EXPECT_THAT(run.run(body), ::testing::AllOf(::testing::HasSubstr(parts)...)) << seed;
  }
}

} // namespace tegula::runtime::test
