#include "compiler/frontend/syntax/ast/AstWalk.h"

namespace tegula::ast {
namespace {

/// One walk. Trees are bounded in height, so that recursion is safe.
class Walk {
public:
  explicit Walk(const Visitor &visitor) : visitor(visitor) {}

  void block(Block statements) {
    for (const Stmt *stmt : statements)
      statement(stmt);
  }
  void statement(const Stmt *stmt) {
    if (stmt && (!visitor.statement || visitor.statement(*stmt)))
      partsOf(*stmt);
  }
  void expression(const Expr *expr) {
    if (expr && (!visitor.expression || visitor.expression(*expr)))
      partsOf(*expr);
  }

private:
  template <typename T> static const T &of(const Stmt &stmt) { return static_cast<const T &>(stmt); }
  template <typename T> static const T &of(const Expr &expr) { return static_cast<const T &>(expr); }

  void list(ExprList expressions) {
    for (const Expr *expr : expressions)
      expression(expr);
  }
  void arguments(std::span<const Argument> list) {
    for (const Argument &argument : list)
      expression(argument.value);
  }
  void parameters(Parameters list) {
    for (const Parameter &parameter : list) {
      expression(parameter.annotation);
      expression(parameter.defaultValue);
    }
  }
  void partsOf(const Stmt &stmt);
  void simple(const Stmt &stmt);
  void function(const FunctionStmt &function) {
    list(function.decorators);
    parameters(function.parameters);
    expression(function.returns);
    block(function.body);
  }
  void attempt(const TryStmt &attempt) {
    block(attempt.body);
    for (const ExceptHandler &handler : attempt.handlers) {
      expression(handler.type);
      block(handler.body);
    }
    block(attempt.elseBody);
    block(attempt.finallyBody);
  }
  void partsOf(const Expr &expr);
  void display(const Expr &expr);
  void strings(const FStringExpr &text) {
    for (const FStringPart &part : text.partList()) {
      expression(part.value);
      if (part.format)
        strings(*part.format);
    }
  }

  const Visitor &visitor;
};

void Walk::partsOf(const Stmt &stmt) {
  switch (stmt.kind) {
  case StmtKind::If:
    for (const IfBranch &branch : of<IfStmt>(stmt).branches) {
      expression(branch.condition);
      block(branch.body);
    }
    return block(of<IfStmt>(stmt).elseBody);
  case StmtKind::For:
    expression(of<ForStmt>(stmt).target);
    expression(of<ForStmt>(stmt).iterable);
    block(of<ForStmt>(stmt).body);
    return block(of<ForStmt>(stmt).elseBody);
  case StmtKind::While:
    expression(of<WhileStmt>(stmt).condition);
    block(of<WhileStmt>(stmt).body);
    return block(of<WhileStmt>(stmt).elseBody);
  case StmtKind::Try:
    return attempt(of<TryStmt>(stmt));
  case StmtKind::With:
    for (const WithItem &item : of<WithStmt>(stmt).items) {
      expression(item.context);
      expression(item.target);
    }
    return block(of<WithStmt>(stmt).body);
  case StmtKind::Match:
    expression(of<MatchStmt>(stmt).subject);
    for (const MatchCase &one : of<MatchStmt>(stmt).cases) {
      expression(one.guard);
      block(one.body);
    }
    return;
  case StmtKind::Function:
    return function(of<FunctionStmt>(stmt));
  case StmtKind::Class:
    list(of<ClassStmt>(stmt).decorators);
    arguments(of<ClassStmt>(stmt).arguments);
    return block(of<ClassStmt>(stmt).body);
  default:
    return simple(stmt);
  }
}

void Walk::simple(const Stmt &stmt) {
  switch (stmt.kind) {
  case StmtKind::Expr:
    return expression(of<ExprStmt>(stmt).value);
  case StmtKind::Assign:
    list(of<AssignStmt>(stmt).targets);
    return expression(of<AssignStmt>(stmt).value);
  case StmtKind::AugAssign:
    expression(of<AugAssignStmt>(stmt).target);
    return expression(of<AugAssignStmt>(stmt).value);
  case StmtKind::AnnAssign:
    expression(of<AnnAssignStmt>(stmt).target);
    expression(of<AnnAssignStmt>(stmt).annotation);
    return expression(of<AnnAssignStmt>(stmt).value);
  case StmtKind::Return:
    return expression(of<ReturnStmt>(stmt).value);
  case StmtKind::Raise:
    expression(of<RaiseStmt>(stmt).exception);
    return expression(of<RaiseStmt>(stmt).cause);
  case StmtKind::Assert:
    expression(of<AssertStmt>(stmt).condition);
    return expression(of<AssertStmt>(stmt).message);
  case StmtKind::Delete:
    return list(of<DeleteStmt>(stmt).targets);
  case StmtKind::TypeAlias:
    return expression(of<TypeAliasStmt>(stmt).value);
  default:
    return; // no expressions
  }
}

void Walk::partsOf(const Expr &expr) {
  switch (expr.kind) {
  case ExprKind::Unary:
    return expression(of<UnaryExpr>(expr).operand);
  case ExprKind::Binary:
    expression(of<BinaryExpr>(expr).left);
    return expression(of<BinaryExpr>(expr).right);
  case ExprKind::Bool:
    return list(of<BoolExpr>(expr).operands);
  case ExprKind::Compare:
    expression(of<CompareExpr>(expr).left);
    for (const CompareItem &item : of<CompareExpr>(expr).rest)
      expression(item.operand);
    return;
  case ExprKind::Conditional:
    expression(of<ConditionalExpr>(expr).thenValue);
    expression(of<ConditionalExpr>(expr).condition);
    return expression(of<ConditionalExpr>(expr).elseValue);
  case ExprKind::Lambda:
    parameters(of<LambdaExpr>(expr).parameters);
    return expression(of<LambdaExpr>(expr).body);
  case ExprKind::Call:
    expression(of<CallExpr>(expr).callee);
    return arguments(of<CallExpr>(expr).arguments);
  case ExprKind::Attribute:
    return expression(of<AttributeExpr>(expr).object);
  case ExprKind::Subscript:
    expression(of<SubscriptExpr>(expr).object);
    return expression(of<SubscriptExpr>(expr).index);
  case ExprKind::Slice:
    expression(of<SliceExpr>(expr).lower);
    expression(of<SliceExpr>(expr).upper);
    return expression(of<SliceExpr>(expr).step);
  case ExprKind::Starred:
    return expression(of<StarredExpr>(expr).value);
  case ExprKind::Walrus:
    expression(of<WalrusExpr>(expr).target);
    return expression(of<WalrusExpr>(expr).value);
  case ExprKind::Await:
    return expression(of<AwaitExpr>(expr).value);
  case ExprKind::Yield:
    return expression(of<YieldExpr>(expr).value);
  case ExprKind::YieldFrom:
    return expression(of<YieldFromExpr>(expr).value);
  default:
    return display(expr);
  }
}

void Walk::display(const Expr &expr) {
  switch (expr.kind) {
  case ExprKind::Tuple:
    return list(of<TupleExpr>(expr).elements);
  case ExprKind::List:
    return list(of<ListExpr>(expr).elements);
  case ExprKind::Set:
    return list(of<SetExpr>(expr).elements);
  case ExprKind::Dict:
    for (const DictItem &item : of<DictExpr>(expr).items) {
      expression(item.key);
      expression(item.value);
    }
    return;
  case ExprKind::Comprehension:
    expression(of<ComprehensionExpr>(expr).element);
    expression(of<ComprehensionExpr>(expr).value);
    for (const ComprehensionClause &clause : of<ComprehensionExpr>(expr).clauses) {
      expression(clause.target);
      expression(clause.iterable);
      list(clause.conditions);
    }
    return;
  case ExprKind::FString:
    return strings(of<FStringExpr>(expr));
  default:
    return; // a leaf
  }
}

} // namespace

void walk(Block block, const Visitor &visitor) { Walk(visitor).block(block); }
void walk(const Stmt *stmt, const Visitor &visitor) { Walk(visitor).statement(stmt); }
void walk(const Expr *expr, const Visitor &visitor) { Walk(visitor).expression(expr); }

} // namespace tegula::ast
