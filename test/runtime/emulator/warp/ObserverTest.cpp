// Observers: they see every instruction, change no schedule, and may give a launch up.
#include "runtime/emulator/warp/Observer.h"
#include "runtime/emulator/warp/BlockState.h"
#include "runtime/emulator/warp/Warp.h"
#include "runtime/emulator/warp/Write.h"
#include "test/runtime/emulator/RunPtx.h"

#include <cstring>

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

/// Keeps what it is told of writes to global and shared memory.
struct Writes final : ptx::Observer {
  bool launchBegins(ptx::LaunchContext &) override { return true; }
  void blockBegins(ptx::BlockState &, std::span<ptx::Warp>) override {}
  bool before(ptx::Warp &) override { return true; }
  void writes(const ptx::Write &write) override {
    uint32_t before = 0, operand = 0;
    std::memcpy(&before, write.target.bytes, 4);
    std::memcpy(&operand, write.operands, 4);
    all.push_back({write.kind, write.target.space, write.warp.index * 32 + write.lane, before, operand});
  }
  void blockEnds(ptx::BlockState &) override {}
  void faulted(ptx::LaunchContext &) override {}

  struct One {
    ptx::WriteKind kind;
    ptx::Space space;
    uint32_t thread, before, operand;
  };
  std::vector<One> all;
};

TEST(Observer, IsToldOfWritesBeforeTheBytesChange) {
  const std::string text = kernel(R"(
    setp.ne.u32 %q0, %r31, 70;
    @%q0 bra end;
    mov.u32 %r1, 5;
    st.global.u32 [%p0], %r1;
    atom.global.add.u32 %r2, [%p0], 3;
    atom.global.cas.b32 %r2, [%p0], 7, 9;
    atom.global.cas.b32 %r2, [%p0], 8, 9;
    atom.global.exch.b32 %r2, [%p0], 11;
    red.global.min.s32 [%p0], 4;
end:)",
                                  2);
  Writes seen;
  const Outcome outcome = launchUnder(0, &seen, text);
  EXPECT_EQ(outcome.error, "");
  // Four blocks, and each but the first finds what the one before has left.
  ASSERT_EQ(seen.all.size(), 4 * 5u);
  using Kind = ptx::WriteKind;
  const std::pair<Kind, std::pair<uint32_t, uint32_t>> wanted[] = {{Kind::Store, {0, 5}},
                                                                   {Kind::Add, {5, 3}},
                                                                   {Kind::Swap, {8, 8}},
                                                                   {Kind::Store, {9, 11}},
                                                                   {Kind::Min, {11, 4}}};
  for (size_t i = 0; i < std::size(wanted); ++i) {
    EXPECT_EQ(seen.all[i].kind, wanted[i].first) << i;
    EXPECT_EQ(seen.all[i].before, wanted[i].second.first) << i;
    EXPECT_EQ(seen.all[i].operand, wanted[i].second.second) << i;
    EXPECT_EQ(seen.all[i].thread, 70u);
    EXPECT_EQ(seen.all[i].space, ptx::Space::Global);
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
