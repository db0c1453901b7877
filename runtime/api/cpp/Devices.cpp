// The C++ API: errors, devices, streams and memory.
#include "runtime/api/cpp/Impl.h"

#include "compiler/driver/CompileResult.h"
#include "compiler/spec/SmallFloat.h"
#include "runtime/api/c/RuntimeHandles.h"
#include "runtime/device/Freeze.h"
#include "runtime/jit/ahead/Bundles.h"
#include "runtime/jit/program/CompileDefaults.h"
#include "runtime/jit/program/OpenDevice.h"

#include <fmt/format.h>

namespace tegula {
inline namespace v1 {

Error::Error(ErrorKind kind, const std::string &text, std::vector<Message> messages, Resource resource)
    : std::runtime_error(text), errorKind(kind),
      list(std::make_shared<const std::vector<Message>>(std::move(messages))),
      lacking(std::make_shared<const Resource>(std::move(resource))) {}
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

void raise(const runtime::Error &error) {
  throw Error(ErrorKind(error.kind), error.text,
              error.diagnostics ? messagesOf(*error.diagnostics) : std::vector<Message>(),
              {error.resource.name, error.resource.required, error.resource.limit});
}

f16::f16(double value) : bits(smallFloat(ScalarKind::Float16).bitsOf(value)) {}
f16::operator float() const { return float(smallFloat(ScalarKind::Float16).valueOf(bits)); }
bf16::bf16(double value) : bits(smallFloat(ScalarKind::BFloat16).bitsOf(value)) {}
bf16::operator float() const { return float(smallFloat(ScalarKind::BFloat16).valueOf(bits)); }

//===--- devices and memory -----------------------------------------------------------------===//

Device Device::open(std::string_view kind) {
  return Device(std::make_shared<Impl>(take(jit::openDevice(std::string(kind)))));
}
const std::string &Device::name() const { return impl->device->properties().name; }
std::string Device::arch() const { return jit::targetFor(*impl->device); }
DeviceProperties Device::properties() const {
  const runtime::DeviceProperties &of = impl->device->properties();
  return {of.name,
          of.kind,
          arch(),
          of.driver,
          of.ordinal,
          of.computeMajor,
          of.computeMinor,
          of.multiprocessors,
          of.warpSize,
          of.maxThreadsPerBlock,
          of.maxSharedPerBlock,
          of.registersPerMultiprocessor,
          of.totalMemory,
          of.l2Bytes};
}
tegula_device *Device::toC() const { return new tegula_device{impl->device, arch()}; }
Device Device::fromC(const tegula_device *handle) {
  if (!handle)
    throw Error(ErrorKind::InvalidArgument, "expected a device, found null");
  return Device(std::make_shared<Impl>(handle->device));
}
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

//===--- streams and events ------------------------------------------------------------------===//

Stream::Stream(const Device &device)
    : impl(std::make_shared<Impl>(device.impl->device, take(device.impl->device->createStream()))) {}
Stream Stream::foreign(void *handle) {
  return Stream(std::make_shared<Impl>(nullptr, std::make_unique<runtime::ForeignStream>(handle)));
}
void Stream::synchronize() const {
  const runtime::Result<void> done = impl->stream->synchronize();
  if (impl->device)
    jit::showPrintedText(*impl->device);
  check(done);
}
void *Stream::handle() const { return impl->stream->nativeHandle(); }

struct Event::Impl {
  std::shared_ptr<runtime::Device> device; ///< keeps it open
  std::unique_ptr<runtime::Event> event;
};

Event::Event(const Device &device)
    : impl(std::make_shared<Impl>(device.impl->device, take(device.impl->device->createEvent()))) {}
void Event::record() { check(impl->event->record(nullptr)); }
void Event::record(const Stream &stream) { check(impl->event->record(stream.impl->stream.get())); }
void Event::synchronize() const { check(impl->event->synchronize()); }
float Event::millisecondsSince(const Event &start) const {
  return take(impl->event->millisecondsSince(*start.impl->event));
}

//===--- ahead of time -----------------------------------------------------------------------===//

void loadBundle(const std::string &path) { check(jit::loadBundle(path)); }
size_t loadKernelsOfBundles(const Device &device) {
  const std::unique_ptr<tegula_device> handle(device.toC());
  return take(jit::loadKernelsOfBundles(handle->device, handle->arch));
}
void freeze() { runtime::setFrozen(true); }
void thaw() { runtime::setFrozen(false); }

} // namespace v1
} // namespace tegula
