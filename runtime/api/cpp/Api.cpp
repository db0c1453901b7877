// The public C++ API: thin handles on the launcher, and Results turned into exceptions.
#include "runtime/api/tegula.h"

#include "compiler/spec/SmallFloat.h"
#include "runtime/host/ScalarBits.h"
#include "runtime/jit/launch/Jit.h"
#include "runtime/jit/program/CompileDefaults.h"
#include "runtime/jit/program/OpenDevice.h"

#include <fmt/format.h>

#include <functional>

namespace tegula {
inline namespace v1 {

Error::Error(ErrorKind kind, const std::string &text) : std::runtime_error(text), errorKind(kind) {}
Error::~Error() = default;

// The public enumerations are declared apart from the inner ones, so that the header needs nothing of
// ours, but in the same order.
static_assert(int(ErrorKind::Io) == int(runtime::ErrorKind::Io) &&
              int(ErrorKind::Interrupted) == int(runtime::ErrorKind::Interrupted) &&
              int(ErrorKind::Frozen) == int(runtime::ErrorKind::Frozen) &&
              int(ErrorKind::Fault) == int(runtime::ErrorKind::Fault) &&
              int(ErrorKind::Compile) == int(runtime::ErrorKind::Compile));
static_assert(int(Dtype::i1) == int(ScalarKind::Int1) && int(Dtype::u8) == int(ScalarKind::UInt8) &&
              int(Dtype::f16) == int(ScalarKind::Float16) && int(Dtype::f64) == int(ScalarKind::Float64) &&
              int(Dtype::fp8e5b16) == int(ScalarKind::Float8E5B16));
// Launches read the arguments where they lie.
static_assert(int(Argument::Kind::Int) == int(HostValue::Int) &&
              int(Argument::Kind::Tuple) == int(HostValue::Tuple) && sizeof(Argument) == sizeof(HostValue) &&
              offsetof(Argument, kind) == offsetof(HostValue, kind) &&
              offsetof(Argument, type) == offsetof(HostValue, type) &&
              offsetof(Argument, value) == offsetof(HostValue, bits));

[[noreturn]] static void raise(const runtime::Error &error) {
  throw Error(ErrorKind(error.kind), error.text);
}

static void check(const runtime::Result<void> &result) {
  if (!result)
    raise(result.error());
}
template <typename T> static T take(runtime::Result<T> result) {
  if (!result)
    raise(result.error());
  return std::move(*result);
}

f16::f16(double value) : bits(smallFloat(ScalarKind::Float16).bitsOf(value)) {}
f16::operator float() const { return float(smallFloat(ScalarKind::Float16).valueOf(bits)); }
bf16::bf16(double value) : bits(smallFloat(ScalarKind::BFloat16).bitsOf(value)) {}
bf16::operator float() const { return float(smallFloat(ScalarKind::BFloat16).valueOf(bits)); }

//===--- devices and memory -----------------------------------------------------------------===//

struct Device::Impl {
  std::shared_ptr<runtime::Device> device;
};

Device Device::open(std::string_view kind) {
  return Device(std::make_shared<Impl>(Impl{take(jit::openDevice(std::string(kind)))}));
}
const std::string &Device::name() const { return impl->device->properties().name; }
std::string Device::arch() const { return jit::targetFor(*impl->device); }
void Device::synchronize() const {
  const runtime::Result<void> done = impl->device->synchronize();
  jit::showPrintedText(*impl->device);
  check(done);
}

Buffer::Buffer(const Device &device, size_t bytes) : device(device.impl), size(bytes) {
  start = take(this->device->device->allocate(bytes));
}
Buffer::~Buffer() {
  // Nothing can be thrown from here; a fault that surfaces now surfaces again at the next call.
  if (device)
    (void)bool(device->device->free(start));
}
Buffer::Buffer(Buffer &&other) noexcept
    : device(std::move(other.device)), start(std::exchange(other.start, 0)),
      size(std::exchange(other.size, 0)) {}
Buffer &Buffer::operator=(Buffer &&other) noexcept {
  std::swap(device, other.device);
  std::swap(start, other.start);
  std::swap(size, other.size);
  return *this;
}

static void checkRange(size_t size, size_t count, size_t offset) {
  if (offset > size || count > size - offset)
    throw Error(ErrorKind::InvalidArgument,
                fmt::format("expected a range within {} bytes, found {} bytes from {}", size, count, offset));
}
void Buffer::upload(const void *from, size_t count, size_t offset) {
  checkRange(size, count, offset);
  if (count)
    check(device->device->copyToDevice(start + offset, from, count));
}
void Buffer::download(void *to, size_t count, size_t offset) const {
  checkRange(size, count, offset);
  if (count)
    check(device->device->copyToHost(to, start + offset, count));
}

//===--- kernels ----------------------------------------------------------------------------===//

struct Kernel::Impl {
  std::shared_ptr<jit::JitKernel> kernel;

  static std::shared_ptr<Impl> create(std::shared_ptr<jit::JitProgram> program, const KernelInfo &info,
                                      jit::JitKernel::Options options) {
    return std::make_shared<Impl>(
        Impl{take(jit::JitKernel::create(std::move(program), info, std::move(options)))});
  }
  /// The same kernel with what `change` does to its options.
  std::shared_ptr<Impl> with(const std::function<void(jit::JitKernel::Options &)> &change) const {
    jit::JitKernel::Options options = kernel->options();
    change(options);
    return create(kernel->program(), kernel->info(), std::move(options));
  }
};

static BoundValue convert(Constexpr &value) {
  switch (value.kind) {
  case Constexpr::Kind::Float:
    return {value.floating};
  case Constexpr::Kind::String:
    return {std::move(value.text)};
  case Constexpr::Kind::Type:
    return {bound::Dtype{ScalarKind(value.dtype)}};
  default:
    return *compileTimeValue({HostValue::Kind(value.kind), {}, value.integer});
  }
}
static_assert(int(Constexpr::Kind::Bool) == int(HostValue::Bool) &&
              int(Constexpr::Kind::UInt) == int(HostValue::UInt));

Kernel Kernel::constexpr_(std::string_view name, Constexpr value) const {
  return Kernel(impl->with([&](auto &options) { options.constexprs[std::string(name)] = convert(value); }));
}
// What is below 0 is refused as what is above the limit.
Kernel Kernel::numWarps(int count) const {
  return Kernel(impl->with([&](auto &options) { options.numWarps = uint32_t(count); }));
}
Kernel Kernel::numStages(int count) const {
  return Kernel(impl->with([&](auto &options) { options.numStages = uint32_t(count); }));
}
Kernel Kernel::without(std::string_view features) const {
  auto parsed = parseFeatures(features);
  if (const auto *problem = std::get_if<std::string>(&parsed))
    throw Error(ErrorKind::InvalidArgument, *problem);
  return Kernel(impl->with([&](auto &options) { options.without = std::get<std::set<Feature>>(parsed); }));
}
Kernel Kernel::tritonVersion(std::string_view version) const {
  return Kernel(impl->with([&](auto &options) { options.tritonVersion = version; }));
}
int Kernel::configCount() const {
  jit::JitKernel &kernel = *impl->kernel;
  return int(take(kernel.program()->source().configs(kernel.info().name, KernelSpec().target,
                                                     kernel.options().tritonVersion))
                 .size());
}
Kernel Kernel::config(int index) const {
  return Kernel(impl->with([&](auto &options) {
    options.numWarps = options.numStages = 0; // the later word counts
    options = take(jit::JitKernel::withConfig(*impl->kernel->program(), impl->kernel->info(),
                                              std::move(options), index));
  }));
}
const std::string &Kernel::name() const { return impl->kernel->info().name; }

static uint32_t gridSide(int64_t blocks, char axis) {
  if (blocks < 0 || blocks > int64_t(UINT32_MAX))
    throw Error(ErrorKind::InvalidArgument,
                fmt::format("expected from 0 to {} blocks in {}, found {}", UINT32_MAX, axis, blocks));
  return uint32_t(blocks);
}

void Kernel::launchWith(const Device &device, Grid grid, const Argument *args, size_t count) const {
  const runtime::Grid sides{gridSide(grid.x, 'x'), gridSide(grid.y, 'y'), gridSide(grid.z, 'z')};
  // As in Triton, nothing is launched over an empty grid.
  if (sides.x == 0 || sides.y == 0 || sides.z == 0)
    return;
  check(impl->kernel->launch(device.impl->device, sides, {reinterpret_cast<const HostValue *>(args), count}));
}

struct Program::Impl {
  std::shared_ptr<jit::JitProgram> program;
};

Program Program::load(const std::string &path) { return load(path, {}); }
Program Program::parse(const std::string &name, const std::string &text) { return parse(name, text, {}); }
Program Program::load(const std::string &path, const std::vector<std::string> &importFolders) {
  return Program(std::make_shared<Impl>(Impl{
      take(jit::JitProgram::load(path, {.searchesOwnFolder = true, .folders = importFolders, .values = {}}))}));
}
Program Program::parse(const std::string &name, const std::string &text,
                       const std::vector<std::string> &importFolders) {
  return Program(std::make_shared<Impl>(
      Impl{jit::JitProgram::parse(name, text, {.folders = importFolders, .values = {}})}));
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

} // namespace v1
} // namespace tegula
