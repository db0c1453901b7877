// Statements as text; expressions are in AstPrinterExpr.cpp.
#include "compiler/frontend/syntax/ast/AstPrinter.h"

#include "compiler/frontend/syntax/ast/ExprPrinter.h"

#include <fmt/format.h>

#include <iterator>

namespace tegula::ast {
namespace {

/// Writes statements line by line: as Python source, or as a tree with line numbers and kinds.
class StmtPrinter {
public:
  StmtPrinter(const SourceFile *source, unsigned indent) : source(source), indent(indent) {}

  void block(Block statements) {
    indent += 4;
    if (statements.empty() && !source)
      line("pass", {});
    for (const Stmt *stmt : statements)
      print(stmt);
    indent -= 4;
  }
  void print(const Stmt *stmt);

  std::string out;

private:
  /// One line: of a tree, with the line number of `range` and the kind of node in front.
  void line(std::string_view text, SourceRange range, std::string_view kind = {}) {
    if (source)
      fmt::format_to(std::back_inserter(out), "{:5}  ", source->line(range.begin));
    out.append(indent, ' ');
    if (source && !kind.empty())
      fmt::format_to(std::back_inserter(out), "{} ", kind);
    out += text;
    out += '\n';
  }
  /// `else:`, `finally:` and their like, where they are there.
  void clause(std::string_view text, Block body) {
    if (body.empty())
      return;
    line(text, body.front()->range);
    block(body);
  }

  std::string simple(const Stmt *stmt);
  std::string imported(std::span<const ImportAlias> names);
  void compound(const Stmt *stmt);
  void tryStatement(const TryStmt *stmt);
  void function(const FunctionStmt *stmt);
  void classStatement(const ClassStmt *stmt);
  void match(const MatchStmt *stmt);
  void decorators(ExprList list) {
    for (const Expr *decorator : list)
      line("@" + formatExpr(decorator), decorator->range);
  }

  const SourceFile *source; ///< null: plain Python
  unsigned indent;
};

std::string_view kindName(StmtKind kind) {
  static constexpr std::string_view names[] = {
      "Expr", "Assign", "AugAssign", "AnnAssign", "Return", "Raise", "Assert", "Delete",
      "Pass", "Break", "Continue", "Global", "Nonlocal", "Import", "ImportFrom", "TypeAlias",
      "If", "For", "While", "Try", "With", "Match", "Function", "Class"};
  static_assert(std::size(names) == size_t(StmtKind::Class) + 1);
  return names[size_t(kind)];
}

template <typename T> const T &of(const Stmt *stmt) { return *static_cast<const T *>(stmt); }

std::string withAssigned(std::string text, std::string_view op, const Expr *value) {
  if (value)
    text += fmt::format(" {} {}", op, formatValue(value));
  return text;
}

} // namespace

std::string StmtPrinter::imported(std::span<const ImportAlias> names) {
  std::string text;
  for (const ImportAlias &alias : names) {
    text += text.empty() ? "" : ", ";
    text += alias.name;
    if (!alias.asName.empty())
      text += fmt::format(" as {}", alias.asName);
  }
  return text;
}

/// The text of a statement without blocks.
std::string StmtPrinter::simple(const Stmt *stmt) {
  switch (stmt->kind) {
  case StmtKind::Expr: return formatValue(of<ExprStmt>(stmt).value);
  case StmtKind::Assign: {
    std::string text;
    for (const Expr *target : of<AssignStmt>(stmt).targets)
      text += formatExpr(target) + " = ";
    return text + formatValue(of<AssignStmt>(stmt).value);
  }
  case StmtKind::AugAssign: {
    const auto &assign = of<AugAssignStmt>(stmt);
    return withAssigned(formatExpr(assign.target), fmt::format("{}=", spelling(assign.op)), assign.value);
  }
  case StmtKind::AnnAssign: {
    const auto &assign = of<AnnAssignStmt>(stmt);
    return withAssigned(fmt::format("{}: {}", formatExpr(assign.target), formatTest(assign.annotation)), "=",
                        assign.value);
  }
  case StmtKind::Return: {
    const Expr *value = of<ReturnStmt>(stmt).value;
    return value ? "return " + formatTest(value) : "return";
  }
  case StmtKind::Raise: {
    const auto &raise = of<RaiseStmt>(stmt);
    return withAssigned(raise.exception ? "raise " + formatTest(raise.exception) : "raise", "from",
                        raise.cause);
  }
  case StmtKind::Assert: {
    const auto &check = of<AssertStmt>(stmt);
    return "assert " + formatTest(check.condition) + (check.message ? ", " + formatTest(check.message) : "");
  }
  case StmtKind::Delete: {
    std::string text;
    for (const Expr *target : of<DeleteStmt>(stmt).targets)
      text += (text.empty() ? "del " : ", ") + formatExpr(target);
    return text;
  }
  case StmtKind::Pass:
    return "pass";
  case StmtKind::Break:
    return "break";
  case StmtKind::Continue:
    return "continue";
  case StmtKind::Global:
    return fmt::format("global {}", fmt::join(of<GlobalStmt>(stmt).names, ", "));
  case StmtKind::Nonlocal:
    return fmt::format("nonlocal {}", fmt::join(of<NonlocalStmt>(stmt).names, ", "));
  case StmtKind::Import:
    return "import " + imported(of<ImportStmt>(stmt).names);
  case StmtKind::ImportFrom: {
    const auto &from = of<ImportFromStmt>(stmt);
    return fmt::format("from {}{} import {}", std::string(from.level, '.'), from.module,
                       from.star ? "*" : imported(from.names));
  }
  case StmtKind::TypeAlias: {
    const auto &alias = of<TypeAliasStmt>(stmt);
    return fmt::format("type {}{} = {}", alias.name, formatTypeParameters(alias.typeParameters),
                       formatTest(alias.value));
  }
  default: return {};
  }
}

void StmtPrinter::print(const Stmt *stmt) {
  if (stmt->kind < StmtKind::If)
    line(simple(stmt), stmt->range, kindName(stmt->kind));
  else
    compound(stmt);
}

void StmtPrinter::compound(const Stmt *stmt) {
  SourceRange range = stmt->range;
  switch (stmt->kind) {
  case StmtKind::If: {
    const auto &choice = of<IfStmt>(stmt);
    for (size_t i = 0; i < choice.branches.size(); ++i) {
      const IfBranch &branch = choice.branches[i];
      std::string text = fmt::format("{} {}:", i ? "elif" : "if", formatExpr(branch.condition));
      line(text, i ? branch.condition->range : range, i ? "" : "If");
      block(branch.body);
    }
    return clause("else:", choice.elseBody);
  }
  case StmtKind::For: {
    const auto &loop = of<ForStmt>(stmt);
    line(fmt::format("{}for {} in {}:", loop.isAsync ? "async " : "", formatExpr(loop.target),
                     formatTest(loop.iterable)), range, "For");
    block(loop.body);
    return clause("else:", loop.elseBody);
  }
  case StmtKind::While: {
    const auto &loop = of<WhileStmt>(stmt);
    line(fmt::format("while {}:", formatExpr(loop.condition)), range, "While");
    block(loop.body);
    return clause("else:", loop.elseBody);
  }
  case StmtKind::With: {
    const auto &with = of<WithStmt>(stmt);
    std::string text;
    for (const WithItem &item : with.items)
      text += (text.empty() ? "" : ", ") + withAssigned(formatTest(item.context), "as", item.target);
    line(fmt::format("{}with {}:", with.isAsync ? "async " : "", text), range, "With");
    return block(with.body);
  }
  case StmtKind::Try: return tryStatement(static_cast<const TryStmt *>(stmt));
  case StmtKind::Match: return match(static_cast<const MatchStmt *>(stmt));
  case StmtKind::Function: return function(static_cast<const FunctionStmt *>(stmt));
  case StmtKind::Class: return classStatement(static_cast<const ClassStmt *>(stmt));
  default: return;
  }
}

void StmtPrinter::tryStatement(const TryStmt *stmt) {
  line("try:", stmt->range, "Try");
  block(stmt->body);
  for (const ExceptHandler &handler : stmt->handlers) {
    std::string text = stmt->star ? "except*" : "except";
    if (handler.type)
      text += " " + formatExpr(handler.type);
    if (!handler.name.empty())
      text += fmt::format(" as {}", handler.name);
    line(text + ":", handler.body.empty() ? stmt->range : handler.body.front()->range);
    block(handler.body);
  }
  clause("else:", stmt->elseBody);
  clause("finally:", stmt->finallyBody);
}

void StmtPrinter::function(const FunctionStmt *stmt) {
  decorators(stmt->decorators);
  std::string returns = stmt->returns ? " -> " + formatTest(stmt->returns) : "";
  line(fmt::format("{}def {}{}({}){}:", stmt->isAsync ? "async " : "", stmt->name,
                   formatTypeParameters(stmt->typeParameters), formatParameters(stmt->parameters), returns),
       stmt->nameRange, "Function");
  block(stmt->body);
  if (source && stmt->errors) {
    indent += 4;
    for (const Diagnostic &error : *stmt->errors)
      line(fmt::format("error on line {}: {}", error.line, error.message), stmt->nameRange);
    indent -= 4;
  }
}

void StmtPrinter::classStatement(const ClassStmt *stmt) {
  decorators(stmt->decorators);
  std::string bases = stmt->arguments.empty() ? "" : "(" + formatArguments(stmt->arguments) + ")";
  line(fmt::format("class {}{}{}:", stmt->name, formatTypeParameters(stmt->typeParameters), bases),
       stmt->nameRange, "Class");
  block(stmt->body);
}

void StmtPrinter::match(const MatchStmt *stmt) {
  line(fmt::format("match {}:", formatExpr(stmt->subject)), stmt->range, "Match");
  indent += 4;
  for (const MatchCase &item : stmt->cases) {
    std::string guard = item.guard ? " if " + formatExpr(item.guard) : "";
    line(fmt::format("case {}{}:", formatPattern(item.pattern), guard), item.pattern->range);
    block(item.body);
  }
  indent -= 4;
}

static std::string printed(Block statements, const SourceFile *source, unsigned indent = 0) {
  StmtPrinter printer(source, indent);
  for (const Stmt *stmt : statements)
    printer.print(stmt);
  return std::move(printer.out);
}

std::string formatStmt(const Stmt *stmt, unsigned indent) { return printed({&stmt, 1}, nullptr, indent); }
std::string formatModule(const Module &module) { return printed(module.body, nullptr); }
std::string printModule(const Module &module) { return printed(module.body, module.source.get()); }

} // namespace tegula::ast
