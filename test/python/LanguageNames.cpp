// Prints every name of the language with its parameters, for the test that compares them with the Python
// package:
//   triton.language.load<TAB>pointer, mask, other
#include "compiler/frontend/builtins/BuiltinTable.h"
#include "compiler/frontend/syntax/ast/Ast.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

using namespace tegula;
using namespace tegula::eval;

namespace {

struct Namespace {
  uint16_t home;
  std::string_view path;
};
constexpr Namespace namespaces[] = {
    {InLanguage, "triton.language"},
    {InMath, "triton.language.math"},
    {InLibdevice, "triton.language.extra.libdevice"},
    {InCuda, "triton.language.extra.cuda"},
    {InTargetInfo, "triton.language.target_info"},
    {InTriton, "triton"},
    {OnTensor, "triton.language.tensor"},
    {OnType, "triton.language.dtype"},
};

std::string parametersOf(const Builtin &builtin) {
  std::vector<std::string> names;
  for (const BuiltinParameter &parameter : builtin.parameters)
    names.push_back((parameter.rest ? "*" : "") + std::string(parameter.name));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string parametersOf(const LibraryFunction &function) {
  std::vector<std::string> names;
  for (const ast::Parameter &parameter : function.definition->parameters)
    names.emplace_back(parameter.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

void printLibrary(const FunctionTable &table, ModuleId home, bool methodsOnly, std::string_view path) {
  table.forEachLibrary(home, methodsOnly, [&](std::string_view name) {
    fmt::print("{}.{}\t{}\n", path, name, parametersOf(*table.library(name, home)));
  });
}

} // namespace

int main() {
  const FunctionTable &table = languageFunctions();
  for (const Namespace &space : namespaces)
    table.forEachBuiltin(space.home, [&](std::string_view name) {
      const Builtin &builtin = *table.builtin(name, space.home);
      fmt::print("{}.{}\t{}\n", space.path, name, parametersOf(builtin));
    });
  printLibrary(table, ModuleId::Language, /*methodsOnly=*/false, "triton.language");
  printLibrary(table, ModuleId::Language, /*methodsOnly=*/true, "triton.language.tensor");
  printLibrary(table, ModuleId::Libdevice, /*methodsOnly=*/false, "triton.language.extra.libdevice");
}
