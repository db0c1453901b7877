// Two folders: one of the machine, and one that machines share.
#include "runtime/cache/Levels.h"
#include "test/runtime/cache/CacheFolder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sys/stat.h>

using namespace tegula::cache;
using tegula::test::CacheFolder;

namespace {

const Sections made{{"ptx", "made"}};

TEST(Levels, WhatOneMachineStoresAnotherFinds) {
  CacheFolder first, second, shared;
  EXPECT_TRUE(Levels(first.path, shared.path).put("key", made));
  EXPECT_EQ(Store(first.path).find("key"), made);
  EXPECT_EQ(Store(shared.path).find("key"), made);
  Levels other(second.path, shared.path);
  EXPECT_EQ(other.find("key"), made);
  EXPECT_FALSE(other.find("another key"));
  EXPECT_EQ(Store(second.path).find("key"), made) << "the machine's own folder has it from then on";
}

TEST(Levels, AFolderThatIsRefusedDoesNoHarmToTheOther) {
  CacheFolder own, shared;
  ASSERT_TRUE(Levels(own.path, shared.path).put("key", made));
  chmod(shared.path.c_str(), 0777);
  Levels levels(own.path, shared.path);
  EXPECT_EQ(levels.takeWarning(),
            "the cache `" + shared.path +
                "` is not used: others may write to the folder (`chmod go-w` mends that)");
  EXPECT_FALSE(levels.takeWarning());
  EXPECT_TRUE(levels.put("another key", made));
  EXPECT_EQ(levels.find("key"), made);
  EXPECT_FALSE(Store(shared.path).find("another key"));
}

TEST(Levels, WithoutAFolderOfItsOwnNothingIsKept) {
  CacheFolder shared;
  Levels levels("", shared.path);
  EXPECT_FALSE(levels.enabled());
  EXPECT_FALSE(levels.put("key", made));
  EXPECT_FALSE(std::filesystem::exists(shared.path));
}

TEST(Levels, TheEnvironmentNamesTheSharedFolder) {
  CacheFolder first, second, shared;
  setenv("TEGULA_SHARED_CACHE_DIR", shared.path.c_str(), 1);
  Levels(first.path).put("key", made);
  EXPECT_EQ(Levels(second.path).find("key"), made);
  unsetenv("TEGULA_SHARED_CACHE_DIR");
  EXPECT_EQ(sharedFolder(), "");
}

} // namespace
