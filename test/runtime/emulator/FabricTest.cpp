// Kernels on a fabric: planted faults next to right twins, and what their errors say.
#include "runtime/emulator/Fabric.h"
#include "test/runtime/emulator/RunPtx.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace tegula::runtime::test {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

/// Each is right as it stands.
struct Exchange {
  std::string release = ".release.sys", acquire = ".acquire.sys", before = "bar.sync 0;",
              after = "bar.sync 0;";
  bool closes = true; ///< waits in the end until the peers have read
  bool signals = true, clears = true;
  uint32_t firstWord = 0;
  bool byUnit = false, fenced = true; ///< a bulk copy brings the peer's data, behind a fence
};

/// Thread i of each rank sets a word of rank i's pad and waits for rank i to set one of its own.
std::string meet(const Exchange &how, uint32_t firstWord) {
  const std::string at = std::to_string(firstWord);
  const std::string label = "W" + at, done = "D" + at;
  std::string text = how.before + "\n@!%q0 bra " + done + ";\n";
  // %d3: the peer's pad; %d4: the own pad
  text += "mul.wide.u32 %d5, %r0, 4;\nadd.s64 %d6, %d3, %d5;\nmul.wide.u32 %d7, %r31, 4;\n"
          "add.s64 %d8, %d4, %d7;\n";
  if (how.signals)
    text += "S" + at + ": atom.global" + how.release + ".cas.b32 %r3, [%d6+" + std::to_string(4 * firstWord) +
            "], 0, 1;\nsetp.ne.u32 %q1, %r3, 0;\n@%q1 bra S" + at + ";\n";
  text += label + ": atom.global" + how.acquire + ".cas.b32 %r3, [%d8+" + std::to_string(4 * firstWord) +
          "], 1, " + (how.clears ? "0" : "1") + ";\nsetp.ne.u32 %q1, %r3, 1;\n@%q1 bra " + label + ";\n";
  return text + done + ":\n" + how.after + "\n";
}

/// Thread 0 has the peer's array, at %d13, copied to shared memory; each thread reads its word.
std::string readByUnit(bool fenced) {
  return std::string(R"(setp.eq.u32 %q2, %r31, 0;
mov.u32 %r20, 0;
@%q2 mbarrier.init.shared.b64 [%r20], 1;
fence.mbarrier_init.release.cluster;
bar.sync 0;
@!%q2 bra J;
)") + (fenced ? "fence.proxy.async.global;\n" : "") +
         R"(mbarrier.arrive.expect_tx.shared.b64 _, [%r20], 256;
mov.u32 %r21, 128;
mov.u32 %r22, 256;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r21], [%d13], %r22, [%r20];
J: mbarrier.try_wait.parity.shared.b64 %q3, [%r20], 0;
@!%q3 bra J;
shl.b32 %r23, %r31, 2;
ld.shared.b32 %r7, [%r23+128];
)";
}

/// p0: arrays, p1: pads, p2: rank, p3: world, p4: out. A thread stores rank * 100 + its number, and reads
/// what the same thread of the next rank has stored.
std::string exchangeKernel(const Exchange &how) {
  std::string text = R"(cvt.u32.u64 %r0, %p2;
cvt.u32.u64 %r1, %p3;
setp.lt.u32 %q0, %r31, %r1;
mul.wide.u32 %d0, %r0, 8;
add.s64 %d1, %p0, %d0;
ld.global.b64 %d1, [%d1];
add.s64 %d4, %p1, %d0;
ld.global.b64 %d4, [%d4];
rem.u32 %r4, %r31, %r1;
mul.wide.u32 %d2, %r4, 8;
add.s64 %d3, %p1, %d2;
ld.global.b64 %d3, [%d3];
mul.wide.u32 %d9, %r31, 4;
add.s64 %d10, %d1, %d9;
mad.lo.u32 %r5, %r0, 100, %r31;
st.global.b32 [%d10], %r5;
)";
  text += meet(how, how.firstWord);
  text += R"(add.u32 %r6, %r0, 1;
rem.u32 %r6, %r6, %r1;
mul.wide.u32 %d11, %r6, 8;
add.s64 %d11, %p0, %d11;
ld.global.b64 %d11, [%d11];
mov.b64 %d13, %d11;
add.s64 %d11, %d11, %d9;
)";
  text += how.byUnit ? readByUnit(how.fenced) : "ld.global.b32 %r7, [%d11];\n";
  text += R"(add.s64 %d12, %p4, %d9;
st.global.b32 [%d12], %r7;
)";
  return how.closes ? text + meet({}, how.firstWord + 16) : text;
}

constexpr uint32_t threads = 64;

/// Runs the exchange `times` times on each rank; the text of the error, empty when all went well.
std::string exchange(uint32_t world, uint64_t seed, const Exchange &how, uint32_t times = 2,
                     uint32_t silentRank = ~0u) {
  FabricOptions options;
  options.world = world;
  options.device.seed = seed;
  Result<Fabric> fabric = Fabric::create(options);
  EXPECT_TRUE(bool(fabric));
  const SymmetricArray arrays = *fabric->symmetric(threads * 4), pads = *fabric->signalPads();
  std::vector<DeviceAddress> outs;
  std::vector<std::unique_ptr<LoadedKernel>> kernels;
  for (uint32_t rank = 0; rank < world; ++rank) {
    Exchange mine = how;
    mine.signals = how.signals && rank != silentRank;
    KernelImage image;
    image.entry = "k";
    image.ptx = kernel(exchangeKernel(mine), 5);
    image.numWarps = threads / 32;
    image.paramBytes = 40;
    image.sharedBytes = how.byUnit ? 512 : 0;
    image.sourceFile = "kernel.py";
    EmulatorDevice &device = fabric->device(rank);
    outs.push_back(*device.allocate(threads * 4));
    Result<std::unique_ptr<LoadedKernel>> loaded = device.load(image);
    EXPECT_TRUE(bool(loaded)) << (loaded ? "" : loaded.error().text);
    kernels.push_back(std::move(*loaded));
    const std::vector<uint64_t> params{arrays.addressTables[rank], pads.addressTables[rank], rank, world,
                                       outs[rank]};
    for (uint32_t i = 0; i < times; ++i)
      EXPECT_TRUE(bool(device.launch(*kernels.back(), {}, std::as_bytes(std::span(params)))));
  }
  if (Result<void> done = fabric->synchronize(); !done)
    return done.error().text;
  for (uint32_t rank = 0; rank < world; ++rank) {
    std::vector<uint32_t> values(threads);
    EXPECT_TRUE(bool(fabric->device(rank).copyToHost(values.data(), outs[rank], threads * 4)));
    for (uint32_t i = 0; i < threads; ++i)
      EXPECT_EQ(values[i], (rank + 1) % world * 100 + i);
  }
  return {};
}

/// Expects the fault under every schedule, in all worlds.
void expectFault(const Exchange &how, const std::string &expected) {
  for (const uint32_t world : {2, 3, 4, 8})
    for (uint64_t seed = 0; seed < 20; ++seed)
      EXPECT_THAT(exchange(world, seed, how), ContainsRegex(expected)) << world << " devices, seed " << seed;
}

TEST(Fabric, RightExchangesPass) {
  for (const uint32_t world : {1, 2, 3, 4, 8})
    for (uint64_t seed = 0; seed < 20; ++seed)
      EXPECT_EQ(exchange(world, seed, {}), "") << world << " devices, seed " << seed;
}

TEST(Fabric, UnitsSeeWhatWasWaitedForBehindAFence) {
  for (const uint32_t world : {2, 4})
    for (uint64_t seed = 0; seed < 20; ++seed)
      EXPECT_EQ(exchange(world, seed, {.byUnit = true}), "") << world << " devices, seed " << seed;
  expectFault({.byUnit = true, .fenced = false},
              "`cp.async.bulk` reads rank .'s array 0, byte 0, which rank . wrote at .*PTX line.*: no "
              "`fence.proxy.async` stands behind the wait for it");
}

TEST(Fabric, ReportsAMissingRelease) {
  expectFault({.release = ".relaxed.sys"}, "race between ranks at rank .'s array 0, byte .*(write|read) at "
                                           ".*PTX line.*rank .'s signal at .*PTX line.* does "
                                           "not release");
}

TEST(Fabric, ReportsAMissingAcquire) {
  expectFault(
      {.acquire = ".relaxed.sys"},
      "race between ranks at .*(write|read) at .*PTX line.*rank .'s wait at .*PTX line.* does not acquire");
}

TEST(Fabric, ReportsAMissingBarrierBeforeTheSignal) {
  expectFault(
      {.before = ""},
      "race between ranks at rank .*(write|read) at .*PTX line.*rank . has no barrier before its signal "
      "at .*PTX line");
}

TEST(Fabric, ReportsAMissingBarrierAfterTheWait) {
  expectFault({.after = ""},
              "race between ranks at rank .*PTX line.*rank . has no barrier after its wait at .*PTX line");
}

TEST(Fabric, ReportsANarrowScope) {
  expectFault({.release = ".release.gpu"}, "scope narrower than `sys`, and rank . is another device");
}

TEST(Fabric, ReportsAnArrayOverwrittenTooEarly) {
  expectFault({.closes = false},
              "nothing orders this (write|read) after rank .'s (read|write) at .*PTX line.*rank . has not "
              "waited for a signal "
              "that rank . gives after it has read: a barrier of the ranks is missing in the end");
}

TEST(Fabric, ReportsPadsLeftNonZero) {
  EXPECT_THAT(exchange(2, 0, {.clears = false}, 1),
              ContainsRegex("rank .'s pad, word . is left at 1.*rank . wrote it at .*PTX line"));
}

TEST(Fabric, ReportsPadsThatAreTooSmall) {
  EXPECT_THAT(exchange(2, 0, {.firstWord = 2304}), HasSubstr("'s pad, which has 2304 words"));
}

TEST(Fabric, ReportsWhatEachRankWaitsFor) {
  for (uint64_t seed = 0; seed < 5; ++seed)
    EXPECT_THAT(exchange(2, seed, {}, 1, 1),
                AllOf(HasSubstr("deadlock"), ContainsRegex("rank 0's pad, word 1, seen 0, expected 1")));
}

/// p0: this rank's pad. Block 0 waits for block 1 of its grid.
constexpr const char *waitsForItsGrid = R"(mov.u32 %r0, %ctaid.x;
setp.ne.u32 %q0, %r0, 0;
@%q0 bra SET;
WAIT: ld.acquire.gpu.global.b32 %r1, [%p0];
setp.eq.u32 %q1, %r1, 0;
@%q1 bra WAIT;
bar.sync 0;
mov.u32 %r2, 0;
st.release.gpu.global.b32 [%p0], %r2;
bra END;
SET: mov.u32 %r2, 1;
st.release.gpu.global.b32 [%p0], %r2;
END:
)";

Result<void> runGrid(uint64_t residentBlocks, uint32_t schedules) {
  FabricOptions options;
  options.residentBlocks = residentBlocks;
  options.device.seed = schedules > 1;
  options.device.schedules = schedules;
  Result<Fabric> fabric = Fabric::create(options);
  const SymmetricArray pads = *fabric->signalPads();
  KernelImage image;
  image.entry = "k";
  image.ptx = kernel(waitsForItsGrid);
  image.numWarps = 1;
  image.paramBytes = 8;
  EmulatorDevice &device = fabric->device(0);
  std::unique_ptr<LoadedKernel> loaded = std::move(*device.load(image));
  EXPECT_TRUE(bool(device.launch(*loaded, {2, 1, 1}, std::as_bytes(std::span(&pads.addresses[0], 1)))));
  return (*device.createStream())->synchronize();
}

TEST(Fabric, RunsBlocksThatWaitForEachOther) { EXPECT_TRUE(bool(runGrid(0, 1))); }

TEST(Fabric, ReportsGridsThatAreLargerThanWhatIsResident) {
  const Result<void> done = runGrid(1, 1);
  ASSERT_FALSE(bool(done));
  EXPECT_THAT(done.error().text, AllOf(HasSubstr("deadlock"), HasSubstr("rank 0, block (0,0,0)"),
                                       HasSubstr("1 more blocks have not begun, as 1 fit at once")));
}

TEST(Fabric, RunsUnderSeveralSchedules) {
  EXPECT_TRUE(bool(runGrid(0, 20)));
  const Result<void> done = runGrid(1, 3);
  ASSERT_FALSE(bool(done));
  EXPECT_THAT(done.error().text, ContainsRegex("deadlock.*\\(schedule [123]\\)"));
}

TEST(Fabric, ReportsMemoryThatIsNotMapped) {
  Result<Fabric> made = Fabric::create();
  Fabric &fabric = *made;
  const DeviceAddress theirs = *fabric.device(1).allocate(64);
  KernelImage image;
  image.entry = "k";
  image.ptx = kernel("mov.u32 %r0, 1;\nst.global.b32 [%p0], %r0;");
  image.numWarps = 1;
  image.paramBytes = 8;
  std::unique_ptr<LoadedKernel> loaded = std::move(*fabric.device(0).load(image));
  ASSERT_TRUE(bool(fabric.device(0).launch(*loaded, {}, std::as_bytes(std::span(&theirs, 1)))));
  const Result<void> done = fabric.synchronize();
  ASSERT_FALSE(bool(done));
  EXPECT_THAT(done.error().text, HasSubstr("rank 0 touches memory of rank 1 that it has not mapped"));
}

TEST(Fabric, RefusesClusters) {
  Result<Fabric> fabric = Fabric::create();
  KernelImage image;
  image.entry = "k";
  image.ptx = kernel("", 0);
  image.numWarps = 1;
  image.splits = SplitLoop{{1, std::nullopt}, 1, 2};
  std::unique_ptr<LoadedKernel> loaded = std::move(*fabric->device(0).load(image));
  const Result<void> done = fabric->device(0).launch(*loaded, {}, {}, nullptr, {.clusterBlocks = 2});
  ASSERT_FALSE(bool(done));
  EXPECT_THAT(done.error().text, HasSubstr("clusters of blocks do not run on a fabric"));
}

TEST(Fabric, RefusesEmptyWorlds) {
  EXPECT_EQ(Fabric::create({.world = 0}).error().text, "expected a fabric of 1 to 64 devices, found 0");
}

} // namespace
} // namespace tegula::runtime::test
