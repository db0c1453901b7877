#include "compiler/interp/machine/RunThread.h"

namespace tegula::interp {

/// The interpreter calls itself for each region within a region, which the front end bounds.
static constexpr unsigned stackBytes = 64u << 20;

void RunThread::start(std::function<void()> work) {
  isPaused = cancelled = false;
  thread.emplace(std::optional<unsigned>(stackBytes), [this, work = std::move(work)] {
    work();
    std::lock_guard lock(mutex);
    isPaused = true;
    changed.notify_all();
  });
  wait();
}

void RunThread::goOn() {
  {
    std::lock_guard lock(mutex);
    isPaused = false;
    changed.notify_all();
  }
  wait();
}

void RunThread::wait() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return isPaused; });
}

bool RunThread::pause() {
  std::unique_lock lock(mutex);
  isPaused = true;
  changed.notify_all();
  changed.wait(lock, [&] { return !isPaused || cancelled; });
  return !cancelled;
}

void RunThread::cancel() {
  {
    std::lock_guard lock(mutex);
    cancelled = true;
    changed.notify_all();
  }
  if (thread)
    thread->join();
  thread.reset();
}

} // namespace tegula::interp
