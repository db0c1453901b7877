// The devices of libtegula.
#include "runtime/jit/program/OpenDevice.h"
#include "runtime/api/c/RuntimeHandles.h"
#include "runtime/jit/program/CompileDefaults.h"

namespace tegula::c {

runtime::Result<tegula_device> openDevice(const std::string &kind) {
  std::shared_ptr<runtime::Device> opened = TRY(jit::openDevice(kind));
  std::string arch = jit::targetFor(*opened);
  return tegula_device{std::move(opened), std::move(arch)};
}

} // namespace tegula::c
