#include "compiler/guess/Guess.h"

#include "compiler/driver/ParsedSource.h"
#include "compiler/guess/Constants.h"
#include "compiler/guess/Flow.h"
#include "compiler/guess/Types.h"

#include <set>

namespace tegula::guess {
namespace {

std::string_view boundBy(const ast::ImportAlias &alias) {
  return alias.asName.empty() ? alias.name : alias.asName;
}

/// The names at the top of a file that are the language, its modules or its functions.
std::set<std::string_view> languageNames(const ast::Module &module) {
  std::set<std::string_view> names = {"tl", "triton", "libdevice", "tldevice"};
  for (const ast::Stmt *stmt : module.body) {
    if (const auto *import = ast::as<ast::ImportStmt>(stmt)) {
      for (const ast::ImportAlias &alias : import->names)
        if (alias.name.starts_with("triton"))
          names.insert(alias.asName.empty() ? alias.name.substr(0, alias.name.find('.')) : alias.asName);
    } else if (const auto *from = ast::as<ast::ImportFromStmt>(stmt)) {
      if (from->level == 0 && from->module.starts_with("triton"))
        for (const ast::ImportAlias &alias : from->names)
          names.insert(boundBy(alias));
    }
  }
  return names;
}

/// The file of a module, or null where it is not found or not read.
const ast::Module *moduleOf(const ParsedSource &source, uint32_t level, std::string name) {
  const ImportedModules::Found &found = source.imports->find({source.file().path(), level, std::move(name)});
  return found.kind == FoundModule::File && found.module->errors().empty() ? &found.module->tree() : nullptr;
}

FoundFunction jitFunctionAtTop(const ast::Module *module, std::string_view name) {
  const ast::FunctionStmt *function = module ? ast::functionAtTop(*module, name) : nullptr;
  return function && function->isJit ? FoundFunction{module, function} : FoundFunction();
}

} // namespace

FoundFunction jitFunction(const ParsedSource &source, std::string_view name) {
  if (const FoundFunction own = jitFunctionAtTop(&source.module(), name); own.function)
    return own;
  if (!source.imports || !source.imports->canLook())
    return {};
  const size_t dot = name.rfind('.');
  const std::string_view root = name.substr(0, std::min(dot, name.size()));
  const std::string_view last = dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
  for (const ast::Stmt *stmt : source.module().body) {
    if (const auto *from = ast::as<ast::ImportFromStmt>(stmt)) {
      for (const ast::ImportAlias &alias : from->names)
        if (boundBy(alias) == root)
          return last.empty()
                     ? jitFunctionAtTop(moduleOf(source, from->level, std::string(from->module)), alias.name)
                     : jitFunctionAtTop(moduleOf(source, from->level,
                                                 std::string(from->module) +
                                                     (from->module.empty() ? "" : ".") +
                                                     std::string(alias.name)),
                                        last);
    } else if (const auto *import = ast::as<ast::ImportStmt>(stmt); import && !last.empty()) {
      for (const ast::ImportAlias &alias : import->names)
        if (boundBy(alias) == root)
          return jitFunctionAtTop(moduleOf(source, 0, std::string(alias.name)), last);
    }
  }
  return {};
}

std::optional<ast::JitFunction> definitionOf(const ParsedSource &source, const KernelInfo &kernel) {
  std::optional<ast::JitFunction> last;
  for (const ast::JitFunction &one : ast::jitFunctions(source.module()))
    if (one.name == kernel.name &&
        (!last || source.file().line(one.function->nameRange.begin) == kernel.line))
      last = one;
  return last;
}

const ast::FunctionStmt *functionOf(const ParsedSource &source, const KernelInfo &kernel) {
  const std::optional<ast::JitFunction> found = definitionOf(source, kernel);
  return found ? found->function : nullptr;
}

std::map<std::string, Passed> passedTo(const ParsedSource &source, const KernelInfo &kernel) {
  const std::optional<ast::JitFunction> found = definitionOf(source, kernel);
  std::vector<std::string> names;
  for (const ParameterInfo &parameter : kernel.parameters)
    names.push_back(parameter.name);
  // A kernel that a function defines is launched there.
  const bool isLocal = found && !found->around.empty();
  return passedAtLaunches(source.module(), isLocal ? found->around.front()->body : source.module().body,
                          kernel.name, names);
}

KernelGuess guessKernel(const ParsedSource &source, const KernelInfo &kernel,
                        const std::map<std::string, Passed> &passed) {
  KernelGuess guess;
  for (const ParameterInfo &parameter : kernel.parameters)
    guess.names.push_back(parameter.name);
  const ast::FunctionStmt *function = functionOf(source, kernel);
  if (!function)
    return guess;
  const std::set<std::string_view> language = languageNames(source.module());
  guess.seen =
      Flow(*function, {.function = [&](std::string_view name) { return jitFunction(source, name).function; },
                       .isLanguage = [&](std::string_view name) { return language.contains(name); }})
          .take();
  const Types types(kernel, guess.seen, passed);
  const Constants constants(source, kernel, guess.seen, types);
  for (unsigned i = 0; i < kernel.parameters.size(); ++i) {
    const ParameterInfo &parameter = kernel.parameters[i];
    if (parameter.isConstexpr || guess.seen.parameters[i].isCalled)
      guess.parameters.emplace(parameter.name, constants.guess(i));
    else
      guess.parameters.emplace(parameter.name, types.guess(i));
  }
  return guess;
}

} // namespace tegula::guess
