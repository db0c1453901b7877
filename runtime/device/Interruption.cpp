#include "runtime/device/Interruption.h"

#include <fmt/format.h>

#include <mutex>

namespace tegula::runtime {

namespace {

struct Asked {
  InterruptCheck check = nullptr;
  void *context = nullptr;
};

std::mutex mutex;
Asked asked; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): a setting of the process

} // namespace

void setInterruptCheck(InterruptCheck check, void *context) {
  const std::lock_guard lock(mutex);
  asked = {check, context};
}

Error interrupted(const KernelImage &image) {
  return {ErrorKind::Interrupted, fmt::format("kernel `{}` was interrupted", nameOf(image))};
}

bool Interruption::ask() {
  Asked now;
  {
    const std::lock_guard lock(mutex);
    now = asked;
  }
  return now.check && now.check(now.context);
}

} // namespace tegula::runtime
