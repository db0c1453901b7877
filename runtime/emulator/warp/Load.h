// A parsed module on its way to run: checked against its manifest, its variables in device memory.
#pragma once

#include "runtime/device/Device.h"
#include "runtime/emulator/memory/GlobalMemory.h"
#include "runtime/emulator/ptx/Module.h"

namespace tegula::runtime::ptx {

/// A module placed on a device: the addresses of its variables are in the functions' constants.
struct Program {
  Module module;
  std::vector<uint64_t> addresses; ///< of each variable; shared ones are offsets
};

/// Errors when the entry is missing, or threads, parameters or shared memory disagree with `image`.
Result<void> checkImage(const Module &module, const KernelImage &image, const DeviceProperties &limits);

/// Allocates and fills the module's global and constant variables.
Result<Program> place(Module module, GlobalMemory &memory);
/// Frees what `place` allocated.
void remove(const Program &program, GlobalMemory &memory);

/// The file of `place`: its name from `.file`, or `sourceFile` where the text has none; empty for
/// an unknown place.
std::string fileOf(const Module &module, const Place &place, const std::string &sourceFile);

} // namespace tegula::runtime::ptx
