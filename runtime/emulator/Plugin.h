// The emulator as a library of its own, libtegula-emulator, for programs that do without the compiler: in
// libtegula-runtime it would make that twice as large, and on a GPU it is not needed.
//
// The two share the classes of `runtime/device`, so that they must be of one version.
#pragma once

#include "runtime/device/Device.h"
#include "runtime/device/Interruption.h"

#include <cstdint>

namespace tegula::runtime {

/// The entry. Makes an emulator, with the options of `optionsFor`, whose launches ask `check` whether they are to be given
/// up; null where `version` is not that of the library, "0.1.0".
using EmulatorEntry = Device *(const char *version, uint32_t schedules, InterruptCheck check);
inline constexpr const char *emulatorEntry = "tegula_make_emulator";

} // namespace tegula::runtime
