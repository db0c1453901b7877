// A value of an aggregate is a tuple whose names tell its class. `__init__` and other functions that are not
// jitted run as Python, with values of run time too; a field that they set gives every name of the value a
// new one.
#include "compiler/frontend/eval/classes/Aggregates.h"

#include "compiler/frontend/eval/calls/FunctionCall.h"
#include "compiler/frontend/eval/text/Bindings.h"
#include "compiler/frontend/eval/text/Decorators.h"
#include "compiler/frontend/values/Carried.h"

using namespace tegula;
using namespace tegula::eval;

std::optional<Function> AggregateClass::function(std::string_view name) const {
  for (const ast::Stmt *stmt : llvm::reverse(definition->body)) // the last of a name counts
    if (const auto *function = ast::as<ast::FunctionStmt>(stmt); function && function->name == name)
      return Function{function, unit};
  for (const AggregateClass *base : bases)
    if (std::optional<Function> found = base->function(name))
      return found;
  return std::nullopt;
}

const AggregateClass *Aggregates::classOf(const Value &type) {
  const Unknown *unknown = type.as<Unknown>();
  if (!unknown || !unknown->origin->type)
    return nullptr;
  const ast::ClassStmt &definition = *unknown->origin->type;
  if (auto known = classes.find(&definition); known != classes.end())
    return known->second.get();
  // Null while its bases are looked at: a class that derives from itself is none.
  classes[&definition] = nullptr;
  const Unit &unit = *unknown->origin->unit;
  // The decorators of a class that a host hands over have run.
  if (!unit.names && !evaluator.isDecorated(definition.decorators, unit, {"_aggregate", "aggregate"}))
    return nullptr;
  auto made = std::make_unique<AggregateClass>();
  made->definition = &definition;
  made->unit = &unit;
  auto add = [&](const AggregateField &field) {
    auto same =
        llvm::find_if(made->fields, [&](const AggregateField &one) { return one.name == field.name; });
    if (same == made->fields.end())
      made->fields.push_back(field);
    else
      *same = field;
  };
  for (const ast::Argument &argument : definition.arguments) {
    const AggregateClass *base = argument.kind == ast::ArgumentKind::Positional
                                     ? classOf(evaluator.evalHost(argument.value, unit))
                                     : nullptr;
    if (!base) {
      evaluator.reporter.error(argument.value->range, "an aggregate can only derive from other aggregates");
      return nullptr;
    }
    made->bases.push_back(base);
    llvm::for_each(base->fields, add);
  }
  for (const ast::Stmt *stmt : definition.body) {
    const auto *field = ast::as<ast::AnnAssignStmt>(stmt);
    if (const auto *name = field ? ast::as<ast::NameExpr>(field->target) : nullptr)
      add({name->id, field->annotation, field->value, &unit});
  }
  for (const AggregateField &field : made->fields)
    made->fieldNames.push_back(field.name);
  made->names = {definition.name, made->fieldNames, made.get()};
  return (classes[&definition] = std::move(made)).get();
}

/// Reports that `made` has no field `name`, with the nearest that it has.
void Aggregates::refuseField(const AggregateClass &made, std::string_view name, SourceRange range) {
  Diagnostic &diagnostic =
      evaluator.reporter.error(range, asCode(made.definition->name) + " has no field " + asCode(name));
  NearestName(name, made.fieldNames)
      .suggest(diagnostic, evaluator.reporter, {range.begin, range.begin + uint32_t(name.size())});
}

/// Returns true if `field` may hold `value`; false after a report.
bool Aggregates::fits(const AggregateClass &made, const AggregateField &field, const Value &value,
                      SourceRange range) {
  if (value.isPoison())
    return false;
  Value type;
  {
    Reporter::Quiet quiet(evaluator.reporter);
    type = evaluator.evalHost(field.annotation, *field.unit);
  }
  if (isInstance(value, type).value_or(true))
    return true;
  Diagnostic &diagnostic = evaluator.reporter.error(
      range, "expected " + std::string(field.unit->source().slice(field.annotation->range)) +
                 " for the field " + asCode(field.name) + " of " + asCode(made.definition->name) +
                 ", found " + describeType(value));
  evaluator.reporter.addNote(diagnostic, *field.unit, field.annotation->range, "the field is declared here");
  return false;
}

/// Makes an object of a class without an `__init__`: arguments are fields in their order, or by name.
Value Aggregates::fillFields(const AggregateClass &made, const Arguments &arguments, SourceRange range) {
  std::string name = asCode(made.definition->name);
  llvm::SmallVector<std::optional<Argument>, 8> given(made.fields.size());
  if (arguments.positional.size() > made.fields.size())
    return evaluator.reporter.refuse(arguments.positional[made.fields.size()].range,
                                     name + ": expected at most " + std::to_string(made.fields.size()) +
                                         " arguments, found " + std::to_string(arguments.positional.size()));
  for (auto [i, argument] : llvm::enumerate(arguments.positional))
    given[i] = argument;
  for (const auto &[keyword, argument] : arguments.keywords) {
    auto found = llvm::find(made.fieldNames, keyword);
    if (found == made.fieldNames.end()) {
      refuseField(made, keyword, argument.range);
      return Poison();
    }
    std::optional<Argument> &slot = given[size_t(found - made.fieldNames.begin())];
    if (slot)
      return evaluator.reporter.refuse(argument.range,
                                       name + ": field " + asCode(keyword) + " is given twice");
    slot = argument;
  }
  llvm::SmallVector<Value, 8> items;
  for (auto [field, argument] : llvm::zip_equal(made.fields, given)) {
    if (!argument && !field.defaultValue)
      return evaluator.reporter.refuse(range, name + ": missing argument " + asCode(field.name));
    items.push_back(argument ? argument->value : evaluator.evalHost(field.defaultValue, *field.unit));
    if (!fits(made, field, items.back(), argument ? argument->range : range))
      return Poison();
  }
  return evaluator.memory.tuple(items, false, range, &made.names);
}

Value Aggregates::construct(const AggregateClass &made, const Arguments &given, SourceRange range) {
  std::optional<Function> init = made.function("__init__");
  if (!init)
    return fillFields(made, given, range);
  const ast::FunctionStmt &definition = *init->definition;
  std::string name = asCode(made.definition->name);
  if (definition.isJit || definition.parameters.empty()) {
    Diagnostic &diagnostic = evaluator.reporter.error(
        range,
        "the `__init__` of " + name + (definition.isJit ? " cannot be a jit function" : " takes no `self`"));
    evaluator.reporter.addNote(diagnostic, *init->unit, definition.nameRange, "it is defined here");
    if (definition.isJit)
      diagnostic.help = "leave it undecorated: it runs while the kernel is compiled, and sets fields";
    return Poison();
  }
  Arguments arguments = given;
  llvm::SmallVector<Value, 8> unset(made.fields.size(), Value(Unset()));
  Value empty = evaluator.memory.tuple(unset, false, range, &made.names);
  if (empty.isPoison())
    return Poison();
  arguments.positional.insert(arguments.positional.begin(), Argument{empty, range, true});
  Scope &scope = evaluator.scopes.emplace_back();
  if (!bindParameters(evaluator, definition.parameters, arguments, *init->unit, name, range, scope))
    return Poison();
  Frame callee{.unit = init->unit,
               .mode = Mode::Host,
               .scope = &scope,
               .function = &definition,
               .self = definition.parameters.front().name,
               .parent = evaluator.frame,
               .activation = {init->unit, name + " is made here", range, evaluator.reporter.current()}};
  Reporter::Scope active(evaluator.reporter, callee.activation);
  if (!enterCall(evaluator, definition, *init->unit, range))
    return Poison();
  evaluator.execBody(callee);
  Value value = scope.findHere(callee.self)->value;
  const Tuple *tuple = value.as<Tuple>();
  for (size_t i = 0; tuple && i < tuple->items.size(); ++i) {
    if (tuple->items[i].isPoison())
      return Poison();
    if (!tuple->items[i].is<Unset>())
      continue;
    Diagnostic &diagnostic = evaluator.reporter.error(range, "the `__init__` of " + name + " sets no field " +
                                                                 asCode(made.fieldNames[i]));
    evaluator.reporter.addNote(diagnostic, *init->unit, definition.nameRange, "it is defined here");
    return Poison();
  }
  return value;
}

Value Aggregates::replaceFields(const Value &object,
                                llvm::ArrayRef<std::pair<std::string_view, Argument>> changes,
                                SourceRange range) {
  const AggregateClass &made = *aggregateOf(object);
  // Passed by name, as the class's `__init__` may have its parameters in any order.
  Arguments arguments;
  for (auto [name, item] : llvm::zip_equal(made.fieldNames, object.as<Tuple>()->items)) {
    auto changed = llvm::find_if(changes, [&](const auto &change) { return change.first == name; });
    arguments.keywords.emplace_back(name,
                                    changed == changes.end() ? Argument{item, range, true} : changed->second);
  }
  for (const auto &[name, argument] : changes)
    if (!llvm::is_contained(made.fieldNames, name)) {
      refuseField(made, name, argument.range);
      return Poison();
    }
  return construct(made, arguments, range);
}

/// Returns true if `self.name = value` is in a function of an aggregate that runs as Python: in its
/// `__init__`, or in any such function where the version has it so.
bool Aggregates::mayAssignTo(const ast::AttributeExpr &target) const {
  const auto *object = ast::as<ast::NameExpr>(target.object);
  if (const std::string_view self = evaluator.frame->self; !self.empty() && object)
    return object->id == self;
  return evaluator.frame->function && !evaluator.frame->function->isJit &&
         !evaluator.language.fixesFieldsOfAggregates;
}

/// `value` with the aggregate `before`, which may be within it, replaced by `after`.
static Value withObject(Memory &memory, const Value &value, const Tuple &before, const Value &after) {
  const Tuple *tuple = value.as<Tuple>();
  if (!tuple)
    return value;
  if (tuple->names == before.names && tuple->items.data() == before.items.data())
    return after;
  bool isChanged = false;
  llvm::SmallVector<Value, 8> items;
  for (const Value &item : tuple->items) {
    items.push_back(withObject(memory, item, before, after));
    const Tuple *now = items.back().as<Tuple>(), *was = item.as<Tuple>();
    isChanged |= now && now->items.data() != was->items.data();
  }
  return isChanged ? memory.tuple(items, tuple->isList, {}, tuple->names) : value;
}

/// Values never change here, so what changes an object gives a new one to every variable that is the object:
/// those of the functions that run as Python, out to the kernel's, whose own calls hand on values.
void Aggregates::replaceObject(const Tuple &before, const Value &after) {
  for (Frame *at = evaluator.frame; at; at = at->parent) {
    for (Scope *scope : {at->scope, at->around})
      if (scope)
        for (auto &[name, binding] : scope->bindings)
          if (const Value now = withObject(evaluator.memory, binding.value, before, after);
              !isIdentical(now, binding.value)) {
            binding.value = now;
            if (at == evaluator.frame)
              evaluator.nameValue(std::string_view(name), binding, /*kept=*/true);
          }
    if (at->function && at->function->isJit)
      return;
  }
}

void Aggregates::assign(const ast::AttributeExpr &target, const Value &value, SourceRange valueRange) {
  const Value object = evaluator.eval(target.object);
  if (object.isPoison())
    return;
  const AggregateClass *made = aggregateOf(object);
  if (!made || !mayAssignTo(target)) {
    Diagnostic &diagnostic = evaluator.reporter.error(target.range, "attributes cannot be assigned");
    if (made)
      diagnostic.help = "make another " + asCode(made->definition->name) + " with the value in it";
    return;
  }
  auto found = llvm::find(made->fieldNames, target.name);
  if (found == made->fieldNames.end())
    return refuseField(*made, target.name, target.range);
  const auto index = size_t(found - made->fieldNames.begin());
  const Tuple &before = *object.as<Tuple>();
  llvm::SmallVector<Value, 8> items(before.items);
  items[index] = fits(*made, made->fields[index], value, valueRange) ? value : Value(Poison());
  replaceObject(before, evaluator.memory.tuple(items, false, target.range, &made->names));
}

static bool assignsAttribute(const ast::Stmt *stmt) {
  bool found = false;
  forEachBinding(stmt, {[&](const ast::Expr *target) { found |= target->kind == ast::ExprKind::Attribute; },
                        [](std::string_view) {}, [](ast::Block) {}});
  return found;
}

/// Returns true if a function of the class, `__init__` apart, assigns to its fields.
static bool hasSetters(const AggregateClass &made) {
  auto isSetter = [](const ast::Stmt *stmt) {
    const auto *function = ast::as<ast::FunctionStmt>(stmt);
    return function && !function->isJit && function->name != "__init__" &&
           anyStatement(function->body, assignsAttribute);
  };
  return llvm::any_of(made.definition->body, isSetter) ||
         llvm::any_of(made.bases, [](const AggregateClass *base) { return hasSetters(*base); });
}

bool Aggregates::changesItself(const Value &value) const {
  const Tuple *tuple = value.as<Tuple>();
  if (!tuple || evaluator.language.fixesFieldsOfAggregates)
    return false;
  const AggregateClass *made = aggregateOf(value);
  return (made && hasSetters(*made)) ||
         llvm::any_of(tuple->items, [&](const Value &item) { return changesItself(item); });
}

bool Aggregates::hasFunction(const Function &function) const {
  if (function.self)
    return aggregateOf(*function.self);
  return llvm::any_of(llvm::make_second_range(classes), [&](const auto &made) {
    return made && llvm::is_contained(made->definition->body, function.definition);
  });
}

std::optional<Value> Aggregates::attribute(const Value &object, std::string_view name) {
  const AggregateClass &made = *aggregateOf(object);
  const Tuple &tuple = *object.as<Tuple>();
  if (auto found = llvm::find(made.fieldNames, name); found != made.fieldNames.end()) {
    const Value &item = tuple.items[size_t(found - made.fieldNames.begin())];
    return item.is<Unset>() ? std::nullopt : std::optional(item);
  }
  std::optional<Function> function = made.function(name);
  if (!function)
    return std::nullopt;
  auto isStatic = [](const ast::Expr *decorator) { return ast::decoratorName(decorator) == "staticmethod"; };
  if (llvm::none_of(function->definition->decorators, isStatic))
    function->self = evaluator.memory.keep(object);
  return Value(*function);
}
