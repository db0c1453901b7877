#include "compiler/frontend/eval/calls/FunctionCall.h"

#include "compiler/frontend/eval/Fixes.h"
#include "compiler/frontend/eval/text/Decorators.h"
#include "compiler/frontend/eval/text/NamedTuples.h"
#include "compiler/frontend/values/Carried.h"
#include "dialect/Counted.h"

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

/// Returns true if compile-time values have decided what runs in one of the calls from `inner` out to
/// `outer`.
bool isChosenWithin(const Frame *inner, const Frame *outer) {
  for (const Frame *at = inner; at != outer->parent; at = at->parent)
    if (at->isChosen)
      return true;
  return false;
}

} // namespace

std::string eval::qualifiedName(const Unit &unit, const ast::FunctionStmt &function) {
  std::string_view home = !unit.isLibrary || tupleClass(unit)              ? ""
                          : unit.source().path().starts_with("<libdevice") ? "libdevice."
                                                                           : "tl.";
  return std::string(home) + std::string(function.name);
}

static Value bindDefault(Evaluation &evaluator, const ast::Parameter &parameter, const Unit &unit,
                         const std::string &callee, SourceRange range) {
  if (parameter.kind == ast::ParameterKind::VarArgs)
    return evaluator.memory.tuple({}, false, range);
  if (parameter.kind == ast::ParameterKind::VarKeywords)
    return evaluator.memory.dict({}, range);
  if (parameter.defaultValue)
    return evaluator.evalHost(parameter.defaultValue, unit);
  Diagnostic &diagnostic =
      evaluator.reporter.error(range, callee + ": missing argument " + asCode(parameter.name));
  diagnostic.basis = Basis::Text;
  // A name that is called as the parameter is likely meant for it.
  if (evaluator.frame->scope->find(parameter.name))
    addArgumentFix(evaluator.reporter, diagnostic, range,
                   std::string(parameter.name) + "=" + std::string(parameter.name));
  if (!unit.isLibrary)
    evaluator.reporter.addNote(diagnostic, unit, parameter.nameRange, "the parameter is declared here");
  return Poison();
}

bool eval::bindParameters(Evaluation &evaluator, ast::Parameters parameters, const Arguments &arguments,
                          const Unit &unit, const std::string &callee, SourceRange range, Scope &scope) {
  auto set = [&](const ast::Parameter &parameter, Argument argument) {
    if (annotationNames(parameter.annotation, "constexpr"))
      argument.value = evaluator.asConstant(argument.value, argument.range);
    // Elsewhere the annotation is only a hint: helpers of attention kernels declare offsets so and get
    // tensors.
    if (unit.isLibrary && annotationNames(parameter.annotation, "constexpr") && isRuntime(argument.value)) {
      evaluator.reporter.error(argument.range, callee + ": expected a value known at compile time for " +
                                                   asCode(parameter.name) + ", found " +
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
      evaluator.reporter
          .error(argument.range, callee + ": expected at most " + counted(next, "argument") + ", found " +
                                     std::to_string(arguments.positional.size()))
          .basis = Basis::Text;
      return false;
    }
  }
  if (restParameter)
    scope.set(restParameter->name, {evaluator.memory.tuple(rest, false, range), restParameter->nameRange});
  for (const auto &[keyword, argument] : arguments.keywords) {
    const ast::Parameter *found = nullptr;
    for (const ast::Parameter &parameter : parameters) {
      bool byName =
          parameter.kind == ast::ParameterKind::Normal || parameter.kind == ast::ParameterKind::KeywordOnly;
      if (byName && parameter.name == keyword)
        found = &parameter;
    }
    if (!found || scope.findHere(keyword)) {
      std::string quoted = asCode(keyword);
      Diagnostic &diagnostic = evaluator.reporter.error(
          argument.range, found ? callee + ": parameter " + quoted + " is given twice"
                                : callee + " has no parameter " + quoted);
      diagnostic.basis = Basis::Text;
      if (!found)
        NearestName(keyword, parameters)
            .suggest(diagnostic, evaluator.reporter, keywordRange(argument, keyword));
      return false;
    }
    if (!set(*found, argument))
      return false;
  }
  for (const ast::Parameter &parameter : parameters)
    if (!scope.findHere(parameter.name)) {
      Value value = bindDefault(evaluator, parameter, unit, callee, range);
      if (value.isPoison())
        return false;
      scope.set(parameter.name, {value, parameter.nameRange});
    }
  return true;
}

bool eval::enterCall(Evaluation &evaluator, const ast::FunctionStmt &definition, const Unit &unit,
                     SourceRange range, const Arguments *arguments) {
  if (definition.errors) {
    evaluator.reporter.relay(&definition, *definition.errors);
    return false;
  }
  const bool inKernel = evaluator.frame->mode == Mode::Kernel;
  unsigned calls = 0, ofThis = 0;
  const Frame *before = nullptr; // the innermost call of the same function
  for (const Frame *at = evaluator.frame; at; at = at->parent, ++calls)
    if (at->function == &definition) {
      before = before ? before : at;
      ++ofThis;
    }
  // Compile-time values decide which branches are taken: where they are the same, so is all that follows.
  const bool isEndless = before && arguments && before->arguments && isAlike(*arguments, *before->arguments);
  if (inKernel && (isEndless || ofThis >= maxRecursion)) {
    std::string path(definition.name);
    for (const Frame *at = evaluator.frame; at != before->parent; at = at->parent)
      if (at->function)
        path = std::string(at->function->name) + " -> " + path;
    Diagnostic &diagnostic =
        isEndless ? evaluator.reporter.error(range, "recursion: " + path)
                  : evaluator.reporter.fatal(range, "recursion that does not end within " +
                                                        std::to_string(maxRecursion) + " calls: " + path);
    if (isEndless && !isChosenWithin(evaluator.frame, before))
      diagnostic.basis = Basis::Text;
    evaluator.reporter.addNote(diagnostic, unit, definition.nameRange,
                               asCode(definition.name) + " is defined here");
    diagnostic.help = "functions are inlined into the kernel: write a loop, or end it by what is known when "
                      "compiling";
    return false;
  }
  if (calls < maxCallDepth)
    return true;
  evaluator.reporter.fatal(range, "calls nest deeper than " + std::to_string(maxCallDepth));
  return false;
}
