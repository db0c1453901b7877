// Comprehensions and f-strings: unrolled at compile time.
#include "compiler/frontend/eval/walk/Conditions.h"
#include "compiler/frontend/eval/walk/Evaluator.h"
#include "compiler/frontend/values/Formats.h"

using namespace tegula;
using namespace tegula::eval;

Value Evaluator::evalComprehension(const ast::ComprehensionExpr &expr) {
  // Its variables are its own, as in Python; those of the function around it remain in sight.
  scopes.emplace_back(frame->scope);
  Scope *outer = std::exchange(frame->scope, &scopes.back());
  Scope *around = std::exchange(frame->around, frame->around ? frame->around : outer);
  llvm::SmallVector<Value> keys, values;
  bool fine = evalClauses(expr, 0, keys, values);
  frame->scope = outer;
  frame->around = around;
  if (!fine)
    return Poison();
  if (expr.comprehension == ast::ComprehensionKind::Dict) {
    llvm::SmallVector<std::pair<Value, Value>> items;
    for (size_t i = 0; i < keys.size(); ++i)
      if (!setItem(items, keys[i], values[i], expr.range))
        return Poison();
    return memory.dict(items, expr.range);
  }
  return memory.tuple(keys, true, expr.range);
}

bool Evaluator::evalClauses(const ast::ComprehensionExpr &expr, size_t index,
                            llvm::SmallVectorImpl<Value> &keys, llvm::SmallVectorImpl<Value> &values) {
  if (index == expr.clauses.size()) {
    Value key = eval(expr.element), value = expr.value ? eval(expr.value) : Value(None());
    if (key.isPoison() || value.isPoison())
      return false;
    if (keys.size() >= maxTupleLeaves) {
      reporter.fatal(expr.range,
                     "expected at most " + std::to_string(maxTupleLeaves) + " values in a tuple or list");
      return false;
    }
    keys.push_back(key);
    values.push_back(value);
    return true;
  }
  const ast::ComprehensionClause &clause = expr.clauses[index];
  Value iterable = eval(clause.iterable);
  // A range is not spread out first: it may be longer than the budget, and its filter short.
  const Range *range = iterable.as<Range>();
  std::optional<llvm::ArrayRef<Value>> items;
  if (!range)
    items = iterate(iterable, clause.iterable->range);
  if (!range && !items)
    return false;
  for (uint64_t i = 0, n = range ? range->size() : items->size(); i < n; ++i) {
    if (!step(expr.range))
      return false;
    assign(clause.target, range ? Value(Int(range->at(i))) : (*items)[i], clause.iterable->range);
    bool wanted = true;
    for (const ast::Expr *filter : clause.conditions) {
      std::optional<bool> known =
          knownCondition(*this, eval(filter), filter->range, "a comprehension's filter");
      if (!known)
        return false;
      wanted = wanted && *known;
    }
    if (wanted && !evalClauses(expr, index + 1, keys, values))
      return false;
  }
  return true;
}

Value Evaluator::evalFString(const ast::FStringExpr &expr) {
  std::string out;
  for (const ast::FStringPart &part : expr.parts) {
    out += part.text;
    if (!part.value)
      continue;
    Value value = eval(part.value);
    if (value.isPoison() || !isKnownThroughout(value, part.value->range))
      return Poison();
    if (isRuntime(value)) {
      reporter
          .error(part.value->range,
                 "expected a value known at compile time in an f-string, found " + describe(value))
          .help = "print run-time values with `tl.device_print`";
      return Poison();
    }
    std::string spec;
    if (part.format) {
      Value text = evalFString(*part.format);
      if (text.isPoison())
        return Poison();
      spec = *text.as<std::string_view>();
    }
    if (part.conversion)
      value = memory.text(toText(value, part.conversion != 's'), part.value->range);
    std::optional<std::string> formatted = formatText(value, spec);
    if (!formatted)
      return reporter.refuse(part.value->range,
                             "expected a format for " + describe(value) + ", found " + asCode(spec));
    out += *formatted;
  }
  return memory.text(out, expr.range);
}
