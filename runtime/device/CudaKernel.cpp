// Loading kernels: their machine code, or PTX through the driver's assembler.
#include "runtime/device/CudaObjects.h"
#include "runtime/device/Freeze.h"
#include "runtime/device/assembler/AssemblerLog.h"

#include <fmt/format.h>

namespace tegula::runtime {

using namespace cuda;

/// Shared memory that a block gets without opting in.
static constexpr uint32_t sharedWithoutOptIn = 48 * 1024;

CudaKernel::~CudaKernel() {
  // What a captured graph launches must stay, and to unload waits for the device.
  if (isFrozen())
    return;
  CurrentContext current(*context);
  // A destructor cannot report a failure, and the module goes with the context anyway.
  if (current.code == Success && module)
    context->api().cuModuleUnload(module);
}

static Error tooMuch(const KernelImage &image, const char *what, Resource resource) {
  return {ErrorKind::OutOfResources,
          fmt::format("cannot load `{}`: expected at most {} {}, found {}", nameOf(image), resource.limit,
                      what, resource.required),
          resource};
}

Result<void> CudaKernel::prepare() {
  const DeviceProperties &limits = context->properties;
  const Driver &api = context->api();
  const KernelImage &image = this->image();
  const std::string doing = fmt::format("load `{}`", nameOf(image));
  if (CUresult code = api.cuModuleGetFunction(&function, module, image.entry.c_str()))
    return context->error(code, "cuModuleGetFunction", doing);
  uint32_t staticShared = 0;
  const std::pair<FunctionAttribute, uint32_t *> wanted[] = {
      {Registers, &registerCount}, {LocalBytes, &localBytes}, {StaticSharedBytes, &staticShared}};
  for (auto [attribute, place] : wanted) {
    int value = 0;
    if (CUresult code = api.cuFuncGetAttribute(&value, attribute, function))
      return context->error(code, "cuFuncGetAttribute", doing);
    *place = uint32_t(value);
  }
  // The assembler accepts more than a launch does, so the sum is checked here.
  const uint64_t shared = uint64_t(image.sharedBytes) + staticShared;
  if (shared > limits.maxSharedPerBlock)
    return tooMuch(image, "bytes of shared memory in a block",
                   {"shared memory", shared, limits.maxSharedPerBlock});
  const uint64_t threads = uint64_t(image.numWarps) * limits.warpSize;
  blockThreads = unsigned(threads);
  if (threads > limits.maxThreadsPerBlock)
    return tooMuch(image, "threads in a block", {"threads", threads, limits.maxThreadsPerBlock});
  if (threads * registerCount > limits.registersPerMultiprocessor)
    return tooMuch(image, "registers in a block",
                   {"registers", threads * registerCount, limits.registersPerMultiprocessor});
  if (shared > sharedWithoutOptIn)
    if (CUresult code = api.cuFuncSetAttribute(function, MaxDynamicSharedBytes, int(image.sharedBytes)))
      return context->error(
          code, "cuFuncSetAttribute",
          fmt::format("give `{}` {} bytes of shared memory", nameOf(image), image.sharedBytes));
  return {};
}

uint32_t CudaKernel::residentClusters(uint32_t blocks) const {
  const Driver &api = context->api();
  if (blocks < 2 || blocks > tile::MaxSharingBlocks || !api.cuOccupancyMaxActiveClusters)
    return 0;
  std::atomic<uint32_t> &known = clusters[blocks];
  if (const uint32_t oneMore = known.load(std::memory_order_relaxed))
    return oneMore - 1;
  CUlaunchAttribute dimension = clusterOf(blocks);
  const CUlaunchConfig config{blocks,  1,          1, blockThreads, 1, 1, kernelImage.sharedBytes,
                              nullptr, &dimension, 1};
  int found = 0;
  CurrentContext current(*context);
  // A driver that cannot tell is no reason not to launch.
  if (current.code != Success || api.cuOccupancyMaxActiveClusters(&found, function, &config) != Success)
    found = 0;
  known.store(uint32_t(found) + 1, std::memory_order_relaxed);
  return uint32_t(found);
}

/// A module from machine code: without options, which are the assembler's and would make the driver open it.
static CUresult loadModule(const CudaContext &context, const std::string &code, CUmodule &module) {
  return context.api().cuModuleLoadDataEx(&module, code.data(), 0, nullptr, nullptr);
}

/// A module from the machine code of `image`. Where the driver does not take it (it may be older than what
/// made the code) the driver makes its own, which then stands in the image; where it can make none, none
/// stands there.
static CUmodule loadMachineCode(const CudaContext &context, KernelImage &image) {
  CUmodule module = nullptr;
  const CUresult code = loadModule(context, image.machineCode, module);
  if (code == Success)
    return module;
  image.machineCode.clear();
  if (isFault(code) || code == OutOfMemory)
    return nullptr;
  Result<MachineCode> made = assembleInContext(context, image.ptx, {.arch = image.target});
  if (!made || loadModule(context, made->bytes, module) != Success)
    return nullptr;
  image.machineCode = std::move(made->bytes);
  return module;
}

Result<std::unique_ptr<LoadedKernel>> loadCudaKernel(KernelImage image,
                                                     std::shared_ptr<CudaContext> context) {
  CurrentContext current(*context);
  if (current.code != Success)
    return context->error(current.code, "cuCtxSetCurrent", fmt::format("load `{}`", nameOf(image)));
  CUmodule module = image.machineCode.empty() ? nullptr : loadMachineCode(*context, image);
  if (!module) {
    DriverLogs logs;
    if (CUresult code =
            context->api().cuModuleLoadDataEx(&module, image.ptx.c_str(), unsigned(logs.options.size()),
                                              logs.options.data(), logs.values.data())) {
      Error error = context->error(code, "cuModuleLoadDataEx",
                                   fmt::format("load `{}` for {}", nameOf(image), image.target));
      for (std::string_view log : {logs.errors(), logs.info()})
        if (!log.empty())
          error.text.append("\n").append(withSourcePlaces(log, image.ptx));
      return error;
    }
  }
  auto kernel = std::make_unique<CudaKernel>(std::move(image), std::move(context), module);
  TRY(kernel->prepare());
  return std::unique_ptr<LoadedKernel>(std::move(kernel));
}

} // namespace tegula::runtime
