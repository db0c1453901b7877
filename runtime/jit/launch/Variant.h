// The compiled forms of a kernel, found again by the facts about arguments that they were compiled for.
#pragma once

#include "compiler/spec/KernelSpec.h"
#include "runtime/device/Device.h"
#include "runtime/host/Pack.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace tegula::jit {

/// Distinguishes the variants of a kernel: the device, and the facts about each argument. Made on the stack
/// for every launch.
class VariantKey {
public:
  /// Adds a device, or the facts of an argument (`Specialized::key()`).
  void add(uint64_t word) { words[count++] = word; }
  std::span<const uint64_t> used() const { return {words.data(), count}; }

  /// A value that is part of the code: `kind` is a HostValue's.
  void addValue(uint8_t kind, uint64_t bits) {
    add(uint64_t(kind) << 56);
    add(bits);
  }
  /// A parameter that keeps its default.
  void addDefault() { add(~uint64_t(0)); }
  /// Finer facts than those before: see `FinerFacts`. In front of them is a word that begins no argument.
  void addFiner(uint64_t shifts) {
    add(~uint64_t(0) - 1);
    add(shifts);
  }

private:
  std::array<uint64_t, 2 * runtime::maxArguments + 3> words; ///< uninitialised past `count`
  size_t count = 0;
};

/// The arguments of which code would rather know more than a launch tells first, whether they are multiples
/// of 16: which power of two up to 8 divides them.
class FinerFacts {
public:
  /// Takes in that of argument `index` powers of two up to `divisor` are worth knowing. Those that have no
  /// room are left out.
  void add(size_t index, uint32_t divisor);
  bool empty() const { return asked.empty(); }
  /// Returns the logarithms of what divides each of `args` that is asked for, two bits each, the first
  /// lowest.
  uint64_t shiftsOf(std::span<const HostValue> args) const;
  /// Writes what `shifts` say into the facts of a specification's arguments, by index.
  template <typename Set> void apply(uint64_t shifts, Set set) const {
    for (const auto &[index, most] : asked) {
      set(index, uint32_t(1) << (shifts & 3));
      shifts >>= 2;
    }
  }

private:
  static constexpr size_t capacity = 32;           ///< what a word has room for
  std::vector<std::pair<uint16_t, uint8_t>> asked; ///< index, and the logarithm of the greatest divisor
};

class JitKernel;

/// A kernel compiled for facts about its arguments, and loaded where it was compiled for a device.
struct Variant {
  KernelSpec spec;
  std::string entryName;                   ///< what its code calls the kernel; empty: as the source does
  std::shared_ptr<runtime::Device> device; ///< null where it was compiled without one
  std::shared_ptr<runtime::LoadedKernel> kernel; ///< null where there is no device
  std::shared_ptr<const KernelImage> compiled;   ///< null where the source itself is loaded (interpreter)
  /// Not empty where this stands for variants that know more, whose keys go on with `addFiner`; it has no
  /// code then.
  FinerFacts finer;
  std::vector<runtime::PackStep> steps;
  size_t argumentCount = 0; ///< how many arguments `steps` refers to
  runtime::LaunchAttributes launch;

  const KernelImage &image() const { return kernel ? kernel->image() : *compiled; }

  /// The same compiled without tensor maps and clusters, for arguments that no map describes and devices
  /// without room for clusters; made at the first call, for the reason `why`. Errors: as of
  /// JitKernel::prepare.
  runtime::Result<const Variant *> withoutMaps(const std::string &why) const;
  /// The same whose loop the blocks of a cluster share out (`KernelSpec::splitK`), made at the first call;
  /// null where there is none yet and none may be made now, while `stream` is captured or kernels are frozen,
  /// and where none can be.
  const Variant *split(runtime::Stream *stream) const;
  /// The error of a fault with the line of the source that it names, where the source is at hand.
  runtime::Error withExcerpt(runtime::Error fault) const;

private:
  friend class JitKernel;
  JitKernel *maker = nullptr; ///< outlives it
  mutable std::mutex mutex;   ///< held while one of these is made
  mutable std::unique_ptr<const Variant> plain, shared;
  mutable std::atomic<bool> triedToShare = false; ///< `shared` is what it will be: null where it cannot be

  friend class VariantTable;
  std::vector<uint64_t> key;
  Variant *next = nullptr; ///< in the chain of its bucket
};

/// Variants by key. Finding takes no lock; what was once added stays as long as the table.
class VariantTable {
public:
  VariantTable() = default;
  VariantTable(const VariantTable &) = delete;
  ~VariantTable();

  /// Null where there is none.
  const Variant *find(const VariantKey &key) const;
  /// Adds `variant`, unless another thread was faster: what is in the table then.
  const Variant *add(const VariantKey &key, std::unique_ptr<Variant> variant);

private:
  static constexpr size_t bucketCount = 64;
  static size_t bucketOf(const VariantKey &key);

  std::array<std::atomic<Variant *>, bucketCount> buckets{};
  std::mutex mutex; ///< held while adding
};

} // namespace tegula::jit
