#include "tools/tegula/output/ProgressLine.h"

#include "runtime/emulator/EmulatorDevice.h"
#include "runtime/jit/program/InterpreterDevice.h"
#include "tools/tegula/output/Output.h"

#include <fmt/format.h>

#include <unistd.h>

namespace tegula::cli {

/// Back to the start of the line, and what stood there away.
static constexpr std::string_view clearLine = "\r\033[K";

/// Most runs are over before one would read the line.
static constexpr std::chrono::seconds patience{1};

/// "1200 of 4096 programs (29%)".
static std::string progressText(uint64_t done, uint64_t total) {
  return fmt::format("{} of {} programs ({}%)", done, total,
                     total ? unsigned(100.0 * double(done) / double(total)) : 0);
}

static void tell(runtime::Device &device, runtime::ProgressCallback callback) {
  if (auto *emulator = dynamic_cast<runtime::EmulatorDevice *>(&device))
    emulator->setProgress(std::move(callback));
  else if (auto *interpreter = dynamic_cast<jit::InterpreterDevice *>(&device))
    interpreter->setProgress(std::move(callback));
}

ProgressLine::ProgressLine(runtime::Device &device) : start(std::chrono::steady_clock::now()) {
  if (!isatty(STDERR_FILENO))
    return;
  this->device = &device;
  tell(device, [this](uint64_t done, uint64_t total) { show(done, total); });
}

ProgressLine::~ProgressLine() {
  if (device)
    tell(*device, {});
}

void ProgressLine::show(uint64_t done, uint64_t total) {
  if (std::chrono::steady_clock::now() - start < patience)
    return;
  line.show(progressText(done, total));
}

StepLine::StepLine() : watched(isatty(STDERR_FILENO)) {}

void StepLine::show(std::string_view text) {
  if (!watched)
    return;
  shown = true;
  say(fmt::format("{}{}", clearLine, text));
}

StepLine::~StepLine() {
  if (shown)
    say(clearLine);
}

} // namespace tegula::cli
