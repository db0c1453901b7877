#include "compiler/frontend/eval/names/LanguageModules.h"

#include "llvm/ADT/StringSwitch.h"

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

/// Numbers and types that modules hold.
std::optional<Value> constantOf(ModuleId module, std::string_view name) {
  if (module == ModuleId::NanPolicy && (name == "NONE" || name == "ALL"))
    return Value(Int(name == "ALL" ? int(NanPolicy::All) : int(NanPolicy::None)));
  if (module == ModuleId::PythonMath) {
    const auto number = llvm::StringSwitch<std::optional<double>>(name)
                            .Case("pi", 3.14159265358979323846)
                            .Case("e", 2.71828182845904523536)
                            .Case("tau", 6.28318530717958647692)
                            .Case("inf", std::numeric_limits<double>::infinity())
                            .Case("nan", std::numeric_limits<double>::quiet_NaN())
                            .Default(std::nullopt);
    return number ? std::optional<Value>(*number) : std::nullopt;
  }
  if (module != ModuleId::Language)
    return std::nullopt;
  if (std::optional<Dtype> dtype = dtypeByAttribute(name))
    return Value(TypeValue{*dtype, {}});
  if (name == "void")
    return Value(TypeValue{{}, {}, /*isVoid=*/true});
  if (name == "pi32_t")
    return Value(TypeValue{Dtype{ScalarKind::Int32}.pointerTo(), {}});
  if (name == "TRITON_MAX_TENSOR_NUMEL" || name == "CONSTEXPR_0") {
    Value value = Int(name == "CONSTEXPR_0" ? 0 : tile::MaxTensorElements);
    value.wrapped = true;
    return value;
  }
  return std::nullopt;
}

std::optional<Value> libraryFunction(const FunctionTable &functions, std::string_view name, ModuleId home) {
  const LibraryFunction *found = functions.library(name, home);
  return found ? std::optional<Value>(Function{found->definition, found->unit}) : std::nullopt;
}

} // namespace

std::optional<ModuleRef> eval::moduleByPath(std::string_view path) {
  for (const Path &known : paths)
    if (isPath(path, known.path))
      return ModuleRef{known.id, known.path};
  return std::nullopt;
}

bool eval::isOfLanguage(std::string_view path) {
  if (path == "tegula.distributed")
    return false;
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

uint32_t eval::homeOf(ModuleId module) {
  static constexpr std::pair<ModuleId, Home> homes[] = {{ModuleId::Triton, InTriton},
                                                        {ModuleId::Language, InLanguage},
                                                        {ModuleId::Math, InMath},
                                                        {ModuleId::Cuda, InCuda},
                                                        {ModuleId::Libdevice, InLibdevice},
                                                        {ModuleId::TargetInfo, InTargetInfo},
                                                        {ModuleId::PythonMath, InPythonMath},
                                                        {ModuleId::Driver, InDriver},
                                                        {ModuleId::Itertools, InItertools}};
  for (auto [known, home] : homes)
    if (known == module)
      return home;
  return 0;
}

std::optional<Value> eval::moduleAttribute(const Evaluation &evaluator, const ModuleRef &module,
                                           std::string_view name) {
  // Files choose between spellings by it.
  if (module.id == ModuleId::Triton && name == "__version__")
    return Value(evaluator.language.full);
  if (std::optional<Value> constant = constantOf(module.id, name))
    return constant;
  if (std::optional<ModuleRef> part = submodule(module.id, name))
    return Value(*part);
  if (const Builtin *builtin = evaluator.functions.builtin(name, homeOf(module.id)))
    return Value(BuiltinRef{builtin});
  switch (module.id) {
  case ModuleId::Triton:
    return name == "cdiv" ? libraryFunction(evaluator.functions, name, ModuleId::Language) : std::nullopt;
  case ModuleId::Language:
  case ModuleId::Libdevice:
    return libraryFunction(evaluator.functions, name, module.id);
  case ModuleId::Math:
    // Older kernels find libdevice, and newer ones the rest of the language, under `tl.math`.
    if (std::optional<Value> found = moduleAttribute(evaluator, {ModuleId::Libdevice, module.name}, name))
      return found;
    return moduleAttribute(evaluator, {ModuleId::Language, module.name}, name);
  default:
    return std::nullopt;
  }
}
