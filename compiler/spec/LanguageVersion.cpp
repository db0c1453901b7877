#include "compiler/spec/LanguageVersion.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

namespace tegula {

/// The facts of Triton 3.`minor`: each has held since some version.
static constexpr LanguageVersion version(std::string_view name, std::string_view full, unsigned minor) {
  return {.name = name,
          .full = full,
          .keepsReturnedConstants = minor >= 7,
          .negationFlipsSign = minor >= 8,
          .fdivRounds = minor >= 8,
          .dividesFloat8InFloat32 = minor >= 9,
          .printsFloatsInHex = minor >= 9,
          .assertsExpectedZeros = minor >= 8,
          .randomReflectsByComplement = minor >= 8,
          .checksTypesOfMethods = minor >= 9,
          .checksUnusedResultsOfMethods = minor >= 7,
          .fixesFieldsOfAggregates = minor >= 8,
          .checksUnpackedCounts = minor >= 9,
          .checksCountsOfTopk = minor >= 9,
          .checksTypesOfHistograms = minor >= 9};
}

/// 3.6 is what PyTorch 2.11 wants.
static constexpr LanguageVersion versions[] = {
    version("3.6", "3.6.0", 6),
    version("3.7", "3.7.0", 7),
    version("3.8", "3.8.0", 8),
    version("3.9", "3.9.0", 9),
};

std::span<const LanguageVersion> allLanguageVersions() { return versions; }

const LanguageVersion &defaultLanguageVersion() { return versions[0]; }

const LanguageVersion *lookupLanguageVersion(std::string_view name) {
  const LanguageVersion *found = std::ranges::find(versions, name, &LanguageVersion::name);
  return found == std::end(versions) ? nullptr : found;
}

std::string unknownLanguageVersion(std::string_view name) {
  return fmt::format("unknown version `{}` of Triton; known: `{}`", name,
                     fmt::join(versions | std::views::transform(&LanguageVersion::name), "`, `"));
}

} // namespace tegula
