// Branches and loops whose course is known at compile time, and the choice between these and the ones
// that run on the device.
#include "compiler/frontend/eval/Bindings.h"
#include "compiler/frontend/eval/Evaluator.h"

#include "mlir/IR/Matchers.h"

using namespace tegula;
using namespace tegula::eval;

Flow Evaluator::execBlock(ast::Block block) {
  const Continuation *outer = frame->continuation;
  Flow flow = Flow::Next;
  for (size_t i = 0; i < block.size() && flow == Flow::Next && !reporter.stopped(); ++i) {
    Continuation after{block.subspan(i + 1), outer};
    frame->continuation = &after;
    flow = exec(block[i]);
  }
  frame->continuation = outer;
  return flow;
}

std::optional<bool> Evaluator::condition(const Value &value, SourceRange range, std::string_view what) {
  if (value.isPoison() || !hasValue(value, range))
    return std::nullopt;
  std::optional<bool> known = truth(value);
  if (!known)
    reporter.error(range, "expected a value known at compile time as " + std::string(what) + ", found " +
                              describe(value));
  return known;
}

std::optional<Evaluator::Condition> Evaluator::evalCondition(const ast::Expr *expr) {
  Value value = eval(expr);
  if (value.isPoison() || !hasValue(value, expr->range))
    return std::nullopt;
  if (std::optional<bool> known = truth(value))
    return Condition{known, {}};
  const Tensor &tensor = *value.as<Tensor>();
  const bool isOne = llvm::all_of(tensor.shape(), [](int64_t side) { return side == 1; });
  if (frame->mode == Mode::Host || !isOne) {
    reporter.error(expr->range, "expected a scalar condition, found " + describe(value)).help =
        "choose between the elements of tensors with `tl.where`";
    return std::nullopt;
  }
  at(expr->range);
  if (!tensor.isScalar())
    reporter.report(Severity::Warning, expr->range, "the condition is a tensor of one element").help =
        "take it with `.item()`";
  std::optional<Tensor> flag = semantics.cast(emit.onlyElement(tensor), {ScalarKind::Int1}, expr->range);
  if (!flag)
    return std::nullopt;
  // A scalar that was assigned a constant: the branch is known after all.
  if (llvm::APInt known; mlir::matchPattern(flag->ir, mlir::m_ConstantInt(&known)))
    return Condition{known.getBoolValue(), flag->ir};
  return Condition{std::nullopt, flag->ir};
}

void Evaluator::poison(ast::Block block) {
  forEachBoundName(block, [&](std::string_view name) { frame->scope->set(name, {Poison(), {}}); });
}

Value Evaluator::evalConditional(const ast::ConditionalExpr &expr) {
  std::optional<Condition> chosen = evalCondition(expr.condition);
  if (!chosen)
    return Poison();
  if (chosen->known)
    return eval(*chosen->known ? expr.thenValue : expr.elseValue);
  return branch(expr, chosen->runtime);
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
    std::optional<Condition> chosen = evalCondition(stmt.branches[index].condition);
    if (!chosen) {
      for (size_t i = index; i < stmt.branches.size(); ++i)
        poison(stmt.branches[i].body);
      poison(stmt.elseBody);
      return Flow::Next;
    }
    if (!chosen->known || (chosen->runtime && aloneReturnsValue(stmt, index, *frame)))
      return branch(stmt, index, chosen->runtime);
    if (*chosen->known)
      return execBlock(stmt.branches[index].body);
  }
  return execBlock(stmt.elseBody);
}

Flow Evaluator::unroll(const ast::ForStmt &stmt, llvm::ArrayRef<Value> items) {
  ++frame->loops;
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
    return loop(stmt, iterable);
  }
  if (std::optional<llvm::ArrayRef<Value>> items = iterate(iterable, stmt.iterable->range))
    return unroll(stmt, *items);
  assign(stmt.target, Poison(), stmt.iterable->range);
  poison(stmt.body);
  return Flow::Next;
}

Flow Evaluator::execWhile(const ast::WhileStmt &stmt) {
  if (frame->mode == Mode::Kernel) {
    if (!stmt.elseBody.empty())
      reporter.error(stmt.range, "`else` after a loop cannot be used in a kernel");
    return loop(stmt);
  }
  while (step(stmt.range)) {
    std::optional<bool> known =
        condition(eval(stmt.condition), stmt.condition->range, "the condition of `while`");
    if (!known || !*known)
      return known ? execBlock(stmt.elseBody) : Flow::Next;
    Flow flow = execBlock(stmt.body);
    if (flow == Flow::Return || flow == Flow::Break)
      return flow == Flow::Return ? flow : Flow::Next;
  }
  return Flow::Next;
}
