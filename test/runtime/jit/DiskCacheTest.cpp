#include "runtime/jit/DiskCache.h"
#include "runtime/device/KernelImageText.h"
#include "runtime/jit/Files.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace tegula;
using namespace tegula::jit;
namespace fs = std::filesystem;

namespace {

/// A folder that goes with the test.
struct Folder {
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "tegula-test-XXXXXX").string();
    path = mkdtemp(pattern.data());
  }
  ~Folder() { fs::remove_all(path); }
  std::string path;
};

KernelImage image() {
  KernelImage image;
  image.entry = image.kernel = "add";
  image.target = "sm_90a";
  image.params = {{"x", "*fp32", ParamKind::Pointer, 8, 0}, {"n", "i32", ParamKind::Integer, 4, 8}};
  image.paramBytes = 12;
  image.numWarps = 8;
  image.sharedBytes = 1024;
  image.programsPerBlock = 8;
  image.sourceFile = "add.py";
  image.ptx = launchText(image) + "line 1\n3:abc\n";
  return image;
}

TEST(DiskCache, GivesBackWhatWasStored) {
  Folder folder;
  DiskCache cache(folder.path + "/made/by/the/cache");
  EXPECT_FALSE(cache.find("key"));
  cache.store("key", image());
  std::optional<KernelImage> found = cache.find("key");
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, image());
  EXPECT_FALSE(cache.find("another key"));
}

TEST(DiskCache, DamagedEntriesAreAbsent) {
  Folder folder;
  DiskCache cache(folder.path);
  cache.store("key", image());
  fs::path entry = fs::directory_iterator(folder.path)->path();
  const std::string whole = *readFile(entry.string(), SIZE_MAX);
  for (size_t length = 0; length < whole.size(); ++length) {
    ASSERT_TRUE(writeFile(entry.string(), whole.substr(0, length)));
    EXPECT_FALSE(cache.find("key")) << length;
  }
  ASSERT_TRUE(writeFile(entry.string(), whole + "x"));
  EXPECT_FALSE(cache.find("key"));
}

TEST(DiskCache, AnEntryEditedAtEqualLengthIsAbsent) {
  Folder folder;
  DiskCache cache(folder.path);
  cache.store("key", image());
  fs::path entry = fs::directory_iterator(folder.path)->path();
  const std::string whole = *readFile(entry.string(), SIZE_MAX);
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string edited = whole;
    edited[at] ^= 1;
    ASSERT_TRUE(writeFile(entry.string(), edited));
    EXPECT_FALSE(cache.find("key")) << at;
  }
  ASSERT_TRUE(writeFile(entry.string(), whole));
  EXPECT_TRUE(cache.find("key"));
}

TEST(DiskCache, AnEntryUnderAnothersNameIsAbsent) {
  Folder folder;
  DiskCache cache(folder.path);
  cache.store("key", image());
  const fs::path entry = fs::directory_iterator(folder.path)->path();
  cache.store("other", image());
  for (const fs::directory_entry &other : fs::directory_iterator(folder.path))
    if (other.path() != entry)
      fs::copy_file(other.path(), entry, fs::copy_options::overwrite_existing);
  EXPECT_FALSE(cache.find("key"));
  EXPECT_TRUE(cache.find("other"));
}

TEST(DiskCache, WithoutFolderHoldsNothing) {
  DiskCache cache("");
  cache.store("key", image());
  EXPECT_FALSE(cache.enabled());
  EXPECT_FALSE(cache.find("key"));
}

TEST(DiskCache, UnwritableFolderIsNoError) {
  DiskCache cache("/proc/no/such/folder");
  cache.store("key", image());
  EXPECT_FALSE(cache.find("key"));
}

TEST(Files, ErrorsNameThePath) {
  Folder folder;
  auto missing = readFile(folder.path + "/none", 10);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, runtime::ErrorKind::Io);
  EXPECT_EQ(missing.error().text, "cannot read `" + folder.path + "/none`: No such file or directory");
  auto directory = readFile(folder.path, 10);
  ASSERT_FALSE(directory);
  EXPECT_EQ(directory.error().text, "cannot read `" + folder.path + "`: it is a directory");
  ASSERT_TRUE(writeFile(folder.path + "/large", "12345678901"));
  auto large = readFile(folder.path + "/large", 10);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().text, "cannot read `" + folder.path + "/large`: it is larger than 10 bytes");
  auto written = writeFile(folder.path, "x");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().text, "cannot write `" + folder.path + "`: it is a directory");
  auto nowhere = writeFile(folder.path + "/no/file", "x");
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().text, "cannot write `" + folder.path + "/no/file`: No such file or directory");
}

TEST(Files, NothingIsLeftBehind) {
  Folder folder;
  ASSERT_TRUE(writeFile(folder.path + "/a", "one"));
  ASSERT_TRUE(writeFile(folder.path + "/a", "two"));
  EXPECT_EQ(*readFile(folder.path + "/a", 10), "two");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()), 1);
}

} // namespace
