// A second process's warm start: it neither compiles nor assembles again. Each process here is one of its
// own, with a compiler that counts, a driver that records its calls, and an assembler that makes the same
// code of everything.
#include "runtime/device/CudaDevice.h"
#include "runtime/jit/files/DiskCache.h"
#include "runtime/jit/launch/Jit.h"
#include "test/runtime/cache/CacheFolder.h"
#include "test/runtime/jit/FakeCompiler.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <dlfcn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tegula;
using namespace tegula::jit;
using tegula::test::CacheFolder;

namespace {

constexpr const char *goodCode = "ELF good";

class WarmStart : public testing::Test {
protected:
  void SetUp() override {
    std::ofstream(assembler()) << "#!/bin/sh\nfor last; do :; done\nprintf '\\177ELF good' >\"$last\"\n";
    std::filesystem::permissions(assembler(), std::filesystem::perms::owner_all);
  }

  /// Loads a kernel of `text` in a process of its own that caches in `cacheFolder`: how often it compiled,
  /// the calls of its driver that begin with "cuModuleLoadDataEx" or "cuLink", and its messages.
  std::string start(const std::string &cacheFolder, const std::string &text = "") {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
      const std::string said = load(cacheFolder, text);
      _exit(write(ends[1], said.data(), said.size()) == ssize_t(said.size()) ? 0 : 1);
    }
    close(ends[1]);
    std::string said;
    char block[4096];
    while (const ssize_t count = read(ends[0], block, sizeof block))
      said.append(block, size_t(std::max<ssize_t>(count, 0)));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    return said;
  }

  std::string assembler() const { return folder.parent + "/ptxas"; }

  CacheFolder folder;

private:
  std::string load(const std::string &cacheFolder, const std::string &text) {
    DiskCache::setFolder(cacheFolder);
    runtime::setAssemblerFolders({folder.parent});
    auto device = runtime::openCudaDevice(0, TEGULA_FAKE_CUDA);
    if (!device)
      return device.error().text;
    auto program = JitProgram::parse("scale.py", text);
    auto kernel = JitKernel::create(program, **program->source().find("scale"), {});
    const HostValue args[] = {HostValue::pointer(256, ScalarKind::Float32), HostValue::integer(5),
                              HostValue::floating(0.5)};
    const auto prepared = (*kernel)->prepare(std::shared_ptr<runtime::Device>(std::move(*device)), args);
    if (!prepared)
      return prepared.error().text;
    std::string said = std::to_string(test::takeCompiledSpecs().size()) + " compiled\n";
    const auto calls =
        reinterpret_cast<const char *(*)()>(dlsym(dlopen(TEGULA_FAKE_CUDA, RTLD_NOW), "fakeCalls"));
    for (std::string rest = calls(); !rest.empty(); rest.erase(0, rest.find('\n') + 1))
      if (rest.starts_with("cuModuleLoadDataEx") || rest.starts_with("cuLinkC"))
        said += rest.substr(0, rest.find('\n') + 1);
    return said + render(program->source().takeMessages());
  }
};

TEST_F(WarmStart, NeitherCompilesNorAssembles) {
  const std::string loads = std::string("cuModuleLoadDataEx(") + goodCode + ")\n";
  EXPECT_EQ(start(folder.path), "1 compiled\n" + loads);
  // Code made now would tell: it is what stands in the folder that is loaded.
  std::filesystem::remove(assembler());
  EXPECT_EQ(start(folder.path), "0 compiled\n" + loads);
}

TEST_F(WarmStart, WithoutAFolderTheDriverAssembles) {
  EXPECT_EQ(start(""), "1 compiled\ncuModuleLoadDataEx()\n");
  EXPECT_EQ(start(""), "1 compiled\ncuModuleLoadDataEx()\n");
}

TEST_F(WarmStart, AnotherTextIsAnotherEntry) {
  start(folder.path);
  EXPECT_TRUE(start(folder.path, "# edited").starts_with("1 compiled\n"));
  EXPECT_EQ(folder.files(".tegula").size(), 2u);
}

TEST_F(WarmStart, CodeThatTheDriverDoesNotTakeIsReplaced) {
  start(folder.path);
  cache::Store store(folder.path);
  const cache::StoredEntry entry = store.list().front();
  cache::Sections sections = entry.contents->sections;
  sections["code"] = "\177ELF foreign";
  ASSERT_TRUE(store.put(entry.contents->key, sections));
  const std::string link = "4=16383 6=16383 12=1 13=1";
  const std::string own = "cuModuleLoadDataEx(ELF " + link + ")\n";
  EXPECT_EQ(start(folder.path), "0 compiled\ncuModuleLoadDataEx(ELF foreign)\ncuLinkCreate_v2(" + link +
                                    ")\ncuLinkComplete()\n" + own);
  EXPECT_EQ(start(folder.path), "0 compiled\n" + own);
}

TEST_F(WarmStart, DamagedEntriesAreMadeAnew) {
  const std::string cold = start(folder.path);
  const std::string file = folder.files(".tegula").front(), whole = CacheFolder::read(file);
  for (size_t at : {size_t(0), whole.size() / 3, whole.size() / 2, whole.size() - 1}) {
    std::string damaged = whole;
    damaged[at] ^= 4;
    CacheFolder::write(file, damaged);
    EXPECT_EQ(start(folder.path), cold) << at;
    EXPECT_EQ(CacheFolder::read(file), whole) << at;
    CacheFolder::write(file, whole.substr(0, at));
    EXPECT_EQ(start(folder.path), cold) << at;
  }
}

TEST_F(WarmStart, ARefusedFolderIsAWarningAndNoMore) {
  start(folder.path);
  chmod(folder.path.c_str(), 0777);
  EXPECT_EQ(start(folder.path),
            "1 compiled\ncuModuleLoadDataEx()\nwarning: the cache `" + folder.path +
                "` is not used: others may write to the folder (`chmod go-w` mends that)\n");
}

} // namespace
