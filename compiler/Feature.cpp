#include "compiler/Feature.h"

#include <array>

namespace tegula {

/// In the order of Feature.
static constexpr std::array<std::string_view, 2> features{"wgmma", "tma"};

std::string_view featureName(Feature feature) { return features[size_t(feature)]; }

std::string featureList() {
  std::string list;
  for (size_t i = 0; i < features.size(); ++i)
    list.append(i == 0 ? "`" : i + 1 == features.size() ? " or `" : ", `").append(features[i]).append("`");
  return list;
}

std::optional<Feature> parseFeature(std::string_view name) {
  for (size_t i = 0; i < features.size(); ++i)
    if (features[i] == name)
      return Feature(i);
  return std::nullopt;
}

} // namespace tegula
