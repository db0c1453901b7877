// Calls: arguments, parameters, inlining.
#include "compiler/frontend/eval/BoundNames.h"
#include "compiler/frontend/eval/Call.h"
#include "compiler/frontend/eval/Decorators.h"
#include "compiler/frontend/eval/Environment.h"
#include "compiler/frontend/eval/HostFacts.h"
#include "compiler/frontend/eval/NamedTuples.h"
#include "compiler/frontend/values/Carried.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

/// Calls within calls; each inlines a copy of its body.
constexpr unsigned maxCallDepth = 64;
/// Calls of one function within each other, in a kernel; below the bound on all calls, so that what is said
/// of a recursion without an end is that.
constexpr unsigned maxRecursion = 48;

/// Returns true if both give a function the same, as far as that is known when compiling.
bool isAlike(const Arguments &a, const Arguments &b) {
  auto isSame = [](const Argument &x, const Argument &y) { return isCompatible(x.value, y.value); };
  auto isSameKeyword = [&](const auto &x, const auto &y) {
    return x.first == y.first && isSame(x.second, y.second);
  };
  return llvm::equal(a.positional, b.positional, isSame) &&
         llvm::equal(a.keywords, b.keywords, isSameKeyword);
}

/// Returns true for arguments that functions written for Triton hand on to those of the language: its builder
/// of IR.
bool isCompilersOwn(std::string_view keyword) {
  return keyword == "_semantic" || keyword == "_builder" || keyword == "_generator";
}

std::string counted(size_t count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

/// The last part of a name: `constexpr` of `tl.constexpr`.
std::string_view lastName(const ast::Expr *expr) {
  if (const auto *call = ast::as<ast::CallExpr>(expr))
    expr = call->callee;
  if (const auto *name = ast::as<ast::NameExpr>(expr))
    return name->id;
  if (const auto *attribute = ast::as<ast::AttributeExpr>(expr))
    return attribute->name;
  return {};
}

} // namespace

bool eval::annotationNames(const ast::Expr *annotation, std::string_view name) {
  if (const auto *text = ast::as<ast::StringExpr>(annotation)) {
    std::string_view last = text->value.substr(text->value.rfind('.') + 1);
    return last == name;
  }
  return annotation && lastName(annotation) == name;
}

bool eval::isPath(const ast::Expr *expr) {
  while (const auto *attribute = ast::as<ast::AttributeExpr>(expr))
    expr = attribute->object;
  return expr->kind == ast::ExprKind::Name;
}

bool eval::isConstexprFunction(const ast::FunctionStmt &function) {
  return llvm::any_of(function.decorators, [](const ast::Expr *decorator) {
    std::string_view name = lastName(decorator);
    return name == "constexpr_function" || name == "constexpr";
  });
}

std::string eval::qualifiedName(const Unit &unit, const ast::FunctionStmt &function) {
  std::string_view home = !unit.isLibrary || tupleClass(unit)              ? ""
                          : unit.source().path().starts_with("<libdevice") ? "libdevice."
                                                                           : "tl.";
  return std::string(home) + std::string(function.name);
}

void Evaluator::checkUsed(const Value &callee, const ast::CallExpr &expr) {
  const Function *function = callee.as<Function>();
  if (!function || (function->self && !language.checksUnusedResultsOfMethods))
    return;
  const std::optional<std::string_view> why = mustUseResult(*function->definition);
  if (!why)
    return;
  reporter.error(expr.range, "The result of " + std::string(function->definition->name) +
                                 " is not being used." + (why->empty() ? "" : " " + std::string(*why)));
}

Value Evaluator::evalCall(const ast::CallExpr &expr) {
  const bool isUnused = std::exchange(unusedCall, nullptr) == &expr;
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
      out.positional.push_back({value, argument.value->range, true});
    else if (argument.kind == ast::ArgumentKind::Keyword)
      out.keywords.push_back({argument.name, {value, join(argument.nameRange, argument.value->range), true}});
    else
      fine = spread(argument, value, out) && fine;
  }
  return fine;
}

Value Evaluator::call(const Value &callee, llvm::ArrayRef<Value> values, SourceRange range) {
  Arguments arguments;
  for (const Value &value : values)
    arguments.positional.push_back({value, range, true});
  return call(callee, arguments, range, range);
}

Value Evaluator::call(const Value &callee, const Arguments &arguments, SourceRange range,
                      SourceRange calleeRange) {
  if (callee.isPoison())
    return Poison();
  if (std::optional<Value> given = givenResult(callee))
    return *given;
  if (const Function *function = callee.as<Function>())
    return callFunction(*function, arguments, range);
  if (const BuiltinRef *builtin = callee.as<BuiltinRef>())
    return callBuiltin(*builtin, arguments, range);
  if (const Lambda *lambda = callee.as<Lambda>())
    return callLambda(*lambda, arguments, range);
  if (const HostObject *host = callee.as<HostObject>())
    if (const bound::HostFunction *function = hostFunction(*host))
      return bound->call(*function, arguments, range);
  if (std::optional<Value> variable = environmentValue(*this, callee, arguments, range))
    return *variable;
  if (std::optional<Value> fact = hostFactOfCall(*this, callee, arguments, range))
    return *fact;
  if (const AggregateClass *made = aggregateClass(callee))
    return construct(*made, arguments, range);
  if (const Unknown *unknown = callee.as<Unknown>();
      unknown && asked.empty() && !unknown->origin->path.empty())
    asked = std::string(unknown->origin->path) + "()";
  if (!hasValue(callee, calleeRange))
    return Poison();
  Diagnostic &diagnostic =
      reporter.error(calleeRange, "expected a function to call, found " + describe(callee));
  if (callee.as<TypeValue>())
    diagnostic.help = "types are not functions: convert with `tl.cast` or `.to`";
  return Poison();
}

Value Evaluator::callBuiltin(const BuiltinRef &ref, const Arguments &arguments, SourceRange range) {
  const Builtin &builtin = *ref.builtin;
  std::string name = calledName(*this, builtin);
  Call call(*this, builtin, range);
  std::span<const BuiltinParameter> parameters = builtin.parameters;
  const bool takesKeywords = !parameters.empty() && parameters.back().keywords;
  if (takesKeywords)
    parameters = parameters.first(parameters.size() - 1);
  call.arguments.resize(parameters.size());
  size_t next = 0;
  call.isMethod = ref.self;
  if (ref.self && !parameters.empty())
    call.arguments[next++] = {*ref.self, range, true};
  for (const Argument &argument : arguments.positional) {
    if (next < parameters.size() && parameters[next].rest) {
      call.rest.push_back(argument);
    } else if (next < parameters.size() && !parameters[next].keywordOnly) {
      call.arguments[next++] = argument;
    } else {
      size_t most =
          llvm::count_if(parameters, [](const BuiltinParameter &p) { return !p.keywordOnly && !p.rest; });
      reporter.error(argument.range, "`" + name + "`: expected at most " +
                                         counted(most - (ref.self ? 1 : 0), "argument") + ", found " +
                                         std::to_string(arguments.positional.size()));
      return Poison();
    }
  }
  for (const auto &[keyword, argument] : arguments.keywords) {
    if (isCompilersOwn(keyword))
      continue;
    auto found = llvm::find_if(
        parameters, [&, wanted = keyword](const BuiltinParameter &p) { return p.name == wanted && !p.rest; });
    if (found == parameters.end() && takesKeywords) {
      call.keywords.emplace_back(keyword, argument);
      continue;
    }
    if (found == parameters.end()) {
      Diagnostic &diagnostic =
          reporter.error(argument.range, "`" + name + "` has no parameter `" + std::string(keyword) + "`");
      NearestName nearest(keyword);
      for (const BuiltinParameter &parameter : parameters)
        nearest.offer(parameter.name);
      nearest.suggest(diagnostic);
      return Poison();
    }
    Argument &slot = call.arguments[size_t(found - parameters.begin())];
    if (slot.given) {
      reporter.error(argument.range,
                     "`" + name + "`: parameter `" + std::string(keyword) + "` is given twice");
      return Poison();
    }
    slot = argument;
  }
  for (size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].required && !call.arguments[i].given) {
      reporter.error(range, "`" + name + "`: missing argument `" + std::string(parameters[i].name) + "`");
      return Poison();
    }
  auto isUsable = [&](const Argument &argument) {
    return builtin.takesUnknown || hasValue(argument.value, argument.range);
  };
  if (!llvm::all_of(call.arguments, isUsable) || !llvm::all_of(call.rest, isUsable) ||
      !llvm::all_of(llvm::make_second_range(call.keywords), isUsable))
    return Poison();
  return builtin.handler(call);
}

Value Evaluator::bindDefault(const ast::Parameter &parameter, const Unit &unit, const std::string &callee,
                             SourceRange range) {
  if (parameter.kind == ast::ParameterKind::VarArgs)
    return memory.tuple({}, false, range);
  if (parameter.kind == ast::ParameterKind::VarKeywords)
    return memory.dict({}, range);
  if (parameter.defaultValue)
    return evalHost(parameter.defaultValue, unit);
  Diagnostic &diagnostic =
      reporter.error(range, callee + ": missing argument `" + std::string(parameter.name) + "`");
  if (!unit.isLibrary)
    reporter.addNote(diagnostic, unit, parameter.nameRange, "the parameter is declared here");
  return Poison();
}

bool Evaluator::bind(ast::Parameters parameters, const Arguments &arguments, const Unit &unit,
                     const std::string &callee, SourceRange range, Scope &scope) {
  auto set = [&](const ast::Parameter &parameter, Argument argument) {
    if (annotationNames(parameter.annotation, "constexpr"))
      argument.value = asConstant(argument.value, argument.range);
    // Elsewhere the annotation is only a hint: helpers of attention kernels declare offsets so and get
    // tensors.
    if (unit.isLibrary && annotationNames(parameter.annotation, "constexpr") && isRuntime(argument.value)) {
      reporter.error(argument.range, callee + ": expected a value known at compile time for `" +
                                         std::string(parameter.name) + "`, found " +
                                         describe(argument.value));
      return false;
    }
    scope.set(parameter.name, {argument.value, parameter.nameRange});
    return true;
  };
  size_t next = 0;
  llvm::SmallVector<Value, 4> rest;
  const ast::Parameter *restParameter = nullptr;
  for (const Argument &argument : arguments.positional) {
    if (next < parameters.size() && parameters[next].kind == ast::ParameterKind::VarArgs) {
      restParameter = &parameters[next];
      rest.push_back(argument.value);
    } else if (next < parameters.size() && parameters[next].kind <= ast::ParameterKind::Normal) {
      if (!set(parameters[next++], argument))
        return false;
    } else {
      reporter.error(argument.range, callee + ": expected at most " + counted(next, "argument") + ", found " +
                                         std::to_string(arguments.positional.size()));
      return false;
    }
  }
  if (restParameter)
    scope.set(restParameter->name, {memory.tuple(rest, false, range), restParameter->nameRange});
  for (const auto &[keyword, argument] : arguments.keywords) {
    const ast::Parameter *found = nullptr;
    for (const ast::Parameter &parameter : parameters) {
      bool byName =
          parameter.kind == ast::ParameterKind::Normal || parameter.kind == ast::ParameterKind::KeywordOnly;
      if (byName && parameter.name == keyword)
        found = &parameter;
    }
    if (!found || scope.findHere(keyword)) {
      std::string quoted = "`" + std::string(keyword) + "`";
      Diagnostic &diagnostic =
          reporter.error(argument.range, found ? callee + ": parameter " + quoted + " is given twice"
                                               : callee + " has no parameter " + quoted);
      if (!found) {
        NearestName nearest(keyword);
        for (const ast::Parameter &parameter : parameters)
          nearest.offer(parameter.name);
        nearest.suggest(diagnostic);
      }
      return false;
    }
    if (!set(*found, argument))
      return false;
  }
  for (const ast::Parameter &parameter : parameters)
    if (!scope.findHere(parameter.name)) {
      Value value = bindDefault(parameter, unit, callee, range);
      if (value.isPoison())
        return false;
      scope.set(parameter.name, {value, parameter.nameRange});
    }
  return true;
}

bool Evaluator::runsAsPython(const Function &function) {
  const ast::FunctionStmt &definition = *function.definition;
  if (function.isHosts || isConstexprFunction(definition))
    return true;
  if (definition.isJit || definition.decorators.empty())
    return false;
  auto [known, isNew] = hosts.try_emplace(&definition, false);
  if (isNew) {
    Reporter::Quiet quiet(reporter);
    known->second = llvm::any_of(definition.decorators, [&](const ast::Expr *decorator) {
      const Value value = evalHost(decorator, *function.unit);
      const BuiltinRef *ref = value.as<BuiltinRef>();
      return ref && (ref->builtin->name == "constexpr_function" || ref->builtin->name == "constexpr");
    });
  }
  return known->second;
}

bool Evaluator::checkCall(const Function &function, const Arguments &arguments, SourceRange range) {
  const ast::FunctionStmt &definition = *function.definition;
  std::string name = "`" + std::string(definition.name) + "`";
  bool inKernel = frame->mode == Mode::Kernel;
  if (inKernel && !definition.isJit && !isOfAggregate(function) && !runsAsPython(function)) {
    Diagnostic &diagnostic = reporter.error(
        range, "expected a `@triton.jit` function to call from a kernel, found the plain function " + name);
    reporter.addNote(diagnostic, *function.unit, definition.nameRange, name + " is defined here");
    diagnostic.help =
        "decorate it with `@triton.jit`, or with `@triton.constexpr_function` if it computes a constant";
    return false;
  }
  if (definition.isJit && !function.unit->isLibrary && !checkDefinition(reporter, *function.unit, definition))
    return false;
  if (definition.errors) {
    for (const Diagnostic &error : *definition.errors)
      reporter.error(definition.nameRange, error.message);
    return false;
  }
  return enterCall(definition, *function.unit, range, &arguments);
}

bool Evaluator::enterCall(const ast::FunctionStmt &definition, const Unit &unit, SourceRange range,
                          const Arguments *arguments) {
  const bool inKernel = frame->mode == Mode::Kernel;
  unsigned calls = 0, ofThis = 0;
  const Frame *before = nullptr; // the innermost call of the same function
  for (const Frame *at = frame; at; at = at->parent, ++calls)
    if (at->function == &definition) {
      before = before ? before : at;
      ++ofThis;
    }
  // Compile-time values decide which branches are taken: where they are the same, so is all that follows.
  const bool isEndless = before && arguments && before->arguments && isAlike(*arguments, *before->arguments);
  if (inKernel && (isEndless || ofThis >= maxRecursion)) {
    std::string path(definition.name);
    for (const Frame *at = frame; at != before->parent; at = at->parent)
      if (at->function)
        path = std::string(at->function->name) + " -> " + path;
    Diagnostic &diagnostic =
        isEndless ? reporter.error(range, "recursion: " + path)
                  : reporter.fatal(range, "recursion that does not end within " +
                                              std::to_string(maxRecursion) + " calls: " + path);
    reporter.addNote(diagnostic, unit, definition.nameRange,
                     "`" + std::string(definition.name) + "` is defined here");
    diagnostic.help = "functions are inlined into the kernel: write a loop, or end it by what is known when "
                      "compiling";
    return false;
  }
  if (calls < maxCallDepth)
    return true;
  reporter.fatal(range, "calls nest deeper than " + std::to_string(maxCallDepth));
  return false;
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
  if (!bind(definition.parameters, arguments, *function.unit, name, range, scope))
    return Poison();
  bool host = frame->mode == Mode::Host || runsAsPython(function);
  for (auto &[parameter, binding] : scope.bindings) {
    if (host)
      binding.value = asConstant(binding.value, range);
    // An aggregate is asked for what is known of it.
    if (host && isRuntime(binding.value) && !aggregateOf(binding.value)) {
      Diagnostic &diagnostic =
          reporter.error(range, name + ": expected a value known at compile time for `" + parameter.str() +
                                    "`, found " + describe(binding.value));
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

Value Evaluator::execBody(Frame &callee) {
  mlir::Location outer = emit.loc;
  Frame *previous = std::exchange(frame, &callee);
  execBlock(callee.function->body);
  frame = previous;
  emit.loc = outer;
  return callee.returned;
}

Value Evaluator::callLambda(const Lambda &lambda, const Arguments &arguments, SourceRange range) {
  Scope &scope = scopes.emplace_back(lambda.captured);
  if (!bind(lambda.definition->parameters, arguments, *lambda.unit, "the lambda", range, scope))
    return Poison();
  Frame callee{.unit = lambda.unit,
               .mode = Mode::Host,
               .scope = &scope,
               .parent = frame,
               .activation = {lambda.unit, "the lambda is called here", range, reporter.current()}};
  Reporter::Scope active(reporter, callee.activation);
  Frame *previous = std::exchange(frame, &callee);
  Value value = eval(lambda.definition->body);
  frame = previous;
  return value;
}
