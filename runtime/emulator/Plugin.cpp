#include "runtime/emulator/Plugin.h"

#include "runtime/emulator/EmulatorDevice.h"

#include <string_view>

extern "C" __attribute__((visibility("default"))) tegula::runtime::Device *
tegula_make_emulator(const char *version, uint32_t schedules, tegula::runtime::InterruptCheck check) {
  if (version != std::string_view(TEGULA_VERSION))
    return nullptr;
  tegula::runtime::setInterruptCheck(check, nullptr);
  return new tegula::runtime::EmulatorDevice(tegula::runtime::optionsFor(schedules));
}
