// Tuning with a compiler that counts, on the emulator.
#include "runtime/jit/tune/Tuner.h"
#include "runtime/emulator/EmulatorDevice.h"
#include "test/runtime/jit/FakeCompiler.h"

#include <gtest/gtest.h>

#include <map>

using namespace tegula;
using namespace tegula::jit;

namespace {

class TunerTest : public testing::Test {
protected:
  void SetUp() override {
    test::takeCompiledSpecs();
    request.device = device;
    request.program = JitProgram::parse(testing::UnitTest::GetInstance()->current_test_info()->name(), "");
    request.kernel = *request.program->source().find("scale");
    request.arguments = [&](const JitKernel &) {
      return std::vector{HostValue::pointer(address, ScalarKind::Float32), HostValue::integer(5),
                         HostValue::floating(0.5)};
    };
    request.milliseconds = request.warmupMilliseconds = 0;
  }
  void add(TuneConfig config) {
    request.tried.push_back(request.configs.size());
    request.configs.push_back(std::move(config));
  }
  static TuneConfig config(uint32_t warps, uint32_t maxRegisters = 0, uint32_t ctas = 1) {
    TuneConfig made;
    made.options.numWarps = warps;
    made.options.maxRegisters = maxRegisters;
    made.options.launch.clusterBlocks = ctas;
    return made;
  }

  std::shared_ptr<runtime::Device> device = std::make_shared<runtime::EmulatorDevice>();
  runtime::DeviceAddress address = *device->allocate(4 * 1024);
  TuneRequest request;
};

TEST_F(TunerTest, WhatCannotFitIsNotCompiled) {
  add(config(32, 255));
  add(config(4));
  auto trials = tune(request);
  ASSERT_TRUE(trials) << trials.error().text;
  ASSERT_EQ(trials->size(), 2u);
  EXPECT_EQ((*trials)[0].skipped,
            "maxnreg=255 for 1024 threads allows 261120 registers, a multiprocessor has 65536");
  EXPECT_TRUE((*trials)[1].times);
  EXPECT_EQ(test::takeCompiledSpecs().size(), 1u);
}

TEST_F(TunerTest, ReasonsWhyABlockDoesNotFit) {
  EXPECT_EQ(whyUnfit(*device, config(4)), "");
  EXPECT_EQ(whyUnfit(*device, config(8, 255)), "") << "255 registers for each of 256 threads are there";
  EXPECT_EQ(whyUnfit(*device, config(64)),
            "num_warps=64 makes blocks of 2048 threads, the device has at most 1024");
  EXPECT_EQ(whyUnfit(*device, config(4, 0, 2)), "") << "Hopper has clusters";
  TuneConfig clusters = config(4, 0, 2);
  clusters.options.arch = "sm_80";
  EXPECT_EQ(whyUnfit(*device, clusters), "num_ctas=2 makes clusters of blocks, which `sm_80` does not have");
}

/// Trials whose medians are `medians`; one of 0 was skipped.
std::vector<Trial> trialsOf(std::initializer_list<double> medians) {
  std::vector<Trial> trials;
  for (double median : medians) {
    Trial &trial = trials.emplace_back();
    trial.config = trials.size() - 1;
    if (median > 0)
      trial.times = Trial::Times{median, median, median, 3};
  }
  return trials;
}

TEST_F(TunerTest, ThoseNearTheFastestMeetAgain) {
  EXPECT_EQ(finalists(trialsOf({1.05, 3, 0, 1, 1.11})), (std::vector<size_t>{3, 0}));
  EXPECT_EQ(finalists(trialsOf({1.01, 1.05, 1.02, 1.04, 1, 1.03})), (std::vector<size_t>{4, 0, 2, 5}));
  EXPECT_TRUE(finalists(trialsOf({1, 2})).empty()) << "nothing is to be decided";
  EXPECT_TRUE(finalists(trialsOf({0, 0})).empty());
  EXPECT_TRUE(finalists({}).empty());
}

TEST_F(TunerTest, TheTimesThatCountAreTold) {
  add(config(4));
  add(config(4));
  std::map<size_t, Trial::Times> told;
  auto trials = tune(request, {}, [&](const Trial &trial) { told[trial.config] = *trial.times; });
  ASSERT_TRUE(trials) << trials.error().text;
  for (const Trial &trial : *trials) {
    EXPECT_EQ(told[trial.config].median, trial.times->median);
    EXPECT_EQ(trial.times->launches, 3u);
  }
}

TEST_F(TunerTest, OnlyWhatIsToBeTriedIs) {
  add(config(4));
  add(config(8));
  request.tried = {1};
  auto trials = tune(request);
  ASSERT_TRUE(trials) << trials.error().text;
  ASSERT_EQ(trials->size(), 1u);
  EXPECT_EQ(trials->front().config, 1u);
  EXPECT_EQ(fastest(*trials), &trials->front());
}

} // namespace
