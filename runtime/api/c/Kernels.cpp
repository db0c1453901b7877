// Kernels: options, parameters, launches.
#include "compiler/cost/EstimateText.h"
#include "dialect/tile/Limits.h"
#include "dialect/tile/LoopSharing.h"
#include "runtime/api/c/Arguments.h"
#include "runtime/api/c/BoundValues.h"
#include "runtime/api/c/Guard.h"
#include "runtime/api/c/Handles.h"
#include "runtime/jit/files/SpecText.h"

#include <fmt/format.h>

#include <cmath>

using namespace tegula;
using namespace tegula::c;
using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

static_assert(TEGULA_MAX_WARPS == tile::MaxWarps && TEGULA_MAX_STAGES == tile::MaxStages);

static Result<jit::JitKernel::Options> optionsOf(const tegula_kernel_options &given) {
  jit::JitKernel::Options options;
  if (given.constexpr_count && !given.constexprs)
    return Error{ErrorKind::InvalidArgument, "expected `constexprs`, found null"};
  for (size_t i = 0; i < given.constexpr_count; ++i) {
    const tegula_named_value &one = given.constexprs[i];
    if (!one.name)
      return Error{ErrorKind::InvalidArgument, fmt::format("expected a name of constexpr {}, found null", i)};
    BoundValue value = TRY(boundValueOf(one.value, one.name));
    options.constexprs.insert_or_assign(one.name, std::move(value));
  }
  options.numWarps = given.num_warps;
  options.numStages = given.num_stages;
  options.debug = given.debug;
  options.overflowChecks = !given.no_overflow_checks;
  options.maxRegisters = given.max_registers;
  options.fpFusion = !given.no_fp_fusion;
  if (given.dot_precision)
    options.dotPrecision = given.dot_precision;
  if (given.num_ctas > 1 && !tile::mayShare(given.num_ctas))
    return Error{ErrorKind::InvalidArgument,
                 fmt::format("expected 1, 2, 4 or 8 as num_ctas, found {}", given.num_ctas)};
  options.launch = {given.launch_cooperative_grid, given.launch_pdl, std::max(given.num_ctas, 1u)};
  if (given.extern_lib_count && !given.extern_libs)
    return Error{ErrorKind::InvalidArgument, "expected `extern_libs`, found null"};
  for (size_t i = 0; i < given.extern_lib_count; ++i) {
    const tegula_extern_library &one = given.extern_libs[i];
    options.externLibs.push_back({one.name ? one.name : "", one.path ? one.path : "", ""});
  }
  if (given.arch)
    options.arch = given.arch;
  if (given.triton_version)
    options.tritonVersion = given.triton_version;
  if (given.without) {
    auto parsed = parseFeatures(given.without);
    if (const auto *problem = std::get_if<std::string>(&parsed))
      return Error{ErrorKind::InvalidArgument, *problem};
    options.without = std::get<std::set<Feature>>(std::move(parsed));
  }
  return options;
}

static void listParameters(tegula_kernel &kernel) {
  const std::vector<ParameterInfo> &open = kernel.kernel->parameters();
  for (const ParameterInfo &parameter : open)
    kernel.parameterTypes.push_back(parameter.type ? formatArgType(*parameter.type) : "");
  for (size_t i = 0; i < open.size(); ++i)
    kernel.parameters.push_back({open[i].name.c_str(), kernel.parameterTypes[i].c_str(), open[i].hasDefault,
                                 open[i].doNotSpecialize, open[i].doNotSpecializeOnAlignment});
}

std::unique_ptr<tegula_kernel> tegula::c::kernelHandle(std::shared_ptr<jit::JitKernel> kernel) {
  auto made = std::make_unique<tegula_kernel>();
  made->kernel = std::move(kernel);
  listParameters(*made);
  return made;
}

tegula_error *tegula_kernel_create(tegula_program *program, const tegula_kernel_options *options,
                                   tegula_kernel **kernel) {
  return guarded({{program, "program"}, {options, "options"}, {kernel, "kernel"}}, [&]() -> Result<void> {
    const tegula_kernel_options known = read(*options);
    if (known.size == 0)
      return Error{ErrorKind::InvalidArgument,
                   "expected `options->size` to be the size of the struct, found 0"};
    jit::JitKernel::Options converted = TRY(optionsOf(known));
    const KernelInfo *info = TRY(program->program->source().find(known.name ? known.name : "", converted.arch,
                                                                 converted.tritonVersion));
    std::shared_ptr<jit::JitKernel> created =
        TRY(jit::JitKernel::create(program->program, *info, std::move(converted)));
    *kernel = kernelHandle(std::move(created)).release();
    return {};
  });
}

void tegula_kernel_free(tegula_kernel *kernel) { delete kernel; }

const tegula_parameter *tegula_kernel_parameters(const tegula_kernel *kernel, size_t *count) {
  if (count)
    *count = kernel ? kernel->parameters.size() : 0;
  return kernel ? kernel->parameters.data() : nullptr;
}

tegula_error *tegula_kernel_types(tegula_kernel *kernel, const tegula_argument *arguments, size_t count,
                                  char **types) {
  return guarded({{kernel, "kernel"}, {types, "types"}}, [&]() -> Result<void> {
    std::span<const HostValue> list = TRY(argumentsOf(arguments, count));
    std::vector<std::optional<ArgSpec>> specs = TRY(kernel->kernel->specialized(list));
    std::string text;
    for (const std::optional<ArgSpec> &spec : specs)
      text += (spec ? jit::signatureText(*spec) : "") + "\n";
    *types = copyOf(text);
    return {};
  });
}

tegula_error *tegula_kernel_estimate(tegula_kernel *kernel, tegula_device *device, const uint32_t grid[3],
                                     const tegula_argument *arguments, size_t count, double *cycles,
                                     char **terms) {
  return guarded({{kernel, "kernel"}, {device, "device"}, {grid, "grid"}, {cycles, "cycles"}},
                 [&]() -> Result<void> {
                   std::span<const HostValue> list = TRY(argumentsOf(arguments, count));
                   const jit::Estimation found =
                       TRY(kernel->kernel->estimate(device->device, {grid[0], grid[1], grid[2]}, list));
                   *cycles = found.terms ? found.estimate.cycles : std::nan("");
                   if (terms)
                     *terms = copyOf(cost::asJson(found.terms, found.estimate, found.unknown));
                   return {};
                 });
}

tegula_error *tegula_kernel_launch(tegula_kernel *kernel, tegula_device *device, const uint32_t grid[3],
                                   const tegula_argument *arguments, size_t count, void *stream) {
  return guarded({{kernel, "kernel"}, {device, "device"}, {grid, "grid"}}, [&]() -> Result<void> {
    if (isEmpty(grid))
      return {};
    std::span<const HostValue> list = TRY(argumentsOf(arguments, count));
    runtime::ForeignStream queue(stream);
    return kernel->kernel->launch(device->device, {grid[0], grid[1], grid[2]}, list, &queue);
  });
}

tegula_error *tegula_kernel_may_prepare(tegula_kernel *kernel, tegula_device *device,
                                        const tegula_argument *arguments, size_t count, void *stream) {
  return guarded({{kernel, "kernel"}, {device, "device"}}, [&]() -> Result<void> {
    std::span<const HostValue> list = TRY(argumentsOf(arguments, count));
    runtime::ForeignStream queue(stream);
    return kernel->kernel->mayPrepare(device->device, list, &queue);
  });
}

tegula_error *tegula_kernel_launch_ready(tegula_kernel *kernel, tegula_device *device, const uint32_t grid[3],
                                         const tegula_argument *arguments, size_t count, void *stream,
                                         const void **variant) {
  return guarded({{kernel, "kernel"}, {device, "device"}, {variant, "variant"}}, [&]() -> Result<void> {
    std::span<const HostValue> list = TRY(argumentsOf(arguments, count));
    const jit::Variant *found = kernel->kernel->find(*device->device, list);
    *variant = found;
    if (!found || !grid || isEmpty(grid))
      return {};
    runtime::ForeignStream queue(stream);
    return jit::launchVariant(*found, {grid[0], grid[1], grid[2]}, list, &queue);
  });
}
