// One fuzzing step for the PTX parser and the machine behind it.
#pragma once

#include "runtime/emulator/EmulatorDevice.h"
#include "runtime/emulator/ops/Opcodes.h"

#include <cstring>
#include <string_view>
#include <vector>

namespace tegula::runtime::test {

/// Parses `text`; if it parses, runs its first entry on two blocks of two warps with a small limit of
/// instructions. Errors are fine, crashes are not.
inline void fuzzOnce(std::string_view text) {
  const Result<ptx::Module> module = ptx::parse(text);
  if (!module)
    return;
  for (const ptx::Function &function : module->functions) {
    if (!function.isEntry || !function.hasBody)
      continue;
    KernelImage image;
    image.entry = function.name;
    image.ptx = std::string(text);
    image.numWarps = 2;
    image.sharedBytes = 256;
    image.paramBytes = function.uniformParamBytes;
    EmulatorOptions options;
    options.seed = text.size();
    options.instructionLimit = 500;
    options.memory = 1 << 20;
    options.checkUninitialised = options.checkRaces = text.size() % 2;
    EmulatorDevice device(options);
    // The parameters are addresses of one small buffer, so that accesses get somewhere.
    const std::vector<uint8_t> zeros(1024);
    const Result<DeviceAddress> buffer = device.allocate(zeros.size());
    if (!buffer || !device.copyToDevice(*buffer, zeros.data(), zeros.size() / 2))
      return;
    std::vector<std::byte> params(image.paramBytes);
    for (size_t at = 0; at + 8 <= params.size(); at += 8)
      std::memcpy(&params[at], &*buffer, 8);
    if (const Result<std::unique_ptr<LoadedKernel>> kernel = device.load(image))
      (void)device.launch(**kernel, {2, 1, 1}, params);
    (void)device.report();
    return;
  }
}

} // namespace tegula::runtime::test
