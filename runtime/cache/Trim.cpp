// Keeps a folder within its limit.
//
// Three files next to the entries, none of which has to exist:
//
//     clock     its time is the folder's clock
//     written   a byte for each 4 KiB written since the last scan of the whole folder, by any process; a scan
//               holds a lock on it
//     limit     the limit, in bytes, where it is not the default
#include "runtime/cache/Store.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <tuple>

namespace tegula::cache {

static constexpr const char *clockFile = "clock", *writtenFile = "written", *limitFile = "limit";

/// Unit in which the disk space of a file is counted.
static constexpr uint64_t blockBytes = 4096;

/// A look at the whole folder takes 8 us a file, half a second for a full one of small entries: one for each
/// so many parts of the limit written, which is some hundred compilations.
static constexpr uint64_t looksPerLimit = 32;

/// Age after which an unfinished file will never be finished.
static constexpr int64_t abandonedSeconds = 3600;

static uint64_t blocksOf(uint64_t bytes) { return (bytes + blockBytes - 1) / blockBytes; }

/// The time of a use is later than that of every use before it, whatever the machine's clock says: should
/// that go back, the folder's clock goes on from where it was in steps of a microsecond.
void Store::touch(const std::string &name) const {
  const std::optional<FileInfo> clock = folder.info(clockFile);
  FileTime time = FileTime::now();
  if (clock && time <= clock->time) {
    time = clock->time;
    time.nanoseconds += 1000;
    if (time.nanoseconds >= 1'000'000'000) {
      time.nanoseconds -= 1'000'000'000;
      ++time.seconds;
    }
  }
  if (!folder.setTime(name, time))
    return;
  if (!clock)
    folder.append(clockFile, "");
  folder.setTime(clockFile, time);
}

uint64_t Store::limit() const {
  const std::optional<std::string> text = folder.read(limitFile, 32);
  uint64_t bytes = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), bytes).ec != std::errc())
    return defaultLimit;
  return bytes;
}

bool Store::setLimit(uint64_t bytes) {
  return openToWrite() && folder.replace(limitFile, fmt::format("{}\n", bytes));
}

void Store::noteWritten(uint64_t bytes) const {
  const bool isFirst = !folder.info(writtenFile);
  const std::optional<uint64_t> blocks = folder.append(writtenFile, std::string(blocksOf(bytes), '.'));
  const uint64_t most = limit();
  if (blocks && (isFirst || *blocks * blockBytes > most / looksPerLimit))
    trim(most);
}

/// Returns true if the file is unfinished and abandoned: then its time is far from now, on either side.
static bool isAbandoned(const FileInfo &file, FileTime now) {
  return Folder::isTemporary(file.name) && std::abs(file.time.seconds - now.seconds) > abandonedSeconds;
}

Removed Store::trim(uint64_t limit) const {
  Removed removed;
  const Folder::Lock lock(folder, writtenFile);
  if (!lock.isHeld())
    return removed; // another process is at it
  auto remove = [&](const FileInfo &file) {
    if (!folder.remove(file.name))
      return;
    ++removed.files;
    removed.bytes += file.bytes;
  };
  std::vector<FileInfo> entries;
  uint64_t blocks = 0;
  const FileTime now = FileTime::now();
  for (FileInfo &file : folder.list()) {
    if (isAbandoned(file, now))
      remove(file);
    else if (file.name.ends_with(".tegula")) {
      blocks += blocksOf(file.bytes);
      entries.push_back(std::move(file));
    }
  }
  std::sort(entries.begin(), entries.end(), [](const FileInfo &a, const FileInfo &b) {
    return std::tie(a.time, a.name) < std::tie(b.time, b.name);
  });
  for (const FileInfo &file : entries) {
    if (blocks * blockBytes <= limit)
      break;
    remove(file);
    blocks -= blocksOf(file.bytes);
  }
  lock.empty();
  return removed;
}

Removed Store::removeDamaged() const {
  Removed removed;
  for (const StoredEntry &entry : list())
    if (!entry.contents && folder.remove(entry.name)) {
      ++removed.files;
      removed.bytes += entry.bytes;
    }
  return removed;
}

Removed Store::clear() const {
  Removed removed;
  for (const FileInfo &file : folder.list()) {
    const bool isEntry = file.name.ends_with(".tegula");
    if ((isEntry || Folder::isTemporary(file.name)) && folder.remove(file.name)) {
      removed.files += isEntry;
      removed.bytes += file.bytes;
    }
  }
  return removed;
}

} // namespace tegula::cache
