#include "runtime/jit/ahead/Bundles.h"

#include "runtime/bundle/Bundle.h"
#include "runtime/cache/Checksum.h"
#include "runtime/device/Freeze.h"
#include "runtime/host/Environment.h"
#include "runtime/jit/files/SpecText.h"

#include <fmt/format.h>

#include <atomic>
#include <map>
#include <mutex>
#include <ranges>
#include <vector>

namespace tegula::jit {

using bundle::Bundle;
using bundle::BundledKernel;
using runtime::Error;
using runtime::Result;

std::string bundleKey(const KernelSpec &spec, const std::string &entryName, const std::string &content,
                      const std::string &tile) {
  return cache::checksum(fmt::format("{}as {}\n{}\n{}", specText(spec), entryName, content, tile));
}

std::string withoutPaths(std::string tile, const std::vector<std::string> &paths) {
  for (size_t i = 0; i < paths.size(); ++i) {
    const std::string quoted = fmt::format("\"{}\"", paths[i]), number = fmt::format("\"{}\"", i);
    for (size_t at = tile.find(quoted); at != tile.npos; at = tile.find(quoted, at + number.size()))
      tile.replace(at, quoted.size(), number);
  }
  return tile;
}

namespace {

/// An entry that was read.
struct Found {
  std::shared_ptr<const KernelImage> image;
  std::string imports;
};

/// A kernel and its device, which stays open as long as the kernel does.
struct OnDevice {
  std::shared_ptr<runtime::Device> device;
  std::shared_ptr<runtime::LoadedKernel> kernel;
};

/// All that this process has loaded.
struct Bundles {
  std::once_flag begun;
  std::optional<Error> problem; ///< of the environment's
  std::atomic<bool> isAny = false;
  std::mutex mutex; ///< guards what follows, also while an entry is read or loaded
  std::vector<std::shared_ptr<const Bundle>> bundles;
  size_t listed = 0;                                             ///< so many bundles are in `specialisations`
  std::map<std::string, std::vector<SpecParts>> specialisations; ///< by kernel
  std::map<const Bundle::Item *, Found> images;                  ///< entries of bundles stay where they are
  std::map<std::pair<const runtime::Device *, const KernelImage *>, OnDevice> loaded;
};

Bundles &all() {
  // Never destroyed: kernels may be launched while the process is ending.
  static auto *bundles = new Bundles;
  return *bundles;
}

Result<void> add(const std::string &path) {
  std::shared_ptr<const Bundle> opened = TRY(Bundle::open(path));
  std::lock_guard lock(all().mutex);
  all().bundles.push_back(std::move(opened));
  all().isAny = true;
  return {};
}

/// Loads what the environment names, at the first call. Errors: those of the first call, at each.
Result<void> begin() {
  std::optional<Error> &problem = all().problem;
  std::call_once(all().begun, [&] {
    const std::string paths = runtime::environment("TEGULA_BUNDLE");
    for (const auto part : std::views::split(paths, ':')) {
      const std::string path(part.begin(), part.end());
      if (path.empty())
        continue;
      if (Result<void> loaded = add(path); !loaded && !problem) {
        problem = loaded.error();
        problem->text = "TEGULA_BUNDLE: " + problem->text;
      }
    }
  });
  if (problem)
    return *problem;
  return {};
}

/// The entry, read at the first call. The lock is held.
Result<const Found *> read(const Bundle &of, const Bundle::Item &item) {
  Found &place = all().images[&item];
  if (!place.image) {
    BundledKernel kernel = TRY(of.read(item));
    place = {std::make_shared<const KernelImage>(std::move(kernel.image)), std::move(kernel.imports)};
  }
  return &place;
}

} // namespace

Result<void> loadBundle(const std::string &path) {
  TRY(begin());
  return add(path);
}

Result<bool> hasBundles() {
  TRY(begin());
  return all().isAny.load();
}

Result<std::shared_ptr<const KernelImage>> findInBundles(const std::string &key, const ImportCheck &agrees) {
  std::lock_guard lock(all().mutex);
  for (const std::shared_ptr<const Bundle> &each : all().bundles) {
    const Bundle::Item *item = each->find(key);
    if (!item || item->form == bundle::Form::Note)
      continue;
    const Found *found = TRY(read(*each, *item));
    if (agrees(found->imports))
      return found->image;
  }
  return std::shared_ptr<const KernelImage>();
}

std::vector<SpecParts> variantsInBundles(const std::string &kernel) {
  Bundles &of = all();
  if (!of.isAny)
    return {};
  std::lock_guard lock(of.mutex);
  for (; of.listed < of.bundles.size(); ++of.listed)
    for (const Bundle::Item &item : of.bundles[of.listed]->items()) {
      if (item.form != bundle::Form::Kernel) // a plain one is the same but for its maps
        continue;
      Result<BundledKernel> entry = of.bundles[of.listed]->read(item);
      if (entry && !entry->specialisation.empty())
        of.specialisations[entry->image.kernel].push_back(std::move(entry->specialisation));
    }
  const auto found = of.specialisations.find(kernel);
  return found == of.specialisations.end() ? std::vector<SpecParts>() : found->second;
}

std::optional<std::string> noteInBundles(const std::string &name) {
  if (Result<bool> any = hasBundles(); !any || !*any)
    return std::nullopt;
  std::lock_guard lock(all().mutex);
  for (const std::shared_ptr<const Bundle> &each : all().bundles)
    if (std::optional<std::string> text = each->note(name))
      return text;
  return std::nullopt;
}

Result<size_t> loadKernelsOfBundles(const std::shared_ptr<runtime::Device> &device,
                                    const std::string &target) {
  TRY(begin());
  // The caller asks for it: it is not what freezing is to prevent.
  const runtime::Thaw thaw;
  std::lock_guard lock(all().mutex);
  size_t count = 0;
  for (const std::shared_ptr<const Bundle> &each : all().bundles)
    for (const Bundle::Item &item : each->items()) {
      if (item.form == bundle::Form::Note || item.target != target)
        continue;
      const Found *found = TRY(read(*each, item));
      OnDevice &place = all().loaded[{device.get(), found->image.get()}];
      if (!place.kernel) {
        std::unique_ptr<runtime::LoadedKernel> made = TRY(device->load(*found->image));
        place = {device, std::move(made)};
      }
      ++count;
    }
  return count;
}

std::shared_ptr<runtime::LoadedKernel> loadedFromBundle(const runtime::Device *device,
                                                        const KernelImage *image) {
  Bundles &of = all();
  if (!of.isAny)
    return nullptr;
  std::lock_guard lock(of.mutex);
  const auto found = of.loaded.find({device, image});
  return found == of.loaded.end() ? nullptr : found->second.kernel;
}

} // namespace tegula::jit
