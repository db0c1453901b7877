// What `Compiler::parse` keeps of a file.
#pragma once

#include "compiler/Compile.h"
#include "compiler/frontend/syntax/Ast.h"
#include "compiler/frontend/syntax/Source.h"

namespace tegula {

class ParsedSource {
public:
  std::shared_ptr<const SourceFile> file;
  std::unique_ptr<ast::Module> module;
  std::vector<Diagnostic> diagnostics; ///< of the parse
  bool hasErrors = false;              ///< one of them is an error: `module` must not be compiled
};

} // namespace tegula
