// The architectures and versions that the library compiles for, and which build it is.
#include "runtime/api/tegula_c.h"

#include "compiler/spec/LanguageVersion.h"
#include "compiler/target/Target.h"
#include "runtime/jit/files/BuildId.h"

#include <vector>

using namespace tegula;

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
