// The bundles that this process has loaded: where a compilation finds its result before it looks anywhere
// else.
//
// Those that TEGULA_BUNDLE names, with colons between, are there from the beginning.
#pragma once

#include "compiler/spec/KernelSpec.h"
#include "dialect/image/KernelImage.h"
#include "dialect/image/Result.h"
#include "runtime/device/Device.h"
#include "runtime/jit/files/SpecText.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::jit {

/// Returns the key of an image in bundles: `spec` and what its code is called, and `content`, which
/// identifies the program apart from where its files are. Of a program that calls the host, `tile` is its
/// stage `tile` with places, `withoutPaths`.
std::string bundleKey(const KernelSpec &spec, const std::string &entryName, const std::string &content,
                      const std::string &tile = {});

/// Returns stage `tile` with the number of a source in the place of its path, so that it is the same wherever
/// the program is installed.
std::string withoutPaths(std::string tile, const std::vector<std::string> &paths);

/// Adds the bundle at `path`; those loaded before come first. Errors: as of `bundle::Bundle::open`.
runtime::Result<void> loadBundle(const std::string &path);

/// Returns true if any bundle is loaded. Errors: those of a bundle that TEGULA_BUNDLE names.
runtime::Result<bool> hasBundles();

/// Returns true if the imported files, by their record, are unchanged.
using ImportCheck = std::function<bool(const std::string &imports)>;

/// The image under `key`, the same object each time; null where no bundle has it, or `agrees` refuses the
/// imports that it was made with. Errors: InvalidArgument where the entry is damaged.
runtime::Result<std::shared_ptr<const KernelImage>> findInBundles(const std::string &key,
                                                                  const ImportCheck &agrees);

/// Returns the specialisations of the kernels called `kernel` in all bundles, as far as their entries say
/// them. Reads every entry, at the first call after a bundle was loaded.
std::vector<SpecParts> variantsInBundles(const std::string &kernel);

/// The text that was recorded under `name`.
std::optional<std::string> noteInBundles(const std::string &name);

/// Loads every kernel of the bundles that is compiled for `target` on `device`, so that no launch has to, and
/// returns how many. They stay loaded as long as the process. Errors: of the device; InvalidArgument where an
/// entry is damaged.
runtime::Result<size_t> loadKernelsOfBundles(const std::shared_ptr<runtime::Device> &device,
                                             const std::string &target);
/// The kernel that the above made of `image` on `device`; else null.
std::shared_ptr<runtime::LoadedKernel> loadedFromBundle(const runtime::Device *device,
                                                        const KernelImage *image);

} // namespace tegula::jit
