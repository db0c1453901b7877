// Folders in the wild: many processes, killed processes, full disks, damaged files. Nothing is lost but time,
// and nothing wrong is ever found.
#include "runtime/cache/Store.h"
#include "test/runtime/cache/CacheFolder.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <random>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace tegula::cache;
using tegula::test::CacheFolder;
namespace fs = std::filesystem;

namespace {

/// Runs `work` in a process of its own, which says by its status whether it is content.
pid_t inProcess(const std::function<bool()> &work) {
  const pid_t child = fork();
  if (child == 0)
    _exit(work() ? 0 : 1);
  return child;
}

/// The status of a process that has ended; a signal is its number and 1000.
int ended(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

/// Returns the `index`-th key: long. Key and contents follow from the index.
std::string keyOf(unsigned index) { return "key " + std::to_string(index); }
Sections sectionsOf(unsigned index, size_t bytes) {
  std::string text(bytes, '\0');
  std::mt19937 random(index);
  for (char &byte : text)
    byte = char(random());
  return {{"code", text}, {"ptx", keyOf(index)}};
}

TEST(CacheAbuse, SixteenProcessesOnOneFolder) {
  CacheFolder folder;
  ASSERT_TRUE(Store(folder.path)
                  .setLimit(400 * 1024)); // a third of what they write, so that trimming goes on meanwhile
  std::vector<pid_t> children;
  for (unsigned process = 0; process < 16; ++process)
    children.push_back(inProcess([&] {
      std::mt19937 random(process);
      unsigned found = 0;
      for (int turn = 0; turn < 150; ++turn) {
        Store store(folder.path);
        const unsigned index = random() % 64;
        const Sections expected = sectionsOf(index, 10000 + index * 100);
        std::optional<Sections> sections = store.find(keyOf(index));
        if (sections && *sections != expected)
          return false;
        found += sections.has_value();
        if (!sections && !store.put(keyOf(index), expected))
          return false;
      }
      return found > 0;
    }));
  for (pid_t child : children)
    EXPECT_EQ(ended(child), 0);
  Store store(folder.path);
  EXPECT_EQ(store.removeDamaged().files, 0u);
  EXPECT_TRUE(folder.files(".tmp").empty());
  EXPECT_GT(store.list().size(), 10u);
}

TEST(CacheAbuse, KilledInMidWrite) {
  CacheFolder folder;
  const Sections sections = sectionsOf(1, 4 << 20);
  size_t unfinished = 0;
  for (int turn = 0; turn < 30; ++turn) {
    const pid_t child = inProcess([&]() -> bool {
      for (;;)
        Store(folder.path).put(keyOf(1), sections);
    });
    // A kill counts from the moment a file is being written, however late the child comes to run.
    const auto giveUp = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (folder.files(".tmp").size() <= unfinished && std::chrono::steady_clock::now() < giveUp)
      std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::microseconds(100 * turn));
    kill(child, SIGKILL);
    EXPECT_EQ(ended(child), 1000 + SIGKILL);
    const std::optional<Sections> found = Store(folder.path).find(keyOf(1));
    EXPECT_TRUE(!found || *found == sections);
    unfinished = folder.files(".tmp").size();
  }
  EXPECT_GT(unfinished, 0u) << "no kill came while a file was being written";
  Store store(folder.path);
  EXPECT_EQ(store.removeDamaged().files, 0u);
  EXPECT_TRUE(store.put(keyOf(1), sections));
  EXPECT_EQ(store.find(keyOf(1)), sections);
}

TEST(CacheAbuse, AFileThatMayNotGrowIsNoSignal) {
  CacheFolder folder;
  EXPECT_EQ(ended(inProcess([&] {
              signal(SIGXFSZ, SIG_DFL);
              const rlimit limit{.rlim_cur = 20000, .rlim_max = 20000};
              setrlimit(RLIMIT_FSIZE, &limit);
              Store store(folder.path);
              const bool isSmallStored = store.put("small", sectionsOf(1, 1000));
              const bool isLargeStored = store.put("large", sectionsOf(2, 100000));
              return isSmallStored && !isLargeStored && store.find("small") && !store.find("large");
            })),
            0);
  EXPECT_TRUE(folder.files(".tmp").empty());
  EXPECT_EQ(folder.files(".tegula").size(), 1u);
}

TEST(CacheAbuse, AFullDisk) {
  CacheFolder folder;
  fs::create_directory(folder.path);
  const int status = ended(inProcess([&] {
    if (unshare(CLONE_NEWNS) != 0 || mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("tmpfs", folder.path.c_str(), "tmpfs", 0, "size=128k,mode=700") != 0)
      _exit(77);
    Store store(folder.path);
    unsigned stored = 0, refused = 0;
    for (unsigned index = 0; index < 20; ++index)
      ++(store.put(keyOf(index), sectionsOf(index, 20000)) ? stored : refused);
    for (unsigned index = 0; index < 20; ++index) {
      const std::optional<Sections> found = store.find(keyOf(index));
      if (found && *found != sectionsOf(index, 20000))
        return false;
    }
    return stored > 2 && refused > 2 && folder.files(".tmp").empty() && store.list().size() == stored &&
           store.clear().files == stored && store.put("again", sectionsOf(1, 20000));
  }));
  if (status == 77)
    GTEST_SKIP() << "no right to mount a small disk";
  EXPECT_EQ(status, 0);
}

TEST(CacheAbuse, AFolderThatMayOnlyBeReadIsRead) {
  CacheFolder folder;
  ASSERT_TRUE(Store(folder.path).put("key", {{"ptx", "text"}}));
  // Root may write anywhere: it becomes the user that owns this folder and may not.
  if (geteuid() == 0) {
    ASSERT_EQ(chown(folder.parent.c_str(), 65534, 65534), 0);
    for (const std::string &file : folder.files(""))
      ASSERT_EQ(chown(file.c_str(), 65534, 65534), 0);
    ASSERT_EQ(chown(folder.path.c_str(), 65534, 65534), 0);
  }
  chmod(folder.path.c_str(), 0500);
  EXPECT_EQ(ended(inProcess([&] {
              if (geteuid() == 0 && setresuid(65534, 65534, 65534) != 0)
                return false;
              Store store(folder.path);
              return store.find("key") && !store.put("other", {{"ptx", "text"}}) &&
                     !store.put("key", {{"code", "x"}}) && store.find("key") == Sections{{"ptx", "text"}} &&
                     store.trim(0).files == 0 && store.clear().files == 0 && !store.setLimit(5) &&
                     !store.problem();
            })),
            0);
  chmod(folder.path.c_str(), 0700);
}

TEST(CacheAbuse, AFolderRemovedMeanwhileIsMadeAgain) {
  CacheFolder folder;
  Store store(folder.path);
  ASSERT_TRUE(store.put("key", {{"ptx", "text"}}));
  fs::remove_all(folder.path);
  EXPECT_FALSE(store.find("key"));
  EXPECT_FALSE(store.put("key", {{"ptx", "text"}}));
  EXPECT_TRUE(Store(folder.path).put("key", {{"ptx", "text"}}));
}

TEST(CacheAbuse, DamageAnywhereIsAMissAndTheNextWriteMendsIt) {
  CacheFolder folder;
  Store store(folder.path);
  const Sections sections{{"code", std::string("\177ELF\0\0", 6)}, {"ptx", "text"}};
  ASSERT_TRUE(store.put("key", sections));
  const std::string file = folder.files(".tegula").front(), whole = CacheFolder::read(file);
  for (size_t at = 0; at < whole.size(); ++at) {
    CacheFolder::write(file, whole.substr(0, at));
    EXPECT_FALSE(store.find("key")) << at;
    std::string changed = whole;
    changed[at] ^= 1;
    CacheFolder::write(file, changed);
    EXPECT_FALSE(store.find("key")) << at;
  }
  EXPECT_EQ(store.removeDamaged().files, 1u);
  ASSERT_TRUE(store.put("key", sections));
  EXPECT_EQ(store.find("key"), sections);
}

TEST(CacheAbuse, AnEntryUnderAnothersNameIsAbsent) {
  CacheFolder folder;
  Store store(folder.path);
  ASSERT_TRUE(store.put("key", {{"ptx", "a"}}));
  const std::string file = folder.files(".tegula").front();
  ASSERT_TRUE(store.put("other", {{"ptx", "b"}}));
  for (const std::string &other : folder.files(".tegula"))
    if (other != file)
      fs::copy_file(other, file, fs::copy_options::overwrite_existing);
  EXPECT_FALSE(store.find("key"));
  EXPECT_TRUE(store.find("other"));
  EXPECT_EQ(store.removeDamaged().files, 1u);
}

/// Neither is waited for or followed.
TEST(CacheAbuse, APipeALinkAndAFolderAreNoEntries) {
  CacheFolder folder;
  Store store(folder.path);
  ASSERT_TRUE(store.put("key", {{"ptx", "text"}}));
  const std::string file = folder.files(".tegula").front();
  fs::rename(file, folder.parent + "/elsewhere");
  fs::create_symlink(folder.parent + "/elsewhere", file);
  EXPECT_FALSE(store.find("key"));
  fs::remove(file);
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  EXPECT_FALSE(store.find("key"));
  fs::remove(file);
  fs::create_directory(file);
  EXPECT_FALSE(store.find("key"));
  EXPECT_FALSE(store.put("key", {{"ptx", "text"}}));
  EXPECT_TRUE(folder.files(".tmp").empty());
}

} // namespace
