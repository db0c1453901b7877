// Parses the embedded sources.
#include "compiler/frontend/builtins/Library.h"

#include "compiler/frontend/builtins/LibrarySources.h"
#include "compiler/frontend/syntax/parse/Parser.h"

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
  llvm::SmallVector<LibraryFunction> functions;

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
        functions.push_back({function, &unit, home, isDecorated(*function, "tensor_method")});
  }

  Library() {
    add("<language.py>", librarySources::language, ModuleId::Language);
    add("<standard.py>", librarySources::standard, ModuleId::Language);
    add("<sorting.py>", librarySources::sorting, ModuleId::Language);
    add("<random.py>", librarySources::random, ModuleId::Language);
    add("<scaled.py>", librarySources::scaled, ModuleId::Language);
    add("<descriptor.py>", librarySources::descriptor, ModuleId::Descriptor);
    add("<libdevice.py>", librarySources::libdevice, ModuleId::Libdevice);
    add("<libdevice_bessel.py>", librarySources::libdeviceBessel, ModuleId::Libdevice);
    add("<libdevice_bits.py>", librarySources::libdeviceBits, ModuleId::Libdevice);
    add("<libdevice_error.py>", librarySources::libdeviceError, ModuleId::Libdevice);
    add("<libdevice_gamma.py>", librarySources::libdeviceGamma, ModuleId::Libdevice);
    add("<libdevice_lengths.py>", librarySources::libdeviceLengths, ModuleId::Libdevice);
    add("<libdevice_special.py>", librarySources::libdeviceSpecial, ModuleId::Libdevice);
  }
};

} // namespace

llvm::ArrayRef<LibraryFunction> eval::libraryFunctions() {
  static const Library parsed;
  return parsed.functions;
}
