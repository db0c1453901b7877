// Interrupts a slow launch: on devices that run programs on the host, in the thread that launches.
#pragma once

#include "dialect/image/KernelImage.h"
#include "dialect/image/Result.h"

#include <chrono>

namespace tegula::runtime {

/// Says whether what this thread does is to be given up. Called on the thread that launches; must not use the
/// device.
using InterruptCheck = bool (*)(void *context);

/// Lets launches of the process call `check` from now on, some fifty times a second; null calls nothing.
void setInterruptCheck(InterruptCheck check, void *context);

/// The error of a launch of `image` that was given up.
Error interrupted(const KernelImage &image);

/// Asks whether one launch is to be interrupted.
class Interruption {
public:
  Interruption() : next(Clock::now() + interval) {}

  /// Asks, if it is time to. Remains true.
  bool isRequested() {
    const Clock::time_point now = Clock::now();
    if (now < next)
      return requested;
    next = now + interval;
    return requested = requested || ask();
  }
  /// Returns the last answer.
  bool wasRequested() const { return requested; }

  /// Asks now.
  static bool ask();

private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds interval{20};

  Clock::time_point next;
  bool requested = false;
};

} // namespace tegula::runtime
