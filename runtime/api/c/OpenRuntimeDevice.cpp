// The devices of libtegula-runtime: GPUs, and the emulator where its library is found.
#include "runtime/api/c/RuntimeHandles.h"
#include "runtime/device/OpenDevice.h"
#include "runtime/emulator/Plugin.h"

#include <fmt/format.h>

#include <dlfcn.h>

namespace tegula::c {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

using Opened = Result<std::shared_ptr<runtime::Device>>;

/// The library stands next to this one, or where the dynamic linker looks.
static constexpr const char *emulatorLibrary = "libtegula-emulator.so";

/// The folder of the file that this code is in, with a slash at its end; empty where that is not known.
static std::string ownFolder() {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<const void *>(&openDevice), &info) || !info.dli_fname)
    return {};
  const std::string path = info.dli_fname;
  return path.substr(0, path.rfind('/') + 1);
}

static Opened makeEmulator(uint32_t schedules) {
  // It stays loaded: its devices may live as long as the process.
  void *library = dlopen((ownFolder() + emulatorLibrary).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    library = dlopen(emulatorLibrary, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return Error{ErrorKind::Unavailable, fmt::format("cannot open the emulator: {}", dlerror())};
  auto *make = reinterpret_cast<runtime::EmulatorEntry *>(dlsym(library, runtime::emulatorEntry));
  runtime::Device *made =
      make ? make(TEGULA_VERSION, schedules, [](void *) { return runtime::Interruption::ask(); }) : nullptr;
  if (!made)
    return Error{ErrorKind::Unavailable,
                 fmt::format("cannot open the emulator: `{}` is of another version", emulatorLibrary)};
  return std::shared_ptr<runtime::Device>(made);
}

Result<tegula_device> openDevice(const std::string &kind) {
  std::shared_ptr<runtime::Device> opened = TRY(runtime::openDevice(
      kind, {.emulator = makeEmulator, .interpreter = []() -> Opened {
               return Error{ErrorKind::Unavailable,
                            "the interpreter runs kernels from their source, which needs libtegula"};
             }}));
  std::string arch = opened->properties().arch;
  return tegula_device{std::move(opened), std::move(arch)};
}

} // namespace tegula::c
