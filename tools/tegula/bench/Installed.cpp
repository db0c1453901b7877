#include "tools/tegula/bench/Installed.h"

namespace tegula::cli {

std::filesystem::path executablePath() {
  std::error_code ignored;
  return std::filesystem::canonical("/proc/self/exe", ignored);
}

std::string shareFolder(const std::string &name, const std::string &source) {
  std::error_code ignored;
  const std::filesystem::path installed = executablePath().parent_path() / "../share/tegula" / name;
  return std::filesystem::exists(installed, ignored) ? installed.lexically_normal().string() : source;
}

} // namespace tegula::cli
