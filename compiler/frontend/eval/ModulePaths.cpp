#include "compiler/frontend/eval/ModulePaths.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

struct Path {
  std::string_view path;
  ModuleId id;
};
/// Every way to a module of the language.
constexpr Path paths[] = {
    {"triton", ModuleId::Triton},
    {"triton.language", ModuleId::Language},
    {"triton.language.core", ModuleId::Language},
    {"triton.language.standard", ModuleId::Language},
    {"triton.language.random", ModuleId::Language},
    {"triton.language.math", ModuleId::Math},
    {"triton.language.extra", ModuleId::Extra},
    {"triton.language.extra.cuda", ModuleId::Cuda},
    {"triton.language.extra.libdevice", ModuleId::Libdevice},
    {"triton.language.extra.cuda.libdevice", ModuleId::Libdevice},
    {"triton.language.libdevice", ModuleId::Libdevice},
    {"triton.language.target_info", ModuleId::TargetInfo},
    {"triton.language.PropagateNan", ModuleId::NanPolicy},
    {"triton.runtime", ModuleId::Runtime},
    {"triton.runtime.driver", ModuleId::Runtime},
    {"triton.runtime.jit", ModuleId::Triton},
    {"triton.runtime.driver.active", ModuleId::Driver},
    {"triton.runtime.driver.active.utils", ModuleId::Driver},
    {"itertools", ModuleId::Itertools},
    {"math", ModuleId::PythonMath},
};

/// The package that stands in for `triton` has the modules of the language under its own name too.
constexpr std::string_view triton = "triton", standIn = "tegula";

/// Returns true if `path` is `known`, of the language or of its stand-in.
bool isPath(std::string_view path, std::string_view known) {
  if (known.starts_with(triton) && path.starts_with(standIn))
    return path.substr(standIn.size()) == known.substr(triton.size());
  return path == known;
}

} // namespace

std::optional<ModuleRef> eval::moduleByPath(std::string_view path) {
  for (const Path &known : paths)
    if (isPath(path, known.path))
      return ModuleRef{known.id, known.path};
  return std::nullopt;
}

bool eval::isOfLanguage(std::string_view path) {
  std::string_view top = path.substr(0, path.find('.'));
  return moduleByPath(top).has_value();
}

std::optional<ModuleRef> eval::submodule(ModuleId module, std::string_view name) {
  for (const Path &known : paths) {
    if (known.id != module)
      continue;
    for (const Path &part : paths)
      if (part.path.size() == known.path.size() + 1 + name.size() && part.path.starts_with(known.path) &&
          part.path.ends_with(name) && part.path[known.path.size()] == '.')
        return ModuleRef{part.id, part.path};
  }
  return std::nullopt;
}
