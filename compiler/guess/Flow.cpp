#include "compiler/guess/Flow.h"

namespace tegula::guess {

/// The name under which a scope keeps what its function returns: no name of Python's.
static constexpr std::string_view returned = "return";

Flow::Flow(const ast::FunctionStmt &kernel, Names names) : names(std::move(names)) {
  seen.parameters.resize(kernel.parameters.size());
  Scope scope;
  for (unsigned i = 0; i < kernel.parameters.size(); ++i) {
    Flowing value = empty();
    value.sums.push_back(i);
    value.values.set(i);
    scope[kernel.parameters[i].name] = std::move(value);
  }
  block(kernel.body, scope, 0);
  block(kernel.body, scope, 0);
  note(scope);
}

Flowing Flow::empty() const {
  const unsigned count = seen.parameters.size();
  return {{}, ParameterSet(count), ParameterSet(count), ParameterSet(count), false};
}

Flowing Flow::join(const Flowing &left, const Flowing &right) const {
  Flowing both = left;
  for (unsigned parameter : right.sums)
    if (!llvm::is_contained(both.sums, parameter) && both.sums.size() < maxSummands)
      both.sums.push_back(parameter);
  both.values |= right.values;
  both.loaded |= right.loaded;
  both.sides |= right.sides;
  both.isTruth = false;
  return both;
}

void Flow::tagAddress(const Flowing &value) {
  mark(value.loaded, &Evidence::holdsIndices);
  for (unsigned parameter : value.values.set_bits())
    seen.parameters[parameter].add(Use::Address);
}

void Flow::tag(const Flowing &value, Use use) {
  for (unsigned parameter : value.sums)
    seen.parameters[parameter].add(use);
}

void Flow::mark(const ParameterSet &parameters, bool Evidence::*flag) {
  for (unsigned parameter : parameters.set_bits())
    seen.parameters[parameter].*flag = true;
}

void Flow::mark(const Summands &parameters, bool Evidence::*flag) {
  for (unsigned parameter : parameters)
    seen.parameters[parameter].*flag = true;
}

void Flow::note(const Scope &scope) {
  for (const auto &[name, value] : scope) {
    ParameterSet parts = value.values;
    parts |= value.loaded;
    if (parts.any())
      seen.names[std::string(name)] |= parts;
  }
}

Flowing Flow::block(ast::Block body, Scope &scope, unsigned depth) {
  for (const ast::Stmt *stmt : body) {
    if (isSpent())
      return empty();
    statement(*stmt, scope, depth);
  }
  const auto result = scope.find(returned);
  return result == scope.end() ? empty() : result->second;
}

void Flow::assign(const ast::Expr *target, const Flowing &value, const ast::Expr *from, Scope &scope,
                  unsigned depth) {
  if (const auto *name = ast::as<ast::NameExpr>(target)) {
    scope[name->id] = value;
    return;
  }
  const ast::ExprList targets = elementsOf(target), values = elementsOf(from);
  for (size_t i = 0; i < targets.size(); ++i)
    if (values.size() == targets.size())
      assign(targets[i], evaluate(values[i], scope, depth), values[i], scope, depth);
    else
      assign(targets[i], value, nullptr, scope, depth);
}

void Flow::condition(const ast::Expr *expr, Scope &scope, unsigned depth) {
  if (const auto *several = ast::as<ast::BoolExpr>(expr)) {
    for (const ast::Expr *one : several->operands)
      condition(one, scope, depth);
    return;
  }
  if (const auto *unary = ast::as<ast::UnaryExpr>(expr); unary && unary->op == ast::UnaryOp::Not)
    return condition(unary->operand, scope, depth);
  const Flowing value = evaluate(expr, scope, depth);
  if (ast::as<ast::NameExpr>(expr))
    tag(value, Use::Truth);
}

void Flow::branch(const ast::IfStmt &branches, Scope &scope, unsigned depth) {
  std::vector<Scope> sides;
  for (const ast::IfBranch &one : branches.branches) {
    condition(one.condition, scope, depth);
    sides.push_back(scope);
    block(one.body, sides.back(), depth);
  }
  block(branches.elseBody, scope, depth);
  for (Scope &side : sides)
    for (auto &[name, value] : side) {
      const auto [place, isNew] = scope.try_emplace(name, value);
      if (isNew)
        continue;
      if (!value.sums.empty() && !place->second.sums.empty() && value.sums != place->second.sums)
        seen.choices.emplace_back(value.sums, place->second.sums);
      place->second = join(place->second, value);
    }
}

void Flow::statement(const ast::Stmt &stmt, Scope &scope, unsigned depth) {
  if (const auto *assignment = ast::as<ast::AssignStmt>(&stmt)) {
    const Flowing value = evaluate(assignment->value, scope, depth);
    for (const ast::Expr *target : assignment->targets)
      assign(target, value, assignment->value, scope, depth);
  } else if (const auto *annotated = ast::as<ast::AnnAssignStmt>(&stmt)) {
    if (annotated->value)
      assign(annotated->target, evaluate(annotated->value, scope, depth), annotated->value, scope, depth);
  } else if (const auto *augmented = ast::as<ast::AugAssignStmt>(&stmt)) {
    const Flowing old = evaluate(augmented->target, scope, depth);
    const Flowing value = binary(augmented->op, old, evaluate(augmented->value, scope, depth));
    assign(augmented->target, value, nullptr, scope, depth);
  } else if (const auto *loop = ast::as<ast::ForStmt>(&stmt)) {
    Flowing item = evaluate(loop->iterable, scope, depth);
    if (ast::as<ast::NameExpr>(loop->iterable))
      mark(item.sums, &Evidence::isTuple);
    item.sums.clear();
    assign(loop->target, item, nullptr, scope, depth);
    block(loop->body, scope, depth);
  } else if (const auto *loop = ast::as<ast::WhileStmt>(&stmt)) {
    condition(loop->condition, scope, depth);
    block(loop->body, scope, depth);
  } else if (const auto *branches = ast::as<ast::IfStmt>(&stmt)) {
    branch(*branches, scope, depth);
  } else if (const auto *result = ast::as<ast::ReturnStmt>(&stmt)) {
    if (!result->value)
      return;
    const Flowing value = evaluate(result->value, scope, depth);
    const auto [place, isFirst] = scope.try_emplace(returned, value);
    if (!isFirst)
      place->second = join(place->second, value);
  } else if (const auto *expression = ast::as<ast::ExprStmt>(&stmt)) {
    evaluate(expression->value, scope, depth);
  } else if (const auto *assertion = ast::as<ast::AssertStmt>(&stmt)) {
    evaluate(assertion->condition, scope, depth);
  } else if (const auto *with = ast::as<ast::WithStmt>(&stmt)) {
    block(with->body, scope, depth);
  }
}

} // namespace tegula::guess
