#include "compiler/frontend/syntax/ast/Ast.h"

#include "compiler/frontend/syntax/ast/AstArena.h"

namespace tegula::ast {

Module::Module(std::shared_ptr<const SourceFile> source)
    : source(std::move(source)), arena(std::make_unique<Arena>()) {}
Module::~Module() = default;

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
