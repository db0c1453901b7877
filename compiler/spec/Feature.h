// Features that a compilation may be told to do without.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace tegula {

/// Features that the compiler uses where it can, unless it is told to do without: to narrow down a fault, or
/// to compare ways.
enum class Feature : uint8_t {
  Wgmma,      ///< products of warp groups (four warps)
  Tma,        ///< TMA loads: bulk copies by tensor maps
  Specialize, ///< warp-specialised loops: producer warps load, consumer warps compute
  Persist,    ///< persistent kernels: blocks that run programs one after the other
  Stores,     ///< TMA stores of results of products
  Packing,    ///< fewer warps for programs with little work, several programs to a block
  Spread,     ///< long tensors of a program, spread over the blocks of a cluster
  Split,      ///< loops that add up products, shared out over the blocks of a cluster
  Multicast,  ///< TMA loads for both blocks of a pair by one of them
  Privatize,  ///< atomic ops that change tables in shared memory before global memory
};

struct FeatureInfo {
  std::string_view name;    ///< "wgmma": the spelling of lists
  std::string_view meaning; ///< for a person: "products of warp groups"
};

/// All, in the order of Feature.
std::span<const FeatureInfo> allFeatures();
std::string_view featureName(Feature feature);
/// The features of a list with commas between, "wgmma"; none of an empty one. On failure the string says what
/// is wrong.
std::variant<std::set<Feature>, std::string> parseFeatures(std::string_view list);

} // namespace tegula
