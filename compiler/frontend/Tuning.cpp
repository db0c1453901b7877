// Evaluates `triton.autotune` and `triton.heuristics` as Python would before a launch.
#include "compiler/frontend/Tuning.h"

#include "compiler/frontend/HostEvaluation.h"
#include "compiler/frontend/eval/names/BoundNames.h"
#include "compiler/frontend/eval/text/Decorators.h"
#include "compiler/frontend/syntax/ast/JitFunctions.h"
#include "dialect/tile/Limits.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

std::vector<const ast::FunctionStmt *> functionsAround(const ast::Module &module,
                                                       const ast::FunctionStmt &kernel) {
  for (ast::JitFunction &one : ast::jitFunctions(module))
    if (one.function == &kernel)
      return std::move(one.around);
  return {};
}

/// Keys of a config that another backend reads.
bool isForeignOption(std::string_view name) {
  return name == "waves_per_eu" || name == "matrix_instr_nonkdim" || name == "kpack";
}

const Value *field(const Value &config, std::string_view name) {
  const Dict *record = config.as<Dict>();
  if (!record || !record->isRecord)
    return nullptr;
  for (const auto &[key, value] : record->items)
    if (*key.as<std::string_view>() == name)
      return &value;
  return nullptr;
}

/// One item of the list of configs; nothing after a report.
std::optional<KernelConfig> toConfig(const Value &value, const ast::FunctionStmt &kernel, SourceRange range,
                                     Evaluator &host) {
  Reporter &reporter = host.reporter;
  const Value *kwargs = field(value, "kwargs");
  if (!kwargs) {
    if (!value.isPoison() && host.hasValue(value, range))
      reporter.error(range, "expected a list of `triton.Config`, found " + describe(value) + " in it");
    return std::nullopt;
  }
  KernelConfig config;
  config.numWarps = uint32_t(*field(value, "num_warps")->asInt());
  config.numStages = tile::stagesOf(uint32_t(*field(value, "num_stages")->asInt()));
  config.numCtas = uint32_t(*field(value, "num_ctas")->asInt());
  if (std::optional<Int> registers = field(value, "maxnreg")->asInt())
    config.maxRegisters = uint32_t(*registers);
  config.hasPreHook = !field(value, "pre_hook")->isNone();
  for (const auto &[key, held] : kwargs->as<Dict>()->items) {
    std::string name(*key.as<std::string_view>());
    if (llvm::none_of(kernel.parameters, [&](const ast::Parameter &one) { return one.name == name; })) {
      if (isForeignOption(name))
        continue;
      Diagnostic &diagnostic =
          reporter.error(range, "a config gives a value to " + asCode(name) +
                                    ", which is no parameter of kernel " + asCode(kernel.name));
      diagnostic.basis = Basis::Text;
      NearestName(name, kernel.parameters)
          .suggest(diagnostic, reporter, onlyWord(reporter.source(), range, name).value_or(range));
      return std::nullopt;
    }
    std::optional<BoundValue> converted = toBound(held);
    if (!converted) {
      reporter.error(range, "expected a number, string, type or tuple as the value of " + asCode(name) +
                                " in a config, found " + describe(held));
      return std::nullopt;
    }
    config.values.insert_or_assign(std::move(name), std::move(*converted));
  }
  return config;
}

/// The dict that stands in the text, or that the module assigns to the name which does; or null.
const ast::DictExpr *literalDict(const ast::Module &module, const ast::Expr *expr) {
  if (const auto *name = ast::as<ast::NameExpr>(expr)) {
    expr = nullptr;
    for (const ast::Stmt *stmt : module.body)
      if (const auto *assign = ast::as<ast::AssignStmt>(stmt))
        for (const ast::Expr *target : assign->targets)
          if (const auto *variable = ast::as<ast::NameExpr>(target); variable && variable->id == name->id)
            expr = assign->value;
  }
  return ast::as<ast::DictExpr>(expr);
}

/// The values that the decorators compute, one after the other.
class Heuristics {
public:
  Heuristics(const ParsedProgram &program, const ast::FunctionStmt &kernel, const KernelSpec &known,
             const std::set<std::string> &wanted, mlir::MLIRContext &context, DiagnosticEngine &diagnostics)
      : kernel(kernel), wanted(wanted), module(program.module()),
        host(program, functionsAround(program.module(), kernel), known, context, own),
        diagnostics(diagnostics) {
    auto add = [&](std::string_view name, const Value &value) { arguments.emplace_back(Value(name), value); };
    for (const auto &[name, given] : known.args)
      if (const auto *value = std::get_if<BoundValue>(&given))
        add(name, host.evaluator.names.bound.given(*value, name, kernel.nameRange));
    add("num_warps", Int(known.warps()));
    add("num_stages", Int(known.stages()));
  }

  bool run() {
    bool fine = true;
    for (const ast::CallExpr *decorator : tuningDecorators(kernel).heuristics) {
      const ast::Expr *given = argumentOf(*decorator, "values", 0);
      const ast::DictExpr *dict = literalDict(module, given);
      if (!dict && given)
        fine = computeAll(given) && fine;
      for (const ast::DictItem &item : dict ? dict->items : std::span<const ast::DictItem>())
        if (const auto *name = ast::as<ast::StringExpr>(item.key);
            name && wanted.contains(std::string(name->value)))
          fine = compute(std::string(name->value), host.eval(item.value), item.value->range) && fine;
    }
    return fine;
  }

  std::map<std::string, BoundValue> values;

private:
  /// The values of a dict that is computed, as one from another file is.
  bool computeAll(const ast::Expr *given) {
    Value value = host.eval(given);
    const Dict *dict = value.as<Dict>();
    if (!dict) {
      for (const std::string &name : wanted)
        if (!values.contains(name) && !refuse(name, given->range))
          break;
      return false;
    }
    bool fine = true;
    for (const auto &[key, function] : dict->items)
      if (const auto *name = key.as<std::string_view>(); name && wanted.contains(std::string(*name)))
        fine = compute(std::string(*name), function, given->range) && fine;
    return fine;
  }

  bool compute(const std::string &name, const Value &function, SourceRange range) {
    Value dict = host.evaluator.memory.dict(arguments, range);
    Value result =
        function.isPoison() || dict.isPoison() ? Value(Poison()) : host.evaluator.call(function, dict, range);
    std::optional<BoundValue> converted = result.isPoison() ? std::nullopt : toBound(result);
    if (!result.isPoison() && !converted && host.evaluator.isKnownThroughout(result, range))
      host.reporter().error(range, "expected a value that a parameter can take, found " + describe(result));
    if (converted && !own.hasErrors()) {
      std::erase_if(arguments,
                    [&](const auto &known) { return *known.first.template as<std::string_view>() == name; });
      arguments.emplace_back(host.evaluator.memory.text(name, range), result);
      values.insert_or_assign(name, std::move(*converted));
      own.take();
      return true;
    }
    return refuse(name, range);
  }

  /// Reports that the value of `name` cannot be computed, with what was said of it meanwhile. Always false.
  bool refuse(const std::string &name, SourceRange range) {
    std::vector<Diagnostic> problems = own.take();
    Diagnostic failed = makeDiagnostic(Severity::Error, *module.source, range,
                                       "the heuristic value of " + asCode(name) + " cannot be computed here");
    for (Diagnostic &problem : problems) {
      problem.severity = Severity::Note;
      failed.notes.push_back(std::move(problem));
    }
    failed.help = name == "num_warps"    ? "give it with `--num-warps`"
                  : name == "num_stages" ? "give it with `--num-stages`"
                                         : "give it with `-D " + name + "=VALUE`";
    diagnostics.report(std::move(failed));
    return false;
  }

  const ast::FunctionStmt &kernel;
  const std::set<std::string> &wanted;
  const ast::Module &module;
  DiagnosticEngine own;
  HostEvaluation host;
  DiagnosticEngine &diagnostics;
  std::vector<std::pair<Value, Value>> arguments;
};

} // namespace

TuningInfo tegula::describeTuning(const ast::Module &module, const ast::FunctionStmt &kernel) {
  TuningInfo info;
  TuningDecorators decorators = tuningDecorators(kernel);
  if (decorators.autotune) {
    info.hasConfigs = true;
    for (std::string_view name : literalNames(argumentOf(*decorators.autotune, "key", 1)))
      info.key.emplace_back(name);
  }
  for (const ast::CallExpr *decorator : decorators.heuristics) {
    const ast::DictExpr *dict = literalDict(module, argumentOf(*decorator, "values", 0));
    for (const ast::DictItem &item : dict ? dict->items : std::span<const ast::DictItem>())
      if (const auto *name = ast::as<ast::StringExpr>(item.key))
        info.heuristics.emplace_back(name->value);
    // The names in a computed dict are known once it is computed: any compile-time value that nothing else
    // gives may be among them.
    for (const ast::Parameter &parameter : dict ? ast::Parameters() : kernel.parameters)
      if (annotationNames(parameter.annotation, "constexpr") && !parameter.defaultValue &&
          !llvm::is_contained(info.heuristics, parameter.name))
        info.heuristics.emplace_back(parameter.name);
  }
  return info;
}

std::optional<std::vector<KernelConfig>>
tegula::readConfigs(const ParsedProgram &program, const ast::FunctionStmt &kernel, const KernelSpec &spec,
                    mlir::MLIRContext &context, DiagnosticEngine &diagnostics) {
  const ast::CallExpr *autotune = tuningDecorators(kernel).autotune;
  if (!autotune)
    return std::vector<KernelConfig>();
  HostEvaluation host(program, functionsAround(program.module(), kernel), spec, context, diagnostics);
  const ast::Expr *list = argumentOf(*autotune, "configs", 0);
  if (!list) {
    host.reporter().error(autotune->range, "expected `triton.autotune` to be given `configs`");
    return std::nullopt;
  }
  Value value = host.eval(list);
  std::optional<llvm::ArrayRef<Value>> items;
  if (!value.isPoison())
    items = host.evaluator.iterate(value, list->range);
  std::vector<KernelConfig> configs;
  for (const Value &item : items.value_or(llvm::ArrayRef<Value>())) {
    std::optional<KernelConfig> config = toConfig(item, kernel, list->range, host.evaluator);
    if (!config)
      return std::nullopt;
    configs.push_back(std::move(*config));
  }
  if (!items || diagnostics.hasErrors())
    return std::nullopt;
  if (configs.empty())
    configs.emplace_back();
  return configs;
}

std::optional<std::map<std::string, BoundValue>>
tegula::computeHeuristics(const ParsedProgram &program, const ast::FunctionStmt &kernel,
                          const KernelSpec &known, const std::set<std::string> &wanted,
                          mlir::MLIRContext &context, DiagnosticEngine &diagnostics) {
  Heuristics heuristics(program, kernel, known, wanted, context, diagnostics);
  if (!heuristics.run())
    return std::nullopt;
  return std::move(heuristics.values);
}
