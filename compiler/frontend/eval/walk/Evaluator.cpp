// A kernel as a whole, and the assignment of values to names.
#include "compiler/frontend/eval/walk/Evaluator.h"

#include "compiler/frontend/eval/Fixes.h"

using namespace tegula;
using namespace tegula::eval;

void Evaluator::run(const ast::FunctionStmt *kernel, Scope &scope) {
  Frame root{.unit = &user, .mode = Mode::Kernel, .scope = &scope, .function = kernel};
  root.activation = *reporter.current();
  Reporter::Scope active(reporter, root.activation);
  execBody(root);
}

void Evaluator::assignName(std::string_view name, SourceRange range, const Value &value, bool isConstexpr) {
  const Binding *known = frame->mode == Mode::Kernel ? frame->scope->findHere(name) : nullptr;
  // An unrolled loop declares its constants again each time.
  bool isSame = known && isConstexpr && known->isConstexpr && known->range.begin == range.begin;
  // A plain assignment begins a variable of its own, but none that a loop could carry.
  bool isRefused = known && (isConstexpr || (known->isConstexpr && frame->loops));
  if (isRefused && !isSame) {
    Diagnostic &diagnostic =
        reporter.error(range, asCode(name) + " is declared `constexpr` and already has a value");
    reporter.addNote(diagnostic, *frame->unit, known->range, "it got its value here");
    return;
  }
  const Binding binding{value, range, isConstexpr};
  frame->scope->set(name, binding);
  nameValue(name, binding);
}

/// `name: tl.constexpr = value`.
void Evaluator::assignConstant(const ast::NameExpr &name, const Value &given, SourceRange valueRange) {
  Value value = asConstant(given, valueRange);
  // A value of run time may stand there too, as in Triton: it is what it would be without the annotation.
  if (isRuntime(value))
    return assign(&name, value, valueRange);
  if (!isKnownThroughout(value, valueRange))
    value = Poison();
  assignName(name.id, name.range, value, /*isConstexpr=*/true);
}

void Evaluator::assignDeclared(const ast::Expr *target, const Value &value, SourceRange valueRange) {
  const auto *name = ast::as<ast::NameExpr>(target);
  const auto *tuple = ast::as<ast::TupleExpr>(target);
  const Tuple *items = value.as<Tuple>();
  if (name && llvm::is_contained(frame->declared, name->id)) {
    llvm::erase(frame->declared, name->id);
    return assignConstant(*name, value, valueRange);
  }
  if (!tuple || !items || aggregateOf(value) || items->items.size() != tuple->elements.size())
    return assign(target, decay(value, valueRange), valueRange);
  for (auto [element, item] : llvm::zip_equal(tuple->elements, items->items))
    assignDeclared(element, item, valueRange);
}

void Evaluator::assignSequence(ast::ExprList targets, const Value &value, SourceRange targetRange,
                               SourceRange valueRange) {
  auto starred = std::find_if(targets.begin(), targets.end(),
                              [](const ast::Expr *target) { return target->kind == ast::ExprKind::Starred; });
  std::optional<llvm::ArrayRef<Value>> items;
  if (value.is<Tensor>())
    reporter.error(valueRange, "expected a tuple of " + std::to_string(targets.size()) + " values, found " +
                                   describe(value));
  else
    items = iterate(value, valueRange);
  size_t fixed = targets.size() - (starred != targets.end() ? 1 : 0);
  const bool takesMore =
      starred != targets.end() || (frame->mode == Mode::Kernel && !language.checksUnpackedCounts);
  if (items && (items->size() < fixed || (!takesMore && items->size() > fixed))) {
    reporter.error(targetRange, "expected " + std::to_string(fixed) +
                                    (starred == targets.end() ? "" : " or more") +
                                    " values to unpack, found " + std::to_string(items->size()));
    items = std::nullopt;
  }
  for (size_t i = 0, next = 0; i < targets.size(); ++i) {
    const auto *star = ast::as<ast::StarredExpr>(targets[i]);
    size_t count = star && items ? items->size() - fixed : 1;
    Value part = Poison();
    if (items)
      part = star ? memory.tuple(items->slice(next, count), true, targetRange) : (*items)[next];
    next += count;
    assign(star ? star->value : targets[i], part, valueRange);
  }
}

void Evaluator::assign(const ast::Expr *target, const Value &value, SourceRange valueRange) {
  Depth guard(*this, target->range);
  if (!guard.ok)
    return;
  if (const auto *name = ast::as<ast::NameExpr>(target))
    return assignName(name->id, name->range, value);
  if (const std::optional<ast::ExprList> elements = ast::writtenElements(target))
    return assignSequence(*elements, value, target->range, valueRange);
  if (const auto *element = ast::as<ast::SubscriptExpr>(target)) {
    Diagnostic &diagnostic = reporter.error(target->range, "elements cannot be assigned");
    const auto *object = ast::as<ast::NameExpr>(element->object);
    const Binding *binding = object ? frame->scope->find(object->id) : nullptr;
    const Tensor *tensor = binding ? binding->value.as<Tensor>() : nullptr;
    diagnostic.help =
        tensor && tensor->dtype.isPointer()
            ? "memory is written with `tl.store(" + std::string(object->id) + " + offset, value)`"
            : "values never change: make a new tensor with `tl.where`, or write memory with `tl.store`";
    if (tensor && tensor->dtype.isPointer())
      addStoreFix(reporter, diagnostic, *element, valueRange);
  } else {
    classes.assign(*ast::as<ast::AttributeExpr>(target), value, valueRange);
  }
}
