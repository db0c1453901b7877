// Calls: arguments, parameters, inlining.
#include "compiler/frontend/eval/Advice.h"
#include "compiler/frontend/eval/Fixes.h"
#include "compiler/frontend/eval/calls/Call.h"
#include "compiler/frontend/eval/calls/FunctionCall.h"
#include "compiler/frontend/eval/names/Environment.h"
#include "compiler/frontend/eval/names/HostFacts.h"
#include "compiler/frontend/eval/text/Bindings.h"
#include "compiler/frontend/eval/text/Decorators.h"
#include "compiler/frontend/eval/walk/Evaluator.h"

using namespace tegula;
using namespace tegula::eval;

void Evaluator::checkUsed(const Value &callee, const ast::CallExpr &expr) {
  const Function *function = callee.as<Function>();
  if (!function || (function->self && !language.checksUnusedResultsOfMethods))
    return;
  const std::optional<std::string_view> why = mustUseResult(*function->definition);
  if (!why)
    return;
  reporter
      .error(expr.range, "The result of " + std::string(function->definition->name) + " is not being used." +
                             (why->empty() ? "" : " " + std::string(*why)))
      .basis = Basis::Text;
}

bool Evaluator::isUnboundMath(const ast::Expr *expr) {
  const auto *name = ast::as<ast::NameExpr>(expr);
  if (!name || name->id != "math" || frame->scope->find(name->id))
    return false;
  Reporter::Quiet quiet(reporter);
  const Unit *holder = frame->unit;
  return !names.findAround(holder, name->id, name->range);
}

Value Evaluator::refuseMath(const ast::AttributeExpr &callee, std::span<const ast::Argument> given) {
  Arguments arguments;
  if (!evalArguments(given, arguments))
    return Poison(); // they say which of the two it should be
  const bool isOfTensors =
      llvm::any_of(arguments.positional, [](const Argument &one) { return one.value.is<Tensor>(); });
  const Spelling spelling = isOfTensors ? languageSpelling(functions, callee.name) : Spelling();
  if (spelling.empty())
    return eval(&callee);
  Diagnostic &diagnostic = reporter.error(callee.object->range, "name `math` is not defined");
  diagnostic.basis = Basis::Name;
  diagnostic.help = "for run-time values it is " + spelling.text;
  addSpellingFix(reporter, diagnostic, callee.nameRange, callee.name, spelling);
  return Poison();
}

Value Evaluator::evalCall(const ast::CallExpr &expr) {
  const bool isUnused = std::exchange(unusedCall, nullptr) == &expr;
  if (const auto *callee = ast::as<ast::AttributeExpr>(expr.callee); callee && isUnboundMath(callee->object))
    return refuseMath(*callee, expr.arguments);
  const bool isFirst = asked.empty();
  Value callee = eval(expr.callee);
  if (callee.isPoison() && isFirst && !asked.empty() && isPath(expr.callee))
    asked += "()";
  if (isUnused)
    checkUsed(callee, expr);
  Arguments arguments;
  bool fine = evalArguments(expr.arguments, arguments);
  if (callee.isPoison() || !fine)
    return Poison();
  at(expr.range);
  return call(callee, arguments, expr.range, expr.callee->range);
}

bool Evaluator::spread(const ast::Argument &argument, const Value &value, Arguments &out) {
  if (argument.kind == ast::ArgumentKind::Star) {
    std::optional<llvm::ArrayRef<Value>> items = iterate(value, argument.value->range);
    for (const Value &item : items.value_or(llvm::ArrayRef<Value>()))
      out.positional.push_back({item, argument.value->range, true});
    return items.has_value();
  }
  if (!hasValue(value, argument.value->range))
    return false;
  const Dict *dict = value.as<Dict>();
  if (!dict) {
    reporter.error(argument.value->range, "expected a dict after `**`, found " + describe(value));
    return false;
  }
  for (const auto &[key, held] : dict->items) {
    const auto *name = key.as<std::string_view>();
    if (!name) {
      reporter.error(argument.value->range, "expected names as the keys after `**`, found " + describe(key));
      return false;
    }
    out.keywords.push_back({*name, {held, argument.value->range, true}});
  }
  return true;
}

bool Evaluator::evalArguments(std::span<const ast::Argument> arguments, Arguments &out) {
  bool fine = true;
  for (const ast::Argument &argument : arguments) {
    Value value = eval(argument.value);
    if (value.isPoison())
      fine = false;
    else if (argument.kind == ast::ArgumentKind::Positional)
      out.positional.push_back({value, argument.value->range, true, argument.value});
    else if (argument.kind == ast::ArgumentKind::Keyword)
      out.keywords.push_back(
          {argument.name, {value, join(argument.nameRange, argument.value->range), true, argument.value}});
    else
      fine = spread(argument, value, out) && fine;
  }
  return fine;
}

Value Evaluator::call(const Value &callee, const Arguments &arguments, SourceRange range,
                      SourceRange calleeRange) {
  if (callee.isPoison())
    return Poison();
  if (std::optional<Value> given = names.givenResult(callee))
    return *given;
  if (const Function *function = callee.as<Function>())
    return callFunction(*function, arguments, range);
  if (const BuiltinRef *builtin = callee.as<BuiltinRef>())
    return callBuiltin(*this, *builtin, arguments, range);
  if (const Lambda *lambda = callee.as<Lambda>())
    return callLambda(*lambda, arguments, range);
  if (const HostObject *host = callee.as<HostObject>())
    if (const bound::HostFunction *function = hostFunction(*host))
      return names.bound.call(*function, arguments, range);
  if (std::optional<Value> variable = environmentValue(*this, callee, arguments, range))
    return *variable;
  if (std::optional<Value> fact = hostFactOfCall(*this, callee, arguments, range))
    return *fact;
  if (const AggregateClass *made = classes.classOf(callee))
    return classes.construct(*made, arguments, range);
  if (const Unknown *unknown = callee.as<Unknown>();
      unknown && asked.empty() && !unknown->origin->path.empty())
    asked = std::string(unknown->origin->path) + "()";
  if (!hasValue(callee, calleeRange))
    return Poison();
  Diagnostic &diagnostic =
      reporter.error(calleeRange, "expected a function to call, found " + describe(callee));
  if (callee.as<TypeValue>()) {
    diagnostic.help = "types are not functions: convert with `tl.cast` or `.to`";
    const std::string type = ", " + std::string(reporter.source().slice(calleeRange)) + ")";
    if (arguments.positional.size() == 1 && arguments.keywords.empty())
      reporter.addFix(diagnostic, "convert it with `tl.cast`",
                      {{calleeRange, "tl.cast"}, {{arguments.positional[0].range.end, range.end}, type}},
                      Certainty::Certain);
  }
  return Poison();
}

bool Evaluator::runsAsPython(const Function &function) {
  const ast::FunctionStmt &definition = *function.definition;
  if (function.isHosts || isConstexprFunction(definition))
    return true;
  if (definition.isJit || definition.isExtern || definition.decorators.empty())
    return false;
  auto [known, isNew] = hosts.try_emplace(&definition, false);
  if (isNew)
    known->second = isDecorated(definition.decorators, *function.unit, {"constexpr_function", "constexpr"});
  return known->second;
}

bool Evaluator::checkCall(const Function &function, const Arguments &arguments, SourceRange range) {
  const ast::FunctionStmt &definition = *function.definition;
  std::string name = asCode(definition.name);
  bool inKernel = frame->mode == Mode::Kernel;
  if (inKernel && !definition.isJit && !definition.isExtern && !classes.hasFunction(function) &&
      !runsAsPython(function)) {
    Diagnostic &diagnostic = reporter.error(
        range, "expected a `@triton.jit` function to call from a kernel, found the plain function " + name);
    reporter.addNote(diagnostic, *function.unit, definition.nameRange, name + " is defined here");
    diagnostic.help =
        "decorate it with `@triton.jit`, or with `@triton.constexpr_function` if it computes a constant";
    diagnostic.basis = Basis::Text;
    for (std::string_view decorator : {"@triton.jit", "@triton.constexpr_function"})
      addDecoratorFix(reporter, diagnostic, *function.unit, definition, decorator);
    return false;
  }
  if (definition.isJit && !function.unit->isLibrary && !checkDefinition(reporter, *function.unit, definition))
    return false;
  return enterCall(*this, definition, *function.unit, range, &arguments);
}

Value Evaluator::callFunction(const Function &function, const Arguments &given, SourceRange range) {
  const ast::FunctionStmt &definition = *function.definition;
  if (!checkCall(function, given, range))
    return Poison();
  Arguments arguments = given;
  if (function.self)
    arguments.positional.insert(arguments.positional.begin(), Argument{*function.self, range, true});
  std::string name = "`" + qualifiedName(*function.unit, definition) + "`";
  Scope &scope = scopes.emplace_back();
  if (!bindParameters(*this, definition.parameters, arguments, *function.unit, name, range, scope))
    return Poison();
  bool host = frame->mode == Mode::Host || runsAsPython(function);
  for (auto &[parameter, binding] : scope.bindings) {
    if (host)
      binding.value = asConstant(binding.value, range);
    // An aggregate is asked for what is known of it.
    if (host && isRuntime(binding.value) && !aggregateOf(binding.value)) {
      Diagnostic &diagnostic =
          reporter.error(range, name + ": expected a value known at compile time for " + asCode(parameter) +
                                    ", found " + describe(binding.value));
      reporter.addNote(diagnostic, *function.unit, definition.nameRange,
                       "it is computed at compile time, as Python");
      return Poison();
    }
  }
  Frame callee{.unit = function.unit,
               .mode = host ? Mode::Host : Mode::Kernel,
               .scope = &scope,
               .function = &definition,
               .arguments = &given,
               .parent = frame,
               .activation = {function.unit, name + " is called here", range, reporter.current()}};
  Reporter::Scope active(reporter, callee.activation);
  Value result = execBody(callee);
  // Nothing in a kernel keeps a scope.
  if (!host && &scopes.back() == &scope)
    scopes.pop_back();
  return result;
}

Value Evaluator::callLambda(const Lambda &lambda, const Arguments &arguments, SourceRange range) {
  Scope &scope = scopes.emplace_back(lambda.captured);
  if (!bindParameters(*this, lambda.definition->parameters, arguments, *lambda.unit, "the lambda", range,
                      scope))
    return Poison();
  Frame callee{.unit = lambda.unit,
               .mode = Mode::Host,
               .scope = &scope,
               .parent = frame,
               .activation = {lambda.unit, "the lambda is called here", range, reporter.current()}};
  return within(callee, [&] { return eval(lambda.definition->body); });
}
