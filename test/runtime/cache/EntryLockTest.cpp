// Locks of entries: one maker of an entry at a time; makers that are killed, that make nothing, that take too
// long.
#include "runtime/cache/Store.h"
#include "test/runtime/cache/CacheFolder.h"

#include <gtest/gtest.h>

#include <csignal>
#include <optional>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace tegula::cache;
using tegula::test::CacheFolder;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

const Sections made{{"ptx", "made"}};

TEST(EntryLock, OthersWaitForTheMaker) {
  CacheFolder folder;
  Store store(folder.path);
  std::optional<EntryLock> lock(store.claim("key", 10s));
  ASSERT_TRUE(lock->isMaker());
  EXPECT_EQ(folder.files(".lock").size(), 1u);
  std::thread other([&] {
    Store theirs(folder.path);
    EXPECT_FALSE(theirs.find("key"));
    EXPECT_FALSE(theirs.claim("key", 10s).isMaker());
    EXPECT_EQ(theirs.find("key"), made);
  });
  std::this_thread::sleep_for(50ms);
  EXPECT_TRUE(store.claim("another key", 0ms).isMaker());
  store.put("key", made);
  lock.reset();
  other.join();
  EXPECT_TRUE(folder.files(".lock").empty());
}

TEST(EntryLock, ThoseWhoWaitedForNothingDoNotWaitForEachOther) {
  CacheFolder folder;
  Store store(folder.path);
  std::optional<EntryLock> lock(store.claim("key", 10s));
  std::thread first([&] { EXPECT_FALSE(Store(folder.path).claim("key", 10s).isMaker()); });
  std::thread second([&] { EXPECT_FALSE(Store(folder.path).claim("key", 10s).isMaker()); });
  std::this_thread::sleep_for(50ms);
  lock.reset(); // a compilation with warnings is not stored
  first.join();
  second.join();
}

TEST(EntryLock, AKilledMakerIsSucceededAtOnce) {
  CacheFolder folder;
  Store store(folder.path);
  ASSERT_TRUE(store.put("another key", made)); // makes the folder
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    const EntryLock lock = store.claim("key", 10s);
    (void)!write(ends[1], lock.isMaker() ? "m" : "-", 1);
    for (;;)
      pause();
  }
  char said = 0;
  ASSERT_EQ(read(ends[0], &said, 1), 1);
  ASSERT_EQ(said, 'm');
  std::thread killer([&] {
    std::this_thread::sleep_for(50ms);
    kill(child, SIGKILL);
  });
  const Clock::time_point begin = Clock::now();
  EXPECT_TRUE(store.claim("key", 30s).isMaker());
  EXPECT_LT(Clock::now() - begin, 10s);
  killer.join();
  waitpid(child, nullptr, 0);
}

TEST(EntryLock, PatienceEnds) {
  CacheFolder folder;
  Store store(folder.path);
  const EntryLock lock = store.claim("key", 0ms);
  const Clock::time_point begin = Clock::now();
  EXPECT_FALSE(Store(folder.path).claim("key", 100ms).isMaker());
  EXPECT_GE(Clock::now() - begin, 100ms);
  EXPECT_LT(Clock::now() - begin, 10s);
}

TEST(EntryLock, AChildProcessDoesNotHoldTheLock) {
  CacheFolder folder;
  Store store(folder.path);
  std::optional<EntryLock> lock(store.claim("key", 0ms));
  const pid_t child = fork();
  if (child == 0)
    for (;;)
      pause();
  lock.reset();
  EXPECT_TRUE(store.claim("key", 0ms).isMaker());
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

TEST(EntryLock, WithoutAFolderNobodyWaits) {
  EXPECT_FALSE(Store("").claim("key", 10s).isMaker());
  Store refused("/proc/no/such/folder");
  EXPECT_FALSE(refused.claim("key", 10s).isMaker());
}

TEST(EntryLock, LocksThatWereLeftGoWithTheUnfinishedFiles) {
  CacheFolder folder;
  Store store(folder.path);
  store.put("key", made);
  CacheFolder::write(folder.path + "/00.tegula.lock", "");
  EXPECT_EQ(store.list().size(), 1u);
  store.clear();
  EXPECT_TRUE(folder.files("").size() <= 2) << "the clock and the count of what was written";
  EXPECT_TRUE(folder.files(".lock").empty());
}

} // namespace
