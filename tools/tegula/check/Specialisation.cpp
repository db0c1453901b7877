#include "tools/tegula/check/Specialisation.h"

#include "compiler/driver/ParsedSource.h"
#include "compiler/spec/PassedTuple.h"
#include "compiler/spec/ValueText.h"
#include "runtime/jit/files/SpecText.h"
#include "runtime/jit/program/CompileError.h"
#include "tools/tegula/arguments/CompileSpec.h"
#include "tools/tegula/arguments/KernelChoice.h"
#include "tools/tegula/arguments/Values.h"
#include "tools/tegula/check/SpecComment.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::cli {

using runtime::Result;

std::string reasonText(const Reason &reason) {
  // In the order of Origin; those of a line of the file end with it.
  static constexpr const char *texts[] = {"comment in line {}", "command in line {}", "recorded launch",
                                          "launch in line {}",  "config 0",           "default",
                                          "annotation",         "heuristic",          "guessed"};
  return fmt::format(fmt::runtime(texts[size_t(reason.origin)]), reason.line);
}

bool Specialisation::isGuessed(const std::string &parameter) const {
  const auto found = reasons.find(parameter);
  return found != reasons.end() && found->second.origin == Origin::Guess;
}

bool Specialisation::hasGuesses() const {
  return std::any_of(reasons.begin(), reasons.end(),
                     [](const auto &one) { return one.second.origin == Origin::Guess; });
}

std::vector<std::string> Specialisation::guessedOf(const KernelInfo &kernel) const {
  std::vector<std::string> guessed;
  for (const ParameterInfo &parameter : kernel.parameters)
    if (isGuessed(parameter.name))
      guessed.push_back(parameter.name);
  return guessed;
}

/// A type or a value as `--sig` and `-D` spell it; `spec` has the parts of descriptors and tuples.
static std::string argumentText(const KernelSpec &spec, const std::string &name, const ArgSpec &argument) {
  if (const auto *type = std::get_if<RuntimeArg>(&argument))
    return formatArgType(*type);
  const BoundValue &value = std::get<BoundValue>(argument);
  auto partText = [&](const std::string &part) {
    const auto found = spec.args.find(part);
    return found == spec.args.end() ? std::string("i32") : argumentText(spec, part, found->second);
  };
  if (const auto *descriptor = std::get_if<bound::Descriptor>(&value.value))
    return fmt::format("tensordesc<{}[{}]{}>",
                       partText(name + ".base").substr(1, partText(name + ".base").find(':') - 1),
                       fmt::join(descriptor->block, ","), descriptor->padsWithNan ? ",nan" : "");
  const auto *tuple = std::get_if<bound::Tuple>(&value.value);
  if (!tuple || passedParameters(name, value).empty())
    return valueText(value);
  std::vector<std::string> items;
  for (size_t i = 0; i < tuple->items.size(); ++i) {
    const bool isPassed = std::holds_alternative<bound::Passed>(tuple->items[i].value);
    const std::string item = itemName(name, i);
    items.push_back(isPassed ? partText(item) : argumentText(spec, item, tuple->items[i]));
    if (!tuple->fields.empty())
      items.back().insert(0, tuple->fields[i] + "=");
  }
  return fmt::format("{}({})", tuple->typeName, fmt::join(items, ","));
}

std::string signatureText(const KernelSpec &spec, const std::string &name) {
  const ArgSpec &argument = spec.args.at(name);
  const std::string fact = jit::signatureText(argument);
  return fact.empty() ? argumentText(spec, name, argument) : fact;
}

std::string specialisationText(const KernelSpec &spec, const std::vector<std::string> &parameters) {
  std::string text;
  for (const std::string &name : parameters) {
    const auto found = spec.args.find(name);
    if (found == spec.args.end())
      continue;
    const std::string value = argumentText(spec, name, found->second);
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name,
                        value.find(' ') == std::string::npos ? value : fmt::format("'{}'", value));
  }
  return text;
}

namespace {

/// Puts a specialisation together, from what counts most to what counts least.
class Settler {
public:
  Settler(Compiler &compiler, const ParsedSource &source, const KernelInfo &kernel, const std::string &target)
      : compiler(compiler), source(source), kernel(kernel) {
    made.spec.kernel = kernel.name;
    made.spec.target = target;
  }

  Specialisation settle(const CheckOptions &options) {
    readComment();
    for (const LaunchWords &command : commandsFor(source, kernel, options.readCommand))
      readDocLine(command);
    if (options.recorded)
      readRecorded(*options.recorded);
    const std::map<std::string, guess::Passed> passed = guess::passedTo(source, kernel);
    made.guess = guess::guessKernel(source, kernel, passed);
    readLaunch(passed);
    readConfig();
    takeGuesses();
    computeHeuristics();
    return std::move(made);
  }

private:
  bool isOpen(const std::string &name) const { return !made.reasons.contains(name); }
  void readComment();
  void readDocLine(const LaunchWords &command);
  void readRecorded(RecordedLaunches &recorded);
  void readLaunch(const std::map<std::string, guess::Passed> &passed);
  void readConfig();
  void takeGuesses();
  /// Returns true if the text uses the parameter as a number, so that a number at a launch may be it.
  bool isNumber(const std::string &name) const {
    const auto found = made.guess.parameters.find(name);
    const auto *type =
        found == made.guess.parameters.end() ? nullptr : std::get_if<RuntimeArg>(&found->second.choice.value);
    return type && !type->pointerDepth;
  }
  void computeHeuristics();
  /// Takes what `spec` says of parameters that are open.
  void take(const KernelSpec &spec, const Reason &reason);

  Compiler &compiler;
  const ParsedSource &source;
  const KernelInfo &kernel;
  Specialisation made;
};

void Settler::take(const KernelSpec &spec, const Reason &reason) {
  std::map<std::string, ArgSpec> taken;
  for (const auto &[name, value] : spec.args) {
    const std::string part(parameterOf(name));
    if (isOpen(part.empty() ? name : part))
      taken.emplace(name, value);
  }
  for (auto &[name, value] : taken) {
    if (parameterOf(name).empty())
      made.reasons.emplace(name, reason);
    made.spec.args.insert_or_assign(name, std::move(value));
  }
  if (!made.spec.numWarps)
    made.spec.numWarps = spec.numWarps;
  if (!made.spec.numStages)
    made.spec.numStages = spec.numStages;
}

void Settler::readComment() {
  SpecComment comment = readSpecComment(source, kernel);
  made.problems = std::move(comment.problems);
  made.grid = std::move(comment.grid);
  if (!comment.spec.target.empty())
    made.spec.target = comment.spec.target;
  take(comment.spec, {Origin::Comment, comment.line});
}

void Settler::readDocLine(const LaunchWords &command) {
  KernelSpec spec;
  for (const std::string &text : command.signature)
    if (Result<std::pair<std::string, std::string>> word = splitAssignment(text, "--sig"))
      if (!addType(spec, kernel, word->first, word->second))
        return;
  for (const std::string &text : command.constexprs) {
    Result<std::pair<std::string, std::string>> word = splitAssignment(text, "-D");
    if (!word || isOfModule(word->first))
      continue;
    Result<BoundValue> value = constexprFor(kernel, word->first, word->second);
    if (!value)
      return;
    spec.args.insert_or_assign(word->first, std::move(*value));
  }
  if (!addArguments(command.arguments, kernel, spec))
    return;
  auto count = [](const std::string &text) {
    Result<uint32_t> number = parseCount(text, "");
    return number ? *number : 0;
  };
  spec.numWarps = command.numWarps.empty() ? 0 : count(command.numWarps);
  spec.numStages = command.numStages.empty() ? 0 : count(command.numStages);
  take(spec, {Origin::Docstring, command.line});
  if (made.grid.empty())
    made.grid = command.grid;
}

void Settler::readRecorded(RecordedLaunches &recorded) {
  std::optional<KernelSpec> spec = recorded.find(source.file().path(), kernel.name);
  if (!spec)
    return;
  // The kernel may have changed since.
  std::erase_if(spec->args, [&](const auto &one) {
    const std::string part(parameterOf(one.first));
    const ParameterInfo *parameter = findParameter(kernel, part.empty() ? one.first : part);
    return !parameter || (parameter->isConstexpr && std::holds_alternative<RuntimeArg>(one.second));
  });
  take(*spec, {Origin::Recorded, 0});
}

void Settler::readLaunch(const std::map<std::string, guess::Passed> &passed) {
  for (const auto &[name, shown] : passed) {
    const ParameterInfo *parameter = findParameter(kernel, name);
    if (!shown.literal || !parameter || !isOpen(name))
      continue;
    KernelSpec spec;
    if (parameter->isConstexpr)
      spec.args.emplace(name, *shown.literal);
    else if (std::holds_alternative<std::monostate>(shown.literal->value))
      continue; // an array that this launch does without
    else if (!isNumber(name))
      continue; // a variable of several values
    else if (const auto *number = std::get_if<int64_t>(&shown.literal->value))
      spec.args.emplace(name, jit::argSpec(jit::specialize(*parameter, HostValue::integer(*number))));
    else if (std::holds_alternative<double>(shown.literal->value))
      spec.args.emplace(name, RuntimeArg{ScalarKind::Float32});
    else
      continue;
    take(spec, {Origin::Launch, shown.line});
  }
}

/// Returns whether an error in what the host computes is one for sure: Python, which runs that in earnest,
/// knows more than its text tells.
static bool isCertain(const ParsedSource &source, const Diagnostic &problem) {
  const bool isOfText = problem.basis == Basis::Name || problem.basis == Basis::Text;
  return isOfText && problem.file == source.file().path();
}

void Settler::readConfig() {
  if (!kernel.tuning.hasConfigs)
    return;
  ConfigsResult read = compiler.configs(source, kernel.name, made.spec.target, made.spec.tritonVersion);
  if (!read.configs) {
    for (Diagnostic &problem : read.diagnostics) {
      if (jit::isError(problem) && !isCertain(source, problem))
        problem.severity = Severity::Warning;
      made.problems.push_back(std::move(problem));
    }
    return;
  }
  if (read.configs->empty())
    return;
  const KernelConfig &config = read.configs->front();
  KernelSpec spec;
  for (const auto &[name, value] : config.values)
    if (findParameter(kernel, name))
      spec.args.emplace(name, value);
  spec.numWarps = config.numWarps;
  spec.numStages = config.numStages;
  take(spec, {Origin::Config, 0});
}

void Settler::takeGuesses() {
  for (const ParameterInfo &parameter : kernel.parameters) {
    if (!isOpen(parameter.name) || llvm::is_contained(kernel.tuning.heuristics, parameter.name))
      continue;
    if (parameter.hasDefault) {
      made.reasons.emplace(parameter.name, Reason{Origin::Default});
      continue;
    }
    const auto guessed = made.guess.parameters.find(parameter.name);
    if (guessed == made.guess.parameters.end())
      continue;
    const guess::Choice &choice = guessed->second.choice;
    made.spec.args.insert_or_assign(parameter.name, choice.value);
    for (const auto &[name, value] : choice.parts)
      made.spec.args.insert_or_assign(name, value);
    const bool isAnnotated = parameter.type && !parameter.isConstexpr;
    made.reasons.emplace(parameter.name, Reason{isAnnotated ? Origin::Annotation : Origin::Guess});
  }
}

void Settler::computeHeuristics() {
  std::set<std::string> wanted;
  for (const std::string &name : kernel.tuning.heuristics)
    if (name == "num_warps"    ? !made.spec.numWarps
        : name == "num_stages" ? !made.spec.numStages
                               : isOpen(name))
      wanted.insert(name);
  if (wanted.empty())
    return;
  HeuristicsResult computed = compiler.heuristics(source, made.spec, wanted);
  for (const std::string &name : wanted) {
    if (!findParameter(kernel, name))
      continue;
    // A value that only a launch knows is guessed.
    const bool isKnown = computed.values && computed.values->contains(name);
    const auto guessed = made.guess.parameters.find(name);
    if (isKnown)
      made.spec.args.insert_or_assign(name, computed.values->at(name));
    else if (guessed != made.guess.parameters.end())
      made.spec.args.insert_or_assign(name, guessed->second.choice.value);
    made.reasons.emplace(name, Reason{isKnown ? Origin::Heuristic : Origin::Guess});
  }
}

} // namespace

Specialisation specialise(Compiler &compiler, const ParsedSource &source, const KernelInfo &kernel,
                          const CheckOptions &options) {
  return Settler(compiler, source, kernel, options.target).settle(options);
}

} // namespace tegula::cli
