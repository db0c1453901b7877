// From the arguments of a launch, or their types, to the variant compiled for them.
#include "dialect/image/KernelImageText.h"
#include "runtime/device/Freeze.h"
#include "runtime/jit/ahead/CacheStats.h"
#include "runtime/jit/ahead/Recorder.h"
#include "runtime/jit/files/SpecText.h"
#include "runtime/jit/launch/Jit.h"
#include "runtime/jit/program/CompileDefaults.h"
#include "runtime/jit/program/InterpreterDevice.h"

#include <fmt/format.h>

namespace tegula::jit {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

Result<void> JitKernel::checkCount(size_t count) const {
  if (count > open.size())
    return Error{ErrorKind::InvalidArgument, fmt::format("expected at most {} arguments for `{}`, found {}",
                                                         open.size(), kernelInfo.name, count)};
  return {};
}

static Error missingValue(const KernelInfo &kernel, const ParameterInfo &parameter) {
  return {ErrorKind::InvalidArgument,
          fmt::format("kernel `{}` has no value for parameter `{}`", kernel.name, parameter.name)};
}

static uint64_t addressOf(const runtime::Device *device) {
  return uint64_t(reinterpret_cast<uintptr_t>(device));
}

Result<void> JitKernel::makeKey(const runtime::Device &device, std::span<const HostValue> args,
                                VariantKey &key) const {
  TRY(checkCount(args.size()));
  for (size_t i = 0; i < open.size(); ++i)
    if ((i >= args.size() || args[i].kind == HostValue::Default) && !open[i].hasDefault)
      return missingValue(kernelInfo, open[i]);
  key.add(addressOf(&device));
  for (size_t i = 0; i < args.size(); ++i) {
    if (args[i].kind == HostValue::Default) {
      key.addDefault();
      continue;
    }
    if (open[i].isConstexpr) {
      key.addValue(args[i].kind, args[i].bits);
      continue;
    }
    const Specialized specialized = specialize(open[i], args[i]);
    if (specialized.form == Specialized::Mismatch)
      return mismatch(open[i], args[i]);
    key.add(specialized.key());
  }
  return {};
}

KernelSpec JitKernel::Options::spec(const std::string &kernel, const runtime::Device *device) const {
  KernelSpec spec;
  static_cast<CodeOptions &>(spec) = *this;
  spec.kernel = kernel;
  // With nothing left open, so that equal code has equal keys.
  spec.numWarps = warps();
  spec.numStages = stages();
  if (!tritonVersion.empty())
    spec.tritonVersion = tritonVersion;
  spec.without = without.value_or(std::set<Feature>());
  if (!arch.empty())
    spec.target = arch;
  else
    spec.target = device ? targetFor(*device) : defaultTarget();
  for (const auto &[name, value] : constexprs)
    spec.args.emplace(name, value);
  return spec;
}

KernelSpec JitKernel::baseSpec(const runtime::Device *device) const {
  return fixed.spec(kernelInfo.name, device);
}

Result<std::vector<std::optional<ArgSpec>>> JitKernel::specialized(std::span<const HostValue> args) const {
  TRY(checkCount(args.size()));
  std::vector<std::optional<ArgSpec>> specs(args.size());
  for (size_t i = 0; i < args.size(); ++i) {
    if (args[i].kind == HostValue::Default)
      continue;
    if (open[i].isConstexpr) {
      specs[i] = TRY(constexprOf(open[i], args[i]));
      continue;
    }
    const Specialized found = specialize(open[i], args[i]);
    if (found.form == Specialized::Mismatch)
      return mismatch(open[i], args[i]);
    specs[i] = argSpec(found);
  }
  return specs;
}

Result<KernelSpec> JitKernel::specOf(const runtime::Device &device, std::span<const HostValue> args) const {
  std::vector<std::optional<ArgSpec>> specs = TRY(specialized(args));
  KernelSpec spec = baseSpec(&device);
  for (size_t i = 0; i < args.size(); ++i)
    if (specs[i])
      spec.args.emplace(open[i].name, std::move(*specs[i]));
  return spec;
}

void JitKernel::record(const KernelSpec &spec, const std::string &entryName, size_t argumentCount) const {
  RecordedKernel kernel{.spec = spec,
                        .entryName = entryName,
                        .cooperative = fixed.launch.cooperative,
                        .programmatic = fixed.launch.programmatic};
  for (size_t i = 0; i < argumentCount; ++i)
    if (const auto found = spec.args.find(open[i].name); found != spec.args.end())
      kernel.parameters.push_back({open[i].name, signatureText(found->second)});
  owner->source().record(std::move(kernel));
}

Result<std::unique_ptr<Variant>> JitKernel::buildVariant(const std::shared_ptr<runtime::Device> &device,
                                                         KernelSpec spec, const std::string &entryName,
                                                         size_t argumentCount) {
  auto variant = std::make_unique<Variant>();
  if (auto *interpreter = dynamic_cast<InterpreterDevice *>(device.get())) {
    variant->kernel = TRY(interpreter->loadSource(owner->source(), spec, entryName));
  } else {
    CompiledSource &source = owner->source();
    variant->compiled =
        TRY(device ? source.compileFor(*device, spec, entryName) : source.compile(spec, entryName));
    if (device) {
      variant->kernel = TRY(owner->load(device, variant->compiled, describeSpec(spec)));
      source.noteLoaded(spec, entryName, *variant->compiled, variant->kernel->image());
    }
  }
  if (isRecording())
    record(spec, entryName, argumentCount);
  std::vector<std::string> names;
  names.reserve(argumentCount);
  for (size_t i = 0; i < argumentCount; ++i)
    names.push_back(open[i].name);
  std::vector<runtime::PackStep> steps = TRY(runtime::planPacking(variant->image(), names));
  variant->spec = std::move(spec);
  variant->entryName = entryName;
  variant->device = device;
  variant->steps = std::move(steps);
  variant->argumentCount = argumentCount;
  variant->launch = fixed.launch;
  variant->maker = this;
  return variant;
}

Result<const Variant *> JitKernel::makeVariant(const std::shared_ptr<runtime::Device> &device,
                                               KernelSpec spec, const std::string &entryName,
                                               size_t argumentCount, const VariantKey &key) {
  std::unique_ptr<Variant> built = TRY(buildVariant(device, std::move(spec), entryName, argumentCount));
  return variants.add(key, std::move(built));
}

Result<const Variant *> Variant::withoutMaps(const std::string &why) const {
  std::lock_guard lock(mutex);
  if (!plain) {
    noteWithout(spec.kernel, partsThatMayBeRefused(image()), why);
    KernelSpec withoutMaps = spec;
    withoutMaps.without.insert({Feature::Tma, Feature::Spread});
    plain = TRY(maker->buildVariant(device, std::move(withoutMaps), entryName, argumentCount));
  }
  return plain.get();
}

const Variant *Variant::split(runtime::Stream *stream) const {
  if (triedToShare.load(std::memory_order_acquire))
    return shared.get();
  if (!maker || runtime::isFrozen() || device->isCapturing(stream))
    return nullptr;
  std::lock_guard lock(mutex);
  if (triedToShare)
    return shared.get();
  KernelSpec splitting = spec;
  splitting.splitK = true;
  // A launch does without where there is none: the sums of a whole tile may not fit into shared memory.
  Result<std::unique_ptr<Variant>> built =
      maker->buildVariant(device, std::move(splitting), entryName, argumentCount);
  if (built && (*built)->image().splits && (*built)->image().splits->blocks > 1)
    shared = std::move(*built);
  triedToShare.store(true, std::memory_order_release);
  return shared.get();
}

Result<const Variant *> JitKernel::variant(const std::shared_ptr<runtime::Device> &device,
                                           std::span<const HostValue> args, const std::string &entryName) {
  VariantKey key;
  TRY(makeKey(*device, args, key));
  const Variant *found = variants.find(key);
  if (found && found->finer.empty())
    return found;
  KernelSpec spec = TRY(specOf(*device, args));
  if (!found) {
    FinerFacts finer = TRY(finerFacts(*device, spec, entryName, args.size()));
    if (finer.empty())
      return makeVariant(device, std::move(spec), entryName, args.size(), key);
    auto asking = std::make_unique<Variant>();
    asking->finer = std::move(finer);
    found = variants.add(key, std::move(asking));
  }
  const uint64_t shifts = found->finer.shiftsOf(args);
  key.addFiner(shifts);
  if (const Variant *known = variants.find(key))
    return known;
  found->finer.apply(shifts, [&](size_t index, uint32_t divisor) {
    std::get<RuntimeArg>(spec.args.at(open[index].name)).facts.divisibility = divisor;
  });
  // What it says of the source was said when it was first compiled.
  TRY(owner->source().compile(spec, entryName, Messages::Dropped));
  return makeVariant(device, std::move(spec), entryName, args.size(), key);
}

Result<FinerFacts> JitKernel::finerFacts(const runtime::Device &device, const KernelSpec &spec,
                                         const std::string &entryName, size_t argumentCount) {
  FinerFacts finer;
  if (dynamic_cast<const InterpreterDevice *>(&device))
    return finer;
  const std::shared_ptr<const KernelImage> image = TRY(owner->source().compile(spec, entryName));
  for (size_t i = 0; i < argumentCount; ++i) {
    if (open[i].isConstexpr || open[i].doNotSpecialize || open[i].doNotSpecializeOnAlignment)
      continue;
    for (const KernelParam &param : image->params)
      if (param.finer > 1 && param.name == open[i].name)
        finer.add(i, param.finer);
  }
  if (!finer.empty() && isRecording())
    record(spec, entryName, argumentCount);
  return finer;
}

const Variant *JitKernel::find(const runtime::Device &device, std::span<const HostValue> args) const {
  VariantKey key;
  if (!computed.empty() || !makeKey(device, args, key))
    return nullptr;
  const Variant *found = variants.find(key);
  if (!found || found->finer.empty())
    return found;
  key.addFiner(found->finer.shiftsOf(args));
  return variants.find(key);
}

Result<const Variant *> JitKernel::prepare(const std::shared_ptr<runtime::Device> &device,
                                           std::span<const HostValue> args, const std::string &entryName) {
  if (holdTuple(args)) {
    std::vector<HostValue> flat;
    JitKernel *kernel = TRY(withTuples(args, flat));
    return kernel->prepare(device, flat, entryName);
  }
  JitKernel *kernel = TRY(withHeuristics(device, args));
  return kernel->variant(device, args, entryName);
}

/// Adds what tells `arg` apart: as a launch does where a launch can have such an argument.
static void addToKey(VariantKey &key, const ParameterInfo &parameter, const ArgSpec &arg) {
  if (const auto *runtime = std::get_if<RuntimeArg>(&arg)) {
    Specialized facts{Specialized::Runtime, runtime->scalar, runtime->pointerDepth, 0,
                      runtime->facts.nonNegative};
    // A signature may state a larger divisor than a launch ever does.
    return key.add(facts.key() | uint64_t(runtime->facts.divisibility) << Specialized::divisibilityShift);
  }
  const BoundValue &known = std::get<BoundValue>(arg);
  if (std::holds_alternative<std::monostate>(known.value))
    return key.add(Specialized{Specialized::BoundNone}.key());
  const auto *value = std::get_if<int64_t>(&known.value);
  if (value && *value == 1 && !parameter.isConstexpr)
    return key.add(Specialized{Specialized::BoundOne}.key());
  key.addValue(HostValue::Int, value ? uint64_t(*value) : 0);
}

Result<const Variant *> JitKernel::prepareTyped(const std::shared_ptr<runtime::Device> &device,
                                                std::span<const std::string> types,
                                                const std::string &entryName) {
  TRY(checkCount(types.size()));
  if (!computed.empty()) {
    std::unique_lock lock(heuristicsMutex);
    const std::shared_ptr<JitKernel> kernel = TRY(derive(baseSpec(device.get())));
    lock.unlock();
    return kernel->prepareTyped(device, types, entryName);
  }
  VariantKey key;
  key.add(addressOf(device.get()));
  KernelSpec spec = baseSpec(device.get());
  for (size_t i = 0; i < open.size(); ++i) {
    if (i >= types.size()) {
      if (!open[i].hasDefault)
        return missingValue(kernelInfo, open[i]);
      continue;
    }
    std::variant<ArgSpec, std::string> parsed = parseArgType(types[i]);
    if (const std::string *wrong = std::get_if<std::string>(&parsed))
      return Error{ErrorKind::InvalidArgument,
                   fmt::format("the type of parameter `{}`: {}", open[i].name, *wrong)};
    ArgSpec &arg = std::get<ArgSpec>(parsed);
    if (open[i].isConstexpr && std::holds_alternative<RuntimeArg>(arg))
      return Error{
          ErrorKind::InvalidArgument,
          fmt::format("parameter `{}` is a `tl.constexpr`, found the type `{}`", open[i].name, types[i])};
    addToKey(key, open[i], arg);
    spec.args.emplace(open[i].name, std::move(arg));
  }
  const Variant *found = variants.find(key);
  if (found && !found->finer.empty()) {
    // Types are taken at their word: launches that know more have variants of their own.
    key.addFiner(0);
    found = variants.find(key);
  }
  if (found)
    return found;
  return makeVariant(device, std::move(spec), entryName, types.size(), key);
}

Result<std::unique_ptr<Variant>> loadVariant(const std::shared_ptr<runtime::Device> &device, std::string ptx,
                                             std::string machineCode) {
  if (dynamic_cast<InterpreterDevice *>(device.get()))
    return Error{ErrorKind::InvalidArgument, "the interpreter runs kernels from their source, found PTX"};
  KernelImage image = TRY(readKernelImage(std::move(ptx)));
  TRY(checkCode(image));
  image.machineCode = std::move(machineCode);
  if (runtime::isFrozen())
    return runtime::notPrepared(nameOf(image), "loaded", image.target);
  std::unique_ptr<runtime::LoadedKernel> loaded = TRY(device->load(image));
  std::vector<std::string> names;
  for (const KernelParam &param : image.params)
    names.push_back(param.name);
  std::vector<runtime::PackStep> steps = TRY(runtime::planPacking(image, names));
  auto variant = std::make_unique<Variant>();
  variant->spec.kernel = nameOf(image);
  variant->spec.target = image.target;
  variant->spec.numWarps = image.numWarps;
  variant->device = device;
  variant->kernel = std::move(loaded);
  variant->steps = std::move(steps);
  variant->argumentCount = names.size();
  variant->compiled = std::make_shared<const KernelImage>(std::move(image));
  return variant;
}

} // namespace tegula::jit
