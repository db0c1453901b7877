// What a compilation may be told to do without.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tegula {

/// What the compiler uses where it can, unless it is told to do without: so that a fault can be narrowed down, and
/// ways compared.
enum class Feature : uint8_t {
  Wgmma, ///< products by groups of four warps
  Tma,   ///< bulk copies by tensor maps
};

/// "wgmma": the spelling of `--without`.
std::string_view featureName(Feature feature);
/// All of them, as messages list them: "`wgmma` or `tma`".
std::string featureList();
std::optional<Feature> parseFeature(std::string_view name);

} // namespace tegula
