// Lets one of the processes of a machine that miss the same entry make it, while the others wait.
//
// The maker holds a lock on a file next to the entry. The lock goes with its process, so that a maker that
// was killed keeps no process waiting; the file goes when the maker has done its work, which is how those who
// waited tell the two apart.
#pragma once

#include "runtime/cache/Folder.h"

#include <chrono>
#include <memory>
#include <string>

namespace tegula::cache {

/// Longest time for which a process waits for another one that makes an entry. Kernels take some tenths of a
/// second, very large ones some seconds.
inline constexpr std::chrono::milliseconds makerPatience{60'000};

class EntryLock {
public:
  /// A lock on nothing, which no process waits for.
  EntryLock() = default;
  /// Becomes the maker of the entry whose file is `name`, or waits until another maker has ended, at most
  /// `patience`. Does not wait where the folder has no locks.
  EntryLock(const Folder &folder, const std::string &name, std::chrono::milliseconds patience);
  /// Lets those go on who wait for this maker.
  ~EntryLock();
  EntryLock(EntryLock &&) noexcept = default;
  EntryLock &operator=(EntryLock &&) = delete;

  /// Returns true for the maker. The others were waiting: for one that has made the entry, found that there
  /// is none to be made, or took too long.
  bool isMaker() const { return lock != nullptr; }

private:
  std::unique_ptr<Folder::Lock> lock;
};

} // namespace tegula::cache
