#include "runtime/jit/tune/Measurement.h"

#include "runtime/jit/tune/Parallel.h"

#include <algorithm>
#include <cmath>

namespace tegula::jit {

using runtime::Result;

class CacheFlush {
public:
  static Result<std::unique_ptr<CacheFlush>> create(std::shared_ptr<runtime::Device> device) {
    // A device that does not say how large its caches are has none that matter.
    const uint64_t bytes = 2 * device->properties().l2Bytes;
    runtime::DeviceAddress address = 0;
    if (bytes) {
      address = TRY(device->allocate(2 * bytes));
    }
    return std::unique_ptr<CacheFlush>(new CacheFlush(std::move(device), address, bytes));
  }
  ~CacheFlush() {
    if (bytes)
      (void)device->free(address);
  }
  CacheFlush(const CacheFlush &) = delete;

  Result<void> operator()() const {
    return bytes ? device->copyOnDevice(address, address + bytes, bytes) : Result<void>();
  }

private:
  CacheFlush(std::shared_ptr<runtime::Device> device, runtime::DeviceAddress address, uint64_t bytes)
      : device(std::move(device)), address(address), bytes(bytes) {}

  std::shared_ptr<runtime::Device> device;
  runtime::DeviceAddress address;
  uint64_t bytes; ///< of one half
};

Stopwatch::Stopwatch(std::shared_ptr<runtime::Device> device) : device(std::move(device)) {}
Stopwatch::~Stopwatch() = default;

Result<std::unique_ptr<Stopwatch>> Stopwatch::create(const std::shared_ptr<runtime::Device> &device) {
  std::unique_ptr<Stopwatch> made(new Stopwatch(device));
  Result<std::unique_ptr<CacheFlush>> flush = CacheFlush::create(device);
  Result<std::unique_ptr<runtime::Event>> start = device->createEvent(), end = device->createEvent();
  if (!flush || !start || !end)
    return !flush ? flush.error() : !start ? start.error() : end.error();
  made->flush = std::move(*flush);
  made->start = std::move(*start);
  made->end = std::move(*end);
  return made;
}

Result<double> Stopwatch::measure(const Candidate &candidate) {
  TRY((*flush)());
  TRY(start->record(nullptr));
  TRY(candidate.kernel->launch(device, candidate.grid, candidate.arguments));
  TRY(end->record(nullptr));
  TRY(end->synchronize());
  float milliseconds = TRY(end->millisecondsSince(*start));
  return double(milliseconds);
}

Trial::Times summary(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  auto quantile = [&](double part) {
    return samples[size_t(std::lround(part * double(samples.size() - 1)))];
  };
  return {quantile(0.5), quantile(0.2), quantile(0.8), samples.size()};
}

/// The kernel, grid and arguments of a config; skipped where its values are no good.
static Result<Candidate> makeCandidate(const TuneRequest &request, size_t config) {
  Candidate candidate;
  candidate.trial.config = config;
  const TuneConfig &chosen = request.configs[config];
  candidate.grid = chosen.grid;
  Result<std::shared_ptr<JitKernel>> kernel =
      JitKernel::create(request.program, *request.kernel, chosen.options);
  candidate.trial.skipped = kernel ? whyUnfit(*request.device, chosen) : kernel.error().text;
  if (!candidate.trial.skipped.empty())
    return candidate;
  std::vector<HostValue> arguments = TRY(request.arguments(**kernel));
  candidate.kernel = std::move(*kernel);
  candidate.arguments = std::move(arguments);
  return candidate;
}

/// Compiles, assembles and loads.
static void prepare(const TuneRequest &request, Candidate &candidate) {
  Result<const Variant *> variant = candidate.kernel->prepare(request.device, candidate.arguments);
  if (!variant) {
    candidate.trial.skipped = variant.error().text;
    candidate.kernel.reset();
    return;
  }
  const runtime::LoadedKernel &loaded = *(*variant)->kernel;
  candidate.trial.registers = loaded.registers();
  candidate.trial.spillBytes = loaded.spillBytes();
  candidate.trial.sharedBytes = loaded.image().sharedBytes;
}

Result<std::vector<Candidate>> prepareCandidates(const TuneRequest &request) {
  std::vector<Candidate> candidates;
  for (size_t config : request.tried) {
    Candidate candidate = TRY(makeCandidate(request, config));
    candidates.push_back(std::move(candidate));
  }
  forEachIndex(candidates.size(), request.threads, [&](size_t i) {
    if (candidates[i].kernel)
      prepare(request, candidates[i]);
  });
  return candidates;
}

} // namespace tegula::jit
