// Evictions from a full folder: the least recently used goes, whatever the clock does.
#include "runtime/cache/Store.h"
#include "test/runtime/cache/CacheFolder.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tegula::cache;
using tegula::test::CacheFolder;
namespace fs = std::filesystem;

namespace {

/// An entry of a little less than `kib` KiB.
Sections sized(size_t kib) { return {{"ptx", std::string(kib * 1024 - 300, 'x')}}; }

/// Those of the keys "a" to "h" that are stored; looking makes none of them more recent.
std::string stored(const Store &store) {
  std::string keys;
  for (const StoredEntry &entry : store.list())
    if (entry.contents)
      keys += entry.contents->key;
  std::sort(keys.begin(), keys.end());
  return keys;
}

TEST(CacheTrim, TheLeastRecentlyUsedGo) {
  CacheFolder folder;
  Store store(folder.path);
  for (const char *key : {"a", "b", "c", "d", "e"})
    ASSERT_TRUE(store.put(key, sized(8)));
  ASSERT_TRUE(store.find("a"));
  ASSERT_TRUE(store.find("c"));
  const Removed removed = store.trim(3 * 8192);
  EXPECT_EQ(removed.files, 2u);
  EXPECT_EQ(stored(store), "ace");
  EXPECT_EQ(store.trim(8192).files, 2u);
  EXPECT_EQ(stored(store), "c");
  EXPECT_EQ(store.trim(0).files, 1u);
  EXPECT_EQ(stored(store), "");
}

TEST(CacheTrim, WritingKeepsTheFolderWithinItsLimit) {
  CacheFolder folder;
  ASSERT_TRUE(Store(folder.path).setLimit(4 * 8192));
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(Store(folder.path).put(std::string(1, char('a' + i % 26)) + std::to_string(i), sized(8)));
    uint64_t bytes = 0;
    for (const StoredEntry &entry : Store(folder.path).list())
      bytes += entry.bytes;
    EXPECT_LE(bytes, 4u * 8192);
  }
  EXPECT_EQ(Store(folder.path).list().size(), 4u);
  EXPECT_EQ(Store(folder.path).list().front().contents->key, "x49")
      << "the last to come is not the first to go";
}

TEST(CacheTrim, NotEveryWriteLooksAtTheWholeFolder) {
  CacheFolder folder;
  Store store(folder.path);
  ASSERT_TRUE(store.setLimit(64 * 8192)); // a look for every 16 KiB
  ASSERT_TRUE(store.put("a", sized(8)));  // the first one looks
  EXPECT_EQ(fs::file_size(folder.path + "/written"), 0u);
  ASSERT_TRUE(store.put("b", sized(8)));
  ASSERT_TRUE(store.put("c", sized(8)));
  EXPECT_EQ(fs::file_size(folder.path + "/written"), 4u);
  ASSERT_TRUE(store.put("d", sized(8)));
  EXPECT_EQ(fs::file_size(folder.path + "/written"), 0u);
}

TEST(CacheTrim, WhatIsLargerThanTheLimitIsNotStored) {
  CacheFolder folder;
  Store store(folder.path);
  ASSERT_TRUE(store.setLimit(8192));
  ASSERT_TRUE(store.put("a", sized(4)));
  EXPECT_FALSE(store.put("b", sized(16)));
  EXPECT_EQ(stored(store), "a");
}

TEST(CacheTrim, TheLimitIsTheFoldersOwn) {
  CacheFolder folder;
  EXPECT_EQ(Store(folder.path).limit(), uint64_t(1) << 30);
  EXPECT_TRUE(Store(folder.path).setLimit(12345678));
  EXPECT_EQ(Store(folder.path).limit(), 12345678u);
  CacheFolder::write(folder.path + "/limit", "nonsense");
  EXPECT_EQ(Store(folder.path).limit(), uint64_t(1) << 30);
}

/// The folder's clock stands where the machine's was before that went back by a year.
void setClockBack(const CacheFolder &folder) {
  const FileTime now = FileTime::now();
  Folder raw(folder.path);
  ASSERT_TRUE(raw.open(false));
  ASSERT_TRUE(raw.setTime("clock", {now.seconds + 365 * 86400, 999'999'999}));
}

TEST(CacheTrim, AClockThatWentBackChangesNoOrder) {
  CacheFolder folder;
  Store store(folder.path);
  for (const char *key : {"a", "b", "c"})
    ASSERT_TRUE(store.put(key, sized(8)));
  setClockBack(folder);
  ASSERT_TRUE(store.find("b"));
  for (const char *key : {"d", "e"})
    ASSERT_TRUE(store.put(key, sized(8)));
  ASSERT_TRUE(store.find("a"));
  EXPECT_EQ(store.trim(4 * 8192).files, 1u);
  EXPECT_EQ(stored(store), "abde");
  EXPECT_EQ(store.trim(3 * 8192).files, 1u);
  EXPECT_EQ(stored(store), "ade") << "b was used before d and e were stored";
  EXPECT_EQ(store.trim(8192).files, 2u);
  EXPECT_EQ(stored(store), "a");
}

TEST(CacheTrim, EntriesFromTheFutureAreFoundAndGoInTheirTurn) {
  CacheFolder folder;
  Store store(folder.path);
  ASSERT_TRUE(store.put("a", sized(8)));
  const FileTime now = FileTime::now();
  Folder raw(folder.path);
  ASSERT_TRUE(raw.open(false));
  for (const StoredEntry &entry : store.list())
    ASSERT_TRUE(raw.setTime(entry.name, {now.seconds + 86400, 0}));
  fs::remove(folder.path + "/clock");
  ASSERT_TRUE(store.find("a")) << "a file's time is no reason not to read it";
  ASSERT_TRUE(store.put("b", sized(8)));
  EXPECT_EQ(store.trim(8192).files, 1u);
  EXPECT_EQ(stored(store), "b");
}

TEST(CacheTrim, WhatNobodyFinishedGoes) {
  CacheFolder folder;
  Store store(folder.path);
  ASSERT_TRUE(store.put("a", sized(8)));
  Folder raw(folder.path);
  ASSERT_TRUE(raw.open(false));
  const FileTime now = FileTime::now();
  for (const auto &[name, seconds] :
       {std::pair("old.tmp", -7200), std::pair("future.tmp", 7200), std::pair("new.tmp", -60)}) {
    CacheFolder::write(folder.path + "/" + name, "half");
    ASSERT_TRUE(raw.setTime(name, {now.seconds + seconds, 0}));
  }
  EXPECT_EQ(store.trim(store.limit()).files, 2u);
  EXPECT_EQ(folder.files(".tmp"), std::vector<std::string>{folder.path + "/new.tmp"});
  store.clear();
  EXPECT_TRUE(folder.files(".tmp").empty());
}

TEST(CacheTrim, OneProcessTrimsAtATime) {
  CacheFolder folder;
  Store store(folder.path);
  ASSERT_TRUE(store.put("a", sized(8)));
  const int held = open((folder.path + "/written").c_str(), O_RDWR);
  ASSERT_EQ(flock(held, LOCK_EX), 0);
  EXPECT_EQ(store.trim(0).files, 0u) << "no waiting, and nothing done twice";
  close(held);
  EXPECT_EQ(store.trim(0).files, 1u);
}

} // namespace
