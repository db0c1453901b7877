// Tuning by several ranks, which are threads here, on the emulator.
#include "runtime/jit/tune/RankTuner.h"
#include "runtime/emulator/EmulatorDevice.h"
#include "test/runtime/jit/FakeCompiler.h"

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <map>
#include <thread>

using namespace tegula;
using namespace tegula::jit;
using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

namespace {

/// Carries offers between threads.
class Board {
public:
  explicit Board(uint32_t world) : world(world) {}

  Agreement of(uint32_t rank) {
    auto turns = std::make_shared<std::map<std::string, int>>();
    return {rank, world, [this, rank, turns](const std::string &key, const std::string &offer) {
              return agree(rank, key + "#" + std::to_string((*turns)[key]++), offer);
            }};
  }

  std::map<std::string, std::map<uint32_t, std::string>> offers; ///< all that were made

private:
  Result<std::string> agree(uint32_t rank, const std::string &key, const std::string &offer) {
    std::unique_lock lock(mutex);
    offers[key][rank] = offer;
    changed.notify_all();
    if (!changed.wait_for(lock, std::chrono::seconds(20), [&] { return offers[key].size() == world; }))
      return Error{ErrorKind::Io, "a rank did not offer `" + key + "`"};
    std::vector<std::string> all;
    for (const auto &[_, text] : offers[key])
      all.push_back(text);
    return pack(all);
  }

  uint32_t world;
  std::mutex mutex;
  std::condition_variable changed;
};

class RankTunerTest : public testing::Test {
protected:
  void SetUp() override { test::takeCompiledSpecs(); }

  TuneRequest requestOf(std::initializer_list<uint32_t> warps, const char *arch = "sm_90a") {
    TuneRequest request;
    runtime::EmulatorOptions options;
    options.arch = arch;
    request.device = std::make_shared<runtime::EmulatorDevice>(options);
    request.program = JitProgram::parse(testing::UnitTest::GetInstance()->current_test_info()->name(), "");
    request.kernel = *request.program->source().find("scale");
    const runtime::DeviceAddress address = *request.device->allocate(4 * 1024);
    request.arguments = [address](const JitKernel &) {
      return std::vector{HostValue::pointer(address, ScalarKind::Float32), HostValue::integer(5),
                         HostValue::floating(0.5)};
    };
    request.milliseconds = request.warmupMilliseconds = 0;
    for (uint32_t each : warps) {
      request.tried.push_back(request.configs.size());
      request.configs.emplace_back().options.numWarps = each;
    }
    return request;
  }

  /// Returns what each rank gets, whose request has its place.
  std::vector<Result<std::vector<Trial>>> tuneAll(std::vector<TuneRequest> requests) {
    const auto world = uint32_t(requests.size());
    std::vector<Result<std::vector<Trial>>> found(world, Error{ErrorKind::Io, "not asked"});
    std::vector<std::jthread> ranks;
    for (uint32_t rank = 0; rank < world; ++rank)
      ranks.emplace_back([&, rank] { found[rank] = tuneByRanks(requests[rank], board.of(rank)); });
    ranks.clear();
    return found;
  }

  Board board{2};
};

TEST_F(RankTunerTest, AllRanksGetTheSameTimes) {
  auto found = tuneAll({requestOf({4, 8, 2}), requestOf({4, 8, 2})});
  for (auto &one : found)
    ASSERT_TRUE(one) << one.error().text;
  ASSERT_EQ(found[0]->size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    ASSERT_TRUE((*found[0])[i].times && (*found[1])[i].times);
    EXPECT_EQ((*found[0])[i].times->median, (*found[1])[i].times->median);
  }
  EXPECT_EQ(board.offers.count("scale: times#0"), 1u) << "what speaks to no other rank is divided";
}

TEST_F(RankTunerTest, ARankThatCannotUseAConfigTakesItFromAll) {
  std::vector<TuneRequest> requests = {requestOf({4, 8}), requestOf({4, 8}, "sm_80")};
  for (TuneRequest &request : requests)
    request.configs[1].options.launch.clusterBlocks = 2;
  for (auto &one : tuneAll(requests)) {
    ASSERT_TRUE(one) << one.error().text;
    EXPECT_TRUE((*one)[0].times);
    EXPECT_EQ((*one)[1].skipped,
              "on rank 1: num_ctas=2 makes clusters of blocks, which `sm_80` does not have");
  }
}

TEST_F(RankTunerTest, RanksWithOtherConfigsDoNotAgree) {
  for (auto &one : tuneAll({requestOf({4, 8}), requestOf({4, 2})})) {
    ASSERT_FALSE(one);
    EXPECT_EQ(
        one.error().text,
        "ranks do not agree on the configs of kernel `scale`: config 1 of rank 1 is not that of rank 0");
  }
  board.offers.clear();
  for (auto &one : tuneAll({requestOf({4, 8}), requestOf({4})})) {
    ASSERT_FALSE(one);
    EXPECT_EQ(one.error().text,
              "ranks do not agree on the configs of kernel `scale`: rank 0 has 2, rank 1 has 1");
  }
}

TEST_F(RankTunerTest, AFailureOfOneRankIsToldToAll) {
  std::vector<TuneRequest> requests = {requestOf({4, 8}), requestOf({4, 8})};
  requests[1].restore = [] { return Result<void>(Error{ErrorKind::Io, "the disk is full"}); };
  auto found = tuneAll(requests);
  ASSERT_FALSE(found[0]);
  EXPECT_EQ(found[0].error().text, "rank 1 failed while kernel `scale` was tuned: the disk is full");
  ASSERT_FALSE(found[1]);
  EXPECT_EQ(found[1].error().text, "the disk is full");
}

TEST_F(RankTunerTest, AnswersThatAreNoneAreRefused) {
  auto answered = [&](std::string answer) {
    auto found = tuneByRanks(requestOf({4}), {0, 2, [&](const std::string &, const std::string &) {
                                                return Result<std::string>(answer);
                                              }});
    return found ? "" : found.error().text;
  };
  EXPECT_EQ(answered(""), "expected an answer of 2 offers about kernel `scale`, found 0");
  EXPECT_EQ(answered("abc"), "the answer of 3 bytes has 3 behind its last offer");
  EXPECT_EQ(answered(std::string("\xff\0\0\0\0\0\0\0x", 9)),
            "an offer of 255 bytes ends behind the 9 bytes of the answer");
  EXPECT_EQ(answered(pack({pack({"nonsense"}), pack({"nonsense"})})),
            "rank 0 offered what is no offer for kernel `scale`");
}

TEST_F(RankTunerTest, WhatWaitsInVainIsAnError) {
  auto found =
      tuneByRanks(requestOf({4}), {0, 2, [](const std::string &, const std::string &) -> Result<std::string> {
                                     return Error{ErrorKind::Io, "rank 1 has ended"};
                                   }});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().text, "rank 1 has ended");
}

TEST(Communicates, BySystemScopeAlone) {
  EXPECT_TRUE(communicates("\tatom.add.acq_rel.sys.u32 %r1, [%rd1], 1;\n"));
  EXPECT_TRUE(communicates("\tret;\n\t@%p1 st.release.sys.global.b32 \t[ %rd2 + 0 ], %r1;\n"));
  EXPECT_TRUE(communicates("fence.acq_rel.sys;"));
  EXPECT_TRUE(communicates("membar.sys;"));
  EXPECT_FALSE(communicates("\tatom.add.acq_rel.gpu.u32 %r1, [%rd1], 1;\n"));
  EXPECT_FALSE(communicates("\t// atom.add.acq_rel.sys.u32 %r1, [%rd1], 1;\n"));
  EXPECT_FALSE(communicates("\tmov.b32 %r1, name.sys;\n"));
  EXPECT_FALSE(communicates(""));
}

} // namespace
