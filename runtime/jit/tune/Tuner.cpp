#include "runtime/jit/tune/Tuner.h"

#include "compiler/target/Target.h"
#include "runtime/jit/program/CompileDefaults.h"
#include "runtime/jit/tune/Parallel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tegula::jit {

using runtime::Result;

namespace {

/// A config on its way.
struct Candidate {
  Trial trial;
  std::shared_ptr<JitKernel> kernel; ///< null where it was skipped
  runtime::Grid grid = {};
  std::vector<HostValue> arguments = {};
};

/// Device memory that is written between two launches, so that no launch finds its data in the caches.
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

/// Measures launches of one device.
class Stopwatch {
public:
  static Result<std::unique_ptr<Stopwatch>> create(const std::shared_ptr<runtime::Device> &device) {
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

  /// Milliseconds of one launch with cold caches.
  Result<double> measure(const Candidate &candidate) {
    TRY((*flush)());
    TRY(start->record(nullptr));
    TRY(candidate.kernel->launch(device, candidate.grid, candidate.arguments));
    TRY(end->record(nullptr));
    TRY(end->synchronize());
    float milliseconds = TRY(end->millisecondsSince(*start));
    return double(milliseconds);
  }

private:
  explicit Stopwatch(std::shared_ptr<runtime::Device> device) : device(std::move(device)) {}

  std::shared_ptr<runtime::Device> device;
  std::unique_ptr<CacheFlush> flush;
  std::unique_ptr<runtime::Event> start, end;
};

Trial::Times summary(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  auto quantile = [&](double part) {
    return samples[size_t(std::lround(part * double(samples.size() - 1)))];
  };
  return {quantile(0.5), quantile(0.2), quantile(0.8), samples.size()};
}

constexpr size_t mostLaunches = 1000, leastLaunches = 3;

/// Launches for a time, and what the launches after that took.
Result<Trial::Times> timesOf(const Candidate &candidate, Stopwatch &stopwatch, const TuneRequest &request) {
  double spent = 0;
  // One launch is always the first: it may pay for what is done once.
  for (size_t launch = 0; launch == 0 || (spent < request.warmupMilliseconds && launch < mostLaunches);
       ++launch) {
    double time = TRY(stopwatch.measure(candidate));
    spent += time;
  }
  std::vector<double> samples;
  for (spent = 0;
       samples.size() < leastLaunches || (spent < request.milliseconds && samples.size() < mostLaunches);) {
    double time = TRY(stopwatch.measure(candidate));
    spent += time;
    samples.push_back(time);
  }
  return summary(std::move(samples));
}

/// The times of `candidates` that are launched by turns, together for as long as one of them alone before.
Result<std::vector<Trial::Times>> timesInTurns(const std::vector<const Candidate *> &candidates,
                                               Stopwatch &stopwatch, const TuneRequest &request) {
  std::vector<std::vector<double>> samples(candidates.size());
  double spent = 0;
  for (size_t round = 0; round < leastLaunches || (spent < request.milliseconds && round < mostLaunches);
       ++round)
    for (size_t i = 0; i < candidates.size(); ++i) {
      double time = TRY(stopwatch.measure(*candidates[i]));
      spent += time;
      samples[i].push_back(time);
    }
  std::vector<Trial::Times> times;
  for (std::vector<double> &each : samples)
    times.push_back(summary(std::move(each)));
  return times;
}

/// The kernel, grid and arguments of a config; skipped where its values are no good.
Result<Candidate> makeCandidate(const TuneRequest &request, size_t config) {
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
void prepare(const TuneRequest &request, Candidate &candidate) {
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

} // namespace

std::string whyUnfit(const runtime::Device &device, const TuneConfig &config) {
  const runtime::DeviceProperties &limits = device.properties();
  const uint64_t threads = uint64_t(config.options.warps()) * limits.warpSize;
  if (threads > limits.maxThreadsPerBlock)
    return fmt::format("num_warps={} makes blocks of {} threads, the device has at most {}",
                       config.options.warps(), threads, limits.maxThreadsPerBlock);
  const uint64_t registers = threads * config.options.maxRegisters;
  if (registers > limits.registersPerMultiprocessor)
    return fmt::format("maxnreg={} for {} threads allows {} registers, a multiprocessor has {}",
                       config.options.maxRegisters, threads, registers, limits.registersPerMultiprocessor);
  const std::string arch = config.options.arch.empty() ? targetFor(device) : config.options.arch;
  const Target *target = lookupTarget(arch);
  const uint32_t ctas = config.options.launch.clusterBlocks;
  if (ctas > 1 && target && !target->clusters)
    return fmt::format("num_ctas={} makes clusters of blocks, which `{}` does not have", ctas, arch);
  return "";
}

Result<std::vector<Trial>> tune(const TuneRequest &request, const std::function<void(size_t)> &begin,
                                const std::function<void(const Trial &)> &done) {
  std::vector<Candidate> candidates;
  for (size_t config : request.tried) {
    Candidate candidate = TRY(makeCandidate(request, config));
    candidates.push_back(std::move(candidate));
  }
  forEachIndex(candidates.size(), request.threads, [&](size_t i) {
    if (candidates[i].kernel)
      prepare(request, candidates[i]);
  });
  std::unique_ptr<Stopwatch> stopwatch = TRY(Stopwatch::create(request.device));
  const auto restore = [&] { return request.restore ? request.restore() : Result<void>(); };
  std::vector<Trial> trials;
  for (Candidate &candidate : candidates) {
    if (candidate.kernel) {
      if (begin)
        begin(candidate.trial.config);
      TRY(restore());
      candidate.trial.times = TRY(timesOf(candidate, *stopwatch, request));
    }
    if (done)
      done(candidate.trial);
    trials.push_back(std::move(candidate.trial));
  }
  const std::vector<size_t> last = finalists(trials);
  if (last.empty())
    return trials;
  TRY(restore());
  std::vector<const Candidate *> turns;
  for (size_t place : last)
    turns.push_back(&candidates[place]);
  std::vector<Trial::Times> times = TRY(timesInTurns(turns, *stopwatch, request));
  for (size_t i = 0; i < last.size(); ++i) {
    trials[last[i]].times = times[i];
    if (done)
      done(trials[last[i]]);
  }
  return trials;
}

std::vector<size_t> finalists(const std::vector<Trial> &trials) {
  constexpr double nearEnough = 1.1;
  constexpr size_t most = 4;
  const Trial *best = fastest(trials);
  std::vector<size_t> found;
  for (size_t i = 0; i < trials.size(); ++i)
    if (trials[i].times && trials[i].times->median <= nearEnough * best->times->median)
      found.push_back(i);
  std::ranges::stable_sort(found, {}, [&](size_t i) { return trials[i].times->median; });
  found.resize(std::min(found.size(), most));
  return found.size() > 1 ? found : std::vector<size_t>();
}

const Trial *fastest(const std::vector<Trial> &trials) {
  const Trial *best = nullptr;
  for (const Trial &trial : trials)
    if (trial.times && (!best || trial.times->median < best->times->median))
      best = &trial;
  return best;
}

} // namespace tegula::jit
