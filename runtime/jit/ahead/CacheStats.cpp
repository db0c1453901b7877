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

class Statistics {
public:
  Statistics() : isPrinting(runtime::environment("TEGULA_CACHE_STATS") == "1") {}

  CacheCounts now() {
    std::lock_guard lock(mutex);
    return counts;
  }
  void count(uint64_t CacheCounts::*which, const std::string &line) {
    std::lock_guard lock(mutex);
    ++(counts.*which);
    print(line);
  }
  std::string difference(const KernelSpec &spec) {
    std::lock_guard lock(mutex);
    return differenceOf(spec);
  }
  void add(const KernelSpec &spec, ImageOrigin origin, double milliseconds) {
    std::lock_guard lock(mutex);
    const bool isCompiled = origin == ImageOrigin::Compiled;
    ++(isCompiled ? counts.compiled : origin == ImageOrigin::Disk ? counts.fromDisk : counts.fromBundle);
    if (isPrinting) {
      const std::string why = isCompiled ? differenceOf(spec) : std::string();
      print(isCompiled ? fmt::format("compiled {} in {:.1f} ms: {}", spec.kernel, milliseconds,
                                     why.empty() ? "its first variant, " + describeSpec(spec) : why)
                       : fmt::format("found {} in {} in {:.1f} ms", spec.kernel,
                                     origin == ImageOrigin::Disk ? "the cache" : "a bundle", milliseconds));
    }
    std::vector<SpecParts> &known = before[spec.kernel];
    if (known.size() < keptSpecs)
      known.push_back(specParts(spec));
  }

private:
  std::string differenceOf(const KernelSpec &spec) const {
    const SpecParts parts = specParts(spec);
    std::optional<Difference> nearest;
    auto offer = [&](const SpecParts &other, const char *where, const char *whole) {
      Difference found = differenceBetween(parts, other, where);
      if (!found.count)
        found.text = whole;
      if (!nearest || found.count < nearest->count)
        nearest = std::move(found);
    };
    if (const auto known = before.find(spec.kernel); known != before.end())
      for (const SpecParts &other : known->second)
        offer(other, "was", "the same as a variant before, of another program");
    for (const SpecParts &other : variantsInBundles(spec.kernel))
      offer(other, "in a bundle", "the same as a variant in a bundle, of another program");
    return nearest ? nearest->text : std::string();
  }

  void print(const std::string &line) {
    if (!isPrinting)
      return;
    if (!isRegistered) {
      isRegistered = true;
      std::atexit([] {
        const CacheCounts of = cacheCounts();
        fmt::print(
            stderr,
            "tegula: {} compiled, {} from the cache, {} from a bundle; {} tuned, {} tuned before; {} without "
            "tensor maps or clusters\n",
            of.compiled, of.fromDisk, of.fromBundle, of.tuned, of.tunedBefore, of.withoutMaps);
      });
    }
    fmt::print(stderr, "tegula: {}\n", line);
  }

  const bool isPrinting;
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

} // namespace

CacheCounts cacheCounts() { return statistics().now(); }

void noteImage(const KernelSpec &spec, ImageOrigin origin, double milliseconds) {
  statistics().add(spec, origin, milliseconds);
}

void noteWithout(const std::string &kernel, const std::string &parts, const std::string &why) {
  statistics().count(&CacheCounts::withoutMaps, fmt::format("{} does without {}: {}", kernel, parts, why));
}

void noteTuned(const std::string &kernel, const std::string &config, bool isMeasured) {
  statistics().count(
      isMeasured ? &CacheCounts::tuned : &CacheCounts::tunedBefore,
      fmt::format("{} {}: {}", isMeasured ? "tuned" : "took the config that was chosen for", kernel, config));
}

std::string differenceFromBefore(const KernelSpec &spec) { return statistics().difference(spec); }

} // namespace tegula::jit
