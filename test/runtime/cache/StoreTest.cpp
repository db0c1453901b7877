// The store as its users see it.
#include "runtime/cache/Store.h"
#include "test/runtime/cache/CacheFolder.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

using namespace tegula::cache;
using tegula::test::CacheFolder;
namespace fs = std::filesystem;

namespace {

unsigned modeOf(const std::string &path) {
  struct stat status{};
  return stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

TEST(CacheStore, GivesBackWhatWasStored) {
  CacheFolder folder;
  EXPECT_FALSE(Store(folder.path).find("key"));
  EXPECT_FALSE(fs::exists(folder.path)) << "looking makes no folder";
  EXPECT_TRUE(Store(folder.path).put("key", {{"ptx", "text"}}));
  EXPECT_EQ(Store(folder.path).find("key"), (Sections{{"ptx", "text"}}));
  EXPECT_FALSE(Store(folder.path).find("another key"));
  EXPECT_TRUE(Store(folder.path).put("key", {{"ptx", "new"}}));
  EXPECT_EQ(Store(folder.path).find("key"), (Sections{{"ptx", "new"}}));
}

TEST(CacheStore, KeepsSectionsApart) {
  CacheFolder folder;
  Store store(folder.path);
  EXPECT_TRUE(store.put("key", {{"ptx", "text"}, {"code", "bytes"}}));
  EXPECT_EQ(store.find("key"), (Sections{{"code", "bytes"}, {"ptx", "text"}}));
  EXPECT_TRUE(store.put("key", {{"code", "other"}}));
  EXPECT_EQ(store.find("key"), (Sections{{"code", "other"}}));
}

TEST(CacheStore, IsPrivateToItsUser) {
  CacheFolder folder;
  const mode_t before = umask(0);
  Store store(folder.path + "/made/on the way");
  EXPECT_TRUE(store.put("key", {{"ptx", "text"}}));
  umask(before);
  EXPECT_EQ(modeOf(store.path()), 0700u);
  for (const fs::directory_entry &file : fs::directory_iterator(store.path()))
    EXPECT_EQ(modeOf(file.path()), 0600u) << file.path();
}

TEST(CacheStore, AFolderThatOthersMayWriteToIsRefusedAndSaysSoOnce) {
  CacheFolder folder;
  ASSERT_TRUE(Store(folder.path).put("key", {{"ptx", "text"}}));
  for (const unsigned mode : {0720u, 0702u, 0777u}) {
    chmod(folder.path.c_str(), mode);
    Store store(folder.path);
    EXPECT_FALSE(store.find("key"));
    EXPECT_FALSE(store.put("other", {{"ptx", "text"}}));
    ASSERT_TRUE(store.problem());
    EXPECT_EQ(store.problem()->text,
              "the cache `" + folder.path +
                  "` is not used: others may write to the folder (`chmod go-w` mends that)");
    EXPECT_EQ(store.takeWarning().has_value(), mode == 0720u);
    EXPECT_FALSE(Store(folder.path).takeWarning());
  }
  chmod(folder.path.c_str(), 0755);
  EXPECT_TRUE(Store(folder.path).find("key")) << "that others may read does no harm";
  EXPECT_EQ(folder.files(".tegula").size(), 1u);
}

TEST(CacheStore, AFolderOfAnotherUserIsRefused) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can give a folder away";
  CacheFolder folder;
  ASSERT_TRUE(Store(folder.path).put("key", {{"ptx", "text"}}));
  ASSERT_EQ(chown(folder.path.c_str(), 12345, 12345), 0);
  Store store(folder.path);
  EXPECT_FALSE(store.find("key"));
  ASSERT_TRUE(store.problem());
  EXPECT_EQ(store.problem()->text,
            "the cache `" + folder.path + "` is not used: the folder belongs to another user");
}

TEST(CacheStore, WithoutAFolderHoldsNothing) {
  Store none("");
  EXPECT_FALSE(none.enabled());
  EXPECT_FALSE(none.put("key", {{"ptx", "text"}}));
  EXPECT_FALSE(none.find("key"));
  EXPECT_FALSE(none.problem());
  EXPECT_TRUE(none.list().empty());
  EXPECT_EQ(none.clear().files, 0u);
  EXPECT_EQ(none.trim(0).files, 0u);
  EXPECT_FALSE(none.setLimit(5));
}

TEST(CacheStore, AFolderThatCannotBeMadeIsNamed) {
  Store nowhere("/proc/no/such/folder");
  EXPECT_FALSE(nowhere.problem()) << "nothing is wrong before a write";
  EXPECT_FALSE(nowhere.put("key", {{"ptx", "text"}}));
  ASSERT_TRUE(nowhere.problem());
  EXPECT_EQ(nowhere.problem()->text,
            "the cache `/proc/no/such/folder` is not used: No such file or directory");
  CacheFolder folder;
  CacheFolder::write(folder.path, "a file");
  Store file(folder.path);
  ASSERT_TRUE(file.problem());
  EXPECT_EQ(file.problem()->text, "the cache `" + folder.path + "` is not used: Not a directory");
}

TEST(CacheStore, DefaultFolders) {
  auto with = [](const char *name, const char *value, auto then) {
    const char *old = std::getenv(name);
    const std::string kept = old ? old : "";
    value ? setenv(name, value, 1) : unsetenv(name);
    then();
    old ? setenv(name, kept.c_str(), 1) : unsetenv(name);
  };
  with("TEGULA_CACHE_DIR", "/a", [] {
    EXPECT_EQ(configuredFolder(), "/a");
    EXPECT_EQ(defaultFolder(), "/a");
  });
  with("TEGULA_CACHE_DIR", "", [] { EXPECT_EQ(defaultFolder(), "") << "empty turns it off"; });
  with("TEGULA_CACHE_DIR", nullptr, [&] {
    EXPECT_EQ(configuredFolder(), "");
    with("HOME", "/home/me", [&] {
      with("XDG_CACHE_HOME", "/xdg", [] { EXPECT_EQ(defaultFolder(), "/xdg/tegula"); });
      with("XDG_CACHE_HOME", "relative", [] { EXPECT_EQ(defaultFolder(), "/home/me/.cache/tegula"); });
      with("XDG_CACHE_HOME", nullptr, [] { EXPECT_EQ(defaultFolder(), "/home/me/.cache/tegula"); });
    });
    with("XDG_CACHE_HOME", nullptr, [&] { with("HOME", nullptr, [] { EXPECT_EQ(defaultFolder(), ""); }); });
  });
}

TEST(CacheStore, ListTellsOfEachEntry) {
  CacheFolder folder;
  Store store(folder.path);
  store.put("a", {{"ptx", "text"}});
  store.put("b", {{"code", "bytes"}});
  store.find("a");
  const std::string foreign = folder.path + "/" + std::string(32, '0') + ".tegula";
  CacheFolder::write(foreign, "no entry");
  fs::last_write_time(foreign, fs::file_time_type::min());
  const std::vector<StoredEntry> entries = store.list();
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0].contents->key, "a") << "the most recently used first";
  EXPECT_EQ(entries[0].bytes, fs::file_size(folder.path + "/" + entries[0].name));
  EXPECT_EQ(entries[1].contents->sections, (Sections{{"code", "bytes"}}));
  EXPECT_FALSE(entries[2].contents);
  EXPECT_EQ(store.removeDamaged().files, 1u);
  EXPECT_EQ(store.list().size(), 2u);
}

TEST(CacheStore, ClearRemovesWhatIsItsOwn) {
  CacheFolder folder;
  Store store(folder.path);
  store.put("a", {{"ptx", "text"}});
  store.put("b", {{"ptx", "text"}});
  store.setLimit(5 << 20);
  CacheFolder::write(folder.path + "/notes.txt", "mine");
  const Removed removed = store.clear();
  EXPECT_EQ(removed.files, 2u);
  EXPECT_GT(removed.bytes, 100u);
  EXPECT_TRUE(store.list().empty());
  EXPECT_EQ(CacheFolder::read(folder.path + "/notes.txt"), "mine");
  EXPECT_EQ(store.limit(), 5u << 20);
}

} // namespace
