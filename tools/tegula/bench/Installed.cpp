#include "tools/tegula/bench/Installed.h"

#include <filesystem>

namespace tegula::cli {

namespace fs = std::filesystem;

/// That of this executable, without links, whatever it was called by.
static fs::path ownFolder() {
  std::error_code ignored;
  return fs::canonical("/proc/self/exe", ignored).parent_path();
}

std::string shareFolder(const std::string &name, const std::string &source) {
  std::error_code ignored;
  const fs::path installed = ownFolder() / "../share/tegula" / name;
  return fs::exists(installed, ignored) ? installed.lexically_normal().string() : source;
}

std::string packageFolder() {
  std::error_code ignored;
  for (const char *place : {"../..", "../python"})
    if (const fs::path folder = ownFolder() / place; fs::exists(folder / "tegula/__init__.py", ignored))
      return folder.lexically_normal().string();
  return {};
}

} // namespace tegula::cli
