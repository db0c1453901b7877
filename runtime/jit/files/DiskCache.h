// Compiled kernels kept in a folder, so that another process need neither compile nor assemble them again.
//
// What is stored of an image is its PTX, whose first lines say the rest, its machine code, and which other
// files took part, with hashes of their texts: which those are shows only when it is compiled, so that no key
// can hold them. How a folder of entries is kept is runtime/cache's business.
#pragma once

#include "dialect/image/KernelImage.h"
#include "runtime/cache/Levels.h"
#include "runtime/jit/files/BuildId.h"

#include <functional>
#include <optional>
#include <string>

namespace tegula::jit {

/// Keeps images in a folder, behind which the one that machines share stands; in none where it is empty.
class DiskCache : public cache::Levels {
public:
  using Levels::Levels;

  /// The folder that `setFolder` named, else the one that TEGULA_CACHE_DIR names; empty where there is none.
  static std::string configuredFolder();
  /// The folder of this process from now on; an empty one turns caching off, none goes back to what
  /// TEGULA_CACHE_DIR says. For those who cache without being told to it is `cache::defaultFolder()`.
  static void setFolder(std::optional<std::string> folder);

  /// Returns true if the imported files, by their record, are unchanged.
  using ImportCheck = std::function<bool(const std::string &imports)>;
  /// The image under `key`; nothing where `agrees` refuses the imports that it was stored with.
  std::optional<KernelImage> find(const std::string &key, const ImportCheck &agrees = {});
  /// `image` comes from the compiler, which imported what `imports` records. Failing to write is no error:
  /// the kernel has been compiled.
  void store(const std::string &key, const KernelImage &image, const std::string &imports = {});
};

} // namespace tegula::jit
