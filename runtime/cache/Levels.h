// The cache of a process: a folder of this machine, and behind it one that several machines share.
#pragma once

#include "runtime/cache/Store.h"

namespace tegula::cache {

/// The folder that TEGULA_SHARED_CACHE_DIR names; empty, for none, where it is not set.
std::string sharedFolder();

/// Keeps what is found in the shared folder in the machine's own, and stores in both. One folder may be
/// missing, refused or full without harm to the other.
class Levels {
public:
  /// Without a folder of the machine's own, nothing is kept in the shared one either.
  explicit Levels(std::string own, std::string shared = sharedFolder());

  /// Returns true if anything can be kept: there is a folder of the machine's own, and it is not refused.
  bool enabled() const { return own.enabled() && !own.problem(); }
  const std::string &path() const { return own.path(); }
  /// Returns why a folder is not used, to the first who asks in this process.
  std::optional<std::string> takeWarning() const;

  std::optional<Sections> find(const std::string &key);
  /// False where it could be stored in neither folder.
  bool put(const std::string &key, const Sections &sections);
  /// Waits, at most `patience`, while another process of this machine makes the entry. Who misses an entry
  /// claims it, looks once more, and makes it if it is still missing, whatever the lock says.
  EntryLock claim(const std::string &key, std::chrono::milliseconds patience = makerPatience) {
    return own.claim(key, patience);
  }

private:
  Store own, shared;
};

} // namespace tegula::cache
