// The C++ API: programs, kernels and variants.
#include "runtime/api/cpp/Impl.h"

#include "dialect/tile/LoopSharing.h"
#include "runtime/api/c/BoundValues.h"
#include "runtime/api/c/Handles.h"
#include "runtime/host/ScalarBits.h"
#include "runtime/jit/tune/Agreement.h"
#include "runtime/jit/tune/FastestConfig.h"

#include <fmt/format.h>

#include <functional>
#include <optional>

namespace tegula {
inline namespace v1 {

using Options = jit::JitKernel::Options;

// Launches read the arguments where they lie.
static_assert(int(Argument::Kind::Int) == int(HostValue::Int) &&
              int(Argument::Kind::Tuple) == int(HostValue::Tuple) && sizeof(Argument) == sizeof(HostValue) &&
              offsetof(Argument, kind) == offsetof(HostValue, kind) &&
              offsetof(Argument, type) == offsetof(HostValue, type) &&
              offsetof(Argument, value) == offsetof(HostValue, bits));

//===--- kernels ----------------------------------------------------------------------------===//

struct Variant::Impl {
  Impl(std::shared_ptr<jit::JitKernel> kernel, const jit::Variant *variant) {
    handle.kernel = std::move(kernel);
    handle.variant = variant;
  }
  tegula_variant handle; ///< of the C ABI, which knows the same of it
};

struct Kernel::Impl {
  std::shared_ptr<jit::JitKernel> kernel;

  static std::shared_ptr<Impl> create(std::shared_ptr<jit::JitProgram> program, const KernelInfo &info,
                                      Options options) {
    return std::make_shared<Impl>(take(jit::JitKernel::create(std::move(program), info, std::move(options))));
  }
  /// The same kernel with what `change` does to its options.
  Kernel with(const std::function<void(Options &)> &change) const {
    Options options = kernel->options();
    change(options);
    return Kernel(create(kernel->program(), kernel->info(), std::move(options)));
  }
  /// The same kernel with another value of one option.
  template <typename Base, typename T> Kernel with(T Base::*option, T value) const {
    return with([&](auto &options) { options.*option = std::move(value); });
  }
};

Kernel Kernel::constexpr_(std::string_view name, Constexpr value) const {
  const std::string parameter(name);
  BoundValue converted = take(parameterValue(parameter, std::move(value)));
  return impl->with([&](auto &options) { options.constexprs[parameter] = std::move(converted); });
}
// What is below 0 is refused as what is above the limit.
Kernel Kernel::numWarps(int count) const { return impl->with(&Options::numWarps, uint32_t(count)); }
Kernel Kernel::numStages(int count) const { return impl->with(&Options::numStages, uint32_t(count)); }
Kernel Kernel::without(std::string_view features) const {
  auto parsed = parseFeatures(features);
  if (const auto *problem = std::get_if<std::string>(&parsed))
    throw Error(ErrorKind::InvalidArgument, *problem);
  return impl->with([&](auto &options) { options.without = std::get<std::set<Feature>>(parsed); });
}
Kernel Kernel::tritonVersion(std::string_view version) const {
  return impl->with(&Options::tritonVersion, std::string(version));
}
Kernel Kernel::maxRegisters(int count) const { return impl->with(&Options::maxRegisters, uint32_t(count)); }
Kernel Kernel::debug(bool on, bool overflowChecks) const {
  return impl->with([&](auto &options) {
    options.debug = on;
    options.overflowChecks = overflowChecks;
  });
}
Kernel Kernel::fpFusion(bool on) const { return impl->with(&Options::fpFusion, on); }
Kernel Kernel::dotPrecision(std::string_view name) const {
  return impl->with(&Options::dotPrecision, std::string(name));
}
Kernel Kernel::externLib(std::string_view name, std::string_view path) const {
  return impl->with([&](auto &options) {
    options.externLibs.push_back({std::string(name), std::string(path), ""});
  });
}
Kernel Kernel::arch(std::string_view name) const { return impl->with(&Options::arch, std::string(name)); }
Kernel Kernel::cooperative(bool on) const {
  return impl->with([&](auto &options) { options.launch.cooperative = on; });
}
Kernel Kernel::programmatic(bool on) const {
  return impl->with([&](auto &options) { options.launch.programmatic = on; });
}
Kernel Kernel::ctas(int count) const {
  if (count != 1 && !tile::mayShare(count))
    throw Error(ErrorKind::InvalidArgument,
                fmt::format("expected 1, 2, 4 or 8 blocks of a cluster, found {}", count));
  return impl->with([&](auto &options) { options.launch.clusterBlocks = uint32_t(count); });
}
int Kernel::configCount() const { return int(take(jit::configCount(*impl->kernel))); }
Kernel Kernel::config(int index) const {
  return Kernel(std::make_shared<Impl>(take(jit::withConfig(*impl->kernel, index))));
}
static uint32_t gridSide(int64_t blocks, char axis) {
  if (blocks < 0 || blocks > int64_t(UINT32_MAX))
    throw Error(ErrorKind::InvalidArgument,
                fmt::format("expected from 1 to {} blocks in {}, found {}", UINT32_MAX, axis, blocks));
  return uint32_t(blocks);
}

/// Returns the sides of a grid. One of 0 is refused by what launches over it, as everywhere.
static runtime::Grid sidesOf(const Grid &grid) {
  return {gridSide(grid.x, 'x'), gridSide(grid.y, 'y'), gridSide(grid.z, 'z')};
}

static std::span<const HostValue> valuesOf(const Argument *args, size_t count) {
  return {reinterpret_cast<const HostValue *>(args), count};
}

std::optional<int64_t> Kernel::constant(std::string_view name) const {
  return impl->kernel->constant(std::string(name));
}

int Kernel::tuneWith(const Device &device, const std::function<Grid(const Kernel &)> &grid,
                     const Argument *args, size_t count) const {
  return int(take(jit::fastestConfig(*impl->kernel, device.impl->device, valuesOf(args, count),
                                     [&](const std::shared_ptr<jit::JitKernel> &configured) {
                                       const Kernel asked(std::make_shared<Impl>(configured));
                                       return runtime::Result<runtime::Grid>(sidesOf(grid(asked)));
                                     })));
}

void setAgreement(int rank, int world, Agree agree) {
  if (!agree)
    return jit::setAgreement(nullptr);
  if (rank < 0 || rank >= world)
    throw Error(ErrorKind::InvalidArgument, fmt::format("expected a rank below {}, found {}", world, rank));
  jit::setAgreement(std::make_shared<jit::Agreement>(
      jit::Agreement{uint32_t(rank), uint32_t(world),
                     [agree = std::move(agree)](const std::string &key,
                                                const std::string &offer) -> runtime::Result<std::string> {
                       try {
                         return jit::pack(agree(key, offer));
                       } catch (const std::exception &failure) {
                         return runtime::Error{runtime::ErrorKind::InvalidArgument, failure.what()};
                       }
                     }}));
}

const std::string &Kernel::name() const { return impl->kernel->info().name; }

void Kernel::launchWith(const Device &device, Grid grid, const Argument *args, size_t count) const {
  check(impl->kernel->launch(device.impl->device, sidesOf(grid), valuesOf(args, count)));
}
void Kernel::launchWith(const Device &device, Grid grid, const Argument *args, size_t count,
                        const Stream &stream) const {
  check(impl->kernel->launch(device.impl->device, sidesOf(grid), valuesOf(args, count),
                             stream.impl->stream.get()));
}

Variant Kernel::prepareWith(const Device &device, const Argument *args, size_t count) const {
  const jit::Variant *made = take(impl->kernel->prepare(device.impl->device, valuesOf(args, count)));
  return Variant(std::make_shared<Variant::Impl>(impl->kernel, made));
}
Variant Kernel::compile(const std::vector<std::string> &types) const {
  const jit::Variant *made = take(impl->kernel->prepareTyped(nullptr, types));
  return Variant(std::make_shared<Variant::Impl>(impl->kernel, made));
}

tegula_kernel *Kernel::toC() const { return c::kernelHandle(impl->kernel).release(); }
Kernel Kernel::fromC(const tegula_kernel *handle) {
  if (!handle)
    throw Error(ErrorKind::InvalidArgument, "expected a kernel, found null");
  return Kernel(std::make_shared<Impl>(handle->kernel));
}

//===--- variants ----------------------------------------------------------------------------===//

VariantProperties Variant::properties() const {
  const tegula_variant_properties of = c::propertiesOf(impl->handle);
  return {of.kernel,
          of.entry,
          of.arch,
          of.num_warps,
          of.num_stages,
          of.threads,
          of.shared_bytes,
          of.registers,
          of.spill_bytes,
          of.programs_per_block,
          of.blocks_per_multiprocessor,
          of.function};
}
std::string Variant::stage(std::string_view name) const {
  return *take(c::stageOf(impl->handle, std::string(name)));
}
void Variant::launchWith(Grid grid, const Argument *args, size_t count, const Stream &stream) const {
  check(jit::launchVariant(*impl->handle.variant, sidesOf(grid), valuesOf(args, count),
                           stream.impl->stream.get()));
}

//===--- programs ----------------------------------------------------------------------------===//

struct Program::Impl {
  std::shared_ptr<jit::JitProgram> program;
};

Program Program::load(const std::string &path) { return load(path, {}); }
Program Program::parse(const std::string &name, const std::string &text) { return parse(name, text, {}); }
Program Program::load(const std::string &path, const std::vector<std::string> &importFolders) {
  return Program(std::make_shared<Impl>(take(
      jit::JitProgram::load(path, {.searchesOwnFolder = true, .folders = importFolders, .values = {}}))));
}
Program Program::parse(const std::string &name, const std::string &text,
                       const std::vector<std::string> &importFolders) {
  return Program(
      std::make_shared<Impl>(jit::JitProgram::parse(name, text, {.folders = importFolders, .values = {}})));
}
Program Program::parse(std::vector<Source> sources, size_t entry) {
  check(c::requireSource(entry, sources.size()));
  std::vector<SourceUnit> units;
  for (Source &source : sources) {
    SourceUnit &unit = units.emplace_back();
    unit.path = std::move(source.path);
    unit.text = std::move(source.text);
    unit.firstLine = source.firstLine;
    for (auto &[name, value] : source.names)
      unit.names.emplace(name, take(nameValue(name, std::move(value))));
  }
  return Program(std::make_shared<Impl>(jit::JitProgram::parse(std::move(units), entry)));
}
Kernel Program::kernel(std::string_view name) const {
  const KernelInfo *info = take(impl->program->source().find(std::string(name)));
  return Kernel(Kernel::Impl::create(impl->program, *info, {}));
}
std::vector<std::string> Program::kernels() const {
  std::vector<std::string> names;
  for (const KernelInfo &info : impl->program->source().kernels())
    names.push_back(info.name);
  return names;
}

std::vector<Message> Program::takeMessages() { return messagesOf(impl->program->source().takeMessages()); }

tegula_program *Program::toC() const { return new tegula_program{impl->program}; }
Program Program::fromC(const tegula_program *handle) {
  if (!handle)
    throw Error(ErrorKind::InvalidArgument, "expected a program, found null");
  return Program(std::make_shared<Impl>(handle->program));
}

} // namespace v1
} // namespace tegula
