// Kernels that were compiled ahead of time, launched without a compiler.
#include "runtime/api/c/Arguments.h"
#include "runtime/api/c/Guard.h"
#include "runtime/api/c/RuntimeHandles.h"

#include "runtime/device/Freeze.h"

#include <atomic>
#include <set>

using namespace tegula;
using namespace tegula::c;
using bundle::Bundle;
using bundle::BundleKernel;
using runtime::ErrorKind;
using runtime::Result;

void tegula_freeze(void) { runtime::setFrozen(true); }
void tegula_thaw(void) { runtime::setFrozen(false); }
bool tegula_is_frozen(void) { return runtime::isFrozen(); }

tegula_error *tegula_bundle_open(const char *path, tegula_bundle **bundle) {
  return guarded({{path, "path"}, {bundle, "bundle"}}, [&]() -> Result<void> {
    std::shared_ptr<const Bundle> opened = TRY(Bundle::open(path));
    std::set<std::string> names;
    for (const Bundle::Item &item : opened->items())
      if (item.form != bundle::Form::Note)
        names.emplace(item.name);
    auto made = std::make_unique<tegula_bundle>();
    made->bundle = std::move(opened);
    made->names.assign(names.begin(), names.end());
    *bundle = made.release();
    return {};
  });
}

void tegula_bundle_close(tegula_bundle *bundle) { delete bundle; }

size_t tegula_bundle_kernel_count(const tegula_bundle *bundle) { return bundle ? bundle->names.size() : 0; }

const char *tegula_bundle_kernel_name(const tegula_bundle *bundle, size_t index) {
  return bundle && index < bundle->names.size() ? bundle->names[index].c_str() : nullptr;
}

/// The kernel `name`, looked up at the first call.
static Result<std::shared_ptr<BundleKernel>> kernelOf(tegula_bundle &bundle, const std::string &name) {
  std::lock_guard lock(bundle.mutex);
  if (const auto found = bundle.kernels.find(name); found != bundle.kernels.end())
    return found->second;
  std::shared_ptr<BundleKernel> made = TRY(BundleKernel::find(bundle.bundle, name));
  return bundle.kernels.emplace(name, std::move(made)).first->second;
}

tegula_error *tegula_bundle_load_kernels(tegula_bundle *bundle, tegula_device *device, size_t *count) {
  return guarded({{bundle, "bundle"}, {device, "device"}, {count, "count"}}, [&]() -> Result<void> {
    size_t loaded = 0;
    for (const std::string &name : bundle->names) {
      std::shared_ptr<BundleKernel> kernel = TRY(kernelOf(*bundle, name));
      Result<size_t> done = kernel->load(device->device);
      if (done)
        loaded += *done;
      else if (done.error().kind != ErrorKind::Unavailable)
        return done.error();
    }
    *count = loaded;
    return {};
  });
}

static Result<void> launch(BundleKernel &kernel, tegula_device &device, const uint32_t grid[3],
                           const tegula_argument *arguments, size_t count, void *stream) {
  std::span<const HostValue> list = TRY(argumentsOf(arguments, count));
  runtime::ForeignStream queue(stream);
  return kernel.launch(device.device, {grid[0], grid[1], grid[2]}, list, &queue);
}

tegula_error *tegula_bundle_launch(tegula_bundle *bundle, const char *name, tegula_device *device,
                                   const uint32_t grid[3], const tegula_argument *arguments, size_t count,
                                   void *stream) {
  return guarded(
      {{bundle, "bundle"}, {name, "name"}, {device, "device"}, {grid, "grid"}}, [&]() -> Result<void> {
        std::shared_ptr<BundleKernel> kernel = TRY(kernelOf(*bundle, name));
        return isEmpty(grid) ? Result<void>() : launch(*kernel, *device, grid, arguments, count, stream);
      });
}

/// The device that this thread was told to use; null for the default.
static thread_local tegula_device *chosenDevice = nullptr;

tegula_error *tegula_use_device(tegula_device *device) {
  chosenDevice = device;
  return nullptr;
}

/// The device that the environment names, opened at the first call that can.
static Result<tegula_device *> defaultDevice() {
  static std::mutex mutex;
  // Never closed: kernels may be launched while the process is ending.
  static tegula_device *opened = nullptr;
  std::lock_guard lock(mutex);
  if (!opened) {
    auto device = TRY(openDevice(""));
    opened = new tegula_device(std::move(device));
  }
  return opened;
}

/// The kernel behind `linked`, found at the first call. Linked bundles are never unloaded.
static Result<BundleKernel *> kernelOf(tegula_linked_kernel &linked) {
  std::atomic_ref<void *> state(linked.state);
  if (void *known = state.load(std::memory_order_acquire))
    return static_cast<std::shared_ptr<BundleKernel> *>(known)->get();
  static std::mutex mutex;
  static auto *bundles = new std::map<const char *, std::shared_ptr<const Bundle>>;
  std::lock_guard lock(mutex);
  if (void *known = state.load(std::memory_order_relaxed))
    return static_cast<std::shared_ptr<BundleKernel> *>(known)->get();
  std::shared_ptr<const Bundle> &bundle = (*bundles)[linked.begin];
  if (!bundle)
    bundle = TRY(Bundle::view({linked.begin, linked.end}, "the linked bundle"));
  auto found = TRY(BundleKernel::find(bundle, linked.name));
  auto *made = new std::shared_ptr<BundleKernel>(std::move(found));
  state.store(made, std::memory_order_release);
  return made->get();
}

tegula_error *tegula_launch_linked(tegula_linked_kernel *kernel, void *stream, const uint32_t grid[3],
                                   const tegula_argument *arguments, size_t count) {
  return guarded({{kernel, "kernel"}, {grid, "grid"}}, [&]() -> Result<void> {
    if (isEmpty(grid))
      return {};
    BundleKernel *found = TRY(kernelOf(*kernel));
    tegula_device *device = chosenDevice ? chosenDevice : TRY(defaultDevice());
    return launch(*found, *device, grid, arguments, count, stream);
  });
}
