#include "runtime/jit/DiskCache.h"
#include "runtime/device/KernelImageText.h"
#include "runtime/jit/Files.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include <fmt/format.h>

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <string_view>
#include <sys/stat.h>

namespace tegula::jit {

static constexpr std::string_view magic = "tegula cache 3\n";
/// No PTX comes near; larger files are not ours.
static constexpr size_t maxEntryBytes = size_t(256) << 20;

DiskCache::DiskCache(std::string folder) : folder(std::move(folder)) {}

std::string DiskCache::configuredFolder() {
  const char *folder = std::getenv("TEGULA_CACHE_DIR");
  return folder ? folder : "";
}

/// A hash of all of `bytes` that nothing but they have.
static std::string hashOf(std::string_view bytes) {
  return llvm::toHex(llvm::BLAKE3::hash<16>(llvm::arrayRefFromStringRef(llvm::StringRef(bytes))), true);
}

std::string DiskCache::pathOf(const std::string &key) const {
  return fmt::format("{}/{}.tegula", folder, hashOf(key));
}

/// What stands in the file behind the magic and the hash of all this.
static std::string contentOf(const std::string &key, const std::string &ptx) {
  return fmt::format("{}:{}{}", key.size(), key, ptx);
}

std::optional<KernelImage> DiskCache::find(const std::string &key) const {
  if (!enabled())
    return std::nullopt;
  runtime::Result<std::string> bytes = readFile(pathOf(key), maxEntryBytes);
  if (!bytes)
    return std::nullopt;
  std::string_view rest = *bytes;
  const std::string front = contentOf(key, "");
  if (!rest.starts_with(magic))
    return std::nullopt;
  rest.remove_prefix(magic.size());
  const std::string_view hash = rest.substr(0, rest.find('\n'));
  if (hash.size() == rest.size())
    return std::nullopt;
  rest.remove_prefix(hash.size() + 1);
  if (hashOf(rest) != hash || !rest.starts_with(front))
    return std::nullopt;
  runtime::Result<KernelImage> image = readKernelImage(std::string(rest.substr(front.size())));
  if (!image)
    return std::nullopt;
  return std::move(*image);
}

void DiskCache::store(const std::string &key, const KernelImage &image) const {
  if (!enabled())
    return;
  const std::string content = contentOf(key, image.ptx);
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  (void)bool(writeFile(pathOf(key), fmt::format("{}{}\n{}", magic, hashOf(content), content)));
}

const std::string &compilerIdentity() {
  // The file this code was loaded from, with its size and time: a version number would be forgotten.
  static const std::string identity = [] {
    Dl_info info{};
    struct stat status{};
    if (!dladdr(reinterpret_cast<const void *>(&compilerIdentity), &info) || !info.dli_fname)
      return std::string("unknown");
    // A static executable's name is what it was called by; its file is always this one.
    if (stat(info.dli_fname, &status) != 0 && stat("/proc/self/exe", &status) != 0)
      return std::string("unknown");
    return fmt::format("{} {}.{}", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  }();
  return identity;
}

} // namespace tegula::jit
