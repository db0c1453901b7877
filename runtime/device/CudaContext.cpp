// A device's primary context: retained, made current for one call, and what its errors say.
#include "runtime/device/CudaObjects.h"

#include <fmt/format.h>

namespace tegula::runtime {

using namespace cuda;

Error CudaContext::error(CUresult code, const char *call, const std::string &doing) const {
  if (!isFault(code))
    return driver->error(code, call, doing);
  const std::string *last = lastKernel.load(std::memory_order_acquire);
  return {ErrorKind::Fault,
          fmt::format("kernel `{}` faulted: `{}` reported {}\nthe CUDA context is lost for this process; "
                      "the emulator names the source line",
                      last ? *last : "", call, driver->describe(code))};
}

const std::string &CudaContext::keepName(const std::string &name) {
  std::lock_guard lock(mutex);
  return *names.insert(name).first;
}

CurrentContext::CurrentContext(const CudaContext &context) : context(context) {
  const Driver &api = context.api();
  code = api.cuCtxGetCurrent(&previous);
  if (code != Success || previous == context.handle())
    return;
  code = api.cuCtxSetCurrent(context.handle());
  changed = code == Success;
}

CurrentContext::~CurrentContext() {
  if (changed)
    context.api().cuCtxSetCurrent(previous);
}

Result<OpenedContext> openContext(int ordinal, const std::string &library) {
  std::shared_ptr<const Driver> driver = TRY(Driver::open(library));
  int count = TRY(countDevices(*driver));
  if (ordinal < 0 || ordinal >= count)
    return Error{ErrorKind::InvalidArgument,
                 fmt::format("expected a CUDA device from 0 to {}, found {}", count - 1, ordinal)};
  CUdevice device = TRY(findDevice(*driver, ordinal));
  DeviceProperties properties = TRY(readProperties(*driver, device));
  CUcontext handle = nullptr;
  if (CUresult code = driver->cuDevicePrimaryCtxRetain(&handle, device))
    return driver->error(code, "cuDevicePrimaryCtxRetain", fmt::format("open CUDA device {}", ordinal));
  return OpenedContext{std::make_shared<CudaContext>(driver, device, handle), std::move(properties)};
}

} // namespace tegula::runtime
