#include "compiler/frontend/values/ParsedProgram.h"

#include "llvm/Support/Path.h"

using namespace tegula;
using namespace tegula::eval;

bool Unit::looksForFiles() const { return program && program->imports() && program->imports()->canLook(); }

std::string Unit::moduleName() const {
  return imported ? std::string(imported->name()) : llvm::sys::path::stem(source().path()).str();
}

Units::Units(const ParsedProgram &program, llvm::ArrayRef<const ast::FunctionStmt *> around)
    : count(program.sources.size()), imported(program.imports) {
  for (const ParsedProgram::Source &source : program.sources)
    units.push_back({.module = source.module, .names = source.names, .program = this});
  inner = &units[program.entry];
  for (const ast::FunctionStmt *function : around)
    inner = &units.emplace_back(Unit{.module = inner->module,
                                     .function = function,
                                     .outer = inner,
                                     .names = inner->names,
                                     .program = this});
}

size_t Units::numberOf(const Unit &unit) const {
  for (size_t number = 0; number < count; ++number)
    if (&units[number] == &unit)
      return number;
  return count;
}

const Unit *Units::unitOf(const ImportedModule &module) const {
  // The program's own file is among them.
  for (const Unit &unit : units)
    if (!unit.function && unit.module->source == module.file())
      return &unit;
  return nullptr;
}

const Unit &Units::add(const ImportedModule &module) {
  return units.emplace_back(Unit{.module = &module.tree(), .program = this, .imported = &module});
}

const SourceFile *Units::holding(std::string_view path, uint32_t line) const {
  for (const Unit &unit : units)
    if (unit.source().path() == path && unit.source().holds(line))
      return &unit.source();
  return nullptr;
}
