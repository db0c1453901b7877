#include "compiler/driver/Stage.h"

#include <algorithm>
#include <array>

namespace tegula {

/// In the order of `Stage`.
static constexpr std::array<std::string_view, 7> stageNames = {"ast",  "tile",   "distributed", "scheduled",
                                                               "llvm", "llvmir", "ptx"};

std::optional<Stage> parseStage(std::string_view name) {
  const auto *found = std::ranges::find(stageNames, name);
  return found == stageNames.end() ? std::nullopt : std::optional(Stage(found - stageNames.begin()));
}

std::string_view stageName(Stage stage) { return stageNames[size_t(stage)]; }

std::optional<Stage> stageOfText(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  if (line.starts_with("// Tegula kernel "))
    return Stage::Ptx;
  return line.starts_with(stageMark) ? parseStage(line.substr(stageMark.size())) : std::nullopt;
}

} // namespace tegula
