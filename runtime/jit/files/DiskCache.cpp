#include "runtime/jit/files/DiskCache.h"

#include "dialect/Counted.h"
#include "dialect/image/KernelImageText.h"

#include <fmt/format.h>

#include <mutex>

namespace tegula::jit {

/// Names of sections. The title is for `tegula cache list`.
static constexpr const char *titleSection = "title", *ptxSection = "ptx", *codeSection = "code",
                            *importsSection = "imports";

static std::mutex folderMutex;
/// The argument of `setFolder`; guarded by the mutex.
static std::optional<std::string> &chosenFolder() {
  // Never destroyed: kernels may be compiled while the process is ending.
  static auto *folder = new std::optional<std::string>;
  return *folder;
}

std::string DiskCache::configuredFolder() {
  std::lock_guard lock(folderMutex);
  return chosenFolder() ? *chosenFolder() : cache::configuredFolder();
}

void DiskCache::setFolder(std::optional<std::string> folder) {
  std::lock_guard lock(folderMutex);
  chosenFolder() = std::move(folder);
}

std::optional<KernelImage> DiskCache::find(const std::string &key, const ImportCheck &agrees) {
  std::optional<cache::Sections> sections = Levels::find(key);
  if (!sections || !sections->contains(ptxSection) || (agrees && !agrees((*sections)[importsSection])))
    return std::nullopt;
  runtime::Result<KernelImage> image = readKernelImage(std::move(sections->at(ptxSection)));
  if (!image)
    return std::nullopt;
  image->machineCode = std::move((*sections)[codeSection]);
  return std::move(*image);
}

void DiskCache::store(const std::string &key, const KernelImage &image, const std::string &imports) {
  cache::Sections sections{
      {titleSection, fmt::format("{} {}, {}", nameOf(image), image.target, counted(image.numWarps, "warp"))},
      {ptxSection, image.ptx}};
  if (!image.machineCode.empty())
    sections.emplace(codeSection, image.machineCode);
  if (!imports.empty())
    sections.emplace(importsSection, imports);
  put(key, sections);
}

} // namespace tegula::jit
