// Loads of what another block of the launch stores: a race whichever comes first, under any schedule.

#include "test/runtime/emulator/ExpectFault.h"

#include <cstdlib>

namespace tegula::runtime::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// Code for block 0 and for the others, by one thread each.
static std::string byBlock(const std::string &first, const std::string &others) {
  return kernel("setp.ne.u32 %q0, %r31, 0;\n@%q0 exit;\nmov.u32 %r2, %ctaid.x;\nsetp.ne.u32 %q1, %r2, 0;\n"
                "@%q1 bra OTHERS;\n" +
                    first + "exit;\nOTHERS:\n" + others,
                2);
}

class LoadsBetweenBlocks : public testing::Test {
protected:
  static EmulatorOptions options(uint64_t seed) {
    EmulatorOptions options;
    options.seed = seed;
    options.checkLoadsBetweenBlocks = true;
    return options;
  }
  /// Launches two blocks on x, which holds 9, and a zero.
  static std::string launch(const std::string &ptx, const EmulatorOptions &options) {
    Runner run(options);
    const DeviceAddress x = run.upload(std::vector<uint32_t>(2, 9)),
                        flag = run.upload(std::vector<uint32_t>(1, 0));
    return run.launch(ptx, {x, flag}, 1, {2, 1, 1});
  }
};

TEST_F(LoadsBetweenBlocks, AreRacesWhicheverComesFirst) {
  const std::string store = "st.global.b32 [%p0], 5;\n", load = "ld.global.b32 %r3, [%p0];\n";
  for (uint64_t seed = 0; seed < 8; ++seed) {
    for (const std::string &ptx : {byBlock(store, load), byBlock(load, store)})
      EXPECT_THAT(launch(ptx, options(seed)),
                  AllOf(HasSubstr("race on the global byte at"), HasSubstr("by another block at"),
                        HasSubstr(", and nothing orders the blocks")));
    // A load of a value that does not change has one result.
    EXPECT_EQ(launch(byBlock("st.global.b32 [%p0], 9;\n", load), options(seed)), "");
    EXPECT_EQ(launch(byBlock(store, "ld.global.b32 %r3, [%p0+4];\n"), options(seed)), "");
  }
  EXPECT_THAT(launch(byBlock(store, load), options(0)), HasSubstr("this read and the write by"));
  EXPECT_THAT(launch(byBlock(load, store), options(0)), HasSubstr("this write and the read by"));
  EXPECT_EQ(launch(byBlock(store, load), {}), "");
}

TEST_F(LoadsBetweenBlocks, OfSeveralReadersOneIsAnotherBlock) {
  // The last block to load is the one that stores.
  Runner run(options(0));
  const DeviceAddress x = run.upload(std::vector<uint32_t>(1, 9));
  const std::string body = "setp.ne.u32 %q0, %r31, 0;\n@%q0 exit;\nld.global.b32 %r3, [%p0];\n"
                           "mov.u32 %r2, %ctaid.x;\nsetp.ne.u32 %q1, %r2, 2;\n@%q1 exit;\n"
                           "st.global.b32 [%p0], 5;\n";
  EXPECT_THAT(run.launch(kernel(body), {x}, 1, {3, 1, 1}),
              HasSubstr("this write and the read by another block"));
  EXPECT_EQ(run.launch(kernel(body), {run.upload(std::vector<uint32_t>(1, 5))}, 1, {3, 1, 1}), "");
}

TEST_F(LoadsBetweenBlocks, AreOrderedByAnAcquireOfWhatWasReleased) {
  const auto ptx = [](const std::string &release, const std::string &acquire) {
    return byBlock("st.global.b32 [%p0], 5;\nst." + release + ".gpu.global.b32 [%p1], 1;\n",
                   "L:\nld." + acquire +
                       ".gpu.global.b32 %r3, [%p1];\nsetp.eq.u32 %q1, %r3, 0;\n@%q1 bra L;\n"
                       "ld.global.b32 %r3, [%p0];\n");
  };
  for (uint64_t seed = 0; seed < 8; ++seed) {
    EXPECT_EQ(launch(ptx("release", "acquire"), options(seed)), "");
    EXPECT_THAT(launch(ptx("relaxed", "acquire"), options(seed)), HasSubstr("nothing orders the blocks"));
    EXPECT_THAT(launch(ptx("release", "relaxed"), options(seed)), HasSubstr("nothing orders the blocks"));
    // Strong accesses of both are no race.
    EXPECT_EQ(
        launch(byBlock("st.relaxed.gpu.global.b32 [%p0], 5;\n", "ld.relaxed.gpu.global.b32 %r3, [%p0];\n"),
               options(seed)),
        "");
  }
}

TEST_F(LoadsBetweenBlocks, ProgramsThatShareABlockAreTreatedAlike) {
  // Lane 0 of warp 0 stores, that of warp 1 loads.
  const std::string ptx = kernel("setp.gt.u32 %q0, %r31, 0;\n@!%q0 st.global.b32 [%p0], 5;\n"
                                 "setp.ne.u32 %q0, %r31, 32;\n@!%q0 ld.global.b32 %r3, [%p0];",
                                 2);
  const auto launchShared = [&](const std::string &text, const EmulatorOptions &options) {
    Runner run(options);
    run.programsPerBlock = 2;
    return run.launch(text, {run.upload(std::vector<uint32_t>(1, 9)), 0}, 2);
  };
  EXPECT_EQ(launchShared(ptx, {}), "");
  EXPECT_THAT(launchShared(ptx, options(0)), AllOf(HasSubstr("this read and the write by another program at"),
                                                   HasSubstr(", and nothing orders the programs")));
  const std::string both =
      kernel("and.b32 %r2, %r31, 31;\nsetp.ne.u32 %q0, %r2, 0;\n@!%q0 st.global.b32 [%p0], %r31;", 2);
  EXPECT_THAT(launchShared(both, {}), HasSubstr("differ, and nothing orders the programs"));
}

TEST_F(LoadsBetweenBlocks, AreLookedForUnderSchedulesUnlessTheProgramMeansThem) {
  const std::string ptx = byBlock("st.global.b32 [%p0], 5;\n", "ld.global.b32 %r3, [%p0];\n");
  EXPECT_EQ(launch(ptx, optionsFor(0)), "");
  EXPECT_THAT(launch(ptx, optionsFor(3)), HasSubstr("nothing orders the blocks (schedule 1)"));
  ASSERT_EQ(setenv("TEGULA_UNORDERED_LOADS", "1", 1), 0);
  EXPECT_EQ(launch(ptx, optionsFor(3)), "");
  unsetenv("TEGULA_UNORDERED_LOADS");
}

} // namespace
} // namespace tegula::runtime::test
