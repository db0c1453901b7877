#include "compiler/frontend/syntax/ast/AstWalk.h"

namespace tegula::ast {
namespace {

/// One walk. Trees are bounded in height, so that recursion is safe.
class Walk {
public:
  explicit Walk(const Visitor &visitor) : visitor(visitor) {}

  /// Visits nodes, and the nodes of lists, one after the other; null ones are left out.
  void visit(const auto &...nodes) { (one(nodes), ...); }

private:
  void one(const Stmt *stmt) {
    if (stmt && (!visitor.statement || visitor.statement(*stmt)))
      partsAsOneOf<ExprStmt, AssignStmt, AugAssignStmt, AnnAssignStmt, ReturnStmt, RaiseStmt, AssertStmt,
                   DeleteStmt, TypeAliasStmt, IfStmt, ForStmt, WhileStmt, TryStmt, WithStmt, MatchStmt,
                   FunctionStmt, ClassStmt>(*stmt);
  }
  void one(const Expr *expr) {
    if (expr && (!visitor.expression || visitor.expression(*expr)))
      partsAsOneOf<FStringExpr, TupleExpr, ListExpr, SetExpr, DictExpr, ComprehensionExpr, UnaryExpr,
                   BinaryExpr, BoolExpr, CompareExpr, ConditionalExpr, LambdaExpr, CallExpr, AttributeExpr,
                   SubscriptExpr, SliceExpr, StarredExpr, WalrusExpr, AwaitExpr, YieldExpr, YieldFromExpr>(
          *expr);
  }
  template <typename Node> void one(std::span<Node> list) {
    for (const auto &node : list)
      one(node);
  }

  /// Visits the parts of `node` as what it is of `Nodes`; other kinds have none.
  template <typename... Nodes> void partsAsOneOf(const auto &node) {
    (void)((node.kind == Nodes::classKind && (parts(static_cast<const Nodes &>(node)), true)) || ...);
  }

  // The parts of each kind of statement and expression, in the order of the text.
  void parts(const ExprStmt &stmt) { visit(stmt.value); }
  void parts(const AssignStmt &stmt) { visit(stmt.targets, stmt.value); }
  void parts(const AugAssignStmt &stmt) { visit(stmt.target, stmt.value); }
  void parts(const AnnAssignStmt &stmt) { visit(stmt.target, stmt.annotation, stmt.value); }
  void parts(const ReturnStmt &stmt) { visit(stmt.value); }
  void parts(const RaiseStmt &stmt) { visit(stmt.exception, stmt.cause); }
  void parts(const AssertStmt &stmt) { visit(stmt.condition, stmt.message); }
  void parts(const DeleteStmt &stmt) { visit(stmt.targets); }
  void parts(const TypeAliasStmt &stmt) { visit(stmt.value); }
  void parts(const IfStmt &stmt) { visit(stmt.branches, stmt.elseBody); }
  void parts(const ForStmt &stmt) { visit(stmt.target, stmt.iterable, stmt.body, stmt.elseBody); }
  void parts(const WhileStmt &stmt) { visit(stmt.condition, stmt.body, stmt.elseBody); }
  void parts(const TryStmt &stmt) { visit(stmt.body, stmt.handlers, stmt.elseBody, stmt.finallyBody); }
  void parts(const WithStmt &stmt) { visit(stmt.items, stmt.body); }
  void parts(const MatchStmt &stmt) { visit(stmt.subject, stmt.cases); }
  void parts(const FunctionStmt &stmt) { visit(stmt.decorators, stmt.parameters, stmt.returns, stmt.body); }
  void parts(const ClassStmt &stmt) { visit(stmt.decorators, stmt.arguments, stmt.body); }

  void parts(const FStringExpr &expr) { visit(expr.parts); }
  void parts(const TupleExpr &expr) { visit(expr.elements); }
  void parts(const ListExpr &expr) { visit(expr.elements); }
  void parts(const SetExpr &expr) { visit(expr.elements); }
  void parts(const DictExpr &expr) { visit(expr.items); }
  void parts(const ComprehensionExpr &expr) { visit(expr.element, expr.value, expr.clauses); }
  void parts(const UnaryExpr &expr) { visit(expr.operand); }
  void parts(const BinaryExpr &expr) { visit(expr.left, expr.right); }
  void parts(const BoolExpr &expr) { visit(expr.operands); }
  void parts(const CompareExpr &expr) { visit(expr.left, expr.rest); }
  void parts(const ConditionalExpr &expr) { visit(expr.thenValue, expr.condition, expr.elseValue); }
  void parts(const LambdaExpr &expr) { visit(expr.parameters, expr.body); }
  void parts(const CallExpr &expr) { visit(expr.callee, expr.arguments); }
  void parts(const AttributeExpr &expr) { visit(expr.object); }
  void parts(const SubscriptExpr &expr) { visit(expr.object, expr.index); }
  void parts(const SliceExpr &expr) { visit(expr.lower, expr.upper, expr.step); }
  void parts(const StarredExpr &expr) { visit(expr.value); }
  void parts(const WalrusExpr &expr) { visit(expr.target, expr.value); }
  void parts(const AwaitExpr &expr) { visit(expr.value); }
  void parts(const YieldExpr &expr) { visit(expr.value); }
  void parts(const YieldFromExpr &expr) { visit(expr.value); }

  // The members of their lists.
  void one(const IfBranch &branch) { visit(branch.condition, branch.body); }
  void one(const ExceptHandler &handler) { visit(handler.type, handler.body); }
  void one(const WithItem &item) { visit(item.context, item.target); }
  void one(const MatchCase &part) { visit(part.guard, part.body); }
  void one(const Argument &argument) { visit(argument.value); }
  void one(const Parameter &parameter) { visit(parameter.annotation, parameter.defaultValue); }
  void one(const CompareItem &item) { visit(item.operand); }
  void one(const DictItem &item) { visit(item.key, item.value); }
  void one(const ComprehensionClause &clause) { visit(clause.target, clause.iterable, clause.conditions); }
  void one(const FStringPart &part) {
    visit(part.value);
    if (part.format) // which is no expression of its own
      parts(*part.format);
  }

  const Visitor &visitor;
};

} // namespace

void walk(Block block, const Visitor &visitor) { Walk(visitor).visit(block); }
void walk(const Stmt *stmt, const Visitor &visitor) { Walk(visitor).visit(stmt); }
void walk(const Expr *expr, const Visitor &visitor) { Walk(visitor).visit(expr); }

} // namespace tegula::ast
