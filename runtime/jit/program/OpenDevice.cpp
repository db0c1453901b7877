#include "runtime/jit/program/OpenDevice.h"

#include "runtime/device/OpenDevice.h"
#include "runtime/emulator/EmulatorDevice.h"
#include "runtime/jit/program/InterpreterDevice.h"

#include <cstdio>

namespace tegula::jit {

using runtime::Result;

using Opened = Result<std::shared_ptr<runtime::Device>>;

template <typename Made, typename... Arguments> static Opened make(Arguments... arguments) {
  return std::shared_ptr<runtime::Device>(std::make_shared<Made>(arguments...));
}

Opened openDevice(std::string kind) {
  return runtime::openDevice(
      std::move(kind),
      {.emulator =
           [](uint32_t schedules) { return make<runtime::EmulatorDevice>(runtime::optionsFor(schedules)); },
       .interpreter = [] { return make<InterpreterDevice>(); }});
}

void showPrintedText(runtime::Device &device) {
  const std::string text = device.takePrintedText();
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

} // namespace tegula::jit
