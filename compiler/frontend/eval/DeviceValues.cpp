#include "compiler/frontend/eval/DeviceValues.h"

#include "compiler/frontend/eval/text/Bindings.h"
#include "compiler/frontend/values/Builtin.h"

#include "llvm/ADT/StringSet.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

/// One question: names that were met are taken for values of the device while others of their bindings are
/// looked at.
class Search {
public:
  explicit Search(Evaluation &evaluator) : evaluator(evaluator) {}

  bool holds(const ast::Expr *expr) {
    if (const auto *name = ast::as<ast::NameExpr>(expr))
      return holdsOfName(name->id);
    if (const auto *call = ast::as<ast::CallExpr>(expr))
      return makesDeviceValue(call->callee);
    if (const auto *unary = ast::as<ast::UnaryExpr>(expr))
      return unary->op != ast::UnaryOp::Not && holds(unary->operand);
    const auto *binary = ast::as<ast::BinaryExpr>(expr);
    return binary && (holds(binary->left) || holds(binary->right));
  }

private:
  /// Returns true if `callee` is a function of the language that returns neither tuples nor constants.
  bool makesDeviceValue(const ast::Expr *callee) {
    if (!isPath(callee))
      return false;
    Reporter::Quiet quiet(evaluator.reporter);
    const Value value = evaluator.eval(callee);
    const BuiltinRef *function = value.as<BuiltinRef>();
    constexpr std::string_view making[] = {"arange", "zeros",      "full",        "load",
                                           "dot",    "program_id", "num_programs"};
    return function && !function->self && llvm::is_contained(making, function->builtin->name);
  }

  bool holdsOfName(std::string_view name) {
    const ast::FunctionStmt *function = evaluator.frame->function;
    auto isNamed = [&](const ast::Parameter &parameter) { return parameter.name == name; };
    if (!function || llvm::any_of(function->parameters, isNamed) || !binds(function->body, name))
      return false;
    return !met.insert(name).second || !anyStatement(function->body, [&](const ast::Stmt *stmt) {
      return bindsByItself(stmt, name) && !assigns(stmt);
    });
  }

  /// Returns true if `stmt` binds `name` otherwise than by the statements in it.
  static bool bindsByItself(const ast::Stmt *stmt, std::string_view name) {
    bool found = false;
    forEachNamed(stmt, [&](const ast::NameExpr *named) { found |= named->id == name; });
    ast::forEachBinding(stmt, {[&](const ast::Expr *target) { found |= ast::bindsTarget(target, name); },
                               [&](std::string_view bound) { found |= bound == name; },
                               {}});
    return found;
  }

  /// Returns true if `stmt` gives a name such a value, or changes one that it has by an operator.
  bool assigns(const ast::Stmt *stmt) {
    auto isName = [](const ast::Expr *target) { return ast::as<ast::NameExpr>(target) != nullptr; };
    if (const auto *change = ast::as<ast::AugAssignStmt>(stmt))
      return isName(change->target);
    const auto *assign = ast::as<ast::AssignStmt>(stmt);
    return assign && llvm::all_of(assign->targets, isName) && holds(assign->value);
  }

  Evaluation &evaluator;
  llvm::StringSet<> met;
};

} // namespace

bool eval::isDeviceValue(Evaluation &evaluator, const ast::Expr *expr) {
  return expr && Search(evaluator).holds(expr);
}
