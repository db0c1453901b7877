// Parses the embedded sources and finds functions in them.
#include "compiler/frontend/builtins/Library.h"

#include "compiler/frontend/builtins/LibrarySources.h"
#include "compiler/frontend/syntax/Parser.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"

#include <deque>

using namespace tegula;
using namespace tegula::eval;

namespace {

bool isDecorated(const ast::FunctionStmt &function, std::string_view name) {
  return llvm::any_of(function.decorators, [&](const ast::Expr *decorator) {
    const auto *plain = ast::as<ast::NameExpr>(decorator);
    return plain && plain->id == name;
  });
}

struct Library {
  std::deque<std::unique_ptr<ast::Module>> modules;
  std::deque<Unit> units;
  llvm::StringMap<llvm::SmallVector<LibraryFunction, 1>> functions;

  void add(std::string path, std::string_view text, ModuleId home) {
    DiagnosticEngine diagnostics;
    modules.push_back(
        parseModule(std::make_shared<SourceFile>(std::move(path), std::string(text)), diagnostics));
    // The text is ours, and a test parses it.
    if (diagnostics.hasErrors())
      llvm::report_fatal_error(llvm::StringRef(render(diagnostics.diagnostics())));
    const Unit &unit = units.emplace_back(Unit{modules.back().get(), /*isLibrary=*/true});
    for (const ast::Stmt *stmt : modules.back()->body)
      if (const auto *function = ast::as<ast::FunctionStmt>(stmt);
          function && !function->name.starts_with('_'))
        functions[llvm::StringRef(function->name)].push_back(
            {function, &unit, home, isDecorated(*function, "tensor_method")});
  }

  Library() {
    add("<language.py>", librarySources::language, ModuleId::Language);
    add("<standard.py>", librarySources::standard, ModuleId::Language);
    add("<random.py>", librarySources::random, ModuleId::Language);
    add("<libdevice.py>", librarySources::libdevice, ModuleId::Libdevice);
  }
};

const Library &library() {
  static const Library parsed;
  return parsed;
}

} // namespace

const LibraryFunction *eval::findLibraryFunction(std::string_view name, ModuleId home) {
  auto found = library().functions.find(llvm::StringRef(name));
  if (found == library().functions.end())
    return nullptr;
  for (const LibraryFunction &function : found->second)
    if (function.home == home)
      return &function;
  return nullptr;
}

void eval::forEachLibraryFunction(ModuleId home, bool methodsOnly,
                                  llvm::function_ref<void(std::string_view)> visit) {
  for (const auto &entry : library().functions)
    for (const LibraryFunction &function : entry.second)
      if (function.home == home && (!methodsOnly || function.isMethod))
        visit(function.definition->name);
}
