#include "runtime/device/assembler/ToolkitProgram.h"

#include "runtime/host/Environment.h"

#include <fmt/format.h>

#include <ranges>
#include <unistd.h>

namespace tegula::runtime {

std::string findToolkitProgram(std::initializer_list<std::string_view> names) {
  const std::string home = environment("CUDA_HOME");
  const std::string folders =
      fmt::format("{}:{}:/usr/local/cuda/bin", home.empty() ? "" : home + "/bin", environment("PATH"));
  for (const auto folder : std::views::split(folders, ':'))
    for (std::string_view name : names) {
      const std::string candidate =
          fmt::format("{}/{}", std::string_view(folder.begin(), folder.end()), name);
      if (!folder.empty() && access(candidate.c_str(), X_OK) == 0)
        return candidate;
    }
  return {};
}

} // namespace tegula::runtime
