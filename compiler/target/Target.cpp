#include "compiler/target/Target.h"

#include "compiler/spec/EditDistance.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tegula {

namespace {

constexpr uint32_t KiB = 1024;

// PTX versions: the priorities of lines of caches on accesses need 7.4, above what sm_75, sm_80 and sm_86
// came with; `mma.sync` on f8 needs 8.4, above what sm_89 and sm_90a came with; the others are the first to
// know their target. Sizes are those of the CUDA programming guide's table of compute capabilities; bf16
// instructions those of the PTX manual's "target notes".

/// Returns the target that differs from `older`, of the same generation, in these alone.
constexpr Target successor(Target older, std::string_view name, PtxVersion ptx, uint32_t minor) {
  older.name = name;
  older.ptx = ptx;
  older.minor = minor;
  return older;
}

constexpr Target Sm100a = {.name = "sm_100a",
                           .ptx = {8, 6},
                           .major = 10,
                           .minor = 0,
                           .maxWarpsPerMultiprocessor = 64,
                           .maxBlocksPerMultiprocessor = 32,
                           .sharedPerMultiprocessor = 228 * KiB,
                           .maxSharedPerBlock = 227 * KiB,
                           .clusters = true,
                           .gridDependency = true,
                           .storeMatrix = true,
                           .vectorReductions = true,
                           .fp8ProductsWiden = true,
                           .floatRedux = true};

constexpr Target Sm120a = {.name = "sm_120a",
                           .ptx = {8, 7},
                           .major = 12,
                           .minor = 0,
                           .maxWarpsPerMultiprocessor = 48,
                           .maxBlocksPerMultiprocessor = 24,
                           .sharedPerMultiprocessor = 100 * KiB,
                           .maxSharedPerBlock = 99 * KiB,
                           .clusters = true,
                           .gridDependency = true,
                           .storeMatrix = true,
                           .vectorReductions = true};

constexpr std::array<Target, 9> Targets = {{
    {.name = "sm_75",
     .ptx = {7, 4},
     .major = 7,
     .minor = 5,
     .maxWarpsPerMultiprocessor = 32,
     .maxBlocksPerMultiprocessor = 16,
     .sharedPerMultiprocessor = 64 * KiB,
     .maxSharedPerBlock = 64 * KiB,
     .sharedUnit = 256,
     .wideMatrices = false,
     .asyncCopies = false,
     .bf16Conversions = false,
     .bf16Arithmetic = false,
     .fp8Conversions = false,
     .fp8Products = false,
     .integerRedux = false},
    {.name = "sm_80",
     .ptx = {7, 4},
     .major = 8,
     .minor = 0,
     .maxWarpsPerMultiprocessor = 64,
     .maxBlocksPerMultiprocessor = 32,
     .sharedPerMultiprocessor = 164 * KiB,
     .maxSharedPerBlock = 163 * KiB,
     .bf16Arithmetic = false,
     .fp8Conversions = false,
     .fp8Products = false},
    {.name = "sm_86",
     .ptx = {7, 4},
     .major = 8,
     .minor = 6,
     .maxWarpsPerMultiprocessor = 48,
     .maxBlocksPerMultiprocessor = 16,
     .sharedPerMultiprocessor = 100 * KiB,
     .maxSharedPerBlock = 99 * KiB,
     .bf16Arithmetic = false,
     .fp8Conversions = false,
     .fp8Products = false},
    {.name = "sm_89",
     .ptx = {8, 4},
     .major = 8,
     .minor = 9,
     .maxWarpsPerMultiprocessor = 48,
     .maxBlocksPerMultiprocessor = 24,
     .sharedPerMultiprocessor = 100 * KiB,
     .maxSharedPerBlock = 99 * KiB,
     .bf16Arithmetic = false},
    {.name = "sm_90a",
     .ptx = {8, 4},
     .major = 9,
     .minor = 0,
     .maxWarpsPerMultiprocessor = 64,
     .maxBlocksPerMultiprocessor = 32,
     .sharedPerMultiprocessor = 228 * KiB,
     .maxSharedPerBlock = 227 * KiB,
     .clusters = true,
     .gridDependency = true,
     .storeMatrix = true,
     .vectorReductions = true,
     .warpgroupMma = true,
     .tmaCopies = true,
     .fp8ProductsWiden = true},
    Sm100a,
    successor(Sm100a, "sm_103a", {8, 8}, 3),
    Sm120a,
    successor(Sm120a, "sm_121a", {8, 8}, 1),
}};

/// Names that differ by more letters than this are not taken for slips: "gfx942" is near nothing,
/// "sm90", "90a" and "SM_90A" are near `sm_90a`.
constexpr size_t MaxSlips = 3;

/// Text longer than this is no name, and not worth comparing.
constexpr size_t MaxNameLength = 16;

} // namespace

std::span<const Target> allTargets() { return Targets; }

const Target &oldestTargetWith(bool Target::*feature) {
  return *std::find_if(Targets.begin(), Targets.end(), [&](const Target &target) { return target.*feature; });
}

const Target *lookupTarget(std::string_view name) {
  const Target *found =
      std::find_if(Targets.begin(), Targets.end(), [&](const Target &t) { return t.name == name; });
  return found == Targets.end() ? nullptr : found;
}

const Target *nearestTarget(std::string_view name) {
  if (name.size() > MaxNameLength)
    return nullptr;
  // The nearest of names equally near is the one that only goes on: `sm_90` is `sm_90a` cut short, not a
  // wrong `sm_80`.
  using Badness = std::pair<size_t, bool>;
  const Target *nearest = nullptr;
  Badness least = {MaxSlips + 1, false};
  for (const Target &target : Targets)
    if (Badness badness = {editDistance(name, target.name), !target.name.starts_with(name)};
        badness < least) {
      least = badness;
      nearest = &target;
    }
  return nearest;
}

bool runsOn(const Target &target, uint32_t major, uint32_t minor) {
  const bool same = target.major == major && target.minor == minor;
  const bool older = target.major < major || (target.major == major && target.minor < minor);
  return same || (older && !target.exact());
}

const Target *targetOfDevice(uint32_t major, uint32_t minor) {
  const Target *best = nullptr;
  for (const Target &target : Targets)
    if (runsOn(target, major, minor))
      best = &target; // the list is in order of age
  return best;
}

} // namespace tegula
