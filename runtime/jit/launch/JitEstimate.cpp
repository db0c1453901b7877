// Estimates a launch before it is compiled.
#include "runtime/jit/launch/Jit.h"
#include "runtime/jit/program/CompileError.h"

#include "compiler/target/Target.h"

#include <algorithm>
#include <bit>

namespace tegula::jit {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

/// The launch would compile for a multiple of 2, 4 or 8 where that makes the code better
/// (`find-finer-facts`).
static void addFinerFact(KernelSpec &spec, const ParameterInfo &parameter, uint64_t bits) {
  const auto found = spec.args.find(parameter.name);
  auto *runtime = found == spec.args.end() ? nullptr : std::get_if<RuntimeArg>(&found->second);
  if (!runtime || parameter.doNotSpecialize || parameter.doNotSpecializeOnAlignment)
    return;
  const uint32_t divisor = 1u << std::min(std::countr_zero(bits), 4);
  runtime->facts.divisibility = std::max(runtime->facts.divisibility, divisor);
}

Result<Estimation> JitKernel::estimate(const std::shared_ptr<runtime::Device> &device, runtime::Grid grid,
                                       std::span<const HostValue> args) {
  if (holdTuple(args)) {
    std::vector<HostValue> flat;
    JitKernel *kernel = TRY(withTuples(args, flat));
    return kernel->estimate(device, grid, flat);
  }
  const JitKernel *kernel = TRY(withHeuristics(device, args));
  if (owner->source().keptIdentity().empty())
    return Estimation{.unknown = "the kernel calls functions of the host while it is compiled"};
  KernelSpec spec = TRY(kernel->specOf(*device, args));
  const Target *target = lookupTarget(spec.target);
  cost::LaunchFacts launch{.grid = {grid.x, grid.y, grid.z}};
  const uint32_t counted = device->properties().multiprocessors;
  launch.multiprocessors = counted || !target ? counted : cost::ratesOf(*target).multiprocessors;
  for (size_t i = 0; i < args.size(); ++i)
    if (args[i].isInteger()) {
      const ParameterInfo &parameter = kernel->open[i];
      launch.numbers.emplace_back(parameter.name, int64_t(args[i].bits));
      addFinerFact(spec, parameter, args[i].bits);
    }
  TermsResult found = sharedCompiler().terms(owner->source().parsedSource(), spec, launch);
  if (hasErrors(found.diagnostics))
    return compileError(std::move(found.diagnostics));
  Estimation estimation{.terms = std::move(found.terms), .unknown = std::move(found.unknown)};
  if (estimation.terms)
    estimation.estimate = cost::estimate(*estimation.terms, *target, launch.multiprocessors);
  return estimation;
}

} // namespace tegula::jit
