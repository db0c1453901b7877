// What a compilation may be told to use.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tegula {

/// What the compiler uses only where it is told to: so far it has run on the emulator alone.
enum class Feature : uint8_t {
  Wgmma, ///< products by groups of four warps
};

/// "wgmma": the spelling of `--with`.
std::string_view featureName(Feature feature);
std::optional<Feature> parseFeature(std::string_view name);

} // namespace tegula
