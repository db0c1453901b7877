#include "runtime/emulator/Hardware.h"

#include "compiler/spec/DefaultTarget.h"

namespace tegula::runtime::ptx {

static std::string_view withoutLetter(std::string_view name) {
  return name.ends_with('a') || name.ends_with('f') ? name.substr(0, name.size() - 1) : name;
}

const Target &architectureOf(std::string_view name) {
  for (const Target &target : allTargets())
    if (withoutLetter(target.name) == withoutLetter(name))
      return target;
  return *lookupTarget(DefaultTarget);
}

} // namespace tegula::runtime::ptx
