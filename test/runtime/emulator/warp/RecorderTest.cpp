// Profiles: counts by instruction, patterns of lanes and addresses against what they cost by hand, events.
#include "test/runtime/emulator/RunPtx.h"

#include <gmock/gmock.h>

namespace tegula::runtime::test {
namespace {

EmulatorOptions profiling() {
  EmulatorOptions options;
  options.profile = true;
  return options;
}

/// The instruction that accesses memory, of a kernel that has one such.
const InstructionProfile &accessOf(const KernelProfile &profile) {
  for (const InstructionProfile &one : profile.instructions)
    if (!one.global.empty() || !one.shared.empty())
      return one;
  ADD_FAILURE() << "no access";
  return profile.instructions.front();
}

/// Loads a word from `%p0` + the byte offset that `body` leaves in %r0.
std::string loadAt(const std::string &body) {
  return kernel(body + "\ncvt.u64.u32 %d0, %r0;\nadd.s64 %d1, %p0, %d0;\nld.global.b32 %r1, [%d1];");
}

struct Case {
  const char *name, *body; ///< the offset of lane %r31, in %r0
  uint64_t sectors, least;
  uint32_t third; ///< the offset of lane 3
};

} // namespace

TEST(Recorder, SectorsOfPatternsAreThoseByHand) {
  const Case cases[] = {
      {"neighbours", "shl.b32 %r0, %r31, 2;", 4, 4, 12},
      {"every second", "shl.b32 %r0, %r31, 3;", 8, 4, 24},
      {"33 words apart", "mul.lo.u32 %r0, %r31, 132;", 32, 4, 396},
      {"one word for all", "mov.u32 %r0, 0;", 1, 1, 0},
      {"backwards", "sub.u32 %r0, 31, %r31;\nshl.b32 %r0, %r0, 2;", 4, 4, 112},
  };
  for (const Case &one : cases) {
    Runner run(profiling());
    const DeviceAddress memory = run.upload(std::vector<uint32_t>(4096, 1));
    ASSERT_EQ(run.launch(loadAt(one.body), {memory}), "") << one.name;
    const KernelProfile profile = run.device.profile();
    const InstructionProfile &access = accessOf(profile);
    EXPECT_EQ(access.counters.loadSectors, one.sectors) << one.name;
    EXPECT_EQ(access.counters.loadSectorsIdeal, one.least) << one.name;
    ASSERT_EQ(access.global.size(), 1u) << one.name;
    EXPECT_EQ(access.global[0].count, 1u) << one.name;
    EXPECT_EQ(access.global[0].mask, ~0u) << one.name;
    EXPECT_EQ(access.global[0].laneBytes, 4u) << one.name;
    EXPECT_EQ(access.global[0].offsets[3], one.third) << one.name;
  }
}

TEST(Recorder, LanesThatTakeNoPartAreNotInTheMask) {
  Runner run(profiling());
  const DeviceAddress memory = run.upload(std::vector<uint32_t>(64, 1));
  ASSERT_EQ(
      run.launch(kernel("setp.ge.u32 %q0, %r31, 28;\nmul.wide.u32 %d0, %r31, 4;\nadd.s64 %d1, %p0, %d0;\n"
                        "@%q0 ld.global.b32 %r1, [%d1+8];"),
                 {memory}),
      "");
  const KernelProfile profile = run.device.profile();
  const AccessPattern &pattern = accessOf(profile).global.at(0);
  EXPECT_EQ(pattern.mask, 0xf0000000u);
  EXPECT_EQ(pattern.offsets[0], 0u);
  EXPECT_EQ(pattern.offsets[28], 0u);
  EXPECT_EQ(pattern.offsets[31], 12u);
  EXPECT_EQ(pattern.alignment, 120u % 128);
}

TEST(Recorder, EightPatternsAreKeptAndAllRequestsCounted) {
  Runner run(profiling());
  const DeviceAddress memory = run.upload(std::vector<uint32_t>(32 * 40, 1));
  // In round i lane l reads word l * i: twelve distinct patterns, and the first one twice more.
  const std::string body = "mov.u32 %r2, 1;\nAGAIN:\nmul.lo.u32 %r0, %r31, %r2;\nmul.wide.u32 %d0, %r0, 4;\n"
                           "add.s64 %d1, %p0, %d0;\nld.global.b32 %r1, [%d1];\nadd.u32 %r2, %r2, 1;\n"
                           "setp.le.u32 %q0, %r2, 12;\n@%q0 bra AGAIN;";
  ASSERT_EQ(run.launch(kernel(body), {memory}), "");
  const KernelProfile profile = run.device.profile();
  const InstructionProfile &access = accessOf(profile);
  EXPECT_EQ(access.counters.loadRequests, 12u);
  EXPECT_EQ(access.global.size(), maxPatterns);
}

TEST(Recorder, LoadsOfTheSameAddressesAreRepeatedUnlessTheyWaitForOthers) {
  const std::string loop = "mov.u32 %r2, 0;\nAGAIN:\nmul.wide.u32 %d0, %r31, 4;\nadd.s64 %d1, %p0, %d0;\n"
                           "{}\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %q0, %r2, 12;\n@%q0 bra AGAIN;";
  const auto repeated = [&](std::string load) {
    Runner run(profiling());
    const DeviceAddress memory = run.upload(std::vector<uint32_t>(4096, 1));
    std::string body = loop;
    // Two warps: what the other one has loaded does not count.
    EXPECT_EQ(run.launch(kernel(body.replace(body.find("{}"), 2, load)), {memory}, 2), "");
    return accessOf(run.device.profile()).repeatedSectors;
  };
  EXPECT_EQ(repeated("ld.global.b32 %r1, [%d1];"), 2u * 11 * 4);
  EXPECT_EQ(repeated("ld.volatile.global.b32 %r1, [%d1];"), 0u);
  EXPECT_EQ(
      repeated(
          "shl.b32 %r0, %r2, 7;\ncvt.u64.u32 %d0, %r0;\nadd.s64 %d1, %d1, %d0;\nld.global.b32 %r1, [%d1];"),
      0u);
  // Every third time the same: by the last four requests that is noticed.
  EXPECT_EQ(
      repeated("rem.u32 %r0, %r2, 3;\nshl.b32 %r0, %r0, 7;\ncvt.u64.u32 %d0, %r0;\nadd.s64 %d1, %d1, %d0;\n"
               "ld.global.b32 %r1, [%d1];"),
      2u * 9 * 4);
  EXPECT_EQ(
      repeated("rem.u32 %r0, %r2, 6;\nshl.b32 %r0, %r0, 7;\ncvt.u64.u32 %d0, %r0;\nadd.s64 %d1, %d1, %d0;\n"
               "ld.global.b32 %r1, [%d1];"),
      0u);
}

TEST(Recorder, AnAtomicCountsItsChangesAndElements) {
  Runner run(profiling());
  const DeviceAddress memory = run.upload(std::vector<uint32_t>(4096, 1));
  ASSERT_EQ(run.launch(kernel("and.b32 %r0, %r31, 7;\nmul.wide.u32 %d0, %r0, 4;\nadd.s64 %d1, %p0, %d0;\n"
                              "red.global.add.u32 [%d1], 1;"),
                       {memory}, 2, {3, 1, 1}),
            "");
  const InstructionProfile access = accessOf(run.device.profile());
  EXPECT_EQ(access.atomicChanges, 2u * 3 * 32);
  EXPECT_EQ(access.atomicElements, 8u);
}

TEST(Recorder, AnAtomicOfVectorsChangesWords) {
  Runner run(profiling());
  const DeviceAddress memory = run.upload(std::vector<float>(4096, 1));
  ASSERT_EQ(run.launch(kernel("mul.wide.u32 %d0, %r31, 16;\nadd.s64 %d1, %p0, %d0;\n"
                              "red.relaxed.gpu.global.add.v4.f32 [%d1], {%r31, %r31, %r31, %r31};"),
                       {memory}),
            "");
  const InstructionProfile access = accessOf(run.device.profile());
  EXPECT_EQ(access.atomicChanges, 128u);
  EXPECT_EQ(access.atomicElements, 128u);
}

TEST(Recorder, PassesOfSharedMemoryAreLeastAndConflicts) {
  Runner run(profiling());
  const DeviceAddress unused = run.upload(std::vector<uint32_t>(1, 1));
  // A column of rows of 32 words: all lanes in one bank. 16 bytes a lane take four passes at least.
  ASSERT_EQ(run.launch(kernel("shl.b32 %r0, %r31, 7;\nst.shared.b32 [%r0], %r31;"), {unused}, 1, {}, 4096),
            "");
  KernelProfile profile = run.device.profile();
  EXPECT_EQ(accessOf(profile).sharedPassesLeast, 1u);
  EXPECT_EQ(accessOf(profile).counters.bankConflicts, 31u);
  EXPECT_TRUE(accessOf(profile).isStore);
  ASSERT_EQ(run.launch(kernel("shl.b32 %r0, %r31, 4;\nst.shared.v4.b32 [%r0], {%r31, %r31, %r31, %r31};"),
                       {unused}, 1, {}, 4096),
            "");
  profile = run.device.profile();
  EXPECT_EQ(accessOf(profile).sharedPassesLeast, 4u);
  EXPECT_EQ(accessOf(profile).counters.bankConflicts, 0u);
}

TEST(Recorder, InstructionsAddUpToTheReport) {
  Runner run(profiling());
  const DeviceAddress memory = run.upload(std::vector<uint32_t>(4096, 1));
  const std::string text = loadAt("shl.b32 %r0, %r31, 2;");
  for (int launches = 0; launches < 2; ++launches)
    ASSERT_EQ(run.launch(text, {memory}, 2, {3, 1, 1}), "");
  Counters sum;
  for (const InstructionProfile &one : run.device.profile().instructions)
    sum += one.counters;
  // Each launch loads the text anew, so the profile is of the second one alone.
  sum += sum;
  EXPECT_EQ(sum, run.device.report().total);
}

TEST(Recorder, EventsAreThoseOfTheFirstBlock) {
  Runner run(profiling());
  const DeviceAddress memory = run.upload(std::vector<uint32_t>(256, 1));
  const std::string body = "mul.wide.u32 %d0, %r31, 4;\nadd.s64 %d1, %p0, %d0;\nshl.b32 %r0, %r31, 2;\n"
                           "cp.async.ca.shared.global [%r0], [%d1], 4;\ncp.async.commit_group;\n"
                           "cp.async.wait_group 0;\nbar.sync 0;";
  ASSERT_EQ(run.launch(kernel(body), {memory}, 2, {4, 1, 1}, 4096), "");
  const KernelProfile profile = run.device.profile();
  std::vector<std::string> first;
  uint64_t step = 0;
  for (const BlockEvent &event : profile.events) {
    if (event.warp == 0)
      first.push_back(profile.eventKinds.at(event.kind));
    EXPECT_GE(event.step, step);
    step = event.step;
  }
  EXPECT_THAT(first, ::testing::ElementsAre("copy", "copies committed", "copies awaited", "barrier"));
  EXPECT_EQ(profile.events.size(), 8u);
  EXPECT_EQ(profile.followed, (std::array<uint32_t, 3>{0, 0, 0}));
  EXPECT_EQ(profile.eventsDropped, 0u);
}

TEST(Recorder, OtherSchedulesDoNotCount) {
  EmulatorOptions options = profiling();
  options.schedules = 3;
  Runner run(options);
  const DeviceAddress memory = run.upload(std::vector<uint32_t>(4096, 1));
  ASSERT_EQ(run.launch(loadAt("shl.b32 %r0, %r31, 2;"), {memory}), "");
  const KernelProfile profile = run.device.profile();
  EXPECT_EQ(accessOf(profile).global[0].count, 1u);
  EXPECT_EQ(accessOf(profile).counters.loadRequests, 1u);
}

TEST(Recorder, ThereIsNoProfileWhereNobodyAsks) {
  Runner run;
  const DeviceAddress memory = run.upload(std::vector<uint32_t>(4096, 1));
  ASSERT_EQ(run.launch(loadAt("shl.b32 %r0, %r31, 2;"), {memory}), "");
  EXPECT_TRUE(run.device.profile().instructions.empty());
  run.device.resetReport();
}

TEST(Recorder, ResetsWithTheReport) {
  Runner run(profiling());
  const DeviceAddress memory = run.upload(std::vector<uint32_t>(4096, 1));
  ASSERT_EQ(run.launch(loadAt("shl.b32 %r0, %r31, 2;"), {memory}), "");
  run.device.resetReport();
  EXPECT_TRUE(run.device.profile().instructions.empty());
}

} // namespace tegula::runtime::test
