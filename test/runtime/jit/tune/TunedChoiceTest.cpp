// Choices of tuning: what their keys depend on, and that they come back.
#include "runtime/jit/tune/TunedChoice.h"
#include "runtime/emulator/EmulatorDevice.h"

#include <gtest/gtest.h>

#include <filesystem>

#include <unistd.h>

using namespace tegula;
using namespace tegula::jit;

namespace {

class TunedChoiceTest : public testing::Test {
protected:
  void SetUp() override {
    request.device = std::make_shared<runtime::EmulatorDevice>();
    request.program = JitProgram::parse(testing::UnitTest::GetInstance()->current_test_info()->name(), "");
    request.kernel = *request.program->source().find("scale");
    request.arguments = [&](const JitKernel &) { return arguments; };
    request.configs.resize(2);
    request.configs[1].options.numWarps = 8;
  }
  std::string key() {
    auto made = choiceKey(request);
    EXPECT_TRUE(made) << made.error().text;
    return made ? *made : "";
  }

  std::vector<HostValue> arguments = {HostValue::pointer(4096, ScalarKind::Float32), HostValue::integer(5),
                                      HostValue::floating(0.5)};
  TuneRequest request;
};

TEST_F(TunedChoiceTest, KeysTellQuestionsApart) {
  const std::string first = key();
  EXPECT_EQ(key(), first);
  arguments[1] = HostValue::integer(7);
  EXPECT_EQ(key(), first) << "the same facts, and no `key` names it";
  arguments[1] = HostValue::integer(32);
  EXPECT_NE(key(), first);
  arguments[1] = HostValue::integer(5);
  arguments[0] = HostValue::pointer(4100, ScalarKind::Float32);
  EXPECT_NE(key(), first);
  arguments[0] = HostValue::pointer(4096, ScalarKind::Float16);
  EXPECT_NE(key(), first);
  arguments[0] = HostValue::pointer(4096, ScalarKind::Float32);
  request.configs[1].options.numStages = 2;
  EXPECT_NE(key(), first);
  request.configs[1].options.numStages = 3;
  request.configs[1].options.launch.clusterBlocks = 2;
  EXPECT_NE(key(), first);
  request.configs[1].options.launch.clusterBlocks = 1;
  EXPECT_EQ(key(), first);
  request.program = JitProgram::parse("another", "");
  request.kernel = *request.program->source().find("scale");
  EXPECT_NE(key(), first);
}

TEST_F(TunedChoiceTest, ValuesOfTheKeyAreTakenWhole) {
  KernelInfo tuned = *request.kernel;
  tuned.tuning.key = {"n"};
  request.kernel = &tuned;
  const std::string first = key();
  arguments[1] = HostValue::integer(7);
  EXPECT_NE(key(), first);
}

TEST_F(TunedChoiceTest, ComesBack) {
  const std::string folder = testing::TempDir() + "/tuned-choice-" + std::to_string(getpid());
  ChoiceStore store(folder);
  EXPECT_FALSE(store.find("a question"));
  ASSERT_TRUE(store.keep("a question", "title", {3, 0.125}));
  const std::optional<TunedChoice> found = ChoiceStore(folder).find("a question");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->config, 3u);
  EXPECT_EQ(found->milliseconds, 0.125);
  EXPECT_FALSE(store.find("another question"));
  EXPECT_FALSE(store.keep("", "title", {}));
  EXPECT_FALSE(ChoiceStore("").keep("a question", "title", {}));
  std::filesystem::remove_all(folder);
}

} // namespace
