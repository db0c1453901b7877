// A launch on the emulator, to compare what it makes with what the interpreter makes.
#pragma once

#include "compiler/debug/StoreLog.h"
#include "tools/tegula/debug/LaunchInput.h"

#include <string>
#include <vector>

namespace tegula::cli {

struct EmulatorRun {
  std::string note;                      ///< for a person: that it has ended, or its fault
  std::vector<debug::Expected> expected; ///< the arrays at its end; empty after a fault
  debug::StoreLog stores;                ///< empty after a fault
};

/// Runs the launch of `words` on the emulator: with the kernel as it is compiled, or with the code in `file`
/// where that is not empty. A fault is no error, but noted. Errors: those of a run that does not come to its
/// launch; InvalidArgument for a file that holds no code, or that of another kernel.
runtime::Result<EmulatorRun> runOnEmulator(const LaunchInput &words, const std::string &file);

} // namespace tegula::cli
