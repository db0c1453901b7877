// A program of kernels, parsed once, with every image compiled from it in this process.
#pragma once

#include "compiler/driver/CompilationRecord.h"
#include "compiler/driver/Compiler.h"
#include "runtime/device/Device.h"
#include "runtime/jit/ahead/CacheStats.h"
#include "runtime/jit/files/ModuleFiles.h"

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace tegula::jit {

/// The one compiler of the process, made when it is first needed.
Compiler &sharedCompiler();

/// Says whether the warnings and static prints of a compilation are kept for the caller to take.
enum class Messages : uint8_t { Kept, Dropped };

class DiskCache;

/// Thread safe.
class CompiledSource {
public:
  /// The source of this text: the same object for the same path and text, so that what was compiled
  /// once in a process is found again, as long as the files that it imports are as they were. Those are
  /// looked for where `imports` says, without it nowhere.
  static std::shared_ptr<CompiledSource> parse(const std::string &path, const std::string &text,
                                               const ImportSearch &imports = {});
  /// The same for a program of several sources, whose kernels are those of `units[entry]`: one object for
  /// equal sources with equal values of their names. What a host function computes cannot be compared, so a
  /// program with one is a new object each time, which keeps what was compiled from it. On disk its kernels
  /// are found by what the front end made of them, with all that the host computed for it.
  static std::shared_ptr<CompiledSource> parse(std::vector<SourceUnit> units, size_t entry);
  /// Reads a file. Errors: Io. Mistakes in the text come back from `find` and `compile`.
  static runtime::Result<std::shared_ptr<CompiledSource>> load(const std::string &path,
                                                               const ImportSearch &imports);

  /// Lists the last definition of each kernel; `find` decides.
  const std::vector<KernelInfo> &kernels() const { return kernelInfos; }
  const ParsedSource &parsedSource() const { return *parsed; }
  /// Returns the line of a place in the program with a caret, for messages. Empty where the place is in none
  /// of its files.
  std::string excerptAt(const runtime::SourcePlace &place) const;
  /// Returns what identifies this program in keys of the disk cache: paths and texts, and the meaning of its
  /// names. Empty where that does not say all, as it calls the host.
  std::string keptIdentity() const { return identity.callsHost ? std::string() : identity.whole; }

  /// Returns a hash of what the program says and its names mean, the same wherever its files are: part of the
  /// keys of bundles.
  const std::string &contentIdentity() const { return identity.content; }

  /// The kernel called `name`, as it is defined for `target` (where empty, `defaultTarget()`) under a version
  /// of Triton (where empty, as `knownVersion` says). Where `name` is empty, the only kernel of the file that
  /// no other calls. Errors: Compile with the diagnostics of the file; InvalidArgument when there is no such
  /// kernel, several to choose from, or no such version.
  runtime::Result<const KernelInfo *> find(const std::string &name, const std::string &target = {},
                                           const std::string &tritonVersion = {});

  /// The image for `spec`: compiled now, in this process before, or found in the disk cache. The
  /// first of several threads compiles, the others wait for it. `entryName` is what its code calls the
  /// kernel; empty for the name in the source. Errors: Compile.
  runtime::Result<std::shared_ptr<const KernelImage>>
  compile(const KernelSpec &spec, const std::string &entryName = {}, Messages messages = Messages::Kept);

  /// The same, with machine code for `device` where there is a disk cache: it is assembled once and found by
  /// the next process. Without one the device assembles as it loads, which is as quick. Errors: Compile.
  runtime::Result<std::shared_ptr<const KernelImage>>
  compileFor(runtime::Device &device, const KernelSpec &spec, const std::string &entryName = {});

  /// To be told of every load: `loaded` is what a device made of `compiled`, the image for `spec` and
  /// `entryName`. Where the device did not take the machine code and made its own, the next process finds
  /// that.
  void noteLoaded(const KernelSpec &spec, const std::string &entryName, const KernelImage &compiled,
                  const KernelImage &loaded);

  /// Writes down that an image was made for `kernel`, whose program is this: where TEGULA_RECORD asks for it.
  void record(RecordedKernel kernel);

  /// Keeps what a kernel made of this source has to say, for `takeMessages`.
  void keepMessages(std::vector<Diagnostic> added);
  /// Returns the warnings and static prints of compilations that succeeded since the last call; at most a
  /// thousand are kept.
  std::vector<Diagnostic> takeMessages();

  /// The configs of the kernel `name`, evaluated at the first call for `target` and this version of Triton,
  /// where it is empty that of TEGULA_TRITON_VERSION. Errors: Compile; InvalidArgument for an unknown
  /// version.
  runtime::Result<std::vector<KernelConfig>> configs(const std::string &name, const std::string &target,
                                                     const std::string &tritonVersion = {});

  /// The values of the heuristics in `wanted`, computed from what `known` binds. Errors: Compile.
  runtime::Result<std::map<std::string, BoundValue>> heuristics(const KernelSpec &known,
                                                                const std::set<std::string> &wanted);

private:
  struct Entry {
    std::mutex mutex;
    std::optional<runtime::Result<std::shared_ptr<const KernelImage>>> outcome;
    std::string cacheKey; ///< under which the image is in the disk cache; empty where it is not
  };
  struct LockedEntry {
    std::shared_ptr<Entry> entry;
    std::unique_lock<std::mutex> lock;
  };
  /// The ways to identify a program.
  struct Identity {
    std::string whole;   ///< paths and texts, and what its names mean
    std::string content; ///< a hash of the same without the paths: the same wherever a program is installed
    bool callsHost = false;
    std::vector<std::string> paths = {}; ///< of a host's program, those of its sources
  };
  CompiledSource(std::string path, Identity identity, std::shared_ptr<const ParsedSource> parsed,
                 std::unique_ptr<const RecordedProgram> recorded);
  /// Returns what `find` gives for the last definition of a kernel: the one that is compiled.
  runtime::Result<const KernelInfo *> decided(const KernelInfo &last, const std::string &target,
                                              const std::string &tritonVersion);
  /// The entry of `spec` and `entryName`, held.
  LockedEntry lockEntry(const KernelSpec &spec, const std::string &entryName);
  /// Returns the image under `key` on disk; null where there is none that was made of the imports of now.
  std::shared_ptr<const KernelImage> kept(DiskCache &cache, const std::string &key) const;
  /// Returns the image in the bundles of this process; null where they have none.
  runtime::Result<std::shared_ptr<const KernelImage>>
  bundled(const KernelSpec &spec, const std::string &entryName, const std::string &tile) const;
  /// Finds the image in a bundle or on disk, or compiles it.
  runtime::Result<std::shared_ptr<const KernelImage>>
  obtain(const KernelSpec &spec, const std::string &entryName, Entry &entry, Messages messages);
  runtime::Result<std::shared_ptr<const KernelImage>> compileNow(const KernelSpec &spec,
                                                                 const std::string &entryName, Entry &entry,
                                                                 Messages messages, ImageOrigin &origin);

  const std::string path; ///< of the source with the kernels
  const Identity identity;
  const std::unique_ptr<const RecordedProgram> recorded; ///< null where nothing is recorded
  std::shared_ptr<const ParsedSource> parsed;
  std::vector<KernelInfo> kernelInfos;
  std::mutex mutex; ///< guards what follows, never held while compiling
  std::map<std::array<std::string, 3>, KernelInfo> definitions; ///< by name, target and version
  std::map<std::array<std::string, 3>, std::vector<KernelConfig>> configLists;
  std::vector<Diagnostic> messages;
  std::map<std::string, std::shared_ptr<Entry>> entries;
};

} // namespace tegula::jit
