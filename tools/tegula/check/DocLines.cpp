#include "tools/tegula/check/DocLines.h"

#include "compiler/driver/ParsedSource.h"
#include "compiler/guess/Guess.h"
#include "compiler/spec/Descriptor.h"
#include "runtime/jit/launch/Specialize.h"
#include "tools/tegula/arguments/DocumentedCommands.h"
#include "tools/tegula/arguments/KernelChoice.h"
#include "tools/tegula/arguments/RunArguments.h"

#include <algorithm>

namespace tegula::cli {

using runtime::Result;

/// The string that `body` begins with, or null.
static const ast::Expr *docstringOf(ast::Block body) {
  const auto *first = body.empty() ? nullptr : ast::as<ast::ExprStmt>(body.front());
  return first ? ast::as<ast::StringExpr>(first->value) : nullptr;
}

/// The commands in one docstring.
static void readDocstring(const SourceFile &file, const ast::Expr *docstring, const ReadCommand &readCommand,
                          std::vector<LaunchWords> &commands) {
  if (!docstring)
    return;
  const uint32_t first = file.line(docstring->range.begin);
  for (const DocumentedCommand &found : documentedCommands(file.slice(docstring->range)))
    if (std::optional<LaunchWords> command = readCommand(found.words)) {
      command->line = first + found.line;
      commands.push_back(std::move(*command));
    }
}

std::vector<LaunchWords> commandsFor(const ParsedSource &source, const KernelInfo &kernel,
                                     const ReadCommand &readCommand) {
  std::vector<LaunchWords> own, ofFile;
  if (const ast::FunctionStmt *function = guess::functionOf(source, kernel))
    readDocstring(source.file(), docstringOf(function->body), readCommand, own);
  readDocstring(source.file(), docstringOf(source.module().body), readCommand, ofFile);
  const std::vector<KernelInfo> all = listKernels(source);
  const bool isOnly =
      std::count_if(all.begin(), all.end(), [](const KernelInfo &one) { return !one.calledInFile; }) == 1;
  // A command names its kernel where the file has several.
  for (LaunchWords &command : ofFile)
    if (command.kernel == kernel.name || (command.kernel.empty() && isOnly && !kernel.calledInFile))
      own.push_back(std::move(command));
  std::erase_if(own, [&](const LaunchWords &command) {
    return !command.kernel.empty() && command.kernel != kernel.name;
  });
  return own;
}

/// The type of an array as launches see it: memory of a device begins at a multiple of far more than 16
/// bytes.
static void addArray(const ParsedArgument &argument, const ArrayArgument &array,
                     const ParameterInfo *parameter, KernelSpec &spec) {
  constexpr uint64_t begin = 4096;
  if (!array.type && !array.isShared)
    return; // the file says it
  if (argument.blocks) {
    spec.args.insert_or_assign(argument.name, BoundValue{*argument.blocks});
    const auto parts = descriptorParameters(argument.name, argument.blocks->block.size(), *array.type);
    spec.args.insert_or_assign(parts.front().first, parts.front().second);
    return;
  }
  // A shared array is passed as a table of addresses.
  const HostValue address =
      array.isShared ? HostValue::pointer(begin, ScalarKind::Int64)
                     : HostValue::pointer(begin + array.offset * scalarKindBytes(*array.type), *array.type);
  const jit::Specialized type =
      jit::specialize(parameter ? *parameter : ParameterInfo{.name = argument.name}, address);
  if (type.form != jit::Specialized::Mismatch)
    spec.args.insert_or_assign(argument.name, jit::argSpec(type));
}

static void addArgument(const ParsedArgument &argument, const ParameterInfo *parameter, KernelSpec &spec) {
  const ParameterInfo plain{.name = argument.name};
  if (const auto *array = std::get_if<ArrayArgument>(&argument.value)) {
    addArray(argument, *array, parameter, spec);
  } else if (const auto *tuple = std::get_if<TupleArgument>(&argument.value)) {
    if (parameter)
      spec.args.insert_or_assign(argument.name, knownOf(argument));
    for (const ParsedArgument &item : tuple->items)
      addArgument(item, nullptr, spec);
  } else if (const auto *number = std::get_if<HostValue>(&argument.value)) {
    if (parameter && parameter->isConstexpr) {
      if (Result<BoundValue> value = jit::constexprOf(*parameter, *number))
        spec.args.insert_or_assign(argument.name, std::move(*value));
      return;
    }
    const jit::Specialized type = jit::specialize(parameter ? *parameter : plain, *number);
    if (type.form != jit::Specialized::Mismatch)
      spec.args.insert_or_assign(argument.name, jit::argSpec(type));
  } else if (std::get<RankArgument>(argument.value) == RankArgument::Pads) {
    spec.args.insert_or_assign(argument.name, RuntimeArg{ScalarKind::Int64, 1, {.divisibility = 16}});
  } else {
    spec.args.insert_or_assign(argument.name, RuntimeArg{ScalarKind::Int32});
  }
}

Result<void> addArguments(const std::vector<std::string> &arguments, const KernelInfo &kernel,
                          KernelSpec &spec) {
  for (const std::string &text : arguments) {
    const ParsedArgument argument = TRY(parseArgument(text));
    const ParameterInfo *parameter = findParameter(kernel, argument.name);
    if (!parameter)
      return unknownParameter(kernel, argument.name);
    addArgument(argument, parameter, spec);
  }
  return {};
}

} // namespace tegula::cli
