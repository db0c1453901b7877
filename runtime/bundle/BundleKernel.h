// A kernel of a bundle, launched without a compiler: of its variants the one that fits the device and the
// arguments.
#pragma once

#include "compiler/spec/KernelSpec.h"
#include "dialect/image/Result.h"
#include "runtime/bundle/Bundle.h"
#include "runtime/device/Device.h"
#include "runtime/host/Pack.h"

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace tegula::bundle {

/// Thread safe.
class BundleKernel {
public:
  /// The kernel that `bundle` has under `name`. Errors: InvalidArgument, with the names that there are.
  static runtime::Result<std::shared_ptr<BundleKernel>> find(std::shared_ptr<const Bundle> bundle,
                                                             const std::string &name);

  /// Queues a launch. `args` are those of the parameters, in order. Of the variants that the device runs
  /// those for the latest architecture come first, and of these the ones that rely on the most facts; the
  /// first whose facts hold is taken, and loaded where it is not yet. Errors: InvalidArgument where none
  /// takes the arguments, which says why of each; Unavailable where none is for the device; Frozen; and the
  /// device's.
  runtime::Result<void> launch(const std::shared_ptr<runtime::Device> &device, runtime::Grid grid,
                               std::span<const HostValue> args, runtime::Stream *stream = nullptr);

  /// Loads all variants for the best architecture that the device runs, and gives their number. Errors: as
  /// above.
  runtime::Result<size_t> load(const std::shared_ptr<runtime::Device> &device);

private:
  struct Variant {
    const Bundle::Item *item;
    std::vector<ArgSpec> parameters;
    unsigned facts = 0; ///< how much the code relies on
  };
  struct Loaded {
    std::unique_ptr<runtime::LoadedKernel> kernel;
    std::vector<runtime::PackStep> steps;
    runtime::LaunchAttributes attributes;
  };
  /// The variants that a device runs, the best first, and those that are loaded there. The device stays open
  /// as long as this.
  struct OnDevice {
    std::shared_ptr<runtime::Device> device;
    std::vector<const Variant *> fitting;
    std::map<const Bundle::Item *, Loaded> loaded;
  };
  BundleKernel(std::shared_ptr<const Bundle> bundle, std::string name)
      : bundle(std::move(bundle)), name(std::move(name)) {}

  runtime::Result<void> addVariant(const Bundle::Item &item);
  runtime::Result<OnDevice *> on(const std::shared_ptr<runtime::Device> &device);
  runtime::Result<const Loaded *> loadedOn(OnDevice &place, const Variant &variant);
  /// The variant of the same kind as `variant` in another form, or null.
  const Variant *inForm(Form form, const OnDevice &place, const Variant &variant) const;
  /// The kernel of `variant`, which is loaded now where it is not yet. Errors: Frozen, also while `stream` is
  /// captured.
  runtime::Result<const Loaded *> obtain(OnDevice &place, const Variant &variant, runtime::Stream *stream);
  runtime::Result<void> launchVariant(OnDevice &place, const Variant &variant, runtime::Grid grid,
                                      std::span<const HostValue> args, runtime::Stream *stream);
  runtime::Error noneTakes(const OnDevice &place, std::span<const HostValue> args) const;

  const std::shared_ptr<const Bundle> bundle;
  const std::string name;
  std::vector<Variant> variants; ///< those that rely on the most facts first
  std::mutex mutex;              ///< guards `devices`, also while one is loaded
  std::map<const runtime::Device *, OnDevice> devices;
};

/// Why a parameter of this type cannot have `value`: "3 is no multiple of 16"; empty where it can.
std::string whyNot(const ArgSpec &parameter, const HostValue &value);

} // namespace tegula::bundle
