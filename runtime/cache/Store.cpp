#include "runtime/cache/Store.h"
#include "runtime/cache/Checksum.h"
#include "runtime/host/Environment.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <set>

namespace tegula::cache {

/// No entry comes near; larger files are not ours.
static constexpr uint64_t maxEntryBytes = uint64_t(256) << 20;

std::string configuredFolder() { return runtime::environment("TEGULA_CACHE_DIR"); }

std::string defaultFolder() {
  if (std::getenv("TEGULA_CACHE_DIR"))
    return configuredFolder();
  const std::string cache = runtime::environment("XDG_CACHE_HOME"), home = runtime::environment("HOME");
  // The specification of the XDG folders has relative paths ignored.
  if (cache.starts_with('/'))
    return cache + "/tegula";
  return home.empty() ? "" : home + "/.cache/tegula";
}

static std::string nameOf(std::string_view key) { return checksum(key) + ".tegula"; }

Store::Store(std::string path) : folder(std::move(path)) {
  if (!enabled())
    return;
  if (runtime::Result<void> opened = folder.open(/*make=*/false); !opened)
    refusal = opened.error();
}

std::optional<std::string> Store::takeWarning() const {
  static std::mutex mutex;
  static std::set<std::string> *warned =
      new std::set<std::string>; // never destroyed, as the process may be ending
  if (!refusal)
    return std::nullopt;
  std::lock_guard lock(mutex);
  return warned->insert(path()).second ? std::optional(refusal->text) : std::nullopt;
}

bool Store::openToWrite() {
  if (!enabled() || refusal)
    return false;
  if (runtime::Result<void> opened = folder.open(/*make=*/true); !opened)
    refusal = opened.error();
  return folder.isOpen();
}

std::optional<Sections> Store::find(const std::string &key) const {
  const std::string name = nameOf(key);
  std::optional<std::string> bytes = folder.read(name, maxEntryBytes);
  if (!bytes)
    return std::nullopt;
  std::optional<Entry> entry = decode(*bytes);
  if (!entry || entry->key != key)
    return std::nullopt;
  touch(name);
  return std::move(entry->sections);
}

bool Store::put(const std::string &key, const Sections &sections) {
  if (!openToWrite())
    return false;
  const std::string name = nameOf(key), bytes = encode(key, sections);
  if (bytes.size() > std::min(limit(), maxEntryBytes) || !folder.replace(name, bytes))
    return false;
  touch(name);
  noteWritten(bytes.size());
  return true;
}

EntryLock Store::claim(const std::string &key, std::chrono::milliseconds patience) {
  return openToWrite() ? EntryLock(folder, nameOf(key), patience) : EntryLock();
}

std::vector<StoredEntry> Store::list() const {
  std::vector<StoredEntry> entries;
  for (FileInfo &file : folder.list()) {
    if (!file.name.ends_with(".tegula"))
      continue;
    std::optional<std::string> bytes = folder.read(file.name, maxEntryBytes);
    std::optional<Entry> contents = bytes ? decode(*bytes) : std::nullopt;
    if (contents && nameOf(contents->key) != file.name)
      contents.reset();
    entries.push_back({std::move(file.name), file.bytes, file.time, std::move(contents)});
  }
  std::sort(entries.begin(), entries.end(), [](const StoredEntry &a, const StoredEntry &b) {
    return std::tie(b.used, a.name) < std::tie(a.used, b.name);
  });
  return entries;
}

} // namespace tegula::cache
