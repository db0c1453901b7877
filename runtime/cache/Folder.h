// A folder that is its user's alone, and whole files in it.
#pragma once

#include "dialect/image/Result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::cache {

/// A point in time as the file system keeps it.
struct FileTime {
  int64_t seconds = 0;
  int64_t nanoseconds = 0;
  auto operator<=>(const FileTime &) const = default;
  static FileTime now();
};

/// End of the names of files that are entry locks.
inline constexpr std::string_view lockSuffix = ".lock";

struct FileInfo {
  std::string name;
  uint64_t bytes = 0;
  FileTime time; ///< of the last change, or what `setTime` said
};

/// Everything goes through the opened folder, so that what was checked is what is used, whatever its path
/// names later. A failure other than refusing the folder is silence: nothing read, nothing written.
class Folder {
public:
  explicit Folder(std::string path);
  ~Folder();
  Folder(const Folder &) = delete;

  const std::string &path() const { return pathText; }

  /// Opens the folder; makes a missing one, for its user alone, if `make`. Errors: Io where it belongs to
  /// another user or others may write to it, or it cannot be made.
  runtime::Result<void> open(bool make);
  bool isOpen() const { return descriptor >= 0; }

  /// The bytes of a regular file, of at most `maxBytes`.
  std::optional<std::string> read(const std::string &name, uint64_t maxBytes) const;
  /// Writes a file aside, readable by its user alone, and puts it in the place of `name`: it is seen whole or
  /// not at all. False where that cannot be done; nothing is left then.
  bool replace(const std::string &name, std::string_view bytes) const;
  /// Adds bytes at the end of a file, made where it is missing; how many it has then.
  std::optional<uint64_t> append(const std::string &name, std::string_view bytes) const;
  bool remove(const std::string &name) const;
  std::optional<FileInfo> info(const std::string &name) const;
  bool setTime(const std::string &name, FileTime time) const;
  /// The regular files.
  std::vector<FileInfo> list() const;

  /// A lock that one process at a time holds, on a file, and that goes with the process.
  class Lock {
  public:
    Lock(const Folder &folder, const std::string &name);
    ~Lock();
    Lock(const Lock &) = delete;
    bool isHeld() const { return held; }
    /// Returns true if another process, or another lock of this one, holds it.
    bool isBusy() const { return busy; }
    void tryAgain();
    /// Returns true if the file still has a name: no process has removed it since the lock was opened.
    bool hasFile() const;
    /// Makes the file empty.
    void empty() const;
    /// Removes the file. Who waits for this lock gets one without a name.
    void removeFile() const;

  private:
    int folder;
    std::string name;
    int descriptor = -1;
    bool held = false, busy = false;
  };

  /// Returns true for files that are being written and entry locks; what a killed process leaves of them
  /// stays until it is cleared away.
  static bool isTemporary(std::string_view name);

private:
  std::string pathText;
  int descriptor = -1;
};

} // namespace tegula::cache
