#include "runtime/cache/EntryLock.h"

#include <algorithm>
#include <thread>

namespace tegula::cache {

using Clock = std::chrono::steady_clock;

/// Times between two looks at a lock that another process holds: short at first, as small kernels take few
/// milliseconds.
static constexpr std::chrono::microseconds firstPause{200}, longestPause{10'000};

EntryLock::EntryLock(const Folder &folder, const std::string &name, std::chrono::milliseconds patience) {
  auto tried = std::make_unique<Folder::Lock>(folder, name + std::string(lockSuffix));
  const Clock::time_point end = Clock::now() + patience;
  for (std::chrono::microseconds pause = firstPause; tried->isBusy();
       pause = std::min(pause * 2, longestPause)) {
    if (Clock::now() >= end)
      return;
    std::this_thread::sleep_for(pause);
    tried->tryAgain();
  }
  // A maker that has done its work removes the file; one that was killed leaves it.
  if (tried->isHeld() && tried->hasFile())
    lock = std::move(tried);
}

EntryLock::~EntryLock() {
  if (lock)
    lock->removeFile();
}

} // namespace tegula::cache
