#include "tools/tegula/lsp/LanguageDocs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tegula::cli {

static constexpr LanguageFunction functions[] = {
#include "LanguageDocs.inc"
};

bool LanguageFunction::isFoundIn(std::string_view home) const {
  return llvm::is_contained(llvm::split(homes, ' '), llvm::StringRef(home));
}

/// Returns true for what is found in `tl` itself.
static bool isOfLanguage(const LanguageFunction &function) {
  return function.isFoundIn("tl") || function.isFoundIn("tl.math") || function.isFoundIn("tl.standard") ||
         function.isFoundIn("tl.random");
}

/// "tl.math" of "triton.language.math"; empty where it is no module of the language.
static std::string homeOf(std::string_view path) {
  constexpr std::string_view language = "triton.language";
  if (path == "triton")
    return "triton";
  if (path != language && !path.starts_with("triton.language."))
    return {};
  std::string home = "tl" + std::string(path.substr(language.size()));
  // The same functions under the names of several versions.
  if (home == "tl.extra.cuda.libdevice" || home == "tl.libdevice")
    home = "tl.extra.libdevice";
  return home;
}

/// The path of the module that `name` is bound to at the top of the file; empty where it is bound to none.
static std::string boundTo(const ParsedSource &source, std::string_view name) {
  for (const ast::Stmt *stmt : source.module().body) {
    if (const auto *import = ast::as<ast::ImportStmt>(stmt)) {
      for (const ast::ImportAlias &alias : import->names) {
        const std::string_view top = alias.name.substr(0, alias.name.find('.'));
        if (alias.asName.empty() ? top == name : alias.asName == name)
          return std::string(alias.asName.empty() ? top : alias.name);
      }
    } else if (const auto *from = ast::as<ast::ImportFromStmt>(stmt)) {
      for (const ast::ImportAlias &alias : from->names)
        if ((alias.asName.empty() ? alias.name : alias.asName) == name)
          return std::string(from->module) + "." + std::string(alias.name);
    }
  }
  return {};
}

/// The full path of a dotted name.
static std::string pathOf(const ParsedSource &source, std::string_view dotted) {
  const size_t dot = std::min(dotted.find('.'), dotted.size());
  const std::string bound = boundTo(source, dotted.substr(0, dot));
  return bound.empty() ? std::string() : bound + std::string(dotted.substr(dot));
}

std::string languageModule(const ParsedSource &source, std::string_view dotted) {
  return homeOf(pathOf(source, dotted));
}

const LanguageFunction *languageFunction(const ParsedSource &source, std::string_view dotted) {
  const std::string path = pathOf(source, dotted);
  const size_t dot = path.rfind('.');
  if (dot == std::string::npos)
    return nullptr;
  const std::string home = homeOf(path.substr(0, dot));
  const std::string name = path.substr(dot + 1);
  if (home.empty())
    return nullptr;
  for (const LanguageFunction &function : functions)
    if (function.name == name && (home == "tl" ? isOfLanguage(function) : function.isFoundIn(home)))
      return &function;
  return nullptr;
}

const LanguageFunction *tensorMethod(std::string_view name) {
  const auto *found =
      std::find_if(std::begin(functions), std::end(functions), [&](const LanguageFunction &function) {
        return function.name == name && function.isFoundIn("tensor");
      });
  return found == std::end(functions) ? nullptr : found;
}

std::vector<const LanguageFunction *> functionsIn(std::string_view module) {
  std::vector<const LanguageFunction *> found;
  std::set<std::string_view> seen;
  for (const LanguageFunction &function : functions)
    if ((module == "tl" ? isOfLanguage(function) : function.isFoundIn(module)) &&
        seen.insert(function.name).second)
      found.push_back(&function);
  return found;
}

std::string docText(const LanguageFunction &function) {
  std::string text = fmt::format("```python\ndef {}{}\n```\n", function.name, function.signature);
  if (!function.doc.empty())
    text += fmt::format("{}\n", function.doc);
  if (!function.differs.empty())
    text += fmt::format("\nHere: {}.\n", function.differs);
  return text;
}

} // namespace tegula::cli
