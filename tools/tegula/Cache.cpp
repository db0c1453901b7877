// `tegula cache`: what the folder of compiled kernels holds, and what is to go.
#include "dialect/Counted.h"
#include "runtime/cache/Store.h"
#include "tools/tegula/CommandTables.h"
#include "tools/tegula/Subcommands.h"
#include "tools/tegula/output/Json.h"
#include "tools/tegula/output/Output.h"
#include "tools/tegula/output/Report.h"
#include "tools/tegula/output/Sizes.h"
#include "tools/tegula/output/Status.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ctime>

namespace tegula::cli {

using cache::Removed;
using cache::Store;
using cache::StoredEntry;
using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

/// Returns the title of an entry, as it was stored.
static std::string titleOf(const StoredEntry &entry) {
  if (!entry.contents)
    return "damaged, or of another version";
  auto title = entry.contents->sections.find("title");
  return title == entry.contents->sections.end() ? "untitled" : title->second;
}

/// "code, ptx"
static std::vector<std::string> sectionsOf(const StoredEntry &entry) {
  std::vector<std::string> names;
  if (entry.contents)
    for (const auto &[name, bytes] : entry.contents->sections)
      if (name != "title")
        names.push_back(name);
  return names;
}

static uint64_t bytesOf(const std::vector<StoredEntry> &entries) {
  uint64_t bytes = 0;
  for (const StoredEntry &entry : entries)
    bytes += entry.bytes;
  return bytes;
}

static std::string entriesText(size_t count) { return counted(count, "entry", "entries"); }

std::string cacheSummary(const Store &store) {
  const std::vector<StoredEntry> entries = store.list();
  return fmt::format("{}, {}, {} of {}", store.path(), entriesText(entries.size()),
                     formatSize(bytesOf(entries)), formatSize(store.limit()));
}

static std::string timeText(const StoredEntry &entry) {
  const std::time_t seconds = entry.used.seconds;
  std::tm local{};
  if (!localtime_r(&seconds, &local))
    return "?";
  return fmt::format("{:%Y-%m-%d %H:%M:%S}", local);
}

static void listAsJson(const Store &store) {
  Json::Array list;
  const std::vector<StoredEntry> entries = store.list();
  for (const StoredEntry &entry : entries) {
    list.push_back(Json::Object{{"title", titleOf(entry)},
                                {"sections", sectionsOf(entry)},
                                {"bytes", entry.bytes},
                                {"used", entry.used.seconds},
                                {"file", entry.name},
                                {"good", entry.contents.has_value()}});
  }
  writeOut(Json(Json::Object{{"folder", store.path()},
                             {"bytes", bytesOf(entries)},
                             {"limit", store.limit()},
                             {"entries", std::move(list)}})
               .text());
}

static int list(const Store &store) {
  for (const StoredEntry &entry : store.list())
    printOut("{}  {:>10}  {}{}\n", timeText(entry), formatSize(entry.bytes), titleOf(entry),
             entry.contents ? fmt::format(" ({})", fmt::join(sectionsOf(entry), ", ")) : "");
  printOut("{}\n", cacheSummary(store));
  return Done;
}

static int verify(const Store &store) {
  size_t good = 0, bad = 0;
  for (const StoredEntry &entry : store.list()) {
    if (entry.contents) {
      ++good;
      continue;
    }
    ++bad;
    say(fmt::format("warning: {}/{}: {}\n", store.path(), entry.name, titleOf(entry)));
  }
  printOut("{} good, {} not, which are never used; `tegula cache trim` removes those\n", entriesText(good),
           bad);
  return bad ? InputWrong : Done;
}

static int printRemoved(Removed removed, const Store &store) {
  printOut("removed {}, {}\n{}\n", counted(removed.files, "file"), formatSize(removed.bytes),
           cacheSummary(store));
  return Done;
}

static Result<int> trim(const CacheCommand &command, Store &store) {
  if (!command.limit.empty()) {
    uint64_t limit = TRY(parseSize(command.limit, "--limit"));
    if (!store.setLimit(limit))
      return Error{ErrorKind::Io, fmt::format("cannot write to `{}`", store.path())};
  }
  Removed removed = store.removeDamaged();
  const Removed old = store.trim(store.limit());
  return printRemoved({removed.files + old.files, removed.bytes + old.bytes}, store);
}

static Result<int> work(const CacheCommand &command) {
  if (!command.limit.empty() && command.action != "trim")
    return usageError("`--limit` is for `tegula cache trim`");
  if (command.json && command.action != "list")
    return usageError("`--json` is for `tegula cache list`");
  Store store(command.folder.empty() ? cache::defaultFolder() : command.folder);
  if (!store.enabled())
    return Error{ErrorKind::Io, "there is no cache: TEGULA_CACHE_DIR is empty, or there is no home"};
  if (store.problem())
    return *store.problem();
  if (command.action == "verify")
    return verify(store);
  if (command.action == "trim")
    return trim(command, store);
  if (command.action == "clear")
    return printRemoved(store.clear(), store);
  if (!command.json)
    return list(store);
  listAsJson(store);
  return Done;
}

int cacheCommand(const CacheCommand &command) {
  if (command.action != "list" && command.action != "verify" && command.action != "trim" &&
      command.action != "clear")
    return failUsage(fmt::format("expected list, verify, trim or clear, found `{}`", command.action),
                     "cache");
  return statusOf(work(command), command.json ? "json" : "", writeOut);
}

} // namespace tegula::cli
