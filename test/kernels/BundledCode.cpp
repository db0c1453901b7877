// bundled-code FOLDER [ARCH...]: writes the PTX of every bundled kernel, for each element type, config and
// architecture (or those named), as `KERNEL.TYPE.CONFIG.ARCH.ptx`. `tools/check/code.py` compares two such folders.
#include "compiler/target/Target.h"
#include "test/kernels/BundledKernels.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

using namespace tegula;
using namespace tegula::test;

/// Writes all code of `kernel` for `target` to `folder`. False after a failure, which has been printed.
static bool writeCode(const BundledKernel &kernel, const Target &target,
                      const std::filesystem::path &folder) {
  for (const std::string &type : wordsOf(kernel.types))
    for (size_t config = 0, count = configCount(kernel, target); config < count; ++config) {
      const CompileResult result = compileBundled(kernel, type, target, config);
      if (!result.image)
        return false;
      std::ofstream(folder / (std::string(kernel.name) + "." + type + "." + std::to_string(config) + "." +
                              std::string(target.name) + ".ptx"))
          << result.image->ptx;
    }
  return true;
}

int main(int count, char **arguments) {
  if (count < 2) {
    std::fprintf(stderr, "usage: bundled-code FOLDER [ARCH...]\n");
    return 2;
  }
  const std::span<char *const> named(arguments + 2, size_t(count) - 2);
  std::filesystem::create_directories(arguments[1]);
  bool isWhole = true;
  for (const Target &target : allTargets()) {
    if (!named.empty() && std::ranges::find(named, target.name) == named.end())
      continue;
    for (std::span<const BundledKernel> kernels : {rowKernels(), matrixKernels()})
      for (const BundledKernel &kernel : kernels)
        if (kernel.compilesFor(target))
          isWhole &= writeCode(kernel, target, arguments[1]);
  }
  return !isWhole;
}
