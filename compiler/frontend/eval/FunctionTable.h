// The functions of the language by name. The evaluator is handed such a table and knows none of them itself.
#pragma once

#include "compiler/frontend/values/Builtin.h"
#include "compiler/frontend/values/Report.h"
#include "compiler/frontend/values/Value.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"

namespace tegula::eval {

/// A function that is written in the language itself.
struct LibraryFunction {
  const ast::FunctionStmt *definition;
  const Unit *unit;
  ModuleId home;
  bool isMethod; ///< decorated `@tensor_method`: also found on tensors
};

class FunctionTable {
public:
  /// `builtin` lives as long as the table.
  void add(const Builtin &builtin);
  void add(const LibraryFunction &function);

  /// The function `name` in any of `homes`, or null.
  const Builtin *builtin(std::string_view name, uint32_t homes) const;
  /// The function `name` of a module, or null.
  const LibraryFunction *library(std::string_view name, ModuleId home) const;

  /// Calls `visit` with each public name in any of `homes`.
  void forEachBuiltin(uint32_t homes, llvm::function_ref<void(std::string_view)> visit) const;
  void forEachLibrary(ModuleId home, bool methodsOnly,
                      llvm::function_ref<void(std::string_view)> visit) const;

private:
  llvm::StringMap<llvm::SmallVector<const Builtin *, 2>> builtins;
  llvm::StringMap<llvm::SmallVector<LibraryFunction, 1>> libraries;
};

} // namespace tegula::eval
