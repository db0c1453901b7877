// The sources that take part in one compilation, and what their names mean.
#pragma once

#include "compiler/frontend/values/ImportedModules.h"
#include "compiler/spec/SourceUnit.h"

#include "llvm/ADT/ArrayRef.h"

#include <deque>
#include <vector>

namespace tegula {

/// Parsed sources that may call each other's functions. Points to data that others own.
struct ParsedProgram {
  struct Source {
    const ast::Module *module;
    /// The host's meanings of its names; null for a file, whose own statements say it.
    const NameTable *names = nullptr;
  };

  ParsedProgram() = default;
  /// A file by itself.
  ParsedProgram(const ast::Module &module) : sources{{&module}} {}

  const ast::Module &module() const { return *sources[entry].module; }

  std::vector<Source> sources; ///< in the numbering of `bound::Function`
  size_t entry = 0;            ///< the source with the kernels
  /// The files that its imports lead to; null where only its own sources are known.
  ImportedModules *imports = nullptr;
};

namespace eval {

class Units;

/// A source whose functions and constants take part: one of the user's, or of the language's own library. Or
/// the body of a function in which a kernel is defined: its variables are the kernel's, before those of the
/// file.
struct Unit {
  const ast::Module *module;
  /// Errors within are about the user's call; no line of it appears anywhere.
  bool isLibrary = false;
  const ast::FunctionStmt *function = nullptr; ///< whose body it is; null for a source
  const Unit *outer = nullptr;                 ///< what that function stands in
  const NameTable *names = nullptr;            ///< as in `ParsedProgram::Source`
  Units *program = nullptr;                    ///< null in the library
  const ImportedModule *imported = nullptr;    ///< what it is, where an import led to it

  const SourceFile &source() const { return *module->source; }
  /// Returns true if its imports are looked for in files.
  bool looksForFiles() const;
  /// Returns the module's name in other files, "pkg.utils"; of the one with the kernel, its file's name.
  std::string moduleName() const;
  ast::Block body() const { return function ? function->body : module->body; }
};

/// The sources of a program and, one within the other, the functions of its entry that a kernel stands in;
/// and the files that imports have led to so far.
class Units {
public:
  explicit Units(const ParsedProgram &program, llvm::ArrayRef<const ast::FunctionStmt *> around = {});
  Units(const Units &) = delete;
  Units &operator=(const Units &) = delete;

  const Unit &innermost() const { return *inner; }
  /// The source with this number, or null.
  const Unit *source(size_t number) const { return number < count ? &units[number] : nullptr; }
  /// The number of the source that `unit` is, or the number of sources.
  size_t numberOf(const Unit &unit) const;
  /// The text that has line `line` of the file `path`, or null.
  const SourceFile *holding(std::string_view path, uint32_t line) const;

  /// Returns the targets of imports; null where only the program's own sources are known.
  ImportedModules *imports() const { return imported; }
  /// `module`, which `imports` gave, as a source that takes part; null until it is added.
  const Unit *unitOf(const ImportedModule &module) const;
  /// Adds it, whose text has no errors.
  const Unit &add(const ImportedModule &module);

private:
  std::deque<Unit> units; ///< which point at each other
  size_t count;           ///< of the sources, which come first
  const Unit *inner;
  ImportedModules *imported;
};

} // namespace eval
} // namespace tegula
