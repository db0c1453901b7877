#include "runtime/jit/DiskCache.h"
#include "runtime/jit/Files.h"
#include "runtime/jit/Jit.h"
#include "runtime/jit/SpecText.h"

#include <fmt/format.h>

#include <cstdlib>

namespace tegula::jit {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

Compiler &sharedCompiler() {
  // Never destroyed: kernels may be launched while the process is ending.
  static Compiler *compiler = new Compiler;
  return *compiler;
}

JitProgram::JitProgram(std::string path, std::string text)
    : path(std::move(path)), sourceText(std::move(text)),
      parsed(sharedCompiler().parse(this->path, sourceText)),
      kernelInfos(listKernels(*parsed)) {}

Result<std::shared_ptr<JitProgram>> JitProgram::load(const std::string &path) {
  Result<std::string> text = readFile(path, SourceFile::maxBytes);
  if (!text)
    return text.error();
  return parse(path, std::move(*text));
}

std::shared_ptr<JitProgram> JitProgram::parse(std::string path, std::string text) {
  return std::shared_ptr<JitProgram>(new JitProgram(std::move(path), std::move(text)));
}

static bool anyError(const std::vector<Diagnostic> &diagnostics) {
  for (const Diagnostic &diagnostic : diagnostics)
    if (diagnostic.severity == Severity::Error)
      return true;
  return false;
}

Result<const KernelInfo *> JitProgram::find(const std::string &name) const {
  std::vector<const KernelInfo *> candidates;
  for (const KernelInfo &info : kernelInfos)
    if (name.empty() ? !info.calledInFile : info.name == name)
      candidates.push_back(&info);
  // Of two definitions of one name the later wins, as it does in Python.
  if (!name.empty() && !candidates.empty())
    return candidates.back();
  if (candidates.size() == 1)
    return candidates.front();
  if (candidates.size() > 1) {
    std::string names;
    for (const KernelInfo *info : candidates)
      names += fmt::format("{}`{}`", names.empty() ? "" : ", ", info->name);
    return Error{ErrorKind::InvalidArgument, fmt::format("`{}` has several kernels, name one: {}", path, names)};
  }
  // A file that does not parse lists no kernels: what is wrong with it says more than that.
  KernelSpec spec;
  spec.kernel = name;
  CompileOptions parseOnly;
  parseOnly.emit = Stage::Ast;
  CompileResult result = sharedCompiler().compile(*parsed, spec, parseOnly);
  if (anyError(result.diagnostics))
    return Error{ErrorKind::Compile, render(result.diagnostics)};
  if (name.empty())
    return Error{ErrorKind::Compile, fmt::format("{}: error: the file has no `@triton.jit` function\n", path)};
  return Error{ErrorKind::InvalidArgument, fmt::format("`{}` has no kernel `{}`", path, name)};
}

Result<std::shared_ptr<const KernelImage>> JitProgram::compileNow(const KernelSpec &spec, const std::string &key) {
  const DiskCache cache(DiskCache::configuredFolder());
  const char *dumpDir = std::getenv("TEGULA_DUMP_DIR");
  const std::string cacheKey =
      cache.enabled() ? fmt::format("{}\n{}\n{}\n{}", compilerIdentity(), key, path, sourceText) : std::string();
  // Someone who wants to see the stages wants them made.
  if (!dumpDir)
    if (std::optional<KernelImage> image = cache.find(cacheKey))
      return std::shared_ptr<const KernelImage>(std::make_shared<KernelImage>(std::move(*image)));

  CompileOptions options;
  if (dumpDir)
    options.dumpDir = dumpDir;
  CompileResult result = sharedCompiler().compile(*parsed, spec, options);
  if (!result.image)
    return Error{ErrorKind::Compile, render(result.diagnostics)};
  // Warnings and static prints are not stored, so a compilation that has any is made each time.
  if (result.diagnostics.empty())
    cache.store(cacheKey, *result.image);
  return std::shared_ptr<const KernelImage>(std::make_shared<KernelImage>(std::move(*result.image)));
}

Result<std::shared_ptr<const KernelImage>> JitProgram::compile(const KernelSpec &spec) {
  const std::string key = specText(spec);
  std::shared_ptr<Entry> entry;
  {
    std::lock_guard lock(mutex);
    std::shared_ptr<Entry> &place = entries[key];
    if (!place)
      place = std::make_shared<Entry>();
    entry = place;
  }
  std::lock_guard lock(entry->mutex);
  if (!entry->outcome)
    entry->outcome = compileNow(spec, key);
  return *entry->outcome;
}

} // namespace tegula::jit
