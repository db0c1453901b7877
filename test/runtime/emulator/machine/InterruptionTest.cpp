// A launch that takes too long is given up when the program says so, and the device goes on working.
#include "runtime/device/Interruption.h"
#include "test/runtime/emulator/RunPtx.h"

#include <chrono>

namespace tegula::runtime::test {
namespace {

/// Says that a launch is to be given up, as long as it lives.
struct Impatient {
  Impatient() {
    setInterruptCheck([](void *asked) { return ++*static_cast<int *>(asked) > 0; }, &asked);
  }
  ~Impatient() { setInterruptCheck(nullptr, nullptr); }
  int asked = 0;
};

constexpr const char *counting =
    "mov.u32 %r0, 0;\nLOOP:\nadd.u32 %r0, %r0, 1;\nsetp.ne.u32 %q0, %r0, 0;\n@%q0 bra LOOP;";

TEST(Interruption, EndsALaunchAtOnce) {
  for (const uint64_t seed : {0, 1}) {
    EmulatorOptions options;
    options.seed = seed;
    Runner run(options);
    {
      const Impatient check;
      const auto begin = std::chrono::steady_clock::now();
      EXPECT_EQ(run.launch(kernel(counting), {0}, 4, {8, 1, 1}), "kernel `k` was interrupted");
      EXPECT_EQ(run.kind, ErrorKind::Interrupted);
      EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
      EXPECT_GT(check.asked, 0);
    }
    const DeviceAddress x = run.fresh(4);
    EXPECT_EQ(run.launch(kernel("st.global.b32 [%p0], 7;"), {x}), "");
    EXPECT_EQ(run.download<uint32_t>(x, 1)[0], 7u);
  }
}

TEST(Interruption, ShortLaunchesAskNobody) {
  Runner run;
  const Impatient check;
  EXPECT_EQ(run.launch(kernel(""), {0}), "");
}

} // namespace
} // namespace tegula::runtime::test
