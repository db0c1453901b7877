// Branches and loops whose course is known at compile time.
#include "compiler/frontend/Evaluator.h"
#include "compiler/frontend/Modules.h"

using namespace tegula;
using namespace tegula::eval;

std::optional<bool> Evaluator::condition(const Value &value, SourceRange range, std::string_view what) {
  if (value.isPoison())
    return std::nullopt;
  std::optional<bool> known = truth(value);
  if (!known)
    reporter.error(range, "expected a value known at compile time as " + std::string(what) + ", found " + describe(value));
  return known;
}

void Evaluator::poison(ast::Block block) {
  forEachBoundName(block, [&](std::string_view name) { frame->scope->set(name, {Poison(), {}}); });
}

Value Evaluator::evalConditional(const ast::ConditionalExpr &expr) {
  Value chosen = eval(expr.condition);
  std::optional<bool> known = condition(chosen, expr.condition->range, "the condition");
  return known ? eval(*known ? expr.thenValue : expr.elseValue) : Value(Poison());
}

Flow Evaluator::execIf(const ast::IfStmt &stmt, size_t branch) {
  for (; branch < stmt.branches.size(); ++branch) {
    const ast::IfBranch &part = stmt.branches[branch];
    std::optional<bool> known = condition(eval(part.condition), part.condition->range, "the condition of `if`");
    if (!known) {
      for (size_t i = branch; i < stmt.branches.size(); ++i)
        poison(stmt.branches[i].body);
      poison(stmt.elseBody);
      return Flow::Next;
    }
    if (*known)
      return execBlock(part.body);
  }
  return execBlock(stmt.elseBody);
}

Flow Evaluator::unroll(const ast::ForStmt &stmt, llvm::ArrayRef<Value> items) {
  for (const Value &item : items) {
    if (!step(stmt.range))
      return Flow::Next;
    assign(stmt.target, item, stmt.iterable->range);
    Flow flow = execBlock(stmt.body);
    if (flow == Flow::Return)
      return flow;
    if (flow == Flow::Break)
      return Flow::Next;
  }
  return execBlock(stmt.elseBody);
}

Flow Evaluator::execFor(const ast::ForStmt &stmt) {
  Value iterable = eval(stmt.iterable);
  std::optional<llvm::ArrayRef<Value>> items = iterate(iterable, stmt.iterable->range);
  if (items)
    return unroll(stmt, *items);
  poison({reinterpret_cast<const ast::Stmt *const *>(0), 0});
  return Flow::Next;
}

Flow Evaluator::execWhile(const ast::WhileStmt &stmt) {
  while (step(stmt.range)) {
    std::optional<bool> known = condition(eval(stmt.condition), stmt.condition->range, "the condition of `while`");
    if (!known || !*known)
      return Flow::Next;
    Flow flow = execBlock(stmt.body);
    if (flow == Flow::Return || flow == Flow::Break)
      return flow == Flow::Return ? flow : Flow::Next;
  }
  return Flow::Next;
}
