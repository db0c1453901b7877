#include "runtime/jit/tune/TuneRequest.h"

#include "compiler/target/Target.h"
#include "runtime/jit/program/CompileDefaults.h"

#include <fmt/format.h>

namespace tegula::jit {

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

} // namespace tegula::jit
