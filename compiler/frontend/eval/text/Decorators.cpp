#include "compiler/frontend/eval/text/Decorators.h"

#include "llvm/ADT/STLExtras.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

constexpr std::string_view jitKeywords[] = {"do_not_specialize",
                                            "do_not_specialize_on_alignment",
                                            "debug",
                                            "noinline",
                                            "repr",
                                            "launch_metadata",
                                            "version"};
constexpr std::string_view autotuneKeywords[] = {
    "configs", "key", "prune_configs_by", "reset_to_zero", "restore_value", "pre_hook", "post_hook",
    "warmup",  "rep", "use_cuda_graph",   "do_bench",      "cache_results"};
constexpr std::string_view heuristicsKeywords[] = {"values"};

bool checkKeywords(Reporter &reporter, const ast::Expr *decorator, llvm::ArrayRef<std::string_view> known) {
  const auto *call = ast::as<ast::CallExpr>(decorator);
  bool fine = true;
  for (const ast::Argument &argument : call ? call->arguments : std::span<const ast::Argument>()) {
    if (argument.kind != ast::ArgumentKind::Keyword || llvm::is_contained(known, argument.name))
      continue;
    Diagnostic &diagnostic =
        reporter.error(argument.nameRange, "`triton." + std::string(ast::decoratorName(decorator)) +
                                               "` has no parameter `" + std::string(argument.name) + "`");
    diagnostic.basis = Basis::Text;
    NearestName(argument.name, known).suggest(diagnostic, reporter, argument.nameRange);
    fine = false;
  }
  return fine;
}

/// `pkg.autotune`, where `triton.autotune` would be Triton's, and `tegula.autotune` its stand-in's.
bool isForeign(const ast::Expr *decorator) {
  const auto *call = ast::as<ast::CallExpr>(decorator);
  const auto *attribute = ast::as<ast::AttributeExpr>(call ? call->callee : decorator);
  const auto *home = attribute ? ast::as<ast::NameExpr>(attribute->object) : nullptr;
  const std::string_view name = attribute ? attribute->name : std::string_view();
  return home && home->id != "triton" && home->id != "tegula" && (name == "autotune" || name == "heuristics");
}

} // namespace

bool eval::annotationNames(const ast::Expr *annotation, std::string_view name) {
  if (const auto *text = ast::as<ast::StringExpr>(annotation)) {
    std::string_view last = text->value.substr(text->value.rfind('.') + 1);
    return last == name;
  }
  return annotation && ast::decoratorName(annotation) == name;
}

bool eval::isConstexprFunction(const ast::FunctionStmt &function) {
  return llvm::any_of(function.decorators, [](const ast::Expr *decorator) {
    std::string_view name = ast::decoratorName(decorator);
    return name == "constexpr_function" || name == "constexpr";
  });
}

const ast::Expr *eval::argumentOf(const ast::CallExpr &call, std::string_view name, size_t position) {
  for (const ast::Argument &argument : call.arguments)
    if (argument.kind == ast::ArgumentKind::Keyword && argument.name == name)
      return argument.value;
  if (position < call.arguments.size() && call.arguments[position].kind == ast::ArgumentKind::Positional)
    return call.arguments[position].value;
  return nullptr;
}

TuningDecorators eval::tuningDecorators(const ast::FunctionStmt &function) {
  TuningDecorators found;
  for (const ast::Expr *decorator : function.decorators) {
    const auto *call = ast::as<ast::CallExpr>(decorator);
    std::string_view name = ast::decoratorName(decorator);
    if (call && name == "autotune" && !found.autotune)
      found.autotune = call;
    else if (call && name == "heuristics")
      found.heuristics.push_back(call);
  }
  return found;
}

llvm::SmallVector<std::string_view, 4> eval::literalNames(const ast::Expr *expr) {
  llvm::SmallVector<std::string_view, 4> names;
  for (const ast::Expr *element : ast::writtenElements(expr).value_or(ast::ExprList()))
    if (const auto *text = ast::as<ast::StringExpr>(element))
      names.push_back(text->value);
  return names;
}

std::optional<std::string_view> eval::mustUseResult(const ast::FunctionStmt &function) {
  constexpr std::string_view name = "must_use_result";
  for (const ast::Expr *decorator : function.decorators) {
    const auto *call = ast::as<ast::CallExpr>(decorator);
    const bool isOwn = ast::decoratorName(decorator) == name;
    const ast::Expr *said = call ? argumentOf(*call, name, isOwn ? 0 : call->arguments.size()) : nullptr;
    const auto *message = ast::as<ast::StringExpr>(said);
    if (isOwn || said)
      return message ? message->value : std::string_view();
  }
  return std::nullopt;
}

bool eval::wantsDebug(const ast::FunctionStmt &function) {
  const auto *call = ast::as<ast::CallExpr>(function.jitDecorator);
  for (const ast::Argument &argument : call ? call->arguments : std::span<const ast::Argument>())
    if (argument.name == "debug")
      if (const auto *flag = ast::as<ast::ConstantExpr>(argument.value))
        return flag->constant == ast::ConstantKind::True;
  return false;
}

bool eval::checkDefinition(Reporter &reporter, const Unit &unit, const ast::FunctionStmt &function) {
  bool fine = true;
  if (function.isAsync) {
    reporter.error(function.nameRange,
                   "expected " + asCode(function.name) + " to be a plain `def`, found `async def`");
    fine = false;
  }
  // A decorator of another name that ends in `jit` has parameters of its own. A host has run them all.
  if (!unit.names && ast::decoratorName(function.jitDecorator) == "jit")
    fine = checkKeywords(reporter, function.jitDecorator, jitKeywords) && fine;
  return fine;
}

/// Adds the fix that puts the decorator at `moved` above the one at `before`.
static void addMove(Reporter &reporter, Diagnostic &diagnostic, SourceRange moved, SourceRange before) {
  const std::string_view text = reporter.source().text();
  const size_t to = text.rfind('@', before.begin), from = text.rfind('@', moved.begin);
  if (to == std::string_view::npos || from == std::string_view::npos || from <= before.end)
    return;
  const SourceFile &source = reporter.source();
  const uint32_t line = source.line(uint32_t(to));
  const std::string indent(indentOf(source.lineText(line)));
  const size_t next = text.find_first_not_of(" \t\r\n", moved.end);
  // With a comment behind it, the line stays.
  if (next == std::string_view::npos || text[next] == '#' || source.lineBegin(line) + indent.size() != to)
    return;
  reporter.addFix(
      diagnostic, "put it above `@triton.jit`",
      {{{uint32_t(to), uint32_t(to)}, std::string(text.substr(from, moved.end - from)) + "\n" + indent},
       {{uint32_t(from), uint32_t(next)}, ""}},
      Certainty::Certain);
}

bool eval::checkKernelDecorators(Reporter &reporter, const Unit &unit, const ast::FunctionStmt &kernel) {
  bool fine = checkDefinition(reporter, unit, kernel), belowJit = false;
  if (unit.names)
    return fine;
  for (const ast::Expr *decorator : kernel.decorators) {
    std::string_view name = ast::decoratorName(decorator);
    bool tunes = name == "autotune" || name == "heuristics";
    if (decorator == kernel.jitDecorator) {
      belowJit = true;
    } else if (tunes && belowJit) {
      Diagnostic &diagnostic =
          reporter.error(decorator->range, "expected " + asCode(name) + " above `@triton.jit`");
      diagnostic.help = "`@triton.jit` comes last, next to the `def`";
      diagnostic.basis = Basis::Text;
      addMove(reporter, diagnostic, decorator->range, kernel.jitDecorator->range);
      fine = false;
    } else if (isForeign(decorator)) {
      // One of another package: what its parameters are is between it and its users.
    } else if (name == "autotune") {
      fine = checkKeywords(reporter, decorator, autotuneKeywords) && fine;
    } else if (name == "heuristics") {
      fine = checkKeywords(reporter, decorator, heuristicsKeywords) && fine;
    } else if (name != "staticmethod") { // which is how one stands in a class
      std::string quoted = name.empty() ? std::string("this decorator") : "decorator " + asCode(name);
      reporter.report(Severity::Warning, decorator->range,
                      quoted + " is not known here: the kernel is compiled without it");
    }
  }
  return fine;
}
