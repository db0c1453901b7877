// The command in a process of its own, which here is this test.
#include "tools/tegula/command/OwnProcess.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

using namespace tegula;
using namespace tegula::cli;

namespace {

constexpr const char *partName = "TEGULA_TEST_PART";

/// Runs this test once more, of which `OwnProcess.Part` does what `part` says.
runtime::Result<Finished> runPart(const char *part, const std::optional<std::string> &input = std::nullopt) {
  setenv(partName, part, 1);
  const std::vector<std::string> words{"--gtest_filter=OwnProcess.Part"};
  runtime::Result<Finished> finished = runSelf(words, input, 60);
  unsetenv(partName);
  return finished;
}

} // namespace

TEST(OwnProcess, Part) {
  const char *part = std::getenv(partName);
  if (!part)
    return; // there is something to do in the processes of other tests alone
  if (std::string(part) == "signal")
    std::raise(SIGTERM);
  std::cout << "read " << std::cin.rdbuf() << "\n";
  std::cerr << "said\n";
  std::exit(7);
}

TEST(OwnProcess, GivesBackTheStatusAndWhatIsWritten) {
  const runtime::Result<Finished> finished = runPart("write", "a text");
  ASSERT_TRUE(finished) << finished.error().text;
  EXPECT_EQ(finished->status, 7);
  EXPECT_NE(finished->out.find("read a text\n"), std::string::npos) << finished->out;
  EXPECT_EQ(finished->err, "said\n");
}

TEST(OwnProcess, ThatASignalEndsIsAnError) {
  const runtime::Result<Finished> finished = runPart("signal");
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().kind, runtime::ErrorKind::Fault);
  EXPECT_EQ(finished.error().text, "the command did not end by itself: Terminated\n");
}
