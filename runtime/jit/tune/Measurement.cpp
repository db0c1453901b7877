#include "runtime/jit/tune/Measurement.h"

#include "compiler/target/Target.h"
#include "runtime/jit/program/CompileDefaults.h"
#include "runtime/jit/tune/Parallel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tegula::jit {

using runtime::Result;

Stopwatch::~Stopwatch() {
  if (scratchBytes)
    (void)device->free(scratch);
}

Result<std::unique_ptr<Stopwatch>> Stopwatch::create(const std::shared_ptr<runtime::Device> &device) {
  std::unique_ptr<Stopwatch> made(new Stopwatch(device));
  // A device that does not say how large its caches are has none that matter.
  if (const uint64_t bytes = 2 * device->properties().l2Bytes) {
    made->scratch = TRY(device->allocate(2 * bytes));
    made->scratchBytes = bytes;
  }
  made->start = TRY(device->createEvent());
  made->end = TRY(device->createEvent());
  return made;
}

Result<double> Stopwatch::measure(const Candidate &candidate) {
  if (scratchBytes)
    TRY(device->copyOnDevice(scratch, scratch + scratchBytes, scratchBytes));
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
