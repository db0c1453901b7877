#include "compiler/frontend/values/ImportedModules.h"

#include "compiler/frontend/syntax/parse/Parser.h"
#include "compiler/frontend/values/OwnModules.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

#include <filesystem>

using namespace tegula;

namespace {

/// Two spellings of one path become one: "./a.py" and "a.py". Nothing is looked up.
std::string plain(const std::string &path) { return std::filesystem::path(path).lexically_normal().string(); }

std::string hashOf(const std::string &text) {
  return llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(text)), /*LowerCase=*/true);
}

/// Summarises an answer in a line.
std::string summaryOf(const FoundModule &found) {
  switch (found.kind) {
  case FoundModule::Absent:
    return "absent";
  case FoundModule::Unreadable:
    return "unreadable";
  case FoundModule::File:
    return hashOf(found.text) + " " + found.path;
  }
  return {};
}

std::string summaryOf(const EnvironmentVariable &variable) {
  return !variable.isKnown ? "unknown" : variable.text ? hashOf(*variable.text) : "unset";
}

/// The modules of kernels that the compiler holds itself, for programs that do not have them as files.
FoundModule ownModule(const ModuleRequest &request) {
  if (request.level != 0 || request.name != "tegula.distributed")
    return {};
  return {.kind = FoundModule::File,
          .name = request.name,
          .path = "tegula/distributed.py",
          .text = std::string(ownModules::distributed)};
}

/// Begins the first of the three lines of a variable, where requests have a number.
constexpr llvm::StringLiteral variableMark = "$";

std::string entryOf(const std::string &name, const EnvironmentVariable &variable) {
  return (variableMark + " " + name + "\n\n").str() + summaryOf(variable) + "\n";
}

/// A request and its answer, three lines of a record.
std::string entryOf(const ModuleRequest &request, const std::string &summary) {
  return std::to_string(request.level) + " " + request.name + "\n" + request.importer + "\n" + summary + "\n";
}

} // namespace

ImportedModule::ImportedModule(const ast::Module &own)
    : moduleName(std::filesystem::path(own.source->path()).stem().string()), source(own.source),
      parsed(&own) {}

bool ImportedModule::isPackage() const { return std::filesystem::path(path()).filename() == "__init__.py"; }

const ast::Module &ImportedModule::tree() const {
  std::call_once(once, [&] {
    if (parsed)
      return;
    DiagnosticEngine engine;
    owned = parseModule(source, engine);
    parsed = owned.get();
    if (engine.hasErrors())
      problems = engine.take();
  });
  return *parsed;
}

const std::vector<Diagnostic> &ImportedModule::errors() const {
  tree();
  return problems;
}

ImportedModules::ImportedModules(ImportOptions given, const ast::Module &own) : options(std::move(given)) {
  byPath[plain(own.source->path())] = &modules.emplace_back(own);
}

const BoundValue *ImportedModules::given(const std::string &path) const {
  auto found = options.values.find(path);
  return found == options.values.end() ? nullptr : &found->second;
}

bool ImportedModules::isGivenWithin(const std::string &path) const {
  auto next = options.values.lower_bound(path + ".");
  return next != options.values.end() && next->first.starts_with(path + ".");
}

/// The module in `found`, which other requests may have led to as well.
const ImportedModule *ImportedModules::keep(FoundModule found) {
  const ImportedModule *&place = byPath[plain(found.path)];
  if (!place)
    place = &modules.emplace_back(std::move(found.name), std::make_shared<const SourceFile>(
                                                             std::move(found.path), std::move(found.text)));
  return place;
}

FoundModule ImportedModules::look(const ModuleRequest &request, const std::string &version) const {
  FoundModule found = !options.loader   ? FoundModule()
                      : version.empty() ? options.loader->find(request)
                                        : options.loader->findNewer(request, version);
  return found.kind == FoundModule::Absent ? ownModule(request) : found;
}

const ImportedModules::Found &ImportedModules::find(const ModuleRequest &request) {
  std::lock_guard lock(mutex);
  auto [entry, isNew] = answers.try_emplace(request);
  Found &made = entry->second;
  if (!isNew)
    return made;
  FoundModule found = look(request, {});
  made.summary = summaryOf(found);
  made.version = found.version;
  made.kind = found.kind;
  made.problem = std::move(found.problem);
  if (found.kind == FoundModule::File)
    made.module = keep(std::move(found));
  return made;
}

const EnvironmentVariable &ImportedModules::variable(const std::string &name) {
  std::lock_guard lock(mutex);
  auto [entry, isNew] = variables.try_emplace(name);
  if (isNew && options.loader)
    entry->second = options.loader->variable(name);
  return entry->second;
}

std::string ImportedModules::record() const {
  std::lock_guard lock(mutex);
  std::string text;
  for (const auto &[request, answer] : answers)
    text += entryOf(request, answer.summary);
  for (const auto &[name, value] : variables)
    text += entryOf(name, value);
  return text;
}

bool ImportedModules::agreesWith(const std::string &record) {
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(record).split(lines, '\n');
  std::string here;
  for (size_t i = 0; i + 2 < lines.size(); i += 3) {
    auto [level, name] = lines[i].split(' ');
    if (level == variableMark) {
      here += entryOf(name.str(), variable(name.str()));
      continue;
    }
    ModuleRequest request{lines[i + 1].str(), 0, name.str()};
    if (level.getAsInteger(10, request.level))
      return false;
    here += entryOf(request, find(request).summary);
  }
  return here == record;
}

bool ImportedModules::isCurrent(const ModuleRequest &request, Found &answer) const {
  FoundModule now = look(request, answer.version);
  const bool isUntouched =
      now.kind == FoundModule::File && !answer.version.empty() && now.version == answer.version;
  if (!isUntouched && summaryOf(now) != answer.summary)
    return false;
  answer.version = std::move(now.version);
  return true;
}

bool ImportedModules::isCurrent() {
  std::lock_guard lock(mutex);
  return !options.loader ||
         (llvm::all_of(answers, [&](auto &entry) { return isCurrent(entry.first, entry.second); }) &&
          llvm::all_of(variables, [&](const auto &entry) {
            return options.loader->variable(entry.first) == entry.second;
          }));
}

std::vector<std::shared_ptr<const SourceFile>> ImportedModules::files() const {
  std::lock_guard lock(mutex);
  std::vector<std::shared_ptr<const SourceFile>> all;
  for (const ImportedModule &module : modules)
    all.push_back(module.file());
  return all;
}
