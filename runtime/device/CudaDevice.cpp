#include "runtime/device/CudaDevice.h"
#include "runtime/device/CudaObjects.h"

#include <fmt/format.h>

#include <array>

namespace tegula::runtime {

using namespace cuda;

namespace {

/// Runs one driver call in the context and turns its code into a Result.
template <typename Call>
Result<void> inContext(const CudaContext &context, const char *name, const char *doing, Call call) {
  CurrentContext current(context);
  if (current.code != Success)
    return context.error(current.code, "cuCtxSetCurrent", doing);
  if (CUresult code = call(context.api()))
    return context.error(code, name, doing);
  return {};
}

class CudaStream final : public Stream {
public:
  CudaStream(std::shared_ptr<CudaContext> context, CUstream stream)
      : Stream(stream, context.get()), context(std::move(context)) {}
  ~CudaStream() override {
    CurrentContext current(*context);
    if (current.code == Success)
      context->api().cuStreamDestroy_v2(CUstream(handle));
  }
  Result<void> synchronize() override {
    return inContext(*context, "cuStreamSynchronize", "wait for a stream",
                     [&](const Driver &api) { return api.cuStreamSynchronize(CUstream(handle)); });
  }

private:
  std::shared_ptr<CudaContext> context;
};

/// The driver's handle of `stream`; null is the default stream.
Result<CUstream> handleOf(Stream *stream, const CudaContext &context) {
  if (!stream)
    return CUstream(nullptr);
  if (stream->owner() && stream->owner() != &context)
    return Error{ErrorKind::InvalidArgument, "the stream belongs to another device"};
  return CUstream(stream->nativeHandle());
}

class CudaEvent final : public Event {
public:
  CudaEvent(std::shared_ptr<CudaContext> context, CUevent event)
      : context(std::move(context)), event(event) {}
  ~CudaEvent() override {
    CurrentContext current(*context);
    if (current.code == Success)
      context->api().cuEventDestroy_v2(event);
  }
  Result<void> record(Stream *stream) override {
    CUstream handle = TRY(handleOf(stream, *context));
    return inContext(*context, "cuEventRecord", "record an event",
                     [&](const Driver &api) { return api.cuEventRecord(event, handle); });
  }
  Result<void> synchronize() override {
    return inContext(*context, "cuEventSynchronize", "wait for an event",
                     [&](const Driver &api) { return api.cuEventSynchronize(event); });
  }
  Result<float> millisecondsSince(const Event &start) override {
    auto *ours = dynamic_cast<const CudaEvent *>(&start);
    if (!ours || ours->context != context)
      return Error{ErrorKind::InvalidArgument, "the event belongs to another device"};
    float milliseconds = 0;
    TRY(inContext(*context, "cuEventElapsedTime", "read the time between events", [&](const Driver &api) {
      return api.cuEventElapsedTime(&milliseconds, ours->event, event);
    }));
    return milliseconds;
  }

private:
  std::shared_ptr<CudaContext> context;
  CUevent event;
};

class CudaDevice final : public Device {
public:
  explicit CudaDevice(std::shared_ptr<CudaContext> context) : context(std::move(context)) {}

  const DeviceProperties &properties() const override { return context->properties; }

  bool isCapturing(Stream *stream) override {
    if (!context->api().cuStreamIsCapturing)
      return false;
    const CurrentContext current(*context);
    int status = 0; // CU_STREAM_CAPTURE_STATUS_NONE
    const CUstream handle = stream ? CUstream(stream->nativeHandle()) : nullptr;
    const CUresult code = context->api().cuStreamIsCapturing(handle, &status);
    return code == Success && status != 0;
  }

  Result<DeviceAddress> allocate(size_t bytes) override {
    CUdeviceptr address = 0;
    Result<void> done =
        inContext(*context, "cuMemAlloc_v2", "allocate memory",
                  // The driver refuses zero bytes; the interface promises an address.
                  [&](const Driver &api) { return api.cuMemAlloc_v2(&address, bytes ? bytes : 1); });
    if (!done) {
      Error error = done.error();
      if (error.kind == ErrorKind::OutOfResources) {
        error.text += fmt::format("; {} bytes were asked for", bytes);
        error.resource = {"memory", bytes, properties().totalMemory};
      }
      return error;
    }
    return DeviceAddress(address);
  }
  Result<void> free(DeviceAddress address) override {
    return inContext(*context, "cuMemFree_v2", "free memory",
                     [&](const Driver &api) { return api.cuMemFree_v2(address); });
  }
  Result<void> copyToDevice(DeviceAddress to, const void *from, size_t bytes) override {
    return inContext(*context, "cuMemcpyHtoD_v2", "copy to the device", [&](const Driver &api) {
      return bytes ? api.cuMemcpyHtoD_v2(to, from, bytes) : Success;
    });
  }
  Result<void> copyToHost(void *to, DeviceAddress from, size_t bytes) override {
    return inContext(*context, "cuMemcpyDtoH_v2", "copy to the host", [&](const Driver &api) {
      return bytes ? api.cuMemcpyDtoH_v2(to, from, bytes) : Success;
    });
  }
  Result<void> copyOnDevice(DeviceAddress to, DeviceAddress from, size_t bytes) override {
    return inContext(*context, "cuMemcpyDtoD_v2", "copy on the device", [&](const Driver &api) {
      return bytes ? api.cuMemcpyDtoD_v2(to, from, bytes) : Success;
    });
  }

  Result<std::unique_ptr<Stream>> createStream() override {
    CUstream stream = nullptr;
    // Flag 0: the stream keeps order with the default stream, on which copies run.
    TRY(inContext(*context, "cuStreamCreate", "create a stream",
                  [&](const Driver &api) { return api.cuStreamCreate(&stream, 0); }));
    return std::unique_ptr<Stream>(std::make_unique<CudaStream>(context, stream));
  }
  Result<std::unique_ptr<Event>> createEvent() override {
    CUevent event = nullptr;
    TRY(inContext(*context, "cuEventCreate", "create an event",
                  [&](const Driver &api) { return api.cuEventCreate(&event, 0); }));
    return std::unique_ptr<Event>(std::make_unique<CudaEvent>(context, event));
  }

  Result<MachineCode> assemble(const KernelImage &image) override;
  Result<std::unique_ptr<LoadedKernel>> load(KernelImage image) override {
    return loadCudaKernel(std::move(image), context);
  }

  Result<void> synchronize() override {
    return inContext(*context, "cuCtxSynchronize", "wait for the device",
                     [](const Driver &api) { return api.cuCtxSynchronize(); });
  }

protected:
  Result<void> encodeMap(const TensorMap &map, const TensorMapNumbers &numbers,
                         EncodedMap &encoded) override {
    return encodeCudaMap(*context, map, numbers, encoded);
  }
  Result<void> launchChecked(LoadedKernel &kernel, Grid grid, std::span<const std::byte> params,
                             Stream *stream, LaunchAttributes attributes) override;

private:
  std::shared_ptr<CudaContext> context;
};

Result<MachineCode> CudaDevice::assemble(const KernelImage &image) {
  const AssembleOptions options{.arch = image.target};
  if (runsCodeOf(properties(), image.target)) {
    Result<MachineCode> code = assembleWithoutDevice(image.ptx, options);
    if (code || code.error().kind != ErrorKind::Unavailable)
      return code;
  }
  return assembleInContext(*context, image.ptx, options);
}

/// The parameters of a launch as the driver takes them: as one block, and one by one where there are tensor
/// maps, of which it takes no block (CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, driver 580).
class LaunchParameters {
public:
  LaunchParameters(const KernelImage &image, std::span<const std::byte> params) : bytes(params.size()) {
    auto *first = const_cast<std::byte *>(params.data());
    asBlock[1] = first;
    for (const ImplicitArgument &param : image.implicit)
      isBlock = isBlock && param.kind != ImplicitKind::Map;
    if (isBlock)
      return;
    size_t count = 0;
    for (const KernelParam &param : image.params)
      each[count++] = first + param.offset;
    for (const ImplicitArgument &param : image.implicit)
      each[count++] = first + param.offset;
  }
  LaunchParameters(const LaunchParameters &) = delete;
  LaunchParameters &operator=(const LaunchParameters &) = delete;

  void **pointers() { return isBlock ? nullptr : each.data(); }
  void **block() { return isBlock && bytes ? asBlock : nullptr; }

private:
  size_t bytes;
  bool isBlock = true;
  void *asBlock[5] = {launchParamPointer, nullptr, launchParamBytes, &bytes, launchParamEnd};
  std::array<void *, maxParamBytes> each; // each has a byte or more; uninitialised, as a launch is quick
};

/// A launch with attributes: the call that has them is looked for only here.
CUresult launchWith(const Driver &api, const CUlaunchConfig &config, CUfunction function,
                    LaunchParameters &parameters, LaunchAttributes attributes) {
  CUlaunchAttribute list[3] = {};
  CUlaunchConfig full = config;
  full.attributes = list;
  if (attributes.cooperative) {
    list[full.attributeCount].id = Cooperative;
    list[full.attributeCount++].value.flag = 1;
  }
  if (attributes.programmatic) {
    list[full.attributeCount].id = ProgrammaticStreamSerialization;
    list[full.attributeCount++].value.flag = 1;
  }
  if (attributes.clusterBlocks > 1)
    list[full.attributeCount++] = clusterOf(attributes.clusterBlocks);
  return api.cuLaunchKernelEx(&full, function, parameters.pointers(), parameters.block());
}

Result<void> CudaDevice::launchChecked(LoadedKernel &kernel, Grid grid, std::span<const std::byte> params,
                                       Stream *stream, LaunchAttributes attributes) {
  const KernelImage &image = kernel.image();
  if (kernel.owner() != context.get())
    return Error{ErrorKind::InvalidArgument,
                 fmt::format("kernel `{}` was loaded on another device", nameOf(image))};
  const auto &ours = static_cast<CudaKernel &>(kernel); // nothing else has a context as its owner
  CUstream handle = TRY(handleOf(stream, *context));
  // The text of an error is made up only once there is one: this is the path that must be quick.
  auto failed = [&](CUresult code, const char *call) {
    return context->error(code, call, fmt::format("launch `{}`", nameOf(image)));
  };
  const Driver &api = context->api();
  const bool isPlain = !attributes.cooperative && !attributes.programmatic && attributes.clusterBlocks == 1;
  if (!isPlain && !api.cuLaunchKernelEx)
    return Error{
        ErrorKind::Unavailable,
        fmt::format("cannot launch `{}`: the CUDA driver is too old: it has no `cuLaunchKernelEx`, which a "
                    "cooperative or programmatic launch and one in clusters need",
                    nameOf(image))};
  CurrentContext current(*context);
  if (current.code != Success)
    return failed(current.code, "cuCtxSetCurrent");
  LaunchParameters parameters(image, params);
  const unsigned threads = image.numWarps * properties().warpSize;
  const CUresult code =
      isPlain
          ? api.cuLaunchKernel(ours.function, grid.x, grid.y, grid.z, threads, 1, 1, image.sharedBytes,
                               handle, parameters.pointers(), parameters.block())
          : launchWith(api, {grid.x, grid.y, grid.z, threads, 1, 1, image.sharedBytes, handle, nullptr, 0},
                       ours.function, parameters, attributes);
  // An error here may be the fault of a kernel before this one, so the name is noted only now.
  if (code != Success)
    return failed(code, isPlain ? "cuLaunchKernel" : "cuLaunchKernelEx");
  context->noteLaunch(ours.name);
  return {};
}

} // namespace

Result<std::unique_ptr<Device>> openCudaDevice(int ordinal, const std::string &library) {
  std::shared_ptr<CudaContext> context = TRY(openContext(ordinal, library));
  return std::unique_ptr<Device>(std::make_unique<CudaDevice>(std::move(context)));
}

} // namespace tegula::runtime
