// Other programs: what they are given, what they say, and how they end.
#include "runtime/host/ChildProcess.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <sys/wait.h>
#include <unistd.h>

using namespace tegula::runtime;

static ProgramRun shell(const std::string &script) {
  return {.path = "/bin/sh", .words = {"sh", "-c", script}};
}

static ProgramEnd endOf(const ProgramRun &run) {
  const TemporaryFolder folder;
  Result<ProgramEnd> end = runProgram(run, folder);
  EXPECT_TRUE(end) << end.error().text;
  return end ? *end : ProgramEnd{};
}

TEST(ChildProcess, IsGivenItsInputAndSaysHowItEnded) {
  ProgramRun run = shell("cat; echo problem >&2; exit 3");
  run.input = "some\ninput";
  const ProgramEnd end = endOf(run);
  EXPECT_EQ(end.output, "some\ninput");
  EXPECT_EQ(end.messages, "problem\n");
  EXPECT_FALSE(end.succeeded());
  EXPECT_EQ(WEXITSTATUS(*end.status), 3);
  const ProgramEnd empty = endOf(shell("cat; echo $0"));
  EXPECT_EQ(empty.output, "sh\n") << "without an input there is nothing to read";
  EXPECT_TRUE(empty.succeeded());
}

TEST(ChildProcess, WritesMoreThanAPipeHolds) {
  ProgramRun run = shell("head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2");
  EXPECT_EQ(endOf(run).messages.size(), 1000000u);
  run.mostKept = 3;
  EXPECT_EQ(endOf(run).output, std::string(3, '\0') + "\n... 999997 bytes more\n");
}

TEST(ChildProcess, IsKilledAfterItsLimit) {
  ProgramRun run = shell("echo begun; exec sleep 60");
  run.limit = std::chrono::seconds(1);
  const ProgramEnd end = endOf(run);
  EXPECT_FALSE(end.status);
  EXPECT_EQ(end.output, "begun\n");
  run = shell("exit 0");
  run.limit = std::chrono::seconds(60);
  EXPECT_TRUE(endOf(run).succeeded());
}

TEST(ChildProcess, IsKilledWhenItIsStopped) {
  ProgramRun run = shell("echo begun; exec sleep 60");
  int asked = 0;
  run.isStopped = [&] { return ++asked == 10; };
  const ProgramEnd end = endOf(run);
  EXPECT_FALSE(end.status);
  EXPECT_EQ(asked, 10);
  EXPECT_EQ(end.output, "begun\n");
  run = shell("exit 0");
  run.isStopped = [] { return false; };
  EXPECT_TRUE(endOf(run).succeeded());
}

TEST(ChildProcess, ThatASignalEndedSaysWhich) {
  const ProgramEnd end = endOf(shell("kill -USR1 $$"));
  ASSERT_TRUE(end.status && WIFSIGNALED(*end.status));
  EXPECT_EQ(WTERMSIG(*end.status), SIGUSR1);
}

TEST(ChildProcess, ThatIsNoProgramIsAnError) {
  const Result<ProgramEnd> end = runProgram({.path = "/nowhere/none", .words = {"none"}}, TemporaryFolder());
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().kind, ErrorKind::Driver);
  EXPECT_EQ(end.error().text, "cannot run `/nowhere/none`: No such file or directory");
}

TEST(ChildProcess, TalksThroughPipesAndLeavesNothing) {
  int in[2], out[2];
  ASSERT_EQ(pipe2(in, O_CLOEXEC), 0);
  ASSERT_EQ(pipe2(out, O_CLOEXEC), 0);
  const Result<pid_t> process = startProgram("/bin/cat", {"cat"}, {in[0], out[1], STDERR_FILENO});
  ASSERT_TRUE(process) << process.error().text;
  close(in[0]);
  close(out[1]);
  ASSERT_EQ(write(in[1], "word", 4), 4);
  char answer[5] = {};
  ASSERT_EQ(read(out[0], answer, 4), 4);
  EXPECT_STREQ(answer, "word");
  // It has no end of its own input that it would keep open.
  close(in[1]);
  EXPECT_EQ(read(out[0], answer, 4), 0);
  close(out[0]);
  EXPECT_EQ(waitForProgram(*process), 0);
  EXPECT_EQ(kill(*process, 0), -1) << "its entry in the system's table is gone";
}

TEST(ChildProcess, OfACallerThatIgnoresItsChildrenHasSucceeded) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  const ProgramEnd end = endOf(shell("echo done; exit 3"));
  std::signal(SIGCHLD, before);
  EXPECT_TRUE(end.succeeded());
  EXPECT_EQ(end.output, "done\n") << "it was waited for";
}

TEST(TemporaryFolder, GoesWithItsFiles) {
  std::string path;
  {
    const TemporaryFolder folder;
    path = folder.pathOf("file");
    ASSERT_TRUE(folder.write("file", "bytes"));
    EXPECT_EQ(*folder.read("file"), "bytes");
    EXPECT_EQ(*folder.readFront("file", 2), "by\n... 3 bytes more\n");
    EXPECT_EQ(*folder.readFront("file", 5), "bytes");
    EXPECT_FALSE(folder.readFront("other", 5));
  }
  EXPECT_FALSE(std::filesystem::exists(std::filesystem::path(path).parent_path()));
}
