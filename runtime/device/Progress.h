// Reports the progress of a slow launch: for devices that run programs one after the other.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

namespace tegula::runtime {

/// Takes how many of a launch's programs are done, and how many there are. Called on the thread that
/// launches.
using ProgressCallback = std::function<void(uint64_t done, uint64_t total)>;

/// Passes on every tenth of a second what comes far more often.
class Progress {
public:
  using Clock = std::chrono::steady_clock;

  Progress(ProgressCallback callback, uint64_t total)
      : callback(std::move(callback)), total(total), next(Clock::now() + interval) {}

  void operator()(uint64_t done) {
    const Clock::time_point now = Clock::now();
    if (now < next)
      return;
    next = now + interval;
    callback(done, total);
  }

private:
  static constexpr std::chrono::milliseconds interval{100};

  ProgressCallback callback;
  uint64_t total;
  Clock::time_point next;
};

} // namespace tegula::runtime
