// The library as a whole: what it compiles for, which build it is, where it keeps compiled kernels and looks
// for assemblers.
#include "runtime/api/c/Guard.h"

#include "compiler/spec/LanguageVersion.h"
#include "compiler/target/Target.h"
#include "runtime/device/assembler/Assembler.h"
#include "runtime/jit/files/DiskCache.h"

#include <fmt/format.h>

#include <vector>

using namespace tegula;
using namespace tegula::c;
using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

const char *tegula_build_id(void) { return jit::compilerIdentity().c_str(); }

const tegula_triton_version *tegula_triton_versions(size_t *count) {
  static const std::vector<tegula_triton_version> versions = [] {
    std::vector<tegula_triton_version> made;
    for (const LanguageVersion &version : allLanguageVersions())
      made.push_back({version.name.data(), version.full.data()}); // literals, which end in a zero
    return made;
  }();
  *count = versions.size();
  return versions.data();
}

const tegula_architecture *tegula_architectures(size_t *count) {
  static const std::vector<tegula_architecture> architectures = [] {
    std::vector<tegula_architecture> made;
    for (const Target &target : allTargets())
      made.push_back({target.name.data(), target.major, target.minor}); // literals likewise
    return made;
  }();
  *count = architectures.size();
  return architectures.data();
}

tegula_error *tegula_set_cache_folder(const char *folder) {
  return guarded({}, [&]() -> Result<void> {
    jit::DiskCache::setFolder(folder ? std::optional<std::string>(folder) : std::nullopt);
    return {};
  });
}

tegula_error *tegula_set_assembler_folders(const char *const *folders, size_t count) {
  return guarded({}, [&]() -> Result<void> {
    if (count && !folders)
      return Error{ErrorKind::InvalidArgument, "expected `folders`, found null"};
    std::vector<std::string> paths;
    for (size_t i = 0; i < count; ++i) {
      if (!folders[i])
        return Error{ErrorKind::InvalidArgument, fmt::format("expected folder {}, found null", i)};
      paths.emplace_back(folders[i]);
    }
    runtime::setAssemblerFolders(std::move(paths));
    return {};
  });
}
