// Compiled kernels and tuned choices, kept in a folder for the next process.
//
// An entry is one file, named by a hash of its key; the whole key is in it and is compared, so that a
// collision costs a compilation and nothing else. Entries appear by renaming, and one that was damaged, cut
// or edited counts as absent: whatever happens to the folder, `find` gives only what was stored under exactly
// that key. Nothing here fails a caller: what cannot be stored is not stored.
//
// The folder is bounded. Each use of an entry sets its file's time, and the least recently used go first.
// Times are those of the folder's own clock, which is the machine's while that goes forward and never goes
// back.
#pragma once

#include "runtime/cache/Entry.h"
#include "runtime/cache/EntryLock.h"
#include "runtime/cache/Folder.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::cache {

/// Default limit of a folder, in bytes.
inline constexpr uint64_t defaultLimit = uint64_t(1) << 30;

/// The folder that TEGULA_CACHE_DIR names; empty, for no cache, where it is empty or not set.
std::string configuredFolder();
/// The same for those who cache without being told to: where TEGULA_CACHE_DIR is not set,
/// $XDG_CACHE_HOME/tegula, else
/// ~/.cache/tegula; empty where there is no home either.
std::string defaultFolder();

/// An entry in the list of a folder.
struct StoredEntry {
  std::string name;              ///< of its file
  uint64_t bytes = 0;            ///< of its file
  FileTime used;                 ///< by the folder's clock
  std::optional<Entry> contents; ///< nothing where the file is damaged, or of another version of Tegula
};

/// Counts of what was removed.
struct Removed {
  size_t files = 0;
  uint64_t bytes = 0;
};

/// One folder. Any number of processes and threads may use it at once, each by an object of its own.
class Store {
public:
  /// An empty `folder` makes a store that holds nothing.
  explicit Store(std::string folder);

  bool enabled() const { return !folder.path().empty(); }
  const std::string &path() const { return folder.path(); }
  /// Returns why an existing folder is not used: it belongs to another user, or others may write to it.
  const std::optional<runtime::Error> &problem() const { return refusal; }
  /// The problem, to the first who asks in this process, for this folder.
  std::optional<std::string> takeWarning() const;

  std::optional<Sections> find(const std::string &key) const;
  /// Makes `sections` all that the entry holds. False where it could not be stored, or is larger than the
  /// limit.
  bool put(const std::string &key, const Sections &sections);
  /// Makes this process the one that makes the entry, or waits, at most `patience`, for the one that does.
  /// The lock must not outlive the store.
  EntryLock claim(const std::string &key, std::chrono::milliseconds patience);

  /// All entries, the most recently used first.
  std::vector<StoredEntry> list() const;
  /// Removes the files that are no entries of this version.
  Removed removeDamaged() const;
  /// Removes the least recently used entries beyond `limit`, and unfinished files.
  Removed trim(uint64_t limit) const;
  /// Removes all entries.
  Removed clear() const;

  /// Returns how many bytes the folder may hold: the argument of `setLimit`, by any process, else
  /// `defaultLimit`. Bytes written between two scans of the whole folder come on top, up to a thirty-second
  /// part of it.
  uint64_t limit() const;
  bool setLimit(uint64_t bytes);

private:
  void touch(const std::string &name) const;
  void noteWritten(uint64_t bytes) const;
  bool openToWrite();

  Folder folder;
  std::optional<runtime::Error> refusal;
};

} // namespace tegula::cache
