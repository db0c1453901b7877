// Compiled kernels kept in a folder, so that another process need neither compile nor assemble them again.
//
// What is stored of an image is its PTX, whose first lines say the rest, and its machine code; how a folder
// of entries is kept is runtime/cache's business.
#pragma once

#include "runtime/cache/Store.h"
#include "runtime/device/KernelImage.h"
#include "runtime/jit/BuildId.h"

#include <optional>
#include <string>

namespace tegula::jit {

class DiskCache {
public:
  /// An empty `folder` makes a cache that holds nothing.
  explicit DiskCache(std::string folder) : entries(std::move(folder)) {}

  /// The folder that `setFolder` named, else the one that TEGULA_CACHE_DIR names; empty where there is none.
  static std::string configuredFolder();
  /// The folder of this process from now on; an empty one turns caching off, none goes back to what
  /// TEGULA_CACHE_DIR says. For those who cache without being told to it is `cache::defaultFolder()`.
  static void setFolder(std::optional<std::string> folder);

  /// Whether anything can be kept: there is a folder, and it is not refused.
  bool enabled() const { return entries.enabled() && !entries.problem(); }
  std::optional<KernelImage> find(const std::string &key) const;
  /// `image` comes from the compiler. Failing to write is no error: the kernel has been compiled.
  void store(const std::string &key, const KernelImage &image);
  /// Why the folder is not used, to the first who asks in this process.
  std::optional<std::string> takeWarning() const { return entries.takeWarning(); }

private:
  cache::Store entries;
};

} // namespace tegula::jit
