#include "tools/tegula/lsp/Names.h"

#include "compiler/frontend/syntax/ast/AstWalk.h"
#include "compiler/frontend/syntax/ast/Bindings.h"
#include "compiler/frontend/syntax/parse/Lexer.h"
#include "compiler/guess/Guess.h"
#include "compiler/guess/NameHints.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace tegula::cli {
namespace {

bool holds(SourceRange range, uint32_t offset) { return range.begin <= offset && offset <= range.end; }

/// Collects the names of one function.
class Collector {
public:
  explicit Collector(const ast::FunctionStmt &function) {
    for (const ast::Parameter &parameter : function.parameters)
      add(parameter.name, parameter.nameRange, true, true);
    ast::walk(function.body, {[&](const ast::Stmt &stmt) {
                                bind(stmt);
                                return stmt.kind != ast::StmtKind::Function &&
                                       stmt.kind != ast::StmtKind::Class;
                              },
                              [&](const ast::Expr &expr) {
                                use(expr);
                                return expr.kind != ast::ExprKind::Lambda;
                              }});
  }

  std::vector<LocalName> take() {
    std::vector<LocalName> found;
    for (auto &[name, entry] : names)
      if (entry.isBound) {
        std::sort(entry.local.places.begin(), entry.local.places.end(),
                  [](SourceRange left, SourceRange right) { return left.begin < right.begin; });
        found.push_back(std::move(entry.local));
      }
    std::sort(found.begin(), found.end(), [](const LocalName &left, const LocalName &right) {
      return left.places.front().begin < right.places.front().begin;
    });
    return found;
  }

private:
  struct Entry {
    LocalName local;
    bool isBound = false;
  };

  void add(std::string_view name, SourceRange range, bool binds, bool isParameter = false) {
    Entry &entry = names[name];
    entry.local.name = name;
    entry.local.isParameter |= isParameter;
    entry.isBound |= binds;
    if (std::find(entry.local.places.begin(), entry.local.places.end(), range) == entry.local.places.end())
      entry.local.places.push_back(range);
  }
  void bindTarget(const ast::Expr *target) {
    ast::forEachTargetName(target, [&](const ast::NameExpr &name) { add(name.id, name.range, true); });
  }
  void bind(const ast::Stmt &stmt) {
    ast::forEachBinding(&stmt, {.target = [&](const ast::Expr *target) { bindTarget(target); }});
    // An annotation alone binds nothing, but in a text that is being written the value is yet to come.
    if (const auto *annotated = ast::as<ast::AnnAssignStmt>(&stmt))
      bindTarget(annotated->target);
  }
  void use(const ast::Expr &expr) {
    if (const auto *name = ast::as<ast::NameExpr>(&expr))
      add(name->id, name->range, false);
    else if (const auto *walrus = ast::as<ast::WalrusExpr>(&expr))
      add(walrus->target->id, walrus->target->range, true);
    else if (const auto *comprehension = ast::as<ast::ComprehensionExpr>(&expr))
      for (const ast::ComprehensionClause &clause : comprehension->clauses)
        bindTarget(clause.target);
  }

  std::map<std::string_view, Entry> names;
};

} // namespace

std::vector<LocalName> localNames(const ast::FunctionStmt &function) { return Collector(function).take(); }

std::optional<LocalName> localName(const ast::FunctionStmt &function, std::string_view name) {
  for (LocalName &local : localNames(function))
    if (local.name == name)
      return std::move(local);
  return std::nullopt;
}

std::optional<NameAt> nameAt(const ParsedSource &source, uint32_t offset) {
  NameAt found{.function = jitFunctionAt(source, offset)};
  if (!found.function)
    return std::nullopt;
  if (holds(found.function->nameRange, offset)) {
    found.name = found.dotted = found.function->name;
    found.range = found.function->nameRange;
    return found;
  }
  for (const ast::Parameter &parameter : found.function->parameters)
    if (holds(parameter.nameRange, offset)) {
      found.name = found.dotted = parameter.name;
      found.range = parameter.nameRange;
      found.isLocal = true;
      return found;
    }
  auto look = [&](const ast::Expr &expr) {
    if (const auto *name = ast::as<ast::NameExpr>(&expr); name && holds(name->range, offset)) {
      found.name = found.dotted = name->id;
      found.range = name->range;
    } else if (const auto *attribute = ast::as<ast::AttributeExpr>(&expr);
               attribute && holds(attribute->nameRange, offset)) {
      found.name = attribute->name;
      found.dotted = guess::dottedName(attribute);
      found.isMethod = found.dotted.empty();
      found.range = attribute->nameRange;
    }
    return true;
  };
  const ast::Stmt *whole = found.function;
  ast::walk(whole, {[](const ast::Stmt &) { return true; }, look});
  if (found.name.empty())
    return std::nullopt;
  const std::string root = found.dotted.substr(0, found.dotted.find('.'));
  const bool isOfLocal = localName(*found.function, root).has_value();
  found.isLocal = isOfLocal && root == found.dotted;
  found.isMethod |= isOfLocal && root != found.dotted;
  return found;
}

std::optional<FilePlace> definitionOf(const ParsedSource &source, const NameAt &name) {
  if (const guess::FoundFunction found = guess::jitFunction(source, name.dotted); found.function)
    return FilePlace{found.module->source.get(), found.function->nameRange};
  std::optional<SourceRange> place;
  for (const ast::Stmt *stmt : source.module().body) {
    if (const auto *function = ast::as<ast::FunctionStmt>(stmt); function && function->name == name.dotted)
      place = function->nameRange;
    else if (const auto *type = ast::as<ast::ClassStmt>(stmt); type && type->name == name.dotted)
      place = type->nameRange;
    else if (const auto *assignment = ast::as<ast::AssignStmt>(stmt))
      for (const ast::Expr *target : assignment->targets)
        if (const auto *bound = ast::as<ast::NameExpr>(target); bound && bound->id == name.dotted)
          place = bound->range;
    if (const auto *annotated = ast::as<ast::AnnAssignStmt>(stmt))
      if (const auto *bound = ast::as<ast::NameExpr>(annotated->target); bound && bound->id == name.dotted)
        place = bound->range;
  }
  if (!place)
    return std::nullopt;
  return FilePlace{&source.file(), *place};
}

static bool isIdentifier(const std::string &name) {
  const SourceFile file("name", name);
  DiagnosticEngine problems;
  const std::vector<syntax::Token> tokens = syntax::tokenize(file, problems);
  return !problems.hasErrors() && !tokens.empty() && tokens.front().kind == syntax::TokenKind::Name &&
         tokens.front().range.end == name.size() && tokens.front().range.begin == 0;
}

std::string whyNotRename(const ast::FunctionStmt &function, const LocalName &local, const std::string &name) {
  if (local.isParameter)
    return fmt::format("`{}` is a parameter, which launches and callers name", local.name);
  if (!isIdentifier(name))
    return fmt::format("`{}` is no name", name);
  bool isTaken = false;
  const ast::Stmt *whole = &function;
  ast::walk(whole, {[](const ast::Stmt &) { return true; },
                    [&](const ast::Expr &expr) {
                      const auto *other = ast::as<ast::NameExpr>(&expr);
                      isTaken |= other && other->id == name;
                      return true;
                    }});
  isTaken |= localName(function, name).has_value();
  return isTaken ? fmt::format("`{}` means something else in `{}`", name, function.name) : std::string();
}

} // namespace tegula::cli
