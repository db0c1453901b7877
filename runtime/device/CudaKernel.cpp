// Loading PTX through the driver's assembler.
#include "runtime/device/CudaObjects.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

namespace tegula::runtime {

using namespace cuda;

/// What a block gets without asking.
static constexpr uint32_t sharedWithoutOptIn = 48 * 1024;

/// Room for one log of the driver; longer ones it cuts itself.
static constexpr size_t logBytes = 16 * 1024;

CudaKernel::~CudaKernel() {
  CurrentContext current(*context);
  // A failure here has nobody to go to, and the module goes with the context anyway.
  if (current.code == Success && module)
    context->api().cuModuleUnload(module);
}

Result<void> CudaKernel::prepare(uint32_t maxShared) {
  const Driver &api = context->api();
  const KernelImage &image = this->image();
  const std::string doing = fmt::format("load `{}`", nameOf(image));
  if (CUresult code = api.cuModuleGetFunction(&function, module, image.entry.c_str()))
    return context->error(code, "cuModuleGetFunction", doing);
  int staticShared = 0;
  const std::pair<FunctionAttribute, uint32_t *> wanted[] = {{Registers, &registerCount},
                                                             {LocalBytes, &localBytes}};
  for (auto [attribute, place] : wanted) {
    int value = 0;
    if (CUresult code = api.cuFuncGetAttribute(&value, attribute, function))
      return context->error(code, "cuFuncGetAttribute", doing);
    *place = uint32_t(value);
  }
  if (CUresult code = api.cuFuncGetAttribute(&staticShared, StaticSharedBytes, function))
    return context->error(code, "cuFuncGetAttribute", doing);
  // The assembler accepts more than a launch does, so the sum is checked here.
  const uint64_t shared = uint64_t(image.sharedBytes) + uint32_t(staticShared);
  if (shared > maxShared)
    return Error{
        ErrorKind::OutOfResources,
        fmt::format("cannot load `{}`: expected at most {} bytes of shared memory in a block, found {}",
                    nameOf(image), maxShared, shared)};
  if (shared > sharedWithoutOptIn)
    if (CUresult code = api.cuFuncSetAttribute(function, MaxDynamicSharedBytes, int(image.sharedBytes)))
      return context->error(
          code, "cuFuncSetAttribute",
          fmt::format("give `{}` {} bytes of shared memory", nameOf(image), image.sharedBytes));
  return {};
}

static void appendLog(std::string &text, const char *log) {
  std::string_view rest(log, strnlen(log, logBytes));
  while (!rest.empty() && (rest.back() == '\n' || rest.back() == ' '))
    rest.remove_suffix(1);
  if (!rest.empty())
    text.append("\n").append(rest);
}

Result<std::unique_ptr<LoadedKernel>> loadCudaKernel(KernelImage image, std::shared_ptr<CudaContext> context,
                                                     uint32_t maxShared) {
  CurrentContext current(*context);
  if (current.code != Success)
    return context->error(current.code, "cuCtxSetCurrent", fmt::format("load `{}`", nameOf(image)));
  auto info = std::make_unique<std::array<char, logBytes>>();
  auto errors = std::make_unique<std::array<char, logBytes>>();
  info->fill(0);
  errors->fill(0);
  // Sizes travel as the pointer's own value. One byte is kept back, for the terminating zero.
  int options[] = {InfoLog, InfoLogBytes, ErrorLog, ErrorLogBytes};
  void *values[] = {info->data(), reinterpret_cast<void *>(logBytes - 1), errors->data(),
                    reinterpret_cast<void *>(logBytes - 1)};
  CUmodule module = nullptr;
  CUresult code = context->api().cuModuleLoadDataEx(&module, image.ptx.c_str(), 4, options, values);
  if (code != Success) {
    Error error = context->error(code, "cuModuleLoadDataEx",
                                 fmt::format("load `{}` for {}", nameOf(image), image.target));
    appendLog(error.text, errors->data());
    appendLog(error.text, info->data());
    return error;
  }
  auto kernel = std::make_unique<CudaKernel>(std::move(image), std::move(context), module);
  if (Result<void> prepared = kernel->prepare(maxShared); !prepared)
    return prepared.error();
  return std::unique_ptr<LoadedKernel>(std::move(kernel));
}

} // namespace tegula::runtime
