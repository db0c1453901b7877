#include "runtime/jit/program/CompiledSource.h"

#include "compiler/driver/ImportRecord.h"
#include "compiler/driver/ParsedSource.h"
#include "runtime/cache/Checksum.h"
#include "runtime/device/Freeze.h"
#include "runtime/host/Environment.h"
#include "runtime/host/Files.h"
#include "runtime/jit/ahead/Bundles.h"
#include "runtime/jit/ahead/Recorder.h"
#include "runtime/jit/files/DiskCache.h"
#include "runtime/jit/files/SpecText.h"
#include "runtime/jit/program/CompileDefaults.h"
#include "runtime/jit/program/CompileError.h"

#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <utility>

namespace tegula::jit {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

Compiler &sharedCompiler() {
  // Never destroyed: kernels may be launched while the process is ending.
  static Compiler *compiler = new Compiler;
  return *compiler;
}

/// So many sources are kept whether or not anything uses them: a program that makes up its kernels
/// as it goes must not fill the memory.
static constexpr size_t keptSources = 256;
static constexpr size_t keptMessages = 1000;

CompiledSource::CompiledSource(std::string path, Identity identity,
                               std::shared_ptr<const ParsedSource> parsed,
                               std::unique_ptr<const RecordedProgram> recorded)
    : path(std::move(path)), identity(std::move(identity)), recorded(std::move(recorded)),
      parsed(std::move(parsed)), kernelInfos(listKernels(*this->parsed)) {}

/// The source with this identity: found in the table of the process, or made and kept there.
static std::shared_ptr<CompiledSource>
findOrMake(const std::string &identity, const std::function<std::shared_ptr<CompiledSource>()> &make) {
  using Table = std::map<std::string, std::shared_ptr<CompiledSource>>;
  static std::mutex mutex;
  // Never destroyed: see sharedCompiler.
  static Table *table = new Table;
  std::lock_guard lock(mutex);
  auto found = table->find(identity);
  if (found != table->end() && hasCurrentImports(found->second->parsedSource()))
    return found->second;
  if (found != table->end())
    return found->second = make();
  if (table->size() >= keptSources)
    std::erase_if(*table, [](const auto &entry) { return entry.second.use_count() == 1; });
  return table->emplace(identity, make()).first->second;
}

std::shared_ptr<CompiledSource> CompiledSource::parse(const std::string &path, const std::string &text,
                                                      const ImportSearch &imports) {
  // A file and a program of one source differ in what their names mean.
  const std::string identity = fmt::format("file {} {}{}{}", path.size(), path, imports.identity(), text);
  return findOrMake(identity, [&] {
    std::unique_ptr<RecordedProgram> recorded;
    if (isRecording())
      recorded =
          std::make_unique<RecordedProgram>(RecordedProgram{.path = path,
                                                            .text = text,
                                                            .searchesOwnFolder = imports.searchesOwnFolder,
                                                            .folders = imports.folders,
                                                            .values = imports.values});
    const std::string content = "file " + ImportSearch{.values = imports.values}.identity() + text;
    return std::shared_ptr<CompiledSource>(
        new CompiledSource(path, {identity, cache::checksum(content)},
                           sharedCompiler().parse(path, text, imports.options(path)), std::move(recorded)));
  });
}

std::shared_ptr<CompiledSource> CompiledSource::parse(std::vector<SourceUnit> units, size_t entry) {
  std::string identity = fmt::format("program {} ", units.size());
  for (const SourceUnit &unit : units)
    identity += fmt::format("{} {}", unit.path.size(), unit.path);
  const std::string content = programIdentity(units, entry);
  std::vector<std::string> paths;
  for (const SourceUnit &unit : units)
    paths.push_back(unit.path);
  identity += content;
  const bool host = tegula::callsHost(units);
  auto make = [&] {
    std::string path = entry < units.size() ? units[entry].path : std::string();
    std::unique_ptr<RecordedProgram> recorded;
    if (isRecording())
      recorded = std::make_unique<RecordedProgram>(RecordedProgram{.units = units, .entry = entry});
    return std::shared_ptr<CompiledSource>(new CompiledSource(
        std::move(path), {identity, cache::checksum("program " + content), host, std::move(paths)},
        sharedCompiler().parse(std::move(units), entry), std::move(recorded)));
  };
  return host ? make() : findOrMake(identity, make);
}

Result<std::shared_ptr<CompiledSource>> CompiledSource::load(const std::string &path,
                                                             const ImportSearch &imports) {
  std::string text = TRY(runtime::readFile(path, SourceFile::maxBytes));
  return parse(path, text, imports);
}

std::string CompiledSource::excerptAt(const runtime::SourcePlace &place) const {
  return tegula::excerptAt(*parsed, place.file, place.line, place.column);
}

Result<const KernelInfo *> CompiledSource::decided(const KernelInfo &last, const std::string &target,
                                                   const std::string &tritonVersion) {
  if (!last.hasSeveralDefinitions)
    return &last;
  std::string version = TRY(knownVersion(tritonVersion));
  const std::array<std::string, 3> key = {last.name, target.empty() ? defaultTarget() : target, version};
  {
    std::lock_guard lock(mutex);
    if (auto known = definitions.find(key); known != definitions.end())
      return &known->second;
  }
  KernelInfo chosen = sharedCompiler().definition(*parsed, key[0], key[1], key[2]).value_or(last);
  std::lock_guard lock(mutex);
  return &definitions.try_emplace(key, std::move(chosen)).first->second;
}

Result<const KernelInfo *> CompiledSource::find(const std::string &name, const std::string &target,
                                                const std::string &tritonVersion) {
  std::vector<const KernelInfo *> candidates;
  for (const KernelInfo &info : kernelInfos)
    if (name.empty() ? !info.calledInFile && !info.isNested : info.name == name)
      candidates.push_back(&info);
  // One in a class or a function is meant without being named only where there is no other.
  if (name.empty() && candidates.empty())
    for (const KernelInfo &info : kernelInfos)
      if (!info.calledInFile)
        candidates.push_back(&info);
  // The later of two definitions of one name wins, as in Python.
  if (!name.empty() && !candidates.empty())
    return decided(*candidates.back(), target, tritonVersion);
  if (candidates.size() == 1)
    return decided(*candidates.front(), target, tritonVersion);
  if (candidates.size() > 1) {
    std::string names;
    for (const KernelInfo *info : candidates)
      names += fmt::format("{}`{}`", names.empty() ? "" : ", ", info->name);
    return Error{ErrorKind::InvalidArgument,
                 fmt::format("`{}` has several kernels, name one: {}", path, names)};
  }
  // A file that does not parse lists no kernels: what is wrong with it says more than that.
  KernelSpec spec;
  spec.kernel = name;
  CompileOptions parseOnly;
  parseOnly.emit = {Stage::Ast};
  CompileResult result = sharedCompiler().compile(*parsed, spec, parseOnly);
  if (hasErrors(result.diagnostics))
    return compileError(std::move(result.diagnostics));
  if (name.empty())
    return compileError({{.message = "the file has no `@triton.jit` function", .file = path}});
  return Error{ErrorKind::InvalidArgument, fmt::format("`{}` has no kernel `{}`", path, name)};
}

void CompiledSource::keepMessages(std::vector<Diagnostic> added) {
  std::lock_guard lock(mutex);
  for (Diagnostic &message : added)
    if (messages.size() < keptMessages)
      messages.push_back(std::move(message));
}

/// Returns the key of an image among those of a source.
static std::string keyOf(const KernelSpec &spec, const std::string &entryName) {
  return entryName.empty() ? specText(spec) : fmt::format("{}as {}\n", specText(spec), entryName);
}

/// Returns the error of a launch that would have to compile `spec`, though no more kernels may be.
static Error wouldCompile(const KernelSpec &spec) {
  const std::string difference = differenceFromBefore(spec);
  return runtime::notPrepared(spec.kernel, "compiled",
                              describeSpec(spec) + (difference.empty() ? "" : " (" + difference + ")"));
}

std::shared_ptr<const KernelImage> CompiledSource::kept(DiskCache &cache, const std::string &key) const {
  std::optional<KernelImage> image =
      cache.find(key, [&](const std::string &imports) { return agreesWithImports(*parsed, imports); });
  return image ? std::make_shared<const KernelImage>(std::move(*image)) : nullptr;
}

Result<std::shared_ptr<const KernelImage>>
CompiledSource::bundled(const KernelSpec &spec, const std::string &entryName, const std::string &tile) const {
  return findInBundles(bundleKey(spec, entryName, identity.content, withoutPaths(tile, identity.paths)),
                       [&](const std::string &imports) { return agreesWithImports(*parsed, imports); });
}

Result<std::shared_ptr<const KernelImage>> CompiledSource::compileNow(const KernelSpec &spec,
                                                                      const std::string &entryName,
                                                                      Entry &entry, Messages messages,
                                                                      ImageOrigin &origin) {
  DiskCache cache(DiskCache::configuredFolder());
  CompileOptions options;
  options.dumpDir = runtime::environment("TEGULA_DUMP_DIR");
  options.entryName = entryName;
  // To show the stages, the compilation has to run.
  const bool looksForResults = options.dumpDir.empty();
  const bool hasBundle = TRY(hasBundles());
  std::string cacheKey;
  if (cache.enabled())
    cacheKey = fmt::format("{}\n{}\n{}", compilerIdentity(), keyOf(spec, entryName), identity.whole);

  std::shared_ptr<const KernelImage> found;
  std::optional<cache::EntryLock> lock; // ends when the image is stored
  std::optional<Error> damage;
  auto isKept = [&] {
    found = kept(cache, cacheKey);
    if (!found)
      return false;
    entry.cacheKey = cacheKey;
    origin = ImageOrigin::Disk;
    return true;
  };
  // `tile` is empty of a program that does not call the host.
  auto isFound = [&](const std::string &tile) {
    if (looksForResults && hasBundle) {
      auto inBundle = bundled(spec, entryName, tile);
      if (!inBundle)
        damage = inBundle.error();
      else
        found = *inBundle;
      if (damage || found) {
        origin = ImageOrigin::Bundle;
        return true;
      }
    }
    const bool looksOnDisk = looksForResults && cache.enabled();
    if (looksOnDisk && isKept())
      return true;
    if (runtime::isFrozen()) {
      damage = wouldCompile(spec);
      return true;
    }
    if (!looksOnDisk)
      return false;
    lock.emplace(cache.claim(cacheKey));
    return isKept();
  };
  // Values that the host computes for a kernel are part of the front end's output, so that has to run first.
  if (identity.callsHost)
    options.isKnown = [&](const std::string &tile) {
      cacheKey += tile;
      return isFound(tile);
    };
  else
    isFound("");
  if (damage)
    return *damage;
  if (found)
    return found;

  origin = ImageOrigin::Compiled;
  CompileResult result = sharedCompiler().compile(*parsed, spec, options);
  if (damage)
    return *damage;
  if (!found) {
    if (!result.image)
      return compileError(std::move(result.diagnostics));
    // Warnings and static prints are not stored, so a compilation that has any is made each time.
    if (cache.enabled() && result.diagnostics.empty()) {
      cache.store(cacheKey, *result.image, importRecord(*parsed));
      entry.cacheKey = cacheKey;
    }
    found = std::make_shared<KernelImage>(std::move(*result.image));
  }
  if (messages == Messages::Kept)
    keepMessages(std::move(result.diagnostics));
  if (std::optional<std::string> warning = cache.takeWarning())
    keepMessages({{.severity = Severity::Warning, .message = std::move(*warning)}});
  return found;
}

Result<std::shared_ptr<const KernelImage>> CompiledSource::obtain(const KernelSpec &spec,
                                                                  const std::string &entryName, Entry &entry,
                                                                  Messages messages) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  ImageOrigin origin = ImageOrigin::Compiled;
  Result<std::shared_ptr<const KernelImage>> image = compileNow(spec, entryName, entry, messages, origin);
  if (image)
    noteImage(spec, origin, std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
  return image;
}

void CompiledSource::record(RecordedKernel kernel) {
  if (!recorded)
    return;
  kernel.program = identity.content;
  if (identity.callsHost) {
    CompileOptions options;
    options.entryName = kernel.entryName;
    options.isKnown = [&](const std::string &tile) {
      kernel.tile = tile;
      return true;
    };
    sharedCompiler().compile(*parsed, kernel.spec, options);
  }
  jit::record(*recorded, kernel);
}

CompiledSource::LockedEntry CompiledSource::lockEntry(const KernelSpec &spec, const std::string &entryName) {
  const std::string key = keyOf(spec, entryName);
  std::shared_ptr<Entry> entry;
  {
    std::lock_guard lock(mutex);
    std::shared_ptr<Entry> &place = entries[key];
    if (!place)
      place = std::make_shared<Entry>();
    entry = place;
  }
  std::unique_lock lock(entry->mutex);
  return {std::move(entry), std::move(lock)};
}

Result<std::shared_ptr<const KernelImage>>
CompiledSource::compile(const KernelSpec &spec, const std::string &entryName, Messages messages) {
  const LockedEntry locked = lockEntry(spec, entryName);
  Entry &entry = *locked.entry;
  if (entry.outcome)
    return *entry.outcome;
  Result<std::shared_ptr<const KernelImage>> image = obtain(spec, entryName, entry, messages);
  // What is refused today may be asked for again.
  if (image || image.error().kind != ErrorKind::Frozen)
    entry.outcome = image;
  return image;
}

Result<std::shared_ptr<const KernelImage>>
CompiledSource::compileFor(runtime::Device &device, const KernelSpec &spec, const std::string &entryName) {
  if (Result<std::shared_ptr<const KernelImage>> image = compile(spec, entryName); !image)
    return image;
  const LockedEntry locked = lockEntry(spec, entryName);
  Entry &entry = *locked.entry;
  const std::shared_ptr<const KernelImage> &image = **entry.outcome;
  if (entry.cacheKey.empty() || !image->machineCode.empty())
    return image;
  // Of the processes that found the image without code, one assembles.
  DiskCache cache(DiskCache::configuredFolder());
  const cache::EntryLock lock = cache.claim(entry.cacheKey);
  if (std::shared_ptr<const KernelImage> other = kept(cache, entry.cacheKey);
      other && !other->machineCode.empty()) {
    entry.outcome = std::move(other);
    return *entry.outcome;
  }
  Result<runtime::MachineCode> code = device.assemble(*image);
  // Loading reports what is wrong with the PTX, if anything is.
  if (!code)
    return image;
  auto assembled = std::make_shared<KernelImage>(*image);
  assembled->machineCode = std::move(code->bytes);
  cache.store(entry.cacheKey, *assembled, importRecord(*parsed));
  entry.outcome = std::shared_ptr<const KernelImage>(std::move(assembled));
  return *entry.outcome;
}

void CompiledSource::noteLoaded(const KernelSpec &spec, const std::string &entryName,
                                const KernelImage &compiled, const KernelImage &loaded) {
  if (loaded.machineCode.empty() || loaded.machineCode == compiled.machineCode)
    return;
  const LockedEntry locked = lockEntry(spec, entryName);
  if (!locked.entry->cacheKey.empty())
    DiskCache(DiskCache::configuredFolder()).store(locked.entry->cacheKey, loaded, importRecord(*parsed));
}

std::vector<Diagnostic> CompiledSource::takeMessages() {
  std::lock_guard lock(mutex);
  return std::exchange(messages, {});
}

Result<std::vector<KernelConfig>> CompiledSource::configs(const std::string &name, const std::string &target,
                                                          const std::string &tritonVersion) {
  std::string version = TRY(knownVersion(tritonVersion));
  const std::array<std::string, 3> key = {name, target, version};
  {
    std::lock_guard lock(mutex);
    if (auto found = configLists.find(key); found != configLists.end())
      return found->second;
  }
  ConfigsResult result = sharedCompiler().configs(*parsed, name, target, version);
  if (!result.configs)
    return compileError(std::move(result.diagnostics));
  std::lock_guard lock(mutex);
  return configLists.insert_or_assign(key, std::move(*result.configs)).first->second;
}

Result<std::map<std::string, BoundValue>> CompiledSource::heuristics(const KernelSpec &known,
                                                                     const std::set<std::string> &wanted) {
  HeuristicsResult result = sharedCompiler().heuristics(*parsed, known, wanted);
  if (!result.values)
    return compileError(std::move(result.diagnostics));
  return std::move(*result.values);
}

} // namespace tegula::jit
