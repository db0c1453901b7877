// Compiled variants of kernels: each is compiled once per process, loaded once per device, and found
// again by the facts about its arguments.
//
// A launch goes: arguments -> Specialized facts -> key -> variant -> parameter block -> device. Only
// the first launch with a key compiles or allocates.
#pragma once

#include "compiler/Compile.h"
#include "runtime/device/Device.h"
#include "runtime/jit/Specialize.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace tegula::jit {

/// The one compiler of the process, made when it is first needed.
Compiler &sharedCompiler();

/// A kernel file, parsed, with every image compiled from it so far. Thread safe.
class JitProgram {
public:
  /// Errors: Io. Mistakes in the source come back from `find` and `compile`.
  static runtime::Result<std::shared_ptr<JitProgram>> load(const std::string &path);
  static std::shared_ptr<JitProgram> parse(std::string path, std::string text);

  const std::vector<KernelInfo> &kernels() const { return kernelInfos; }

  /// The kernel called `name`. Where `name` is empty, the only kernel of the file that no other calls.
  /// Errors: Compile with the diagnostics of the file; InvalidArgument when there is no such kernel or
  /// several to choose from.
  runtime::Result<const KernelInfo *> find(const std::string &name) const;

  /// The image for `spec`: compiled now, in this process before, or found in the disk cache. The
  /// first of several threads compiles, the others wait for it. Errors: Compile.
  runtime::Result<std::shared_ptr<const KernelImage>> compile(const KernelSpec &spec);

  const ParsedSource &source() const { return *parsed; }
  const std::string &text() const { return sourceText; }

private:
  struct Entry {
    std::mutex mutex;
    std::optional<runtime::Result<std::shared_ptr<const KernelImage>>> outcome;
  };
  JitProgram(std::string path, std::string text);
  runtime::Result<std::shared_ptr<const KernelImage>> compileNow(const KernelSpec &spec, const std::string &key);

  std::string path, sourceText;
  std::shared_ptr<const ParsedSource> parsed;
  std::vector<KernelInfo> kernelInfos;
  std::mutex mutex; ///< guards `entries`, never held while compiling
  std::map<std::string, std::shared_ptr<Entry>> entries;
};

/// How one parameter of the block is filled from the arguments.
struct PackStep {
  uint32_t argument; ///< place among the arguments of the launch
  uint32_t offset, size;
  ScalarKind scalar;
  bool isPointer;
};

/// Matches the manifest's parameters to the arguments `names`. Errors: Driver when the manifest names a
/// parameter that has no argument, which is a bug of ours.
runtime::Result<std::vector<PackStep>> planPacking(const KernelImage &image, std::span<const std::string> names);
/// Fills the parameter block.
void pack(std::span<const PackStep> steps, std::span<const HostValue> args, std::span<std::byte> block);

/// A kernel with its compile-time values and options fixed, and the variants launched so far. Immutable
/// but for the table; thread safe.
class JitKernel {
public:
  struct Options {
    std::map<std::string, ConstexprValue> constexprs;
    uint32_t numWarps = 4;
    uint32_t numStages = 3;
  };
  /// Errors: InvalidArgument for a constexpr that is no parameter, warps that are no power of two from
  /// 1 to 32, or stages outside 1 to 16.
  static runtime::Result<std::shared_ptr<JitKernel>> create(std::shared_ptr<JitProgram> program,
                                                            const KernelInfo &info, Options options);

  /// Queues a launch. `args` are the parameters without compile-time value, in order; one with a
  /// default may be HostValue::Default, or left out at the end. Errors: InvalidArgument, Compile, and the device's.
  runtime::Result<void> launch(const std::shared_ptr<runtime::Device> &device, runtime::Grid grid,
                               std::span<const HostValue> args, runtime::Stream *stream = nullptr);

  /// Loads the variant for these arguments without launching it.
  runtime::Result<const runtime::LoadedKernel *> prepare(const std::shared_ptr<runtime::Device> &device,
                                                         std::span<const HostValue> args);

  const std::shared_ptr<JitProgram> &program() const { return owner; }
  const KernelInfo &info() const { return kernelInfo; }
  const Options &options() const { return fixed; }

private:
  /// A loaded kernel. It holds the device, which must outlive it.
  struct Variant {
    std::vector<uint64_t> key;
    std::shared_ptr<runtime::Device> device;
    std::unique_ptr<runtime::LoadedKernel> kernel;
    std::vector<PackStep> steps;
  };
  /// The key of a launch, on the stack.
  struct Key;

  JitKernel(std::shared_ptr<JitProgram> program, const KernelInfo &info, Options options);
  runtime::Result<void> makeKey(const runtime::Device &device, std::span<const HostValue> args, Key &key) const;
  Variant *lookUp(const Key &key) const;
  runtime::Result<Variant *> variant(const std::shared_ptr<runtime::Device> &device,
                                     std::span<const HostValue> args);
  runtime::Result<Variant *> makeVariant(const std::shared_ptr<runtime::Device> &device,
                                         std::span<const HostValue> args, const Key &key);
  runtime::Result<KernelSpec> spec(const runtime::Device &device, std::span<const HostValue> args) const;

  std::shared_ptr<JitProgram> owner;
  KernelInfo kernelInfo;
  Options fixed;
  std::vector<ParameterInfo> open; ///< parameters without compile-time value, in order
  mutable std::shared_mutex mutex; ///< guards `variants`; a variant, once in it, stays
  std::unordered_multimap<uint64_t, std::unique_ptr<Variant>> variants; ///< by hash of the key
};

} // namespace tegula::jit
