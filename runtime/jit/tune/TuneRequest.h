// Configs of a kernel to be tried on a device, and what trying one gives.
#pragma once

#include "runtime/jit/launch/Jit.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tegula::jit {

/// One way to compile and launch a kernel.
struct TuneConfig {
  JitKernel::Options options;
  runtime::Grid grid;
};

struct TuneRequest {
  std::shared_ptr<runtime::Device> device;
  std::shared_ptr<JitProgram> program;
  const KernelInfo *kernel = nullptr;
  std::vector<TuneConfig> configs; ///< all that there are
  std::vector<size_t> tried;       ///< places in `configs` of those to try, in this order
  /// The arguments of a launch, in the order of `JitKernel::parameters`.
  std::function<runtime::Result<std::vector<HostValue>>(const JitKernel &)> arguments;
  /// Puts the arrays back as they were: called before each config is measured. May be empty.
  std::function<runtime::Result<void>()> restore;
  double warmupMilliseconds = 25, milliseconds = 100; ///< of launches, for each config
  unsigned threads = 0;                               ///< that compile; 0: as many as the machine has
};

/// Result of trying one config.
struct Trial {
  size_t config = 0; ///< its place among the request's
  /// Times of a launch with cold caches: the median, and the quantiles 0.2 and 0.8. Absent where it was
  /// skipped.
  struct Times {
    double median = 0, low = 0, high = 0; ///< milliseconds
    size_t launches = 0;
  };
  std::optional<Times> times;
  std::string skipped; ///< why it was: it does not compile, or needs more than the device has
  uint32_t registers = 0, spillBytes = 0, sharedBytes = 0;
};

} // namespace tegula::jit
