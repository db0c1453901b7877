#include "runtime/jit/ahead/CacheStats.h"

#include "runtime/host/Environment.h"
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

/// The parts of a spec by name, as texts.
using Parts = std::map<std::string, std::string>;

Parts partsOf(const KernelSpec &spec) {
  Parts parts;
  for (const auto &[name, arg] : spec.args)
    parts[name] = argText(arg);
  parts["num_warps"] = fmt::format("{}", spec.warps());
  parts["num_stages"] = fmt::format("{}", spec.stages());
  parts["arch"] = spec.target;
  std::string without;
  for (Feature feature : spec.without)
    without += fmt::format("{}{}", without.empty() ? "" : ",", featureName(feature));
  parts["without"] = without.empty() ? "nothing" : without;
  if (spec.maxRegisters)
    parts["maxnreg"] = fmt::format("{}", spec.maxRegisters);
  if (spec.debug)
    parts["debug"] = "True";
  if (!spec.fpFusion)
    parts["enable_fp_fusion"] = "False";
  return parts;
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
    std::vector<Parts> &known = before[spec.kernel];
    if (known.size() < keptSpecs)
      known.push_back(partsOf(spec));
  }

private:
  std::string differenceOf(const KernelSpec &spec) {
    const auto known = before.find(spec.kernel);
    if (known == before.end())
      return {};
    const Parts parts = partsOf(spec);
    std::optional<size_t> fewest;
    std::string nearest;
    for (const Parts &other : known->second) {
      size_t count = 0;
      std::string text;
      auto note = [&](const std::string &name, const std::string &now, const std::string &then) {
        text += fmt::format("{}{} is {}, was {}", count ? "; " : "", name, now, then);
        ++count;
      };
      for (const auto &[name, now] : parts)
        if (auto then = other.find(name); then == other.end())
          note(name, now, "not given");
        else if (then->second != now)
          note(name, now, then->second);
      for (const auto &[name, then] : other)
        if (!parts.contains(name))
          note(name, "not given", then);
      if (!fewest || count < *fewest) {
        fewest = count;
        nearest = std::move(text);
      }
    }
    return nearest.empty() ? "the same as a variant before, of another program" : nearest;
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
            "tensor maps\n",
            of.compiled, of.fromDisk, of.fromBundle, of.tuned, of.tunedBefore, of.withoutMaps);
      });
    }
    fmt::print(stderr, "tegula: {}\n", line);
  }

  const bool isPrinting;
  bool isRegistered = false; ///< the counts are printed when the process ends
  std::mutex mutex;          ///< guards all but the first
  CacheCounts counts;
  std::map<std::string, std::vector<Parts>> before; ///< by kernel
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

void noteWithoutMaps(const std::string &kernel, const std::string &why) {
  statistics().count(&CacheCounts::withoutMaps, fmt::format("{} does without tensor maps: {}", kernel, why));
}

void noteTuned(const std::string &kernel, const std::string &config, bool isMeasured) {
  statistics().count(
      isMeasured ? &CacheCounts::tuned : &CacheCounts::tunedBefore,
      fmt::format("{} {}: {}", isMeasured ? "tuned" : "took the config that was chosen for", kernel, config));
}

std::string differenceFromBefore(const KernelSpec &spec) { return statistics().difference(spec); }

} // namespace tegula::jit
