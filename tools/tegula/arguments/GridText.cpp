#include "tools/tegula/arguments/GridText.h"

#include "runtime/jit/program/CompileError.h"
#include "tools/tegula/arguments/KernelChoice.h"
#include "tools/tegula/arguments/Values.h"
#include "tools/tegula/output/Status.h"

#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

#include <cctype>
#include <vector>

namespace tegula::cli {

using runtime::Error;
using runtime::Result;

/// Returns what an expression may know of an argument: numbers, and tuples of such.
static Result<BoundValue> knownValue(const ParameterInfo &parameter, const ParsedArgument &argument) {
  if (const auto *number = std::get_if<HostValue>(&argument.value))
    return jit::constexprOf(parameter, *number);
  const auto *tuple = std::get_if<TupleArgument>(&argument.value);
  if (!tuple)
    return BoundValue{bound::Passed()};
  bound::Tuple made{.items = {}, .fields = tuple->fields, .typeName = tuple->type};
  for (const ParsedArgument &item : tuple->items) {
    Result<BoundValue> value = knownValue({.name = item.name}, item);
    if (!value)
      return value;
    made.items.push_back(std::move(*value));
  }
  return BoundValue{std::move(made)};
}

Result<Names> namesOf(const KernelInfo &kernel, const jit::JitKernel::Options &options,
                      const std::map<std::string, ParsedArgument> &arguments) {
  Names names = options.constexprs;
  names.emplace("num_warps", BoundValue{int64_t(options.warps())});
  names.emplace("num_stages", BoundValue{int64_t(options.stages())});
  for (const auto &[name, argument] : arguments)
    if (const ParameterInfo *parameter = findParameter(kernel, name);
        parameter && !std::holds_alternative<ArrayArgument>(argument.value) &&
        !std::holds_alternative<RankArgument>(argument.value)) {
      BoundValue value = TRY(knownValue(*parameter, argument));
      names.insert_or_assign(name, std::move(value));
    }
  return names;
}

bool isExpression(const std::string &text) {
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool startsWord = (std::isalpha(c) || c == '_' || c >= 0x80) &&
                            (i == 0 || !std::isalnum(static_cast<unsigned char>(text[i - 1])));
    if (startsWord || std::string_view("()*/+%").find(char(c)) != std::string_view::npos)
      return true;
  }
  return false;
}

static Error tooManySides(const std::string &text) {
  return usageError(fmt::format("expected at most 3 sides of the grid, found `{}`", text));
}

static Result<runtime::Grid> gridOfNumbers(const std::string &text) {
  std::vector<uint32_t> sides;
  for (llvm::StringRef part : llvm::split(text, ',')) {
    if (sides.size() == 3)
      return tooManySides(text);
    uint32_t side = TRY(parseCount(part, "a side of the grid"));
    sides.push_back(side);
  }
  sides.resize(3, 1);
  return runtime::Grid{sides[0], sides[1], sides[2]};
}

Result<runtime::Grid> gridOf(const std::string &text, const Names &names) {
  if (!isExpression(text))
    return gridOfNumbers(text);
  ExpressionResult result = jit::sharedCompiler().evaluate("--grid", text, names);
  if (!result.value) {
    runtime::Error error = jit::compileError(std::move(result.diagnostics));
    error.kind = runtime::ErrorKind::InvalidArgument; // it stands in the command line
    return error;
  }
  const std::vector<BoundValue> *items = itemsOf(*result.value);
  const std::vector<BoundValue> values = items ? *items : std::vector{*result.value};
  if (values.size() > 3)
    return tooManySides(text);
  if (values.empty())
    return usageError(fmt::format("expected at least one side of the grid, found `{}`", text));
  uint32_t sides[3] = {1, 1, 1};
  for (size_t i = 0; i < values.size(); ++i) {
    const auto *side = std::get_if<int64_t>(&values[i].value);
    if (!side)
      return usageError(fmt::format("expected whole numbers as sides of the grid, found `{}`", text));
    // The text of a number is what the reader of numbers checks, and names in what it says.
    sides[i] = TRY(parseCount(std::to_string(*side), "a side of the grid"));
  }
  return runtime::Grid{sides[0], sides[1], sides[2]};
}

Result<runtime::Grid> gridOf(const std::string &text, const KernelChoice &choice,
                             const std::map<std::string, ParsedArgument> &arguments) {
  Names names;
  if (isExpression(text))
    names = TRY(namesOf(*choice.kernel, choice.options, arguments));
  return gridOf(text, names);
}

} // namespace tegula::cli
