// Attributes and subscripts.
#include "compiler/frontend/eval/Advice.h"
#include "compiler/frontend/eval/Fixes.h"
#include "compiler/frontend/eval/expressions/Attributes.h"
#include "compiler/frontend/eval/expressions/Subscripts.h"
#include "compiler/frontend/eval/names/Environment.h"
#include "compiler/frontend/eval/text/Bindings.h"
#include "compiler/frontend/eval/walk/Evaluator.h"

using namespace tegula;
using namespace tegula::eval;

/// Reports `tl.load` where `tl` is a parameter or a variable that hides the module. `object` has no such
/// attribute itself.
bool Evaluator::isShadowed(const ast::AttributeExpr &expr, const Value &object) {
  const auto *name = ast::as<ast::NameExpr>(expr.object);
  const Binding *binding = name ? frame->scope->find(name->id) : nullptr;
  if (!binding || object.is<ModuleRef>())
    return false;
  std::optional<Value> hidden;
  {
    Reporter::Quiet quiet(reporter);
    hidden = names.find(*frame->unit, name->id, name->range);
  }
  const ModuleRef *module = hidden ? hidden->as<ModuleRef>() : nullptr;
  if (!module || !findAttribute(*module, expr.name, expr.nameRange))
    return false;
  std::string quoted = asCode(name->id);
  Diagnostic &diagnostic = reporter.error(name->range, quoted + " is " + describe(object) +
                                                           " here, not the module " + asCode(module->name));
  reporter.addNote(diagnostic, *frame->unit, binding->range, quoted + " gets this value here");
  diagnostic.help = "give the variable another name";
  return true;
}

Value Evaluator::evalAttribute(const ast::AttributeExpr &expr) {
  const bool isFirst = asked.empty();
  Value object = eval(expr.object);
  if (object.isPoison()) {
    if (isFirst && !asked.empty() && isPath(expr.object))
      asked += "." + std::string(expr.name);
    return Poison();
  }
  at(expr.range);
  if (!object.is<Unknown>())
    if (std::optional<Value> found = findAttribute(object, expr.name, expr.nameRange))
      return *found;
  return isShadowed(expr, object) ? Value(Poison()) : attribute(object, expr.name, expr.nameRange);
}

std::optional<Value> Evaluator::findAttribute(const Value &object, std::string_view name, SourceRange range) {
  if (object.is<ModuleRef>() || object.is<FileModule>() || object.is<HostObject>())
    return names.attribute(object, name, range);
  return aggregateOf(object) ? classes.attribute(object, name) : attributeOf(*this, object, name, range);
}

std::optional<Value> Evaluator::classAttribute(const UnknownOrigin &type, std::string_view name,
                                               SourceRange range) {
  Depth guard(*this, range);
  if (!guard.ok)
    return Value(Poison());
  std::optional<Value> found;
  for (const ast::Stmt *stmt : type.type->body) {
    if (const auto *function = ast::as<ast::FunctionStmt>(stmt); function && function->name == name)
      found = function->isJit || frame->mode == Mode::Host || classes.classOf(Value(Unknown{&type}))
                  ? std::optional<Value>(Function{function, type.unit})
                  : std::nullopt;
    const auto *assign = ast::as<ast::AssignStmt>(stmt);
    const auto *annotated = ast::as<ast::AnnAssignStmt>(stmt);
    if ((assign && bindsTarget(assign->targets.front(), name) &&
         assign->targets.front()->kind == ast::ExprKind::Name) ||
        (annotated && annotated->value && bindsTarget(annotated->target, name)))
      found = evalHost(assign ? assign->value : annotated->value, *type.unit);
  }
  if (found)
    return found->isPoison() || mayRead(*found) ? found : std::nullopt;
  for (const ast::Argument &base : type.type->arguments) {
    if (base.kind != ast::ArgumentKind::Positional)
      continue;
    Value value = evalHost(base.value, *type.unit);
    const Unknown *unknown = value.as<Unknown>();
    if (unknown && unknown->origin->type)
      if (std::optional<Value> inherited = classAttribute(*unknown->origin, name, range))
        return inherited;
  }
  return std::nullopt;
}

Value Evaluator::attribute(const Value &object, std::string_view name, SourceRange range) {
  if (object.isPoison())
    return Poison();
  if (const Unknown *unknown = object.as<Unknown>()) {
    if (unknown->origin->type)
      if (std::optional<Value> member = classAttribute(*unknown->origin, name, range))
        return *member;
    if (std::optional<Value> given = names.givenAttribute(*unknown->origin, name, range))
      return *given;
    if (asked.empty() && !unknown->origin->path.empty())
      asked = std::string(unknown->origin->path) + "." + std::string(name);
    Diagnostic &diagnostic = reportUnknown(*unknown->origin, range);
    const Spelling spelling = languageSpelling(functions, name);
    bool isModule = unknown->origin->kind == UnknownOrigin::Kind::Module ||
                    unknown->origin->kind == UnknownOrigin::Kind::Bound;
    if (isModule && !spelling.empty()) {
      diagnostic.help = "in a kernel it is " + spelling.text;
      diagnostic.fixes.clear();
      addSpellingFix(reporter, diagnostic, range, name, spelling);
    }
    return Poison();
  }
  if (std::optional<Value> found = findAttribute(object, name, range))
    return *found;
  return reportMissing(object, name, range);
}

Value Evaluator::evalIndex(const ast::Expr *expr) {
  if (const auto *slice = ast::as<ast::SliceExpr>(expr)) {
    llvm::SmallVector<Value, 3> parts;
    for (const ast::Expr *part : {slice->lower, slice->upper, slice->step})
      parts.push_back(part ? eval(part) : Value(None()));
    if (llvm::any_of(parts, [](const Value &part) { return part.isPoison(); }))
      return Poison();
    return SliceValue{memory.keepAll(parts).data()};
  }
  const auto *tuple = ast::as<ast::TupleExpr>(expr);
  if (!tuple || tuple->parenthesized)
    return eval(expr);
  llvm::SmallVector<Value, 4> items;
  for (const ast::Expr *element : tuple->elements) {
    Value item = evalIndex(element);
    if (item.isPoison())
      return Poison();
    items.push_back(item);
  }
  return memory.tuple(items, false, expr->range);
}

Value Evaluator::evalSubscript(const ast::SubscriptExpr &expr) {
  Value object = eval(expr.object), index = evalIndex(expr.index);
  if (std::optional<Value> variable = environmentItem(*this, object, index, expr.range))
    return *variable;
  return subscript(*this, object, index, {expr.range, expr.object->range, expr.index->range, &expr});
}
