// `tegula env`: what was found on this machine.
#include "compiler/target/Target.h"
#include "runtime/device/assembler/Assembler.h"
#include "runtime/device/CudaDevice.h"
#include "runtime/device/assembler/ToolkitProgram.h"
#include "runtime/jit/files/DiskCache.h"
#include "runtime/jit/program/CompileDefaults.h"
#include "runtime/jit/program/OpenDevice.h"
#include "tools/tegula/Subcommands.h"
#include "tools/tegula/output/Output.h"
#include "tools/tegula/output/Status.h"

#include <fmt/format.h>

#include <cstdlib>

namespace tegula::cli {

using runtime::DeviceProperties;
using runtime::Result;

static void line(const char *what, const std::string &found) { printOut("{:<10} {}\n", what, found); }

static void printDevices() {
  Result<std::vector<DeviceProperties>> devices = runtime::listCudaDevices();
  if (!devices)
    return line("driver", devices.error().text);
  line("driver", fmt::format("CUDA {}", devices->front().driver));
  for (size_t i = 0; i < devices->size(); ++i) {
    const DeviceProperties &device = (*devices)[i];
    line(i == 0 ? "devices" : "",
         fmt::format("cuda:{} {}, {}, {} multiprocessors, {:.1f} GiB, {} KiB of shared memory a block", i,
                     device.name, device.arch, device.multiprocessors,
                     double(device.totalMemory) / (1u << 30), device.maxSharedPerBlock / 1024));
  }
}

static std::string cacheText() {
  const cache::Store cache(jit::DiskCache::configuredFolder());
  if (cache.enabled())
    return cache.problem() ? cache.problem()->text : cacheSummary(cache);
  const std::string off = "off for commands, C and C++: TEGULA_CACHE_DIR turns it on",
                    ofPython = cache::defaultFolder();
  return ofPython.empty() ? off : off + "; Python keeps its own in " + ofPython;
}

int envCommand() {
  line("tegula", TEGULA_VERSION ", LLVM " TEGULA_LLVM_VERSION);
  printDevices();
  Result<std::shared_ptr<runtime::Device>> device = jit::openDevice();
  line("default",
       device ? fmt::format("{}, compiling for {}", (*device)->properties().name, jit::targetFor(**device))
              : device.error().text);
  std::string targets;
  for (const Target &target : allTargets())
    targets += fmt::format("{}{} (PTX {}.{})", targets.empty() ? "" : ", ", target.name, target.ptx.major,
                           target.ptx.minor);
  line("targets", targets);
  Result<std::shared_ptr<const runtime::Assembler>> assembler = runtime::findAssembler();
  line("assembler",
       assembler ? (*assembler)->name() : "none found; none is needed before a kernel runs on a GPU");
  const std::string ptxas = runtime::findToolkitProgram({"ptxas"});
  line("toolkit", ptxas.empty() ? "no ptxas found; none is needed" : ptxas);
  line("cache", cacheText());
  for (const char *name : {"TEGULA_DEVICE", "TEGULA_ARCH", "TEGULA_WITHOUT", "TEGULA_TRITON_VERSION",
                           "TEGULA_DUMP_DIR", "TEGULA_CACHE_DIR", "TEGULA_SHARED_CACHE_DIR"})
    if (const char *value = std::getenv(name))
      line("variable", fmt::format("{}={}", name, value));
  return Done;
}

} // namespace tegula::cli
