#include "tools/tegula/command/OtherNames.h"

#include <algorithm>

namespace tegula::cli {

std::span<const OtherNames> otherNames() {
  // Of Triton's compile.py and decorators, nvcc, ptxas, clang, MLIR's tools, gdb, pytest and torchrun.
  static const std::vector<OtherNames> names{
      {"--emit", {"to", "stage", "ptx", "sass", "cubin"}},
      {"--to", {"emit", "stage"}},
      {"--sig", {"signature", "type", "types"}},
      {"-D", {"define", "constants", "constexpr", "constexprs"}},
      {"--kernel", {"kernel-name", "entry", "function"}},
      {"--arch", {"target", "gpu-name", "gpu-architecture", "sm", "march", "mcpu"}},
      {"--device", {"target", "backend", "emulator", "interpret"}},
      {"--num-warps", {"warps", "threads"}},
      {"--num-stages", {"stages"}},
      {"--num-ctas", {"ctas", "cluster"}},
      {"--grid", {"blocks", "programs"}},
      {"--arg", {"input", "inputs"}},
      {"-o", {"output", "out", "out-path"}},
      {"--save", {"output", "out"}},
      {"--print", {"dump", "show"}},
      {"--report", {"remarks", "profile", "verbose"}},
      {"--import-path", {"include", "path"}},
      {"--expect", {"reference", "compare"}},
      {"--command", {"ex", "eval-command"}},
      {"--world", {"ranks", "nproc-per-node"}},
      {"--diff", {"compare", "baseline"}},
      {"--json", {"format", "output-format"}},
      {"--time", {"iterations", "repeat"}},
      {"--fail-on", {"werror"}},
  };
  return names;
}

static bool hasOption(const CommandTable &command, std::string_view spelling) {
  return std::any_of(command.options.begin(), command.options.end(), [&](const Option &option) {
    return option.name == spelling || option.otherName == spelling;
  });
}

std::string_view optionCalled(std::string_view word, const CommandTable &command) {
  for (const OtherNames &option : otherNames())
    if (std::find(option.theirs.begin(), option.theirs.end(), word) != option.theirs.end() &&
        hasOption(command, option.ours))
      return option.ours;
  return {};
}

} // namespace tegula::cli
