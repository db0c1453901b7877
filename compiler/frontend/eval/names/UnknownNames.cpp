// Names without a value, whose use is told where they come from, and attributes that are not there.
#include "compiler/frontend/eval/Advice.h"
#include "compiler/frontend/eval/Fixes.h"
#include "compiler/frontend/eval/names/Environment.h"
#include "compiler/frontend/eval/names/LanguageModules.h"
#include "compiler/frontend/eval/text/Bindings.h"

using namespace tegula;
using namespace tegula::eval;

static std::string messageOf(const UnknownOrigin &origin) {
  std::string name = asCode(origin.name);
  switch (origin.kind) {
  case UnknownOrigin::Kind::Import:
    return name + " comes from " + (origin.from.empty() ? "another file" : asCode(origin.from)) +
           (origin.isSearched ? ", which is not found" : ", and only one file is compiled");
  case UnknownOrigin::Kind::Module:
    return name + " cannot be used in what a kernel reads";
  case UnknownOrigin::Kind::Class:
    return "class " + name + " cannot be used in what a kernel reads";
  case UnknownOrigin::Kind::Nested:
    return name + " is a function within a function, which cannot be called at compile time";
  case UnknownOrigin::Kind::Parameter:
    return name + " is a parameter of " + asCode(origin.from) + " and has no value when a kernel is " +
           "compiled";
  case UnknownOrigin::Kind::Bound:
    return name + " is " + std::string(origin.from) + ", which cannot be used in what a kernel reads";
  case UnknownOrigin::Kind::Choice:
    return name + " has two definitions, and which one holds is not known here";
  }
  return {};
}

/// Advises how to give a name of another module a value, which is read at `range`, in `diagnostic`.
static std::string helpWith(const FunctionTable &functions, const UnknownOrigin &origin, Reporter &reporter,
                            Diagnostic &diagnostic, SourceRange range) {
  std::string path(origin.path), top = path.substr(0, path.find('.'));
  bool isImport = origin.kind == UnknownOrigin::Kind::Import;
  // `torch.float32` in a kernel.
  if (size_t dot = path.rfind('.'); !isImport && dot != path.npos)
    if (const Spelling spelling = languageSpelling(functions, path.substr(dot + 1)); !spelling.empty()) {
      addSpellingFix(reporter, diagnostic, range, std::string_view(path).substr(dot + 1), spelling);
      return "in a kernel it is " + spelling.text;
    }
  // `from compat import tl`: most likely what the language's own import gives.
  if (isImport && !importOf(origin.name).empty())
    return "write " + asCode(importOf(origin.name)) + " in this file";
  if (leadsToEnvironment(path))
    return "give the variable a value with `-D os.environ.NAME=VALUE`";
  if (!origin.isSearched)
    return isImport ? "copy its definition into this file"
                    : "only `triton`, `triton.language` and `math` are known at compile time";
  if (!isImport)
    return "known at compile time are `triton`, `triton.language`, `math` and modules whose files are found: "
           "`--import-path=DIR` names a folder to look in";
  std::string given = "give it a value with `-D " + path + "=VALUE`";
  return origin.from.starts_with('.')
             ? given
             : "name the folder that holds " + asCode(top) + " with `--import-path=DIR`, or " + given;
}

/// Advises how to tell which of two definitions holds.
static std::string helpToChoose(const UnknownOrigin &origin) {
  std::string help = "leave the definition that is meant";
  if (!origin.unit->looksForFiles())
    return help;
  if (!origin.decider.empty())
    return help + ", or say what decides: `-D '" + std::string(origin.decider) + "=VALUE'`";
  return help + ", or give the name a value: `-D '" + origin.unit->moduleName() + "." +
         std::string(origin.name) + "=VALUE'`";
}

Diagnostic &Evaluation::reportUnknown(const UnknownOrigin &origin, SourceRange range) {
  using Kind = UnknownOrigin::Kind;
  if (asked.empty())
    asked = origin.kind == Kind::Choice ? origin.decider : origin.path;
  Diagnostic &diagnostic = reporter.errorOnce(&origin, range, messageOf(origin));
  auto note = [&](SourceRange place, std::string text) {
    reporter.addNote(diagnostic, *origin.unit, place, std::move(text));
  };
  switch (origin.kind) {
  case Kind::Import:
  case Kind::Module:
    note(origin.range, "it is imported here");
    diagnostic.help = helpWith(functions, origin, reporter, diagnostic, range);
    // Configs are the host's to read: Python may well import what is no file here.
    diagnostic.basis = origin.kind == Kind::Import || !frame->function ? Basis::Process : Basis::Text;
    break;
  case Kind::Class:
  case Kind::Nested:
    note(origin.range, "it is defined here");
    break;
  case Kind::Parameter:
    note(origin.range, "it is declared here");
    diagnostic.help = "pass it to the kernel as a `tl.constexpr` parameter";
    diagnostic.basis = Basis::Process;
    break;
  case Kind::Bound:
    diagnostic.help = "pass what the kernel needs of it as an argument";
    break;
  case Kind::Choice:
    note(origin.range, "one is here");
    note(origin.other, "the other is here");
    if (origin.condition.end)
      note(origin.condition, "whether this holds is not known");
    diagnostic.help = helpToChoose(origin);
    diagnostic.basis = Basis::Process;
    break;
  }
  return diagnostic;
}

bool Evaluation::hasValue(const Value &value, SourceRange range) {
  const Unknown *unknown = value.as<Unknown>();
  if (unknown)
    reportUnknown(*unknown->origin, range);
  return !unknown;
}

bool Evaluation::isKnownThroughout(const Value &value, SourceRange range) {
  const Unknown *unknown = findUnknown(value);
  if (unknown)
    reportUnknown(*unknown->origin, range);
  return !unknown;
}

Value Evaluation::reportMissing(const Value &object, std::string_view name, SourceRange range) {
  const ModuleRef *module = object.as<ModuleRef>();
  Diagnostic &diagnostic = reporter.error(range, describe(object) + " has no attribute " + asCode(name));
  NearestName nearest(name);
  auto offer = [&](std::string_view candidate) { nearest.offer(candidate); };
  if (module) {
    functions.forEachBuiltin(homeOf(module->id), offer);
    functions.forEachLibrary(module->id, /*methodsOnly=*/false, offer);
    if (module->id == ModuleId::Triton)
      offer("cdiv");
    if (module->id == ModuleId::Language)
      llvm::for_each(dtypeAttributes(), offer);
  } else if (const FileModule *file = object.as<FileModule>()) {
    forEachBoundName(file->unit->body(), offer);
  } else if (object.is<Tensor>() || object.isNumber()) {
    functions.forEachBuiltin(OnTensor, offer);
    functions.forEachLibrary(ModuleId::Language, /*methodsOnly=*/true, offer);
    for (std::string_view own : {"dtype", "shape", "type", "numel", "T"})
      nearest.offer(own);
  } else if (object.is<Descriptor>()) {
    functions.forEachBuiltin(OnDescriptor, offer);
    functions.forEachLibrary(ModuleId::Descriptor, /*methodsOnly=*/false, offer);
    for (std::string_view own : {"dtype", "shape", "strides", "block_shape", "block_type"})
      nearest.offer(own);
  } else if (object.is<SliceValue>()) {
    llvm::for_each(SliceValue::names, offer);
  } else if (const Tuple *tuple = object.as<Tuple>(); tuple && tuple->names) {
    llvm::for_each(tuple->names->fields, offer);
  } else if (object.is<TypeValue>()) {
    functions.forEachBuiltin(OnType, offer);
    for (std::string_view own : {"element_ty", "scalar", "shape", "primitive_bitwidth", "itemsize", "name"})
      nearest.offer(own);
  }
  // Any other value has the attributes of its type.
  if (module || object.is<FileModule>())
    diagnostic.basis = Basis::Text;
  Spelling spelling;
  if (module && module->id == ModuleId::PythonMath)
    spelling = languageSpelling(functions, name);
  else if (object.is<Tensor>())
    spelling = tensorSpelling(functions, name);
  if (spelling.empty()) {
    nearest.suggest(diagnostic, reporter, range);
    return Poison();
  }
  diagnostic.help = "in a kernel it is " + spelling.text;
  if (module)
    addSpellingFix(reporter, diagnostic, range, name, spelling);
  else if (reporter.source().slice(range) == name)
    addMethodFix(reporter, diagnostic, range, spelling);
  return Poison();
}
