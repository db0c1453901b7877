// A launch on the emulator, to compare what it makes with what the interpreter makes.
#pragma once

#include "compiler/debug/StoreLog.h"
#include "runtime/emulator/warp/Observer.h"
#include "tools/tegula/debug/LaunchInput.h"

#include <memory>
#include <string>
#include <vector>

namespace tegula::cli {

struct EmulatorRun {
  std::string note;                      ///< how it has gone, for a person
  std::vector<debug::Expected> expected; ///< the arrays at its end; empty after a fault
  debug::StoreLog stores;                ///< empty after a fault
};

/// Opens the emulator that `device` names, "emulator" or "emulator:N", which tells `observer` of its
/// launches. Errors: InvalidArgument.
runtime::Result<std::shared_ptr<runtime::Device>> openObserved(const std::string &device,
                                                               runtime::ptx::Observer &observer);

/// Runs the launch of `words` on the emulator: with the kernel as it is compiled, or with the code in `file`
/// where that is not empty. A fault is no error, but noted. Errors: those of a run that does not come to its
/// launch; InvalidArgument for a file that holds no code, or that of another kernel.
runtime::Result<EmulatorRun> runOnEmulator(const LaunchInput &words, const std::string &file);

} // namespace tegula::cli
