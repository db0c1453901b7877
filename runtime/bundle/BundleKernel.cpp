#include "runtime/bundle/BundleKernel.h"

#include "compiler/target/Target.h"
#include "runtime/device/Freeze.h"
#include "runtime/device/SharedLoops.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <ranges>
#include <set>

namespace tegula::bundle {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

static std::string valueText(const HostValue &value) {
  switch (value.kind) {
  case HostValue::Bool:
    return value.bits ? "true" : "false";
  case HostValue::Int:
    return fmt::format("{}", int64_t(value.bits));
  case HostValue::UInt:
    return fmt::format("{}", value.bits);
  case HostValue::Float:
    return fmt::format("{}", value.asDouble());
  case HostValue::Pointer:
    return fmt::format("address {:#x}", value.bits);
  default:
    return "no value";
  }
}

std::string whyNot(const ArgSpec &parameter, const HostValue &value) {
  if (const auto *known = std::get_if<BoundValue>(&parameter)) {
    const bool isNone = std::holds_alternative<std::monostate>(known->value);
    if (isNone ? value.kind == HostValue::None || (value.kind == HostValue::Pointer && !value.bits)
               : value.isInteger() && value.bits == 1)
      return {};
    return fmt::format("{} is not {}", valueText(value), isNone ? "null" : "1");
  }
  const auto &type = std::get<RuntimeArg>(parameter);
  const bool isPointer = type.pointerDepth > 0;
  const bool fits = isPointer
                        ? value.kind == HostValue::Pointer && (!value.type || *value.type == type.scalar)
                    : isFloatKind(type.scalar) ? value.kind == HostValue::Float || value.isInteger()
                                               : value.isInteger() && integerFits(value, type.scalar);
  if (!fits)
    return fmt::format("{} is no {}", valueText(value), formatArgType({type.scalar, type.pointerDepth, {}}));
  if (value.bits % type.facts.divisibility != 0)
    return fmt::format("{} is no multiple of {}", valueText(value), type.facts.divisibility);
  if (type.facts.nonNegative && int64_t(value.bits) < 0)
    return fmt::format("{} is negative", valueText(value));
  return {};
}

/// Returns how much code for a parameter of this type relies on.
static unsigned factsOf(const ArgSpec &parameter) {
  const auto *type = std::get_if<RuntimeArg>(&parameter);
  if (!type)
    return 64;
  // A narrow integer says more than a wide one.
  return unsigned(std::countr_zero(type->facts.divisibility)) + type->facts.nonNegative +
         (type->scalar == ScalarKind::Int32 ? 1 : 0);
}

Result<void> BundleKernel::addVariant(const Bundle::Item &item) {
  Variant variant{&item, {}, 0};
  const std::string_view types = item.types == nothingWord ? std::string_view() : item.types;
  for (const auto part : std::views::split(types, ',')) {
    std::variant<ArgSpec, std::string> parsed = parseArgType({part.begin(), part.end()});
    ArgSpec *type = std::get_if<ArgSpec>(&parsed);
    if (!type)
      return Error{ErrorKind::InvalidArgument,
                   fmt::format("`{}` is damaged at the kernel `{}`: {}", bundle->path(), name,
                               std::get<std::string>(parsed))};
    variant.facts += factsOf(*type);
    variant.parameters.push_back(std::move(*type));
  }
  variants.push_back(std::move(variant));
  return {};
}

Result<std::shared_ptr<BundleKernel>> BundleKernel::find(std::shared_ptr<const Bundle> bundle,
                                                         const std::string &name) {
  std::shared_ptr<BundleKernel> kernel(new BundleKernel(std::move(bundle), name));
  std::set<std::string_view> known;
  for (const Bundle::Item &item : kernel->bundle->items()) {
    if (item.form == Form::Note)
      continue;
    known.insert(item.name);
    if (item.name == name)
      TRY(kernel->addVariant(item));
  }
  if (kernel->variants.empty())
    return Error{
        ErrorKind::InvalidArgument,
        fmt::format("`{}` has no kernel `{}`, but {}", kernel->bundle->path(), name, fmt::join(known, ", "))};
  std::ranges::stable_sort(kernel->variants, std::ranges::greater(), &Variant::facts);
  return kernel;
}

/// Returns how good code for `target` is on a device: 0 where the device does not run it.
static size_t fitness(std::string_view target, const runtime::DeviceProperties &device) {
  const Target *known = lookupTarget(target);
  if (!known)
    return 0;
  const size_t place = size_t(known - allTargets().data()) + 1;
  if (device.computeMajor)
    return runsOn(*known, device.computeMajor, device.computeMinor) ? place : 0;
  // The emulator runs code for every architecture.
  return target == device.arch ? allTargets().size() + 1 : place;
}

Result<BundleKernel::OnDevice *> BundleKernel::on(const std::shared_ptr<runtime::Device> &device) {
  OnDevice &place = devices[device.get()];
  if (place.device)
    return &place;
  const runtime::DeviceProperties &properties = device->properties();
  std::set<std::string_view> targets;
  for (const Variant &variant : variants) {
    targets.insert(variant.item->target);
    if (fitness(variant.item->target, properties))
      place.fitting.push_back(&variant);
  }
  if (place.fitting.empty()) {
    devices.erase(device.get());
    return Error{ErrorKind::Unavailable, fmt::format("kernel `{}` is not compiled for {}, but for {}", name,
                                                     properties.arch, fmt::join(targets, ", "))};
  }
  std::ranges::stable_sort(place.fitting, std::ranges::greater(), [&](const Variant *variant) {
    return fitness(variant->item->target, properties);
  });
  place.device = device;
  return &place;
}

Result<const BundleKernel::Loaded *> BundleKernel::loadedOn(OnDevice &place, const Variant &variant) {
  Loaded &loaded = place.loaded[variant.item];
  if (loaded.kernel)
    return &loaded;
  BundledKernel read = TRY(bundle->read(*variant.item));
  if (runtime::isFrozen())
    return runtime::notPrepared(name, "loaded", describe(read));
  std::vector<std::string> names;
  for (const LaunchParameter &parameter : read.parameters)
    names.push_back(parameter.name);
  loaded.steps = TRY(runtime::planPacking(read.image, names));
  loaded.attributes = read.launch;
  loaded.kernel = TRY(place.device->load(std::move(read.image)));
  return &loaded;
}

const BundleKernel::Variant *BundleKernel::inForm(Form form, const OnDevice &place,
                                                  const Variant &variant) const {
  for (const Variant *other : place.fitting)
    if (other->item->form == form && other->item->target == variant.item->target &&
        other->item->types == variant.item->types)
      return other;
  return nullptr;
}

/// Returns why `variant` does not take `args`; empty where it does.
static std::string whyNotAll(std::span<const ArgSpec> parameters, std::span<const HostValue> args) {
  if (parameters.size() != args.size())
    return fmt::format("expected {} arguments, found {}", parameters.size(), args.size());
  for (size_t i = 0; i < args.size(); ++i)
    if (const std::string why = whyNot(parameters[i], args[i]); !why.empty())
      return fmt::format("argument {}: {}", i, why);
  return {};
}

Error BundleKernel::noneTakes(const OnDevice &place, std::span<const HostValue> args) const {
  std::string text = fmt::format("no variant of `{}` takes these arguments", name);
  for (const Variant *variant : place.fitting)
    if (variant->item->form == Form::Kernel)
      text += fmt::format("\n  {} for {}: {}", variant->item->types, variant->item->target,
                          whyNotAll(variant->parameters, args));
  return {ErrorKind::InvalidArgument, std::move(text)};
}

Result<size_t> BundleKernel::load(const std::shared_ptr<runtime::Device> &device) {
  const runtime::Thaw thaw;
  std::lock_guard lock(mutex);
  OnDevice *place = TRY(on(device));
  size_t count = 0;
  for (const Variant *variant : place->fitting)
    if (variant->item->target == place->fitting.front()->item->target) {
      TRY(loadedOn(*place, *variant));
      ++count;
    }
  return count;
}

Result<const BundleKernel::Loaded *> BundleKernel::obtain(OnDevice &place, const Variant &variant,
                                                          runtime::Stream *stream) {
  std::lock_guard lock(mutex);
  const auto known = place.loaded.find(variant.item);
  if ((known == place.loaded.end() || !known->second.kernel) && place.device->isCapturing(stream))
    return runtime::notPrepared(name, "loaded", std::string(variant.item->types),
                                "while its stream is captured (launch it once before)");
  return loadedOn(place, variant); // stays where it is
}

Result<void> BundleKernel::launchVariant(OnDevice &place, const Variant &variant, runtime::Grid grid,
                                         std::span<const HostValue> args, runtime::Stream *stream) {
  const auto readyOf = [](const Loaded &loaded) {
    return runtime::ReadyKernel{loaded.kernel.get(), loaded.steps, loaded.attributes};
  };
  const Loaded *loaded = TRY(obtain(place, variant, stream));
  return runtime::launchInParts(*place.device, readyOf(*loaded), grid, args, stream, [&] {
    const Variant *shared = inForm(Form::Shared, place, variant);
    Result<const Loaded *> form = shared ? obtain(place, *shared, stream) : Result<const Loaded *>(nullptr);
    return form && *form ? readyOf(**form) : runtime::ReadyKernel();
  });
}

Result<void> BundleKernel::launch(const std::shared_ptr<runtime::Device> &device, runtime::Grid grid,
                                  std::span<const HostValue> args, runtime::Stream *stream) {
  std::unique_lock lock(mutex);
  OnDevice *place = TRY(on(device));
  const auto taken = std::ranges::find_if(place->fitting, [&](const Variant *variant) {
    return variant->item->form == Form::Kernel && whyNotAll(variant->parameters, args).empty();
  });
  if (taken == place->fitting.end())
    return noneTakes(*place, args);
  lock.unlock();
  const Variant &variant = **taken;
  Result<void> launched = launchVariant(*place, variant, grid, args, stream);
  if (launched || launched.error().kind != ErrorKind::MapRefused)
    return launched;
  if (const Variant *plain = inForm(Form::Plain, *place, variant))
    launched = launchVariant(*place, *plain, grid, args, stream);
  if (!launched && launched.error().kind == ErrorKind::MapRefused)
    launched.error().kind = ErrorKind::Driver;
  return launched;
}

} // namespace tegula::bundle
