// Compiled kernels kept in a folder, so that another process need not compile them again.
//
// An entry is one file: a hash of all that follows, the whole key, and the image as its PTX, whose first
// lines say the rest. The file's name is a hash of the key, and the key is compared when the entry is read,
// so that a collision costs a compilation and nothing else. Entries appear by renaming; one that was damaged
// or edited counts as absent.
#pragma once

#include "runtime/device/KernelImage.h"

#include <optional>
#include <string>

namespace tegula::jit {

class DiskCache {
public:
  /// An empty `folder` makes a cache that holds nothing.
  explicit DiskCache(std::string folder);

  /// The folder that TEGULA_CACHE_DIR names; empty when it is not set.
  static std::string configuredFolder();

  bool enabled() const { return !folder.empty(); }
  std::optional<KernelImage> find(const std::string &key) const;
  /// `image` comes from the compiler. Failing to write is no error: the kernel has been compiled.
  void store(const std::string &key, const KernelImage &image) const;

private:
  std::string pathOf(const std::string &key) const;
  std::string folder;
};

/// What every key begins with: it changes whenever the compiler does.
const std::string &compilerIdentity();

} // namespace tegula::jit
