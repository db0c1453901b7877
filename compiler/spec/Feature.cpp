#include "compiler/spec/Feature.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

namespace tegula {

static constexpr FeatureInfo features[] = {
    {"wgmma", "products of warp groups"},
    {"tma", "TMA loads"},
    {"specialize", "warp-specialised loops: producer warps load, consumer warps compute"},
    {"persist", "persistent kernels: blocks that run several programs"},
    {"stores", "TMA stores of results of products"},
    {"packing", "small programs on fewer warps, several to a block"},
    {"spread", "long rows of reductions, spread over the blocks of a cluster"},
    {"split", "loops that add up products, shared out over the blocks of a cluster"},
    {"multicast", "TMA loads for both blocks of a pair by one of them"},
    {"privatize", "atomic ops that change tables in shared memory before global memory"},
};

std::span<const FeatureInfo> allFeatures() { return features; }

std::string_view featureName(Feature feature) { return features[size_t(feature)].name; }

std::variant<std::set<Feature>, std::string> parseFeatures(std::string_view list) {
  std::set<Feature> found;
  for (size_t begin = 0; begin < list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    const std::string_view name = list.substr(begin, end - begin);
    const FeatureInfo *feature = std::ranges::find(features, name, &FeatureInfo::name);
    if (feature == std::end(features))
      return fmt::format("unknown feature `{}`; known: `{}`", name,
                         fmt::join(features | std::views::transform(&FeatureInfo::name), "`, `"));
    found.insert(Feature(feature - features));
    begin = end + 1;
  }
  return found;
}

} // namespace tegula
