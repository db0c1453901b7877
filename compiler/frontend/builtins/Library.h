// The part of the language that is written in itself: `library/*.py`, embedded in the compiler and parsed
// once a process.
#pragma once

#include "compiler/frontend/eval/Report.h"
#include "compiler/frontend/eval/Value.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tegula::eval {

struct LibraryFunction {
  const ast::FunctionStmt *definition;
  const Unit *unit;
  ModuleId home;
  bool isMethod; ///< decorated `@tensor_method`: also found on tensors
};

/// The public function `name` of a module, or null.
const LibraryFunction *findLibraryFunction(std::string_view name, ModuleId home);
void forEachLibraryFunction(ModuleId home, bool methodsOnly,
                            llvm::function_ref<void(std::string_view)> visit);

} // namespace tegula::eval
