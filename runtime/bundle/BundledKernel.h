// A compiled kernel as a bundle holds it, and the entry that it is written as.
#pragma once

#include "dialect/image/KernelImage.h"
#include "runtime/device/Device.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::bundle {

/// A parameter that a launch gives.
struct LaunchParameter {
  std::string name;
  std::string type; ///< in the spelling of signatures: "*fp32:16", "i32:16+", "i32=1", "none"
  bool operator==(const LaunchParameter &) const = default;
};

struct BundledKernel {
  std::string name; ///< by which programs without a compiler ask for it; several variants may share one
  KernelImage image;
  std::vector<LaunchParameter> parameters; ///< in order
  std::string constants; ///< what is fixed besides, for messages: "BLOCK_SIZE=1024 num_warps=4"
  /// Facts that tell it from other variants of its kernel, by name, for messages: "n" is "i32:16+",
  /// "num_warps" is "4". No name has a blank, no text an end of line.
  std::map<std::string, std::string> specialisation;
  runtime::LaunchAttributes launch;
  /// True of a variant that does without tensor maps and clusters, where a device refuses them.
  bool withoutMaps = false;
  std::string imports; ///< what the program imported, as `importRecord` says it
};

/// Returns the bytes of the entry (`runtime/cache/Entry.h`) under `key`.
std::string encode(std::string_view key, const BundledKernel &kernel);

/// The inverse, for an entry that is called `name` and stands under `key`; nothing where the bytes are not
/// what `encode` gave.
std::optional<BundledKernel> decode(std::string_view key, std::string_view name, std::string_view bytes);

/// "x_ptr=*fp32:16 n=i32:16+ BLOCK_SIZE=1024": a variant, for messages.
std::string describe(const BundledKernel &kernel);

} // namespace tegula::bundle
