// Work on a thread of its own, which pauses: it and the thread that waits for it never run at the same time.
#pragma once

#include "llvm/Support/thread.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>

namespace tegula::interp {

class RunThread {
public:
  RunThread() = default;
  RunThread(const RunThread &) = delete;
  ~RunThread() { cancel(); }

  bool isStarted() const { return thread.has_value(); }
  /// Starts `work`; lets it go on. Both return once it pauses or has ended.
  void start(std::function<void()> work);
  void goOn();
  /// On the thread of the work: waits until it is to go on. False where it is to end instead.
  bool pause();
  /// True from a cancellation on until the work is started again.
  bool isCancelled() const { return cancelled; }
  /// Lets work that pauses end, and waits for that.
  void cancel();

private:
  void wait();

  std::optional<llvm::thread> thread;
  std::mutex mutex;
  std::condition_variable changed;
  bool isPaused = true, cancelled = false;
};

} // namespace tegula::interp
