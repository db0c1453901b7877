// Helpers of the syntax tests: parsing a text, and returning its one expression or its errors.
#pragma once

#include "compiler/frontend/syntax/ast/AstPrinter.h"
#include "compiler/frontend/syntax/parse/Parser.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tegula::test {

struct Parsed {
  std::unique_ptr<ast::Module> module;
  std::vector<Diagnostic> diagnostics;

  /// Those of the file, then those of functions that keep their own.
  std::vector<Diagnostic> all() const {
    std::vector<Diagnostic> result = diagnostics;
    for (const auto &errors : module->deferredErrors)
      result.insert(result.end(), errors->begin(), errors->end());
    return result;
  }
};

inline Parsed parse(std::string text) {
  DiagnosticEngine engine;
  Parsed parsed;
  parsed.module = parseModule(std::make_shared<SourceFile>("kernel.py", std::move(text)), engine);
  parsed.diagnostics = engine.take();
  return parsed;
}

/// The text of `source` printed back; what went wrong when it does not parse.
inline std::string reprint(const std::string &source) {
  Parsed parsed = parse(source);
  std::vector<Diagnostic> errors = parsed.all();
  return errors.empty() ? ast::formatModule(*parsed.module) : render(errors);
}

/// The same for one expression, without the line end.
inline std::string reprintExpr(const std::string &source) {
  std::string text = reprint(source + "\n");
  if (!text.empty() && text.back() == '\n')
    text.pop_back();
  return text;
}

/// The value of the expression statement that is all of `source`.
inline const ast::Expr *onlyExpr(const Parsed &parsed) {
  if (!parsed.diagnostics.empty() || parsed.module->body.size() != 1)
    return nullptr;
  const auto *stmt = ast::as<ast::ExprStmt>(parsed.module->body[0]);
  return stmt ? stmt->value : nullptr;
}

} // namespace tegula::test
