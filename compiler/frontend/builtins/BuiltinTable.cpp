// All functions of the language in one table: those that handlers in C++ carry out, and those that are
// written in it, `library/*.py`, which are embedded in the compiler.
#include "compiler/frontend/builtins/BuiltinTable.h"

#include "compiler/frontend/syntax/parse/Parser.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"

#include <deque>

using namespace tegula;
using namespace tegula::eval;

#include "compiler/frontend/builtins/LanguageSources.inc"

namespace {

bool isDecorated(const ast::FunctionStmt &function, std::string_view name) {
  return llvm::any_of(function.decorators, [&](const ast::Expr *decorator) {
    const auto *plain = ast::as<ast::NameExpr>(decorator);
    return plain && plain->id == name;
  });
}

/// The table, with the sources that it refers to.
struct Language {
  FunctionTable table;
  std::deque<std::unique_ptr<ast::Module>> modules;
  std::deque<Unit> units;

  Language() {
    for (auto part : tables)
      for (const Builtin &builtin : part())
        table.add(builtin);
    for (const auto &[path, home, text] : library)
      addLibrary(path, home, text);
  }

  void addLibrary(std::string_view path, ModuleId home, std::string_view text) {
    DiagnosticEngine diagnostics;
    modules.push_back(
        parseModule(std::make_shared<SourceFile>(std::string(path), std::string(text)), diagnostics));
    // The text is ours, and a test parses it.
    if (diagnostics.hasErrors())
      llvm::report_fatal_error(llvm::StringRef(render(diagnostics.diagnostics())));
    const Unit &unit = units.emplace_back(Unit{modules.back().get(), /*isLibrary=*/true});
    for (const ast::Stmt *stmt : modules.back()->body)
      if (const auto *function = ast::as<ast::FunctionStmt>(stmt);
          function && !function->name.starts_with('_'))
        table.add({function, &unit, home, isDecorated(*function, "tensor_method")});
  }
};

} // namespace

const FunctionTable &eval::languageFunctions() {
  static const Language language;
  return language.table;
}
