// Whole files.
#include "runtime/host/Files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <unistd.h>

using namespace tegula;
using namespace tegula::runtime;
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

TEST(Files, AnotherVersionForEachWriting) {
  Folder folder;
  const std::string path = folder.path + "/file";
  ASSERT_TRUE(writeFile(path, "one"));
  const time_t later = time(nullptr) + 100;
  EXPECT_EQ(fileVersion(path), "") << "it may change within the same tick of the clock";
  const std::string first = fileVersion(path, later);
  EXPECT_NE(first, "");
  EXPECT_EQ(fileVersion(path, later), first);
  // As long, and with the old time of writing.
  const fs::file_time_type written = fs::last_write_time(path);
  ASSERT_TRUE(writeFile(path, "two"));
  fs::last_write_time(path, written);
  EXPECT_NE(fileVersion(path, later), first);
  EXPECT_EQ(fileVersion(folder.path, later), "");
  EXPECT_EQ(fileVersion(folder.path + "/none", later), "");
}

TEST(Files, NothingIsLeftBehind) {
  Folder folder;
  ASSERT_TRUE(writeFile(folder.path + "/a", "one"));
  ASSERT_TRUE(writeFile(folder.path + "/a", "two"));
  EXPECT_EQ(*readFile(folder.path + "/a", 10), "two");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()), 1);
}

} // namespace
