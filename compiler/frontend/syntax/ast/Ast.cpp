#include "compiler/frontend/syntax/ast/Ast.h"

#include "compiler/frontend/syntax/ast/AstArena.h"

namespace tegula::ast {

Module::Module(std::shared_ptr<const SourceFile> source)
    : source(std::move(source)), arena(std::make_unique<Arena>()) {}
Module::~Module() = default;

std::optional<ExprList> writtenElements(const Expr *expr) {
  if (const auto *list = as<ListExpr>(expr))
    return list->elements;
  if (const auto *tuple = as<TupleExpr>(expr))
    return tuple->elements;
  return std::nullopt;
}

std::string_view decoratorName(const Expr *expr) {
  if (const auto *call = as<CallExpr>(expr))
    expr = call->callee;
  if (const auto *attribute = as<AttributeExpr>(expr))
    return attribute->name;
  const auto *name = as<NameExpr>(expr);
  return name ? name->id : std::string_view();
}

std::string_view spelling(UnaryOp op) {
  static constexpr std::string_view names[] = {"not", "-", "+", "~"};
  return names[size_t(op)];
}

std::string_view spelling(BinaryOp op) {
  static constexpr std::string_view names[] = {"+",  "-",  "*",  "@", "/", "//", "%",
                                               "**", "<<", ">>", "&", "^", "|"};
  return names[size_t(op)];
}

std::string_view spelling(BoolOp op) { return op == BoolOp::And ? "and" : "or"; }

std::string_view spelling(CompareOp op) {
  static constexpr std::string_view names[] = {"==", "!=", "<",      "<=", ">",
                                               ">=", "is", "is not", "in", "not in"};
  return names[size_t(op)];
}

} // namespace tegula::ast
