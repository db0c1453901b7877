#include "runtime/device/assembler/ToolkitProgram.h"

#include "runtime/host/Environment.h"

#include <fmt/format.h>

#include <algorithm>
#include <unistd.h>

namespace tegula::runtime {

std::string toolkitHome() { return environment("CUDA_HOME"); }

std::string findToolkitProgram(std::initializer_list<std::string_view> names) {
  const std::string home = toolkitHome();
  const std::string folders =
      fmt::format("{}:{}:/usr/local/cuda/bin", home.empty() ? "" : home + "/bin", environment("PATH"));
  for (size_t start = 0; start < folders.size();) {
    const size_t end = std::min(folders.find(':', start), folders.size());
    for (std::string_view name : names) {
      const std::string candidate = fmt::format("{}/{}", folders.substr(start, end - start), name);
      if (end > start && access(candidate.c_str(), X_OK) == 0)
        return candidate;
    }
    start = end + 1;
  }
  return {};
}

} // namespace tegula::runtime
