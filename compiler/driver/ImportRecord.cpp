// All files that a program may read: those that its file imports, and those that they import; and what the
// environment holds of the variables that their texts name.
#include "compiler/driver/ImportRecord.h"

#include "compiler/driver/ParsedSource.h"
#include "compiler/frontend/syntax/ast/Bindings.h"

#include "llvm/ADT/StringExtras.h"

#include <set>

namespace tegula {
namespace {

class Closure {
public:
  explicit Closure(ImportedModules &imports) : imports(imports) {}

  void add(const ast::Module &module) {
    if (!seen.insert(&module).second)
      return;
    pending.push_back(&module);
  }

  /// The lines of what was found, in the order of the texts.
  std::string run() {
    while (!pending.empty()) {
      const ast::Module *module = pending.back();
      pending.pop_back();
      visit(module->body, module->source->path());
      addVariables(module->source->text());
    }
    return std::move(text);
  }

private:
  /// A line for each variable that is set and that a string of a file may name which asks for any.
  void addVariables(std::string_view source) {
    if (source.find("environ") == source.npos && source.find("getenv") == source.npos)
      return;
    for (size_t quote = source.find_first_of("'\""); quote != source.npos;) {
      size_t end = quote + 1;
      while (end < source.size() && (llvm::isAlnum(source[end]) || source[end] == '_'))
        ++end;
      const std::string name(source.substr(quote + 1, end - quote - 1));
      // The quote that ends one string may begin another.
      quote = source.find_first_of("'\"", std::max(end, quote + 1));
      if (name.empty() || quote != end || !variables.insert(name).second)
        continue;
      if (const EnvironmentVariable &variable = imports.variable(name); variable.text)
        text += "$" + name + "=" + *variable.text + "\n";
    }
  }

  // The depth of blocks is bounded by the parser.
  void visit(ast::Block block, const std::string &importer) {
    for (const ast::Stmt *stmt : block) {
      if (const auto *import = ast::as<ast::ImportStmt>(stmt))
        for (const ast::ImportAlias &alias : import->names)
          follow({importer, 0, std::string(alias.name)});
      if (const auto *from = ast::as<ast::ImportFromStmt>(stmt))
        visitFrom(*from, importer);
      ast::forEachNested(stmt, [&](ast::Block inner) { visit(inner, importer); });
    }
  }

  void visitFrom(const ast::ImportFromStmt &from, const std::string &importer) {
    const ImportedModule *module = follow({importer, from.level, std::string(from.module)});
    if (module && module->isPackage())
      for (const ast::ImportAlias &alias : from.names)
        follow({module->path(), 1, std::string(alias.name)});
  }

  const ImportedModule *follow(const ModuleRequest &request) {
    const ImportedModules::Found &found = imports.find(request);
    text += found.summary + "\n";
    if (found.module)
      add(found.module->tree());
    return found.module;
  }

  ImportedModules &imports;
  std::vector<const ast::Module *> pending;
  std::set<const ast::Module *> seen;
  std::set<std::string> variables;
  std::string text;
};

} // namespace

std::string importRecord(const ParsedSource &source) {
  return source.imports ? source.imports->record() : std::string();
}

bool agreesWithImports(const ParsedSource &source, const std::string &record) {
  return source.imports ? source.imports->agreesWith(record) : record.empty();
}

bool hasCurrentImports(const ParsedSource &source) { return !source.imports || source.imports->isCurrent(); }

std::string importClosure(const ParsedSource &source) {
  if (!source.imports)
    return {};
  Closure closure(*source.imports);
  closure.add(source.module());
  return closure.run();
}

} // namespace tegula
