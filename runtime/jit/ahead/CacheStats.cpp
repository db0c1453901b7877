#include "runtime/jit/ahead/CacheStats.h"

#include "runtime/host/Environment.h"
#include "runtime/jit/ahead/Bundles.h"
#include "runtime/jit/files/SpecText.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace tegula::jit {
namespace {

/// So many specs of a kernel are compared with: a kernel with more has another problem.
constexpr size_t keptSpecs = 64;

/// The parts in which two specialisations differ.
struct Difference {
  size_t count = 0;
  std::string text;
};

/// Compares `now` with `then`, of which the text says `where`: "was".
Difference differenceBetween(const SpecParts &now, const SpecParts &then, const char *where) {
  Difference difference;
  auto note = [&](const std::string &name, const std::string &here, const std::string &there) {
    difference.text +=
        fmt::format("{}{} is {}, {} {}", difference.count ? "; " : "", name, here, where, there);
    ++difference.count;
  };
  for (const auto &[name, here] : now)
    if (auto there = then.find(name); there == then.end())
      note(name, here, "not given");
    else if (there->second != here)
      note(name, here, there->second);
  for (const auto &[name, there] : then)
    if (!now.contains(name))
      note(name, "not given", there);
  return difference;
}

struct Statistics {
  const bool isPrinting = runtime::environment("TEGULA_CACHE_STATS") == "1";
  bool isRegistered = false; ///< the counts are printed when the process ends
  std::mutex mutex;          ///< guards all but the first
  CacheCounts counts;
  std::map<std::string, std::vector<SpecParts>> before; ///< by kernel
};

Statistics &statistics() {
  // Never destroyed: kernels may be compiled while the process is ending.
  static auto *made = new Statistics;
  return *made;
}

// The lock is held where these are called.

std::string differenceOf(const KernelSpec &spec) {
  const SpecParts parts = specParts(spec);
  std::optional<Difference> nearest;
  auto offer = [&](const SpecParts &other, const char *where, const char *whole) {
    Difference found = differenceBetween(parts, other, where);
    if (!found.count)
      found.text = whole;
    if (!nearest || found.count < nearest->count)
      nearest = std::move(found);
  };
  const auto &before = statistics().before;
  if (const auto known = before.find(spec.kernel); known != before.end())
    for (const SpecParts &other : known->second)
      offer(other, "was", "the same as a variant before, of another program");
  for (const SpecParts &other : variantsInBundles(spec.kernel))
    offer(other, "in a bundle", "the same as a variant in a bundle, of another program");
  return nearest ? nearest->text : std::string();
}

void print(const std::string &line) {
  Statistics &all = statistics();
  if (!all.isPrinting)
    return;
  if (!std::exchange(all.isRegistered, true))
    std::atexit([] {
      const CacheCounts of = cacheCounts();
      fmt::print(
          stderr,
          "tegula: {} compiled, {} from the cache, {} from a bundle; {} tuned, {} tuned before; {} without "
          "tensor maps or clusters\n",
          of.compiled, of.fromDisk, of.fromBundle, of.tuned, of.tunedBefore, of.withoutMaps);
    });
  fmt::print(stderr, "tegula: {}\n", line);
}

} // namespace

CacheCounts cacheCounts() {
  std::lock_guard lock(statistics().mutex);
  return statistics().counts;
}

void noteImage(const KernelSpec &spec, ImageOrigin origin, double milliseconds) {
  Statistics &all = statistics();
  std::lock_guard lock(all.mutex);
  const bool isCompiled = origin == ImageOrigin::Compiled, isOnDisk = origin == ImageOrigin::Disk;
  ++(isCompiled ? all.counts.compiled : isOnDisk ? all.counts.fromDisk : all.counts.fromBundle);
  if (all.isPrinting) {
    const std::string why = isCompiled ? differenceOf(spec) : std::string();
    print(isCompiled ? fmt::format("compiled {} in {:.1f} ms: {}", spec.kernel, milliseconds,
                                   why.empty() ? "its first variant, " + describeSpec(spec) : why)
                     : fmt::format("found {} in {} in {:.1f} ms", spec.kernel,
                                   isOnDisk ? "the cache" : "a bundle", milliseconds));
  }
  std::vector<SpecParts> &known = all.before[spec.kernel];
  if (known.size() < keptSpecs)
    known.push_back(specParts(spec));
}

void noteWithout(const std::string &kernel, const std::string &parts, const std::string &why) {
  std::lock_guard lock(statistics().mutex);
  ++statistics().counts.withoutMaps;
  print(fmt::format("{} does without {}: {}", kernel, parts, why));
}

void noteTuned(const std::string &kernel, const std::string &config, bool isMeasured) {
  CacheCounts &counts = statistics().counts;
  std::lock_guard lock(statistics().mutex);
  ++(isMeasured ? counts.tuned : counts.tunedBefore);
  print(
      fmt::format("{} {}: {}", isMeasured ? "tuned" : "took the config that was chosen for", kernel, config));
}

std::string differenceFromBefore(const KernelSpec &spec) {
  std::lock_guard lock(statistics().mutex);
  return differenceOf(spec);
}

} // namespace tegula::jit
