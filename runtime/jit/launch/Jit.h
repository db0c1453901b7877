// Kernels ready to launch: each variant is compiled once per process, loaded once per program and device,
// and found again by the facts about its arguments.
//
// A launch goes: arguments -> Specialized facts -> key -> variant -> parameter block -> device. Only
// the first launch with a key compiles or allocates.
#pragma once

#include "compiler/cost/CostModel.h"
#include "runtime/device/Device.h"
#include "runtime/jit/launch/Specialize.h"
#include "runtime/jit/launch/Variant.h"
#include "runtime/jit/program/CompiledSource.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace tegula::jit {

/// A program of kernels, from a file or several sources, with what was compiled from it and loaded on
/// devices. Its kernels share it, and with the last of them the loaded code goes. Thread safe.
class JitProgram {
public:
  /// Reads a file; modules that it imports are looked for next to it. Errors: Io. Mistakes in the source come
  /// back from `find` and `compile`.
  static runtime::Result<std::shared_ptr<JitProgram>>
  load(const std::string &path, const ImportSearch &imports = {.searchesOwnFolder = true});
  /// Takes a text, which can import nothing where `imports` names no places.
  static std::shared_ptr<JitProgram> parse(const std::string &path, const std::string &text,
                                           const ImportSearch &imports = {});
  /// A program of several sources, whose kernels are those of `units[entry]`.
  static std::shared_ptr<JitProgram> parse(std::vector<SourceUnit> units, size_t entry);

  CompiledSource &source() const { return *compiled; }

  /// `image`, which came from the source, on `device`: loaded now, or by an earlier call. Errors: the
  /// device's; Frozen, for `specialisation`.
  runtime::Result<std::shared_ptr<runtime::LoadedKernel>>
  load(const std::shared_ptr<runtime::Device> &device, const std::shared_ptr<const KernelImage> &image,
       const std::string &specialisation);

private:
  explicit JitProgram(std::shared_ptr<CompiledSource> source) : compiled(std::move(source)) {}

  /// A loaded kernel and its device, which stays open as long as the kernel does.
  struct OnDevice {
    std::shared_ptr<runtime::Device> device;
    std::shared_ptr<runtime::LoadedKernel> kernel;
  };
  std::shared_ptr<CompiledSource> compiled;
  std::mutex mutex; ///< guards `loaded`, also while loading: a second thread waits and finds it done
  std::map<std::pair<const runtime::Device *, const KernelImage *>, OnDevice> loaded;
};

/// The heuristic value of `num_warps` or `num_stages`. Errors: InvalidArgument where it is no such count.
runtime::Result<uint32_t> heuristicCount(const std::string &name, const BoundValue &value);

/// The error of kernels without configs. Its kind is InvalidArgument.
runtime::Error noConfigs(const KernelInfo &kernel);

/// The answer of the model about a launch, or why there is none.
struct Estimation {
  std::optional<cost::KernelTerms> terms{};
  cost::Estimate estimate{}; ///< where there are terms
  std::string unknown{};     ///< where there are none
};

/// A kernel with its compile-time values and options fixed, and the variants launched so far. Immutable
/// but for the table; thread safe.
class JitKernel {
public:
  /// A number of warps or stages that is not 0 is the caller's, and no heuristic changes it.
  struct Options : CodeOptions {
    std::map<std::string, BoundValue> constexprs;
    /// Warps and stages of a config, which hold where the caller and the heuristics say nothing.
    uint32_t configWarps = 0, configStages = 0;
    std::optional<std::set<Feature>> without; ///< nothing: what TEGULA_WITHOUT says
    runtime::LaunchAttributes launch;
    std::string tritonVersion; ///< as in KernelSpec; empty: what TEGULA_TRITON_VERSION says
    std::string arch;          ///< what to compile for; empty: what the device runs best

    uint32_t warps() const { return numWarps || !configWarps ? CodeOptions::warps() : configWarps; }
    uint32_t stages() const { return numStages || !configStages ? CodeOptions::stages() : configStages; }
    /// Returns a specification of `kernel` with what these options decide of it; for the default target where
    /// there is neither `arch` nor a device.
    KernelSpec spec(const std::string &kernel, const runtime::Device *device) const;
  };
  /// These options with the values of the `index`-th config of `info`; those that `options` has stay.
  /// Errors: Compile where the configs cannot be read; InvalidArgument where there are not so many.
  static runtime::Result<Options> withConfig(JitProgram &program, const KernelInfo &info, Options options,
                                             int64_t index);

  /// Errors: InvalidArgument for a constexpr that is no parameter, warps that are no power of two from
  /// 1 to 32, more than 32 stages, more registers than a thread can have, a TEGULA_WITHOUT that is no list of
  /// features, or an unknown version of Triton.
  static runtime::Result<std::shared_ptr<JitKernel>> create(std::shared_ptr<JitProgram> program,
                                                            const KernelInfo &info, Options options);

  /// Queues a launch. `args` are the parameters without compile-time value, in order; one with a
  /// default may be HostValue::Default, or left out at the end; a tuple has its items behind it, each of
  /// which counts as an argument of its own wherever a variant is asked for by them. Errors: InvalidArgument,
  /// Compile, and the device's.
  runtime::Result<void> launch(const std::shared_ptr<runtime::Device> &device, runtime::Grid grid,
                               std::span<const HostValue> args, runtime::Stream *stream = nullptr);

  /// Estimates the time of a launch from what the front end makes of the kernel: nothing is compiled to code.
  /// Errors: InvalidArgument, Compile.
  runtime::Result<Estimation> estimate(const std::shared_ptr<runtime::Device> &device, runtime::Grid grid,
                                       std::span<const HostValue> args);
  /// The variant for these arguments, which lives as long as this kernel, without launching it. Where it is
  /// compiled now, its code calls the kernel `entryName`; empty for the name in the source.
  runtime::Result<const Variant *> prepare(const std::shared_ptr<runtime::Device> &device,
                                           std::span<const HostValue> args,
                                           const std::string &entryName = {});
  /// Refuses to prepare a variant for a launch with these arguments whose stream is captured into a graph: a
  /// driver that loads a module ends the capture. Errors: Frozen.
  runtime::Result<void> mayPrepare(const std::shared_ptr<runtime::Device> &device,
                                   std::span<const HostValue> args, runtime::Stream *stream);
  /// The variant for these arguments where `prepare` or a launch has made it, else null; null, too, for
  /// arguments that no variant takes and for kernels whose heuristics each launch computes.
  const Variant *find(const runtime::Device &device, std::span<const HostValue> args) const;
  /// Returns the argument facts that a variant for these arguments is compiled for: nothing for an argument
  /// that keeps its default. Errors: InvalidArgument.
  runtime::Result<std::vector<std::optional<ArgSpec>>> specialized(std::span<const HostValue> args) const;
  /// The variant for parameters of these types, in the spelling of signatures ("*fp32:16", "i32=1"), in
  /// order; those with defaults may be left out at the end. Without a device it is compiled and not loaded.
  /// `entryName` as above. Errors: InvalidArgument, Compile, and the device's.
  runtime::Result<const Variant *> prepareTyped(const std::shared_ptr<runtime::Device> &device,
                                                std::span<const std::string> types,
                                                const std::string &entryName = {});

  const std::shared_ptr<JitProgram> &program() const { return owner; }
  const KernelInfo &info() const { return kernelInfo; }
  const Options &options() const { return fixed; }
  /// The compile-time value of an integer parameter, of a config too; nothing where it has none, or another.
  std::optional<int64_t> constant(const std::string &name) const;
  /// The parameters that a launch gives, in order: those without a compile-time value, set or computed.
  const std::vector<ParameterInfo> &parameters() const { return open; }

private:
  JitKernel(std::shared_ptr<JitProgram> program, const KernelInfo &info, Options options);
  void addParts(const ParameterInfo &whole, const BoundValue &value);
  runtime::Result<void> checkCount(size_t count) const;
  runtime::Result<void> makeKey(const runtime::Device &device, std::span<const HostValue> args,
                                VariantKey &key) const;
  runtime::Result<const Variant *> variant(const std::shared_ptr<runtime::Device> &device,
                                           std::span<const HostValue> args, const std::string &entryName);
  /// Returns what code for `spec` would rather know of its first `argumentCount` arguments; it is compiled
  /// for that, not loaded. Errors: Compile.
  runtime::Result<FinerFacts> finerFacts(const runtime::Device &device, const KernelSpec &spec,
                                         const std::string &entryName, size_t argumentCount);
  friend struct Variant;
  /// Writes down that a variant was made.
  void record(const KernelSpec &spec, const std::string &entryName, size_t argumentCount) const;
  runtime::Result<std::unique_ptr<Variant>> buildVariant(const std::shared_ptr<runtime::Device> &device,
                                                         KernelSpec spec, const std::string &entryName,
                                                         size_t argumentCount);
  runtime::Result<const Variant *> makeVariant(const std::shared_ptr<runtime::Device> &device,
                                               KernelSpec spec, const std::string &entryName,
                                               size_t argumentCount, const VariantKey &key);
  /// Returns the part that does not depend on arguments: options and compile-time values.
  KernelSpec baseSpec(const runtime::Device *device) const;
  runtime::Result<KernelSpec> specOf(const runtime::Device &device, std::span<const HostValue> args) const;
  static bool holdTuple(std::span<const HostValue> args);
  /// The kernel for tuples as those among `args`, and in `flat` the arguments that it takes.
  runtime::Result<JitKernel *> withTuples(std::span<const HostValue> args, std::vector<HostValue> &flat);
  /// The kernel with the values of its heuristics for these arguments; this one where it has none to compute.
  runtime::Result<JitKernel *> withHeuristics(const std::shared_ptr<runtime::Device> &device,
                                              std::span<const HostValue> args);
  /// The kernel with the values that its heuristics have where `known` holds. The lock on them is held.
  runtime::Result<std::shared_ptr<JitKernel>> derive(const KernelSpec &known);

  std::shared_ptr<JitProgram> owner;
  KernelInfo kernelInfo;
  Options fixed;
  std::vector<ParameterInfo> open; ///< parameters without compile-time value, in order
  std::set<std::string> computed;  ///< heuristics whose value was not given
  VariantTable variants;
  std::mutex heuristicsMutex; ///< guards the two tables below
  /// This kernel with the values that its heuristics had, or the tuples that launches gave, by these values.
  std::map<std::string, std::shared_ptr<JitKernel>> derived;
  /// The same by the numbers from which they were computed.
  std::map<std::vector<uint64_t>, std::shared_ptr<JitKernel>> derivedByArguments;
};

/// The kernel whose PTX begins with its manifest, loaded on a device; its arguments are the parameters of the
/// PTX. `machineCode`, which may be empty, is what the PTX was assembled to. Errors: InvalidArgument where
/// the text is no such, or the device runs none; and those of loading.
runtime::Result<std::unique_ptr<Variant>> loadVariant(const std::shared_ptr<runtime::Device> &device,
                                                      std::string ptx, std::string machineCode);

/// Queues a launch of this variant; of the one without tensor maps and clusters where the device refuses
/// these. `args` are as many as it was made for; that its facts hold of them is the caller's to know.
/// Errors: InvalidArgument, and the device's; of the variant without maps those of `JitKernel::prepare`.
runtime::Result<void> launchVariant(const Variant &variant, runtime::Grid grid,
                                    std::span<const HostValue> args, runtime::Stream *stream = nullptr);

} // namespace tegula::jit
