// A folder for a cache, which goes with the test.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace tegula::test {

struct CacheFolder {
  CacheFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tegula-test-XXXXXX").string();
    parent = mkdtemp(pattern.data());
    path = parent + "/cache";
  }
  ~CacheFolder() { std::filesystem::remove_all(parent); }
  CacheFolder(const CacheFolder &) = delete;

  /// The files whose names end so; none where there is no folder yet.
  std::vector<std::string> files(const std::string &end) const {
    std::vector<std::string> found;
    if (!std::filesystem::exists(path))
      return found;
    for (const std::filesystem::directory_entry &file : std::filesystem::directory_iterator(path))
      if (file.path().string().ends_with(end))
        found.push_back(file.path().string());
    return found;
  }
  static std::string read(const std::string &file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  static void write(const std::string &file, const std::string &bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
  }
  std::string parent, path;
};

} // namespace tegula::test
