// Branches and loops whose course is known at compile time, and the choice between these and the ones
// that run on the device.
#include "compiler/frontend/eval/text/Bindings.h"
#include "compiler/frontend/eval/walk/Branches.h"
#include "compiler/frontend/eval/walk/Conditions.h"
#include "compiler/frontend/eval/walk/Evaluator.h"
#include "compiler/frontend/eval/walk/Loops.h"

using namespace tegula;
using namespace tegula::eval;

Value Evaluator::evalConditional(const ast::ConditionalExpr &expr) {
  std::optional<Condition> chosen = evalCondition(*this, expr.condition);
  if (!chosen)
    return Poison();
  if (chosen->known)
    return eval(*chosen->known ? expr.thenValue : expr.elseValue);
  return branch(*this, expr, chosen->runtime);
}

/// Returns true if the branch `index` alone returns a value, before a function that ends without one. Triton
/// then takes the type from there, also where a variable says that the branch is never taken.
static bool aloneReturnsValue(const ast::IfStmt &stmt, size_t index, const Frame &frame) {
  if (frame.unit->isLibrary || frame.loops || !hasReturn(stmt.branches[index].body, /*withValue=*/true))
    return false;
  for (size_t i = index + 1; i < stmt.branches.size(); ++i)
    if (hasReturn(stmt.branches[i].body))
      return false;
  for (const Continuation *after = frame.continuation; after; after = after->outer)
    if (hasReturn(after->rest))
      return false;
  return !hasReturn(stmt.elseBody);
}

Flow Evaluator::execIf(const ast::IfStmt &stmt, size_t index) {
  for (; index < stmt.branches.size(); ++index) {
    std::optional<Condition> chosen = evalCondition(*this, stmt.branches[index].condition);
    if (!chosen) {
      for (size_t i = index; i < stmt.branches.size(); ++i)
        poison(*this, stmt.branches[i].body);
      poison(*this, stmt.elseBody);
      return Flow::Next;
    }
    if (!chosen->known || (chosen->runtime && aloneReturnsValue(stmt, index, *frame)))
      return branch(*this, stmt, index, chosen->runtime, [&] { return execIf(stmt, index + 1); });
    if (*chosen->known)
      return execBlock(stmt.branches[index].body);
  }
  return execBlock(stmt.elseBody);
}

Flow Evaluator::unroll(const ast::ForStmt &stmt, llvm::ArrayRef<Value> items) {
  ++frame->loops;
  frame->isChosen = true;
  Flow flow = Flow::Next;
  for (const Value &item : items) {
    if (!step(stmt.range))
      break;
    assign(stmt.target, item, stmt.iterable->range);
    flow = execBlock(stmt.body);
    if (flow == Flow::Return || flow == Flow::Break)
      break;
  }
  --frame->loops;
  if (flow == Flow::Return || flow == Flow::Break)
    return flow == Flow::Return ? flow : Flow::Next;
  return execBlock(stmt.elseBody);
}

Flow Evaluator::execFor(const ast::ForStmt &stmt) {
  Value iterable = eval(stmt.iterable);
  const Range *range = iterable.as<Range>();
  bool onDevice = iterable.is<RuntimeRange>() || (range && !range->unrolled && frame->mode == Mode::Kernel);
  if (onDevice) {
    if (!stmt.elseBody.empty())
      reporter.error(stmt.range, "`else` after a loop cannot be used in a kernel");
    return loop(*this, stmt, iterable);
  }
  if (std::optional<llvm::ArrayRef<Value>> items = iterate(iterable, stmt.iterable->range))
    return unroll(stmt, *items);
  assign(stmt.target, Poison(), stmt.iterable->range);
  poison(*this, stmt.body);
  return Flow::Next;
}

Flow Evaluator::execWhile(const ast::WhileStmt &stmt) {
  if (frame->mode == Mode::Kernel) {
    if (!stmt.elseBody.empty())
      reporter.error(stmt.range, "`else` after a loop cannot be used in a kernel");
    return loop(*this, stmt);
  }
  while (step(stmt.range)) {
    std::optional<bool> known =
        knownCondition(*this, eval(stmt.condition), stmt.condition->range, "the condition of `while`");
    if (!known || !*known)
      return known ? execBlock(stmt.elseBody) : Flow::Next;
    Flow flow = execBlock(stmt.body);
    if (flow == Flow::Return || flow == Flow::Break)
      return flow == Flow::Return ? flow : Flow::Next;
  }
  return Flow::Next;
}
