// Expressions: names, literals, operators.
#include "compiler/frontend/eval/expressions/Operators.h"
#include "compiler/frontend/eval/walk/Evaluator.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

/// The value of digits in any base, with a prefix where that is not ten; absent when it needs more than 127
/// bits.
std::optional<Int> parseInteger(std::string_view text) {
  unsigned base = 10;
  if (text.size() > 2 && text[0] == '0') {
    const char prefix = char(text[1] | 0x20);
    base = prefix == 'x' ? 16 : prefix == 'o' ? 8 : 2;
    text.remove_prefix(2);
  }
  Int value = 0;
  for (char c : text) {
    if (c == '_')
      continue;
    int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
    if (__builtin_mul_overflow(value, Int(base), &value) || __builtin_add_overflow(value, Int(digit), &value))
      return std::nullopt;
  }
  return value;
}

std::string_view kindName(const ast::Expr &expr) {
  switch (expr.kind) {
  case ast::ExprKind::Lambda:
    return "a lambda";
  case ast::ExprKind::Dict:
    return "a dict";
  case ast::ExprKind::Set:
    return "a set";
  case ast::ExprKind::Await:
    return "`await`";
  case ast::ExprKind::Yield:
  case ast::ExprKind::YieldFrom:
    return "`yield`";
  case ast::ExprKind::Starred:
    return "`*` outside a call or list";
  case ast::ExprKind::Slice:
    return "a slice outside brackets";
  default:
    return "this expression";
  }
}

} // namespace

Value Evaluator::unsupported(const ast::Expr &expr) {
  std::string_view where = frame->mode == Mode::Kernel ? " in a kernel" : " at compile time";
  reporter.error(expr.range, std::string(kindName(expr)) + " cannot be used" + std::string(where)).basis =
      Basis::Text;
  return Poison();
}

Value Evaluator::eval(const ast::Expr *expr) {
  Depth guard(*this, expr->range);
  if (!guard.ok || !step(expr->range))
    return Poison();
  switch (expr->kind) {
  case ast::ExprKind::Name:
    return evalName(*ast::as<ast::NameExpr>(expr));
  case ast::ExprKind::Number:
    return evalNumber(*ast::as<ast::NumberExpr>(expr));
  case ast::ExprKind::String:
    return ast::as<ast::StringExpr>(expr)->value;
  case ast::ExprKind::FString:
    return evalFString(*ast::as<ast::FStringExpr>(expr));
  case ast::ExprKind::Constant: {
    switch (ast::as<ast::ConstantExpr>(expr)->constant) {
    case ast::ConstantKind::None:
      return None();
    case ast::ConstantKind::True:
      return true;
    case ast::ConstantKind::False:
      return false;
    case ast::ConstantKind::Ellipsis:
      return EllipsisValue();
    }
    return Poison();
  }
  case ast::ExprKind::Tuple:
    return evalSequence(ast::as<ast::TupleExpr>(expr)->elements, false, expr->range);
  case ast::ExprKind::List:
    return evalSequence(ast::as<ast::ListExpr>(expr)->elements, true, expr->range);
  case ast::ExprKind::Set: {
    if (frame->mode == Mode::Kernel)
      return unsupported(*expr);
    Value items = evalSequence(ast::as<ast::SetExpr>(expr)->elements, false, expr->range);
    const Tuple *tuple = items.as<Tuple>();
    return tuple ? distinct(tuple->items, expr->range) : items;
  }
  case ast::ExprKind::Dict:
    // Functions of libraries are listed by the types that they take.
    return frame->mode == Mode::Host || isInExtern() ? evalDict(*ast::as<ast::DictExpr>(expr))
                                                     : unsupported(*expr);
  case ast::ExprKind::Comprehension:
    return evalComprehension(*ast::as<ast::ComprehensionExpr>(expr));
  case ast::ExprKind::Unary: {
    const auto *unaryExpr = ast::as<ast::UnaryExpr>(expr);
    return unary(*this, unaryExpr->op, eval(unaryExpr->operand), expr->range);
  }
  case ast::ExprKind::Binary:
    return evalBinary(*ast::as<ast::BinaryExpr>(expr));
  case ast::ExprKind::Bool:
    return evalBool(*ast::as<ast::BoolExpr>(expr));
  case ast::ExprKind::Compare:
    return evalCompare(*ast::as<ast::CompareExpr>(expr));
  case ast::ExprKind::Conditional:
    return evalConditional(*ast::as<ast::ConditionalExpr>(expr));
  case ast::ExprKind::Lambda:
    if (frame->mode == Mode::Host)
      return Lambda{ast::as<ast::LambdaExpr>(expr), frame->unit, frame->scope};
    return unsupported(*expr);
  case ast::ExprKind::Call:
    return evalCall(*ast::as<ast::CallExpr>(expr));
  case ast::ExprKind::Attribute:
    return evalAttribute(*ast::as<ast::AttributeExpr>(expr));
  case ast::ExprKind::Subscript:
    return evalSubscript(*ast::as<ast::SubscriptExpr>(expr));
  case ast::ExprKind::Walrus:
    return evalWalrus(*ast::as<ast::WalrusExpr>(expr));
  default:
    return unsupported(*expr);
  }
}

Value Evaluator::evalName(const ast::NameExpr &expr) {
  if (const Binding *binding = frame->scope->find(expr.id)) {
    if (binding->isPartial) {
      Diagnostic &diagnostic = reporter.error(expr.range, asCode(expr.id) + " may have no value here");
      reporter.addNote(diagnostic, *frame->unit, binding->range, "it is assigned only in a branch or a loop");
      diagnostic.help = "give it a value before the branch or loop";
    }
    return binding->value;
  }
  return names.read(*frame->unit, expr.id, expr.range);
}

Value Evaluator::evalNumber(const ast::NumberExpr &expr) {
  if (expr.number == ast::NumberKind::Float)
    return expr.floatValue;
  if (expr.number == ast::NumberKind::Imaginary)
    return reporter.refuse(expr.range, "complex numbers cannot be used here");
  if (expr.intValue)
    return Int(*expr.intValue);
  if (std::optional<Int> value = parseInteger(expr.text))
    return *value;
  return reporter.refuse(expr.range, "expected an integer of at most 127 bits");
}

Value Evaluator::evalSequence(ast::ExprList elements, bool isList, SourceRange range) {
  llvm::SmallVector<Value, 8> items;
  for (const ast::Expr *element : elements) {
    const auto *starred = ast::as<ast::StarredExpr>(element);
    Value value = eval(starred ? starred->value : element);
    if (value.isPoison())
      return Poison();
    if (!starred) {
      items.push_back(value);
      continue;
    }
    std::optional<llvm::ArrayRef<Value>> inner = iterate(value, element->range);
    if (!inner)
      return Poison();
    items.append(inner->begin(), inner->end());
  }
  return memory.tuple(items, isList, range);
}

/// `items[key] = value`. False, after a report, past the budget or for a key without a value.
bool Evaluator::setItem(llvm::SmallVectorImpl<std::pair<Value, Value>> &items, const Value &key,
                        const Value &value, SourceRange range) {
  // Quadratic in the number of keys, hence charged as such.
  if (!isKnownThroughout(key, range) || !memory.charge(range, items.size()))
    return false;
  for (auto &[known, held] : items)
    if (constexprOps.equal(known, key)) {
      held = value;
      return true;
    }
  items.emplace_back(key, value);
  return true;
}

Value Evaluator::evalDict(const ast::DictExpr &expr) {
  llvm::SmallVector<std::pair<Value, Value>, 8> items;
  for (const ast::DictItem &item : expr.items) {
    Value value = eval(item.value);
    if (item.key) {
      Value key = eval(item.key);
      if (key.isPoison() || value.isPoison() || !setItem(items, key, value, item.key->range))
        return Poison();
    } else if (const Dict *dict = value.as<Dict>()) {
      for (const auto &[key, held] : dict->items)
        if (!setItem(items, key, held, item.value->range))
          return Poison();
    } else {
      if (!value.isPoison() && hasValue(value, item.value->range))
        reporter.error(item.value->range, "expected a dict after `**`, found " + describe(value));
      return Poison();
    }
  }
  return memory.dict(items, expr.range);
}

Value Evaluator::evalBinary(const ast::BinaryExpr &expr) {
  // `a + b + c + ...` leans to the left: its spine is walked without recursion.
  llvm::SmallVector<const ast::BinaryExpr *, 8> spine;
  const ast::Expr *left = &expr;
  for (const auto *node = &expr; node; node = ast::as<ast::BinaryExpr>(left)) {
    spine.push_back(node);
    left = node->left;
  }
  Value value = eval(left);
  while (!spine.empty()) {
    const ast::BinaryExpr *node = spine.pop_back_val();
    Value right = eval(node->right);
    llvm::SaveAndRestore operands(reporter.operands,
                                  std::optional(std::pair(node->left->range, node->right->range)));
    value = step(node->range) ? binary(*this, node->op, value, right, node->range) : Value(Poison());
  }
  return value;
}

Value Evaluator::evalCompare(const ast::CompareExpr &expr) {
  Value left = eval(expr.left);
  std::optional<Value> result;
  for (size_t i = 0; i < expr.rest.size(); ++i) {
    const ast::CompareItem &item = expr.rest[i];
    Value right = eval(item.operand);
    SourceRange range = expr.rest.size() == 1 ? expr.range : join(item.opRange, item.operand->range);
    Value part = compare(*this, item.op, left, right, range);
    if (part.isPoison() || expr.rest.size() == 1)
      return part;
    // Joined by `and`, which knows nothing of run-time values and takes them all.
    if (!result)
      result = part;
    else if (result->is<Tensor>() || part.is<Tensor>())
      result = semantics.logical(ast::BoolOp::And, *result, part, expr.range);
    else
      result = combine(part, *result, part);
    if (truth(*result) == false || result->isPoison())
      return *result;
    left = right;
  }
  return *result;
}

Value Evaluator::evalBool(const ast::BoolExpr &expr) {
  bool isAnd = expr.op == ast::BoolOp::And;
  Value result;
  bool runtime = false, poisoned = false, combined = false, isOfAggregates = false;
  for (const ast::Expr *operand : expr.operands) {
    Value value = eval(operand);
    if (value.isPoison() || !hasValue(value, operand->range)) {
      poisoned = true;
      continue;
    }
    if (aggregateOf(value) || aggregateOf(result)) {
      const bool isFirst = operand == expr.operands.front();
      result = isFirst ? value : classes.logical(expr.op, result, value, expr.range);
      isOfAggregates = true;
      runtime = result.is<Tensor>();
      continue;
    }
    if (std::optional<bool> known = truth(value)) {
      frame->isChosen = true;
      if (*known != isAnd)
        return poisoned ? Value(Poison()) : value;
      if (!runtime)
        result = value;
      continue;
    }
    at(expr.range);
    result = runtime ? semantics.logical(expr.op, result, value, expr.range) : value;
    combined = runtime;
    runtime = true;
  }
  if (poisoned || !runtime || (isOfAggregates && !result.is<Tensor>()))
    return poisoned ? Value(Poison()) : result;
  const Tensor *tensor = result.as<Tensor>();
  if (!tensor)
    return Poison();
  // Apart from constants only the value itself is left.
  if (!combined)
    return result;
  std::optional<Tensor> flag = semantics.cast(*tensor, {ScalarKind::Int1}, expr.range);
  return flag ? Value(*flag) : Value(Poison());
}

Value Evaluator::evalWalrus(const ast::WalrusExpr &expr) {
  Value value = eval(expr.value);
  if (frame->mode == Mode::Kernel && llvm::is_contained(frame->declared, expr.target->id)) {
    assignDeclared(expr.target, value, expr.value->range);
    const Binding *binding = frame->scope->findHere(expr.target->id);
    return binding ? binding->value : Value(Poison());
  }
  if (frame->mode == Mode::Kernel)
    value = decay(value, expr.value->range);
  // In a comprehension it binds a name of what that stands in.
  Scope *inner = std::exchange(frame->scope, frame->around ? frame->around : frame->scope);
  assignName(expr.target->id, expr.target->range, value);
  frame->scope = inner;
  return value;
}
