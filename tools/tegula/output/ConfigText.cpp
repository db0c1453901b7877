#include "tools/tegula/output/ConfigText.h"

#include "compiler/spec/ValueText.h"

#include <fmt/format.h>

namespace tegula::cli {

std::string configText(const KernelConfig &config) {
  std::string text;
  for (const auto &[name, value] : config.values)
    text += fmt::format("{}={} ", name, valueText(value));
  text += fmt::format("num_warps={} num_stages={}", config.numWarps, config.numStages);
  if (config.numCtas != 1)
    text += fmt::format(" num_ctas={}", config.numCtas);
  if (config.maxRegisters)
    text += fmt::format(" maxnreg={}", *config.maxRegisters);
  return text;
}

} // namespace tegula::cli
