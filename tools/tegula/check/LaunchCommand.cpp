#include "tools/tegula/check/LaunchCommand.h"

#include "compiler/spec/ValueText.h"
#include "tools/tegula/arguments/Arguments.h"
#include "tools/tegula/arguments/DocumentedLaunch.h"
#include "tools/tegula/output/ShellQuote.h"
#include "tools/tegula/output/Status.h"

#include <fmt/format.h>

namespace tegula::cli {

using runtime::Result;

/// The first launch of `kernel` that a docstring says.
static std::optional<LaunchWords> documentedLaunch(const ParsedSource &source, const KernelInfo &kernel,
                                                   const ReadCommand &readCommand) {
  for (LaunchWords &command : commandsFor(source, kernel, readCommand))
    if (!command.grid.empty() && !command.arguments.empty())
      return std::move(command);
  return std::nullopt;
}

/// Returns true if `-D` says what `parameter` is.
static bool isCompileTime(const ParameterInfo &parameter) {
  return parameter.isConstexpr || parameter.isCalled;
}

/// Returns the compile-time values, warps and stages of `made`.
static LaunchWords valuesOf(const KernelInfo &kernel, const Specialisation &made) {
  LaunchWords command;
  for (const ParameterInfo &parameter : kernel.parameters) {
    const auto found = made.spec.args.find(parameter.name);
    if (found == made.spec.args.end() || !isCompileTime(parameter))
      continue;
    if (const auto *value = std::get_if<BoundValue>(&found->second)) {
      const bool isFunction = std::holds_alternative<bound::Function>(value->value);
      command.constexprs.push_back(
          fmt::format("{}={}{}", parameter.name, isFunction ? "@" : "", valueText(*value)));
    }
  }
  if (made.spec.numWarps)
    command.numWarps = std::to_string(made.spec.numWarps);
  if (made.spec.numStages)
    command.numStages = std::to_string(made.spec.numStages);
  return command;
}

LaunchWords compilationOf(const KernelInfo &kernel, const Specialisation &made) {
  LaunchWords command = valuesOf(kernel, made);
  command.arch = made.spec.target;
  for (const ParameterInfo &parameter : kernel.parameters)
    if (made.spec.args.contains(parameter.name) && !isCompileTime(parameter))
      command.signature.push_back(
          fmt::format("{}={}", parameter.name, signatureText(made.spec, parameter.name)));
  return command;
}

//===----------------------------------------------------------------------===//
// Arguments that are made up
//===----------------------------------------------------------------------===//

static Result<std::string> arrayOf(const std::string &name, const RuntimeArg &type,
                                   const std::vector<int64_t> &shape) {
  if (type.pointerDepth != 1)
    return usageError(fmt::format("cannot make up an argument for `{}`: an array of addresses", name));
  // Numbers that may be indices are zero, which is inside of every array.
  const char *values = isFloatKind(type.scalar) ? "randn" : "zeros";
  return fmt::format("{}:{}{}", values, scalarKindName(type.scalar), formatShape(shape));
}

static Result<std::string> descriptorOf(const KernelSpec &spec, const std::string &name,
                                        const bound::Descriptor &descriptor) {
  constexpr int64_t blocks = 4; // on each side
  std::vector<int64_t> shape;
  for (int64_t side : descriptor.block)
    shape.push_back(blocks * side);
  const auto &base = std::get<RuntimeArg>(spec.args.at(fmt::format("{}.base", name)));
  return fmt::format("{}/{}{}", TRY(arrayOf(name, base, shape)), formatShape(descriptor.block),
                     descriptor.padsWithNan ? ":nan" : "");
}

/// A value of `--arg` for a parameter of the type `argument`.
static Result<std::string> argumentFor(const KernelSpec &spec, const std::string &name,
                                       const ArgSpec &argument) {
  // A side of 64 and rows of as many elements stay within the arrays while blocks have at most 16,384 rows.
  constexpr int64_t elements = int64_t(1) << 20, number = 64;
  if (const auto *value = std::get_if<BoundValue>(&argument)) {
    if (const auto *descriptor = std::get_if<bound::Descriptor>(&value->value))
      return descriptorOf(spec, name, *descriptor);
    if (std::holds_alternative<bound::Tuple>(value->value))
      return usageError(fmt::format("cannot make up an argument for `{}`: a tuple", name));
    return valueText(*value);
  }
  const RuntimeArg &type = std::get<RuntimeArg>(argument);
  if (type.pointerDepth)
    return arrayOf(name, type, {elements});
  if (isFloatKind(type.scalar))
    return fmt::format("0.5:{}", scalarKindName(type.scalar));
  if (type.scalar == ScalarKind::Int1)
    return std::string("true");
  return fmt::format("{}:{}", number, scalarKindName(type.scalar));
}

Result<LaunchCommand> debugCommandOf(const ParsedSource &source, const KernelInfo &kernel,
                                     const Specialisation &made, const ReadCommand &readCommand) {
  // Folders for imports in a text are relative to one that is not known.
  if (auto command = documentedLaunch(source, kernel, readCommand)) {
    command->kernel = kernel.name;
    return LaunchCommand{wordsOf(*command, *command), {}};
  }
  LaunchWords command = valuesOf(kernel, made);
  command.kernel = kernel.name;
  command.grid = made.grid.empty() ? "1" : made.grid;
  std::vector<std::string> guessed;
  for (const ParameterInfo &parameter : kernel.parameters) {
    const auto found = made.spec.args.find(parameter.name);
    if (made.isGuessed(parameter.name) || (found != made.spec.args.end() && !isCompileTime(parameter)))
      guessed.push_back(parameter.name);
    if (found == made.spec.args.end() || isCompileTime(parameter))
      continue;
    Result<std::string> text = argumentFor(made.spec, parameter.name, found->second);
    if (!text)
      return usageError(fmt::format("{}; a line `tegula run` in a docstring says what `{}` is launched with",
                                    text.error().text, kernel.name));
    command.arguments.push_back(fmt::format("{}={}", parameter.name, *text));
  }
  return LaunchCommand{wordsOf(command, command), std::move(guessed)};
}

std::string shellText(const std::vector<std::string> &words) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  std::string text;
  for (const std::string &word : words) {
    text += text.empty() ? "" : " ";
    const bool isPlain = !word.empty() && word.find_first_not_of(plain) == std::string::npos;
    text += isPlain ? word : shellQuoted(word);
  }
  return text;
}

} // namespace tegula::cli
