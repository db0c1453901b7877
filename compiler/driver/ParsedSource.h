// A parsed program, as `Compiler::parse` keeps it.
#pragma once

#include "compiler/frontend/syntax/ast/JitFunctions.h"
#include "compiler/frontend/syntax/text/Source.h"
#include "compiler/frontend/values/ParsedProgram.h"
#include "compiler/spec/ModuleLoader.h"
#include "compiler/spec/SourceUnit.h"

namespace tegula {

/// The texts of a program's sources. Several may be excerpts of one file.
using SourceFiles = std::vector<std::shared_ptr<const SourceFile>>;

class ParsedSource {
public:
  /// The entry's file and tree.
  const SourceFile &file() const { return *files[program.entry]; }
  const ast::Module &module() const { return program.module(); }

  /// Returns the files of all sources, imported ones included.
  SourceFiles allFiles() const {
    SourceFiles all = files;
    if (imports)
      for (std::shared_ptr<const SourceFile> &file : imports->files())
        all.push_back(std::move(file));
    return all;
  }

  SourceFiles files; ///< one for each source
  std::vector<std::unique_ptr<ast::Module>> modules;
  std::vector<NameTable> names;
  std::unique_ptr<ImportedModules> imports; ///< or null
  ParsedProgram program;                    ///< of the above
  std::vector<Diagnostic> diagnostics;      ///< of the parse
  bool hasErrors = false;                   ///< one of them is an error: `program` must not be compiled
};

/// Parses once; syntax errors stand in the result.
std::shared_ptr<const ParsedSource> parseSource(std::string path, std::string text, ImportOptions imports);
/// The same for a program of several sources. Its kernels are those of `units[entry]`.
std::shared_ptr<const ParsedSource> parseSources(std::vector<SourceUnit> units, size_t entry);

/// The line of a place in a program and a caret under the column (both from 1), each ending in a newline: for
/// messages about places that become known after compilation. Empty where the place is in none of the
/// program's files, or in a line that no person wrote.
std::string excerptAt(const ParsedSource &program, std::string_view file, uint32_t line, uint32_t column);

} // namespace tegula
