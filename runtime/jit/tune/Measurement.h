// Measuring the launches of one config.
#pragma once

#include "runtime/jit/tune/TuneRequest.h"

namespace tegula::jit {

/// A config on its way.
struct Candidate {
  Trial trial;
  std::shared_ptr<JitKernel> kernel; ///< null where it was skipped
  runtime::Grid grid = {};
  std::vector<HostValue> arguments = {};
};

/// The most launches of a config that are measured, and the fewest.
constexpr size_t mostLaunches = 1000, leastLaunches = 3;

/// Why no block of this config fits on the device, as far as that is certain before compiling; empty where it
/// may. How much shared memory a block needs the compiler knows and says, before it makes code.
std::string whyUnfit(const runtime::Device &device, const TuneConfig &config);

/// The configs that `request` tries, compiled, assembled and loaded side by side; skipped where that cannot
/// be done. Errors: those of `request.arguments`.
runtime::Result<std::vector<Candidate>> prepareCandidates(const TuneRequest &request);

/// Measures launches on one device.
class Stopwatch {
public:
  static runtime::Result<std::unique_ptr<Stopwatch>> create(const std::shared_ptr<runtime::Device> &device);
  ~Stopwatch();
  Stopwatch(const Stopwatch &) = delete;

  /// Milliseconds of one launch with cold caches.
  runtime::Result<double> measure(const Candidate &candidate);

private:
  explicit Stopwatch(std::shared_ptr<runtime::Device> device) : device(std::move(device)) {}

  std::shared_ptr<runtime::Device> device;
  /// Memory of which one half is copied to the other between two launches, so that no launch finds its data
  /// in the caches.
  runtime::DeviceAddress scratch = 0;
  uint64_t scratchBytes = 0; ///< of one half
  std::unique_ptr<runtime::Event> start, end;
};

/// The median of `samples`, of which there is one at least, and their quantiles.
Trial::Times summary(std::vector<double> samples);

} // namespace tegula::jit
