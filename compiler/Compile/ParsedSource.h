// What `Compiler::parse` keeps of a program.
#pragma once

#include "compiler/Compile.h"
#include "compiler/frontend/syntax/JitFunctions.h"
#include "compiler/frontend/syntax/Source.h"
#include "compiler/frontend/values/ParsedProgram.h"

namespace tegula {

/// The texts of a program's sources. Several may be excerpts of one file.
using SourceFiles = std::vector<std::shared_ptr<const SourceFile>>;

class ParsedSource {
public:
  /// Of the entry.
  const SourceFile &file() const { return *files[program.entry]; }
  const ast::Module &module() const { return program.module(); }

  /// Of all sources, those that were imported included.
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

/// The kernel that this definition, one of `source`, makes.
KernelInfo describeKernel(const ParsedSource &source, const ast::JitFunction &kernel);

} // namespace tegula
