// Looking functions up by name.
#include "compiler/frontend/eval/FunctionTable.h"

using namespace tegula::eval;

void FunctionTable::add(const Builtin &builtin) {
  builtins[llvm::StringRef(builtin.name)].push_back(&builtin);
}

void FunctionTable::add(const LibraryFunction &function) {
  libraries[llvm::StringRef(function.definition->name)].push_back(function);
}

const Builtin *FunctionTable::builtin(std::string_view name, uint32_t homes) const {
  auto found = builtins.find(llvm::StringRef(name));
  if (found == builtins.end())
    return nullptr;
  for (const Builtin *builtin : found->second)
    if (builtin->homes & homes)
      return builtin;
  return nullptr;
}

const LibraryFunction *FunctionTable::library(std::string_view name, ModuleId home) const {
  auto found = libraries.find(llvm::StringRef(name));
  if (found == libraries.end())
    return nullptr;
  for (const LibraryFunction &function : found->second)
    if (function.home == home)
      return &function;
  return nullptr;
}

void FunctionTable::forEachBuiltin(uint32_t homes, llvm::function_ref<void(std::string_view)> visit) const {
  for (const auto &entry : builtins)
    for (const Builtin *builtin : entry.second)
      if ((builtin->homes & homes) && !builtin->name.starts_with('_'))
        visit(builtin->name);
}

void FunctionTable::forEachLibrary(ModuleId home, bool methodsOnly,
                                   llvm::function_ref<void(std::string_view)> visit) const {
  for (const auto &entry : libraries)
    for (const LibraryFunction &function : entry.second)
      if (function.home == home && (!methodsOnly || function.isMethod))
        visit(function.definition->name);
}
