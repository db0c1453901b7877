#include "runtime/device/Freeze.h"

#include "runtime/host/Environment.h"

#include <fmt/format.h>

#include <atomic>

namespace tegula::runtime {

static std::atomic<bool> &frozen() {
  static std::atomic<bool> state = [] {
    const std::string text = environment("TEGULA_FROZEN");
    return !text.empty() && text != "0";
  }();
  return state;
}

static thread_local int thaws = 0;

bool isFrozen() { return thaws == 0 && frozen().load(std::memory_order_relaxed); }
void setFrozen(bool value) { frozen().store(value, std::memory_order_relaxed); }

Thaw::Thaw() { ++thaws; }
Thaw::~Thaw() { --thaws; }

Error notPrepared(std::string_view kernel, std::string_view what, const std::string &specialisation,
                  std::string_view when) {
  return {ErrorKind::Frozen,
          fmt::format("kernel `{}` would have to be {} {}, for {}", kernel, what, when, specialisation)};
}

} // namespace tegula::runtime
