// Every config compiled, and launched by nobody.
#pragma once

#include "tools/tegula/bench/Measure.h"

namespace tegula::cli::bench {

struct DryRun {
  std::string
      text; ///< a line for each config that compiles: its launch and, where there is an assembler, its cost
  std::string wrong; ///< the same for those that do not
  size_t compiled = 0, failed = 0, spilling = 0;
  size_t warned = 0; ///< that the assembler warns of
};

/// Compiles for `arch`, on all cores. Errors: those of reading the kernels' files.
runtime::Result<DryRun> dryRun(const std::vector<Case> &cases, KernelFiles &files, const std::string &arch);

/// What the assembler warns of where `subject` is launched as `config` says. Errors: those of compiling and
/// assembling; Unavailable without an assembler.
runtime::Result<std::vector<std::string>> assemblerWarnings(const Case &subject,
                                                            const jit::TuneConfig &config, KernelFiles &files,
                                                            const std::string &arch);

} // namespace tegula::cli::bench
