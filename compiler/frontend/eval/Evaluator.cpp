// The evaluator's state, its limits, and the assignment of values to names.
#include "compiler/frontend/eval/BoundNames.h"
#include "compiler/frontend/eval/Call.h"
#include "compiler/frontend/eval/Globals.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

/// The version that `name` names; the default one for a name that the front end refuses later.
const LanguageVersion &versionOf(const std::string &name) {
  const LanguageVersion *found = lookupLanguageVersion(name);
  return found ? *found : defaultLanguageVersion();
}

/// Expressions and statements within each other, over all inlined calls: what the stack of a thread bears.
constexpr unsigned maxDepth = 600;

} // namespace

Evaluator::Evaluator(mlir::MLIRContext *context, const FunctionTable &functions, const Unit &user,
                     const KernelSpec &spec, DiagnosticEngine &diagnostics)
    : functions(functions), spec(spec), language(versionOf(spec.tritonVersion)),
      reporter(diagnostics, context), memory(reporter), emit(context),
      semantics(emit, reporter, language, /*sanitizeOverflow=*/spec.debug && spec.overflowChecks),
      constexprOps(memory, reporter), user(user), bound(std::make_unique<BoundNames>(*this)) {}

Evaluator::~Evaluator() = default;

Value Evaluator::known(const BoundValue &value, std::string_view name, SourceRange range) {
  return bound->given(value, name, range);
}

Evaluator::Depth::Depth(Evaluator &evaluator, SourceRange range) : evaluator(evaluator) {
  ok = ++evaluator.depth <= maxDepth;
  if (!ok && !evaluator.reporter.stopped())
    evaluator.reporter.fatal(range, "expressions, statements and calls nest deeper than " +
                                        std::to_string(maxDepth));
}

bool Evaluator::step(SourceRange range) {
  if (reporter.stopped() || !memory.charge(range))
    return false;
  if (emit.opCount() <= maxOps)
    return true;
  reporter.fatal(range, "the kernel exceeds its budget of " + std::to_string(maxOps) + " operations").help =
      "make unrolled loops shorter";
  return false;
}

void Evaluator::run(const ast::FunctionStmt *kernel, Scope &scope) {
  Frame root{.unit = &user, .mode = Mode::Kernel, .scope = &scope, .function = kernel};
  root.activation = *reporter.current();
  Reporter::Scope active(reporter, root.activation);
  execBody(root);
}

Globals &Evaluator::globalsOf(const Unit &unit) {
  for (auto &[known, held] : globals)
    if (known == &unit)
      return *held;
  return *globals.emplace_back(&unit, std::make_unique<Globals>(*this, unit)).second;
}

bool Evaluator::mayRead(const Value &value) const {
  bool plain = value.isNumber() || value.is<std::string_view>() || value.is<Tuple>() || value.is<Dict>() ||
               value.is<Lambda>() || value.is<Range>();
  return frame->mode == Mode::Host || !plain || value.wrapped;
}

std::optional<Value> Evaluator::findGlobal(const Unit &unit, std::string_view name, SourceRange range) {
  return unit.names ? bound->find(unit, name, range) : globalsOf(unit).find(name, range);
}

Value Evaluator::readGlobal(const Unit &unit, std::string_view name, SourceRange range) {
  const Unit *holder = &unit;
  std::optional<Value> value = findGlobal(unit, name, range);
  // A kernel in a function sees what that function binds, then what its parameters are, then the file.
  for (; !value && holder->outer && !unit.names; value = globalsOf(*holder).find(name, range)) {
    for (const ast::Parameter &parameter : holder->function->parameters)
      if (parameter.name == name)
        return memory.unknown(
            {UnknownOrigin::Kind::Parameter, name, holder->function->name, holder, parameter.nameRange});
    holder = holder->outer;
  }
  if (!value) {
    if (const Builtin *builtin = functions.builtin(name, InPython))
      return BuiltinRef{builtin};
    return undefinedName(name, range);
  }
  if (unit.isLibrary || mayRead(*value))
    return *value;
  std::string quoted = "`" + std::string(name) + "`";
  Diagnostic &diagnostic = reporter.error(range, "Cannot access global variable " + quoted +
                                                     ": it is not a constant that a kernel may read");
  if (!unit.names)
    reporter.addNote(diagnostic, unit, globalsOf(*holder).definition(name), quoted + " is assigned here");
  diagnostic.help =
      "write `" + std::string(name) + " = tl.constexpr(...)`, or pass it as a `tl.constexpr` parameter";
  return Poison();
}

Value Evaluator::decay(const Value &value, SourceRange range) {
  // An aggregate keeps the parts it was made of.
  if (aggregateOf(value))
    return value;
  if (const Tuple *tuple = value.as<Tuple>()) {
    llvm::SmallVector<Value, 8> items;
    for (const Value &item : tuple->items)
      items.push_back(decay(item, range));
    return memory.tuple(items, tuple->isList, range, tuple->names);
  }
  if (!value.isNumber()) {
    Value plain = value;
    plain.constant = nullptr;
    return plain;
  }
  at(range);
  return orPoison(semantics.toTensor(value, range));
}

/// `value` with `change` applied to what is in it, tuples apart.
static Value mapLeaves(Memory &memory, const Value &value, SourceRange range,
                       llvm::function_ref<Value(const Value &)> change) {
  const Tuple *tuple = value.as<Tuple>();
  if (!tuple || aggregateOf(value))
    return change(value);
  llvm::SmallVector<Value, 8> items;
  for (const Value &item : tuple->items)
    items.push_back(mapLeaves(memory, item, range, change));
  return memory.tuple(items, tuple->isList, range, tuple->names);
}

Value Evaluator::returned(const Value &value, SourceRange range) {
  if (language.keepsReturnedConstants)
    return value;
  return mapLeaves(memory, value, range, [&](const Value &leaf) {
    Value tensor = decay(leaf, range);
    if (leaf.isNumber() && tensor.is<Tensor>())
      tensor.constant = memory.keep(leaf);
    return tensor;
  });
}

Value Evaluator::asConstant(const Value &value, SourceRange range) {
  return mapLeaves(memory, value, range, [](const Value &leaf) { return knownOf(leaf); });
}

void Evaluator::assignName(std::string_view name, SourceRange range, const Value &value, bool isConstexpr) {
  const Binding *known = frame->mode == Mode::Kernel ? frame->scope->findHere(name) : nullptr;
  // An unrolled loop declares its constants again each time.
  bool isSame = known && isConstexpr && known->isConstexpr && known->range.begin == range.begin;
  // A plain assignment begins a variable of its own, but none that a loop could carry.
  bool isRefused = known && (isConstexpr || (known->isConstexpr && frame->loops));
  if (isRefused && !isSame) {
    Diagnostic &diagnostic =
        reporter.error(range, "`" + std::string(name) + "` is declared `constexpr` and already has a value");
    reporter.addNote(diagnostic, *frame->unit, known->range, "it got its value here");
    return;
  }
  frame->scope->set(name, {value, range, isConstexpr});
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
  if (const auto *tuple = ast::as<ast::TupleExpr>(target))
    return assignSequence(tuple->elements, value, target->range, valueRange);
  if (const auto *list = ast::as<ast::ListExpr>(target))
    return assignSequence(list->elements, value, target->range, valueRange);
  if (const auto *element = ast::as<ast::SubscriptExpr>(target)) {
    Diagnostic &diagnostic = reporter.error(target->range, "elements cannot be assigned");
    const auto *object = ast::as<ast::NameExpr>(element->object);
    const Binding *binding = object ? frame->scope->find(object->id) : nullptr;
    const Tensor *tensor = binding ? binding->value.as<Tensor>() : nullptr;
    diagnostic.help =
        tensor && tensor->dtype.isPointer()
            ? "memory is written with `tl.store(" + std::string(object->id) + " + offset, value)`"
            : "values never change: make a new tensor with `tl.where`, or write memory with `tl.store`";
  } else {
    assignAttribute(*ast::as<ast::AttributeExpr>(target), value, valueRange);
  }
}
