// Names without a value: a use is told where they come from.
#include "compiler/frontend/eval/Advice.h"
#include "compiler/frontend/eval/Environment.h"
#include "compiler/frontend/eval/Globals.h"

using namespace tegula;
using namespace tegula::eval;

static std::string messageOf(const UnknownOrigin &origin) {
  std::string name = "`" + std::string(origin.name) + "`";
  switch (origin.kind) {
  case UnknownOrigin::Kind::Import:
    return name + " comes from " +
           (origin.from.empty() ? "another file" : "`" + std::string(origin.from) + "`") +
           (origin.isSearched ? ", which is not found" : ", and only one file is compiled");
  case UnknownOrigin::Kind::Module:
    return name + " cannot be used in what a kernel reads";
  case UnknownOrigin::Kind::Class:
    return "class " + name + " cannot be used in what a kernel reads";
  case UnknownOrigin::Kind::Nested:
    return name + " is a function within a function, which cannot be called at compile time";
  case UnknownOrigin::Kind::Parameter:
    return name + " is a parameter of `" + std::string(origin.from) + "` and has no value when a kernel is " +
           "compiled";
  case UnknownOrigin::Kind::Bound:
    return name + " is " + std::string(origin.from) + ", which cannot be used in what a kernel reads";
  case UnknownOrigin::Kind::Choice:
    return name + " has two definitions, and which one holds is not known here";
  }
  return {};
}

/// Advises how to give a name of another module a value.
static std::string helpWith(const FunctionTable &functions, const UnknownOrigin &origin) {
  std::string path(origin.path), top = path.substr(0, path.find('.'));
  bool isImport = origin.kind == UnknownOrigin::Kind::Import;
  // `torch.float32` in a kernel.
  if (size_t dot = path.rfind('.'); !isImport && dot != path.npos)
    if (std::string spelling = languageSpelling(functions, path.substr(dot + 1)); !spelling.empty())
      return "in a kernel it is " + spelling;
  // `from compat import tl`: most likely what the language's own import gives.
  if (isImport && !importOf(origin.name).empty())
    return "write " + std::string(importOf(origin.name)) + " in this file";
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
             : "name the folder that holds `" + top + "` with `--import-path=DIR`, or " + given;
}

/// Advises how to tell which of two definitions holds.
std::string Evaluator::helpToChoose(const UnknownOrigin &origin) {
  std::string help = "leave the definition that is meant";
  if (!origin.unit->looksForFiles())
    return help;
  if (!origin.decider.empty())
    return help + ", or say what decides: `-D '" + std::string(origin.decider) + "=VALUE'`";
  return help + ", or give the name a value: `-D '" + globalsOf(*origin.unit).nameOfModule() + "." +
         std::string(origin.name) + "=VALUE'`";
}

Diagnostic &Evaluator::reportUnknown(const UnknownOrigin &origin, SourceRange range) {
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
    diagnostic.help = helpWith(functions, origin);
    break;
  case Kind::Class:
  case Kind::Nested:
    note(origin.range, "it is defined here");
    break;
  case Kind::Parameter:
    note(origin.range, "it is declared here");
    diagnostic.help = "pass it to the kernel as a `tl.constexpr` parameter";
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
    break;
  }
  return diagnostic;
}

bool Evaluator::hasValue(const Value &value, SourceRange range) {
  const Unknown *unknown = value.as<Unknown>();
  if (unknown)
    reportUnknown(*unknown->origin, range);
  return !unknown;
}

bool Evaluator::isKnownThroughout(const Value &value, SourceRange range) {
  const Unknown *unknown = findUnknown(value);
  if (unknown)
    reportUnknown(*unknown->origin, range);
  return !unknown;
}
