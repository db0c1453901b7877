#include "compiler/spec/LanguageVersion.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula {

/// 3.6 is what PyTorch 2.11 wants.
static constexpr LanguageVersion versions[] = {
    {.name = "3.6",
     .full = "3.6.0",
     .keepsReturnedConstants = false,
     .negationFlipsSign = false,
     .fdivRounds = false,
     .dividesFloat8InFloat32 = false,
     .printsFloatsInHex = false,
     .assertsExpectedZeros = false,
     .randomReflectsByComplement = false,
     .checksTypesOfMethods = false,
     .checksUnusedResultsOfMethods = false,
     .fixesFieldsOfAggregates = false,
     .checksUnpackedCounts = false,
     .checksCountsOfTopk = false,
     .checksTypesOfHistograms = false},
    {.name = "3.7",
     .full = "3.7.0",
     .keepsReturnedConstants = true,
     .negationFlipsSign = false,
     .fdivRounds = false,
     .dividesFloat8InFloat32 = false,
     .printsFloatsInHex = false,
     .assertsExpectedZeros = false,
     .randomReflectsByComplement = false,
     .checksTypesOfMethods = false,
     .checksUnusedResultsOfMethods = true,
     .fixesFieldsOfAggregates = false,
     .checksUnpackedCounts = false,
     .checksCountsOfTopk = false,
     .checksTypesOfHistograms = false},
    {.name = "3.8",
     .full = "3.8.0",
     .keepsReturnedConstants = true,
     .negationFlipsSign = true,
     .fdivRounds = true,
     .dividesFloat8InFloat32 = false,
     .printsFloatsInHex = false,
     .assertsExpectedZeros = true,
     .randomReflectsByComplement = true,
     .checksTypesOfMethods = false,
     .checksUnusedResultsOfMethods = true,
     .fixesFieldsOfAggregates = true,
     .checksUnpackedCounts = false,
     .checksCountsOfTopk = false,
     .checksTypesOfHistograms = false},
    {.name = "3.9",
     .full = "3.9.0",
     .keepsReturnedConstants = true,
     .negationFlipsSign = true,
     .fdivRounds = true,
     .dividesFloat8InFloat32 = true,
     .printsFloatsInHex = true,
     .assertsExpectedZeros = true,
     .randomReflectsByComplement = true,
     .checksTypesOfMethods = true,
     .checksUnusedResultsOfMethods = true,
     .fixesFieldsOfAggregates = true,
     .checksUnpackedCounts = true,
     .checksCountsOfTopk = true,
     .checksTypesOfHistograms = true},
};

std::span<const LanguageVersion> allLanguageVersions() { return versions; }

const LanguageVersion &defaultLanguageVersion() { return versions[0]; }

const LanguageVersion *lookupLanguageVersion(std::string_view name) {
  const LanguageVersion *found = std::ranges::find(versions, name, &LanguageVersion::name);
  return found == std::end(versions) ? nullptr : found;
}

std::string unknownLanguageVersion(std::string_view name) {
  std::string known;
  for (const LanguageVersion &version : versions)
    known += fmt::format("{}`{}`", known.empty() ? "" : ", ", version.name);
  return fmt::format("unknown version `{}` of Triton; known: {}", name, known);
}

} // namespace tegula
