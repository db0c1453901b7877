// Kernels ready to launch: each variant is compiled once per process, loaded once per program and device,
// and found again by the facts about its arguments.
//
// A launch goes: arguments -> Specialized facts -> key -> variant -> parameter block -> device. Only
// the first launch with a key compiles or allocates.
#pragma once

#include "runtime/device/Device.h"
#include "runtime/jit/CompiledSource.h"
#include "runtime/jit/Pack.h"
#include "runtime/jit/Specialize.h"

#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace tegula::jit {

/// A file of kernels with what was compiled from it and loaded on devices. Its kernels share it, and
/// with the last of them the loaded code goes. Thread safe.
class JitProgram {
public:
  /// Errors: Io. Mistakes in the source come back from `find` and `compile`.
  static runtime::Result<std::shared_ptr<JitProgram>> load(const std::string &path);
  static std::shared_ptr<JitProgram> parse(const std::string &path, const std::string &text);

  CompiledSource &source() const { return *compiled; }

  /// `image`, which came from the source, on `device`: loaded now, or by an earlier call.
  runtime::Result<std::shared_ptr<runtime::LoadedKernel>>
  load(const std::shared_ptr<runtime::Device> &device, const std::shared_ptr<const KernelImage> &image);

private:
  explicit JitProgram(std::shared_ptr<CompiledSource> source) : compiled(std::move(source)) {}

  /// What a kernel was loaded on stays open as long as the kernel does.
  struct OnDevice {
    std::shared_ptr<runtime::Device> device;
    std::shared_ptr<runtime::LoadedKernel> kernel;
  };
  std::shared_ptr<CompiledSource> compiled;
  std::mutex mutex; ///< guards `loaded`, also while loading: a second thread waits and finds it done
  std::map<std::pair<const runtime::Device *, const KernelImage *>, OnDevice> loaded;
};

/// The heuristic value of `num_warps` or `num_stages`. Errors: InvalidArgument where it is no such count.
runtime::Result<uint32_t> heuristicCount(const std::string &name, const ConstexprValue &value);

/// A kernel with its compile-time values and options fixed, and the variants launched so far. Immutable
/// but for the table; thread safe.
class JitKernel {
public:
  struct Options {
    std::map<std::string, ConstexprValue> constexprs;
    uint32_t numWarps = 4;
    uint32_t numStages = 3;
    /// Set by the caller, so that no heuristic changes them.
    bool warpsGiven = false, stagesGiven = false;
  };
  /// These options with the values of the `index`-th config of `info`; those that `options` has stay.
  /// Errors: Compile where the configs cannot be read; InvalidArgument where there are not so many.
  static runtime::Result<Options> withConfig(JitProgram &program, const KernelInfo &info, Options options,
                                             int64_t index);

  /// Errors: InvalidArgument for a constexpr that is no parameter, warps that are no power of two from
  /// 1 to 32, or more than 32 stages.
  static runtime::Result<std::shared_ptr<JitKernel>> create(std::shared_ptr<JitProgram> program,
                                                            const KernelInfo &info, Options options);

  /// Queues a launch. `args` are the parameters without compile-time value, in order; one with a
  /// default may be HostValue::Default, or left out at the end. Errors: InvalidArgument, Compile, and the
  /// device's.
  runtime::Result<void> launch(const std::shared_ptr<runtime::Device> &device, runtime::Grid grid,
                               std::span<const HostValue> args, runtime::Stream *stream = nullptr);

  /// Loads the variant for these arguments without launching it.
  runtime::Result<const runtime::LoadedKernel *> prepare(const std::shared_ptr<runtime::Device> &device,
                                                         std::span<const HostValue> args);

  const std::shared_ptr<JitProgram> &program() const { return owner; }
  const KernelInfo &info() const { return kernelInfo; }
  const Options &options() const { return fixed; }
  /// The parameters that a launch gives, in order: those without a compile-time value, set or computed.
  const std::vector<ParameterInfo> &parameters() const { return open; }

private:
  struct Variant {
    std::vector<uint64_t> key;
    std::shared_ptr<runtime::LoadedKernel> kernel;
    std::vector<PackStep> steps;
  };
  /// The key of a launch, on the stack.
  struct Key;

  JitKernel(std::shared_ptr<JitProgram> program, const KernelInfo &info, Options options);
  runtime::Result<void> makeKey(const runtime::Device &device, std::span<const HostValue> args,
                                Key &key) const;
  Variant *lookUp(const Key &key) const;
  runtime::Result<Variant *> variant(const std::shared_ptr<runtime::Device> &device,
                                     std::span<const HostValue> args);
  runtime::Result<Variant *> makeVariant(const std::shared_ptr<runtime::Device> &device,
                                         std::span<const HostValue> args, const Key &key);
  runtime::Result<KernelSpec> spec(const runtime::Device &device, std::span<const HostValue> args) const;
  runtime::Result<JitKernel *> withHeuristics(const std::shared_ptr<runtime::Device> &device,
                                              std::span<const HostValue> args);

  std::shared_ptr<JitProgram> owner;
  KernelInfo kernelInfo;
  Options fixed;
  std::vector<ParameterInfo> open; ///< parameters without compile-time value, in order
  std::set<std::string> computed;  ///< heuristics whose value nobody has given
  mutable std::shared_mutex mutex; ///< guards `variants`; a variant, once in it, stays
  std::unordered_multimap<uint64_t, std::unique_ptr<Variant>> variants; ///< by hash of the key
  std::mutex heuristicsMutex;                                           ///< guards the two tables below
  /// This kernel with the values that its heuristics had, by these values.
  std::map<std::string, std::shared_ptr<JitKernel>> derived;
  /// The same by the numbers from which they were computed.
  std::map<std::vector<uint64_t>, std::shared_ptr<JitKernel>> derivedByArguments;
};

} // namespace tegula::jit
