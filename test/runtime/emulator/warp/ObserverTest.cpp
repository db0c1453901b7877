// Observers: they see every instruction, change no schedule, and may give a launch up.
#include "runtime/emulator/warp/Observer.h"
#include "runtime/emulator/warp/BlockState.h"
#include "runtime/emulator/warp/Warp.h"
#include "test/runtime/emulator/RunPtx.h"

namespace tegula::runtime::test {
namespace {

/// Counts what it is told, and gives up in front of instruction number `limit`.
struct Counting final : ptx::Observer {
  bool launchBegins(ptx::LaunchContext &) override {
    ++launches;
    return true;
  }
  void blockBegins(ptx::BlockState &, std::span<ptx::Warp> warps) override {
    ++begun;
    EXPECT_EQ(warps.size(), 3u);
  }
  bool before(ptx::Warp &warp) override {
    EXPECT_EQ(warp.state, ptx::Warp::State::Ready);
    EXPECT_EQ(warp.upcoming().inst, &warp.function->code[warp.pc]);
    EXPECT_EQ(warp.upcoming().active, warp.active);
    return ++instructions < limit;
  }
  void blockEnds(ptx::BlockState &) override { ++ended; }
  void faulted(ptx::LaunchContext &launch) override {
    faults.push_back(launch.faultThread);
    EXPECT_NE(launch.fault.find(launch.faultThread.text), std::string::npos);
  }

  uint64_t limit = ~uint64_t(0), launches = 0, begun = 0, ended = 0, instructions = 0;
  std::vector<ptx::FaultyThread> faults;
};

/// Threads of three warps draw tickets on paths of different lengths, meet at a barrier and draw again.
std::string tickets() {
  return kernel(R"(
    and.b32 %r2, %r31, 3;
    mov.u32 %r3, 0;
again:
    add.u32 %r3, %r3, 1;
    setp.le.u32 %q0, %r3, %r2;
    @%q0 bra again;
    atom.global.add.u32 %r4, [%p0], 1;
    bar.sync 0;
    setp.lt.u32 %q1, %r31, 40;
    @%q1 bra skip;
    atom.global.add.u32 %r5, [%p0], 1;
    add.u32 %r4, %r4, %r5;
skip:
    mov.u32 %r6, %ctaid.x;
    mad.lo.u32 %r7, %r6, 96, %r31;
    mul.wide.u32 %d0, %r7, 4;
    add.u64 %d1, %p1, %d0;
    st.global.u32 [%d1], %r4;)",
                2);
}

struct Outcome {
  std::string error;
  std::vector<uint32_t> tickets;
  Counters total;
};

Outcome launchUnder(uint64_t seed, ptx::Observer *observer, const std::string &text = tickets()) {
  EmulatorOptions options;
  options.seed = seed;
  options.observer = observer;
  Runner run(options);
  const DeviceAddress counter = run.upload(std::vector<uint32_t>(1, 0));
  const DeviceAddress out = run.upload(std::vector<uint32_t>(4 * 96, 0));
  Outcome outcome{run.launch(text, {counter, out}, 3, {4}), {}, {}};
  outcome.tickets = run.download<uint32_t>(out, 4 * 96);
  outcome.total = run.device.report().total;
  return outcome;
}

} // namespace

TEST(Observer, ChangesNoScheduleAndSeesEveryInstruction) {
  for (uint64_t seed = 0; seed < 12; ++seed) {
    Counting counting;
    const Outcome alone = launchUnder(seed, nullptr), watched = launchUnder(seed, &counting);
    EXPECT_EQ(alone.error, "");
    EXPECT_EQ(watched.error, "");
    EXPECT_EQ(alone.tickets, watched.tickets) << seed;
    EXPECT_EQ(alone.total, watched.total) << seed;
    EXPECT_EQ(counting.instructions, alone.total.warpInstructions) << seed;
    EXPECT_EQ(counting.launches, 1u);
    EXPECT_EQ(counting.begun, 4u);
    EXPECT_EQ(counting.ended, 4u);
  }
}

TEST(Observer, IsToldOfTheThreadOfAFault) {
  const std::string text = kernel("setp.eq.u32 %q0, %r31, 70;\n@%q0 st.global.u32 [%p0+64], %r31;", 2);
  for (uint64_t seed = 0; seed < 3; ++seed) {
    Counting counting;
    const Outcome alone = launchUnder(seed, nullptr, text), watched = launchUnder(seed, &counting, text);
    EXPECT_EQ(alone.error, watched.error);
    ASSERT_EQ(counting.faults.size(), 1u);
    EXPECT_EQ(counting.faults[0].warp, 2u);
    EXPECT_EQ(counting.faults[0].lane, 6u);
    ASSERT_NE(counting.faults[0].at, nullptr);
  }
}

TEST(Observer, GivesUp) {
  Counting counting;
  counting.limit = 20;
  const Outcome given = launchUnder(0, &counting);
  EXPECT_NE(given.error, "");
  EXPECT_EQ(counting.instructions, 20u);
  EXPECT_TRUE(counting.faults.empty());
}

} // namespace tegula::runtime::test
