// Processes that begin at the same time with an empty cache: each kernel is compiled by one of them.
#include "runtime/jit/launch/Jit.h"
#include "test/runtime/cache/CacheFolder.h"
#include "test/runtime/jit/FakeCompiler.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tegula;
using namespace tegula::jit;

namespace {

KernelSpec scaleSpec(int64_t scale) {
  KernelSpec spec;
  spec.kernel = "scale";
  spec.args = {{"x", RuntimeArg{ScalarKind::Float32, 1}},
               {"n", RuntimeArg{ScalarKind::Int32}},
               {"factor", RuntimeArg{ScalarKind::Float32}},
               {"SCALE", BoundValue{scale}}};
  return spec;
}

/// Compiles `kernels` kernels of `text` in each of `processes` processes that begin together; gives how often
/// the compiler ran in all of them, or -1 where a process failed.
int compilations(int processes, int kernels, const std::string &text) {
  int begin[2], counts[2];
  if (pipe(begin) != 0 || pipe(counts) != 0)
    return -1;
  std::vector<pid_t> children;
  for (int process = 0; process < processes; ++process) {
    const pid_t child = fork();
    if (child == 0) {
      char byte;
      close(begin[1]);
      (void)!read(begin[0], &byte, 1); // ends when the parent closes it
      test::takeCompiledSpecs();
      const std::shared_ptr<CompiledSource> source = CompiledSource::parse("scale.py", text);
      for (int kernel = 0; kernel < kernels; ++kernel)
        if (!source->compile(scaleSpec(kernel)))
          _exit(1);
      const int count = int(test::takeCompiledSpecs().size());
      _exit(write(counts[1], &count, sizeof count) == sizeof count ? 0 : 1);
    }
    children.push_back(child);
  }
  close(begin[0]);
  close(begin[1]);
  int sum = 0;
  for (const pid_t child : children) {
    int status = 0, count = 0;
    waitpid(child, &status, 0);
    if (status != 0 || read(counts[0], &count, sizeof count) != sizeof count)
      return -1;
    sum += count;
  }
  close(counts[0]);
  close(counts[1]);
  return sum;
}

class ColdCache : public testing::Test {
protected:
  void SetUp() override { setenv("TEGULA_CACHE_DIR", folder.path.c_str(), 1); }
  void TearDown() override { unsetenv("TEGULA_CACHE_DIR"); }

  test::CacheFolder folder;
};

TEST_F(ColdCache, EightProcessesCompileFortyKernelsOnce) {
  EXPECT_EQ(compilations(8, 40, "slow"), 40);
  EXPECT_EQ(folder.files(".tegula").size(), 40u);
  EXPECT_TRUE(folder.files(".lock").empty());
  EXPECT_EQ(compilations(8, 40, "slow"), 0);
}

TEST_F(ColdCache, WithoutAFolderEachCompiles) {
  setenv("TEGULA_CACHE_DIR", "", 1);
  EXPECT_EQ(compilations(2, 3, "slow"), 6);
}

TEST_F(ColdCache, WhatIsNotStoredIsCompiledByEach) {
  EXPECT_EQ(compilations(3, 2, "finer, and it warns"), 6);
  EXPECT_TRUE(folder.files(".tegula").empty());
  EXPECT_TRUE(folder.files(".lock").empty());
}

TEST_F(ColdCache, AnotherMachineFindsWhatIsShared) {
  test::CacheFolder shared, other;
  setenv("TEGULA_SHARED_CACHE_DIR", shared.path.c_str(), 1);
  EXPECT_EQ(compilations(2, 3, "slow"), 3);
  setenv("TEGULA_CACHE_DIR", other.path.c_str(), 1);
  EXPECT_EQ(compilations(2, 3, "slow"), 0);
  unsetenv("TEGULA_SHARED_CACHE_DIR");
  EXPECT_EQ(other.files(".tegula").size(), 3u);
}

} // namespace
