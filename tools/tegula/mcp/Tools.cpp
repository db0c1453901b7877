#include "tools/tegula/mcp/Tools.h"

#include "tools/tegula/output/Status.h"
#include "tools/tegula/output/Suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tegula::cli {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;
using runtime::Result;

namespace {

/// The subcommands that are about kernels; the others look after a machine.
constexpr std::array<std::string_view, 6> toolNames{"list", "check", "explain", "compile", "run", "debug"};

constexpr const char *sourceName = "source", *limitName = "limit_s";

bool takesMany(const auto &target) { return std::holds_alternative<std::vector<std::string> *>(target); }
bool isFlag(const Option &option) { return std::holds_alternative<bool *>(option.target); }

/// The long spelling, where there is one.
const std::string &spelling(const Option &option) {
  return option.name.starts_with("--") || option.otherName.empty() ? option.name : option.otherName;
}

/// "num_warps" of "--num-warps", "D" of "-D", "file" of "FILE".
std::string propertyName(std::string_view word) {
  std::string name(word.substr(std::min(word.find_first_not_of('-'), word.size())));
  std::replace(name.begin(), name.end(), '-', '_');
  if (!word.starts_with("-"))
    std::transform(name.begin(), name.end(), name.begin(), [](char c) { return char(std::tolower(c)); });
  return name;
}

/// Messages are read by a program: colour is left out.
bool isOffered(const Option &option) { return option.name != "--color"; }

/// Returns true if values of the option are pairs, so that an object may give them.
bool takesPairs(const Option &option) {
  return takesMany(option.target) && option.value.starts_with("NAME=");
}

Object textSchema(std::string help, std::span<const std::string> choices, bool many) {
  Object one{{"type", "string"}};
  if (!choices.empty() && !many)
    one["enum"] = Array(choices);
  if (!many) {
    one["description"] = std::move(help);
    return one;
  }
  return Object{{"type", "array"}, {"items", std::move(one)}, {"description", std::move(help)}};
}

Object schemaOf(const Option &option) {
  if (isFlag(option))
    return Object{{"type", "boolean"}, {"description", option.help}};
  if (takesPairs(option))
    return Object{{"type", "object"},
                  {"additionalProperties", Object{{"type", Array{"string", "number", "boolean"}}}},
                  {"description", option.value + ": " + option.help}};
  // Choices are what completion offers, which need not be all that is taken.
  return textSchema(option.value + ": " + option.help, {}, takesMany(option.target));
}

bool takesSource(const CommandTable &tool) {
  return !tool.positionals.empty() && tool.positionals.front().isFile;
}

Object schemaOf(const CommandTable &tool) {
  Object properties;
  for (const Positional &positional : tool.positionals)
    properties[propertyName(positional.name)] =
        textSchema(positional.help, positional.choices, takesMany(positional.target));
  if (takesSource(tool))
    properties[sourceName] = textSchema("the text of a file of kernels, instead of a file", {}, false);
  for (const Option &option : tool.options)
    if (isOffered(option))
      properties[propertyName(spelling(option))] = schemaOf(option);
  properties[limitName] = Object{
      {"type", "integer"},
      {"minimum", 1},
      {"maximum", mostCallSeconds},
      {"description", fmt::format("seconds after which the call is given up ({})", defaultCallSeconds)}};
  return Object{{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
}

/// A string, number or boolean as the word that a command line has for it.
std::optional<std::string> wordOf(const Value &value) {
  if (const auto text = value.getAsString())
    return text->str();
  if (const auto flag = value.getAsBoolean())
    return *flag ? "true" : "false";
  if (const auto whole = value.getAsInteger())
    return std::to_string(*whole);
  if (const auto number = value.getAsNumber())
    return fmt::format("{}", *number);
  return std::nullopt;
}

runtime::Error wrongValue(std::string_view name, std::string_view expected) {
  return usageError(fmt::format("argument `{}`: expected {}", name, expected));
}

/// The words of a value that may be one or several.
Result<std::vector<std::string>> wordsOf(std::string_view name, const Value &value, bool many, bool pairs) {
  std::vector<std::string> words;
  const auto add = [&](const Value &one, const std::string &front) {
    const std::optional<std::string> word = wordOf(one);
    if (word)
      words.push_back(front + *word);
    return word.has_value();
  };
  bool isRight = true;
  if (const Array *array = value.getAsArray(); array && many)
    for (const Value &one : *array)
      isRight = isRight && add(one, "");
  else if (const Object *object = value.getAsObject(); object && pairs)
    for (const auto &[key, one] : *object)
      isRight = isRight && add(one, key.str() + "=");
  else
    isRight = add(value, "");
  if (!isRight)
    return wrongValue(name, pairs  ? "an object of strings and numbers, or an array of NAME=VALUE"
                            : many ? "a string or an array of strings"
                                   : "a string");
  return words;
}

Result<void> addOption(ToolCall &call, const Option &option, std::string_view name, const Value &value) {
  const std::optional<bool> flag = value.getAsBoolean();
  if (isFlag(option) && !flag)
    return wrongValue(name, "true or false");
  if (flag && (isFlag(option) || option.implied)) {
    if (*flag)
      call.words.push_back(spelling(option));
    return {};
  }
  const std::vector<std::string> words =
      TRY(wordsOf(name, value, takesMany(option.target), takesPairs(option)));
  for (const std::string &word : words)
    call.words.push_back(spelling(option) + (spelling(option).starts_with("--") ? "=" : "") + word);
  return {};
}

Result<void> takeLimit(ToolCall &call, const Value &value) {
  const std::optional<int64_t> seconds = value.getAsInteger();
  if (!seconds || *seconds < 1 || *seconds > mostCallSeconds)
    return wrongValue(limitName, fmt::format("a whole number of seconds from 1 to {}", mostCallSeconds));
  call.seconds = *seconds;
  return {};
}

Result<void> takeSource(ToolCall &call, const Value &value) {
  const auto text = value.getAsString();
  if (!text)
    return wrongValue(sourceName, "the text of a file");
  call.source = text->str();
  return {};
}

runtime::Error unknownArgument(const CommandTable &tool, const std::string &name) {
  std::vector<std::string> known{limitName};
  for (const Positional &positional : tool.positionals)
    known.push_back(propertyName(positional.name));
  for (const Option &option : tool.options)
    if (isOffered(option))
      known.push_back(propertyName(spelling(option)));
  return usageError(
      fmt::format("tool `{}` has no argument `{}`{}", tool.name, name, didYouMean(name, known)));
}

const Option *findOption(const CommandTable &tool, std::string_view name) {
  const auto found = std::ranges::find_if(tool.options, [&](const Option &option) {
    return isOffered(option) && propertyName(spelling(option)) == name;
  });
  return found == tool.options.end() ? nullptr : &*found;
}

Result<void> takeArgument(ToolCall &call, const CommandTable &tool, const std::string &name,
                          const Value &value) {
  if (name == limitName)
    return takeLimit(call, value);
  if (name == sourceName && takesSource(tool))
    return takeSource(call, value);
  if (const Option *option = findOption(tool, name))
    return addOption(call, *option, name, value);
  return unknownArgument(tool, name);
}

/// The words without a dash, in the order of the table.
Result<std::vector<std::string>> places(const ToolCall &call, const CommandTable &tool,
                                        const Object &arguments) {
  std::vector<std::string> all;
  for (const Positional &positional : tool.positionals) {
    const std::string name = propertyName(positional.name);
    const Value *value = arguments.get(name);
    const bool isSource = call.source && &positional == &tool.positionals.front();
    if (value && isSource)
      return usageError(fmt::format("expected one of `{}` and `{}`, found both", name, sourceName));
    if (isSource)
      all.push_back("-");
    if (!value && !isSource && positional.isRequired)
      return usageError(fmt::format("tool `{}` needs `{}`{}", tool.name, name,
                                    takesSource(tool) ? fmt::format(" or `{}`", sourceName) : ""));
    if (!value)
      continue;
    const std::vector<std::string> words = TRY(wordsOf(name, *value, takesMany(positional.target), false));
    all.insert(all.end(), words.begin(), words.end());
  }
  return all;
}

} // namespace

const CommandTable *findTool(std::span<const CommandTable> commands, std::string_view name) {
  const auto found =
      std::ranges::find_if(commands, [&](const CommandTable &command) { return command.name == name; });
  return found != commands.end() && std::ranges::count(toolNames, name) ? &*found : nullptr;
}

Array describeTools(std::span<const CommandTable> commands) {
  Array tools;
  for (std::string_view name : toolNames)
    if (const CommandTable *tool = findTool(commands, name))
      tools.push_back(
          Object{{"name", tool->name},
                 {"description", tool->summary + (tool->details.empty() ? "" : "\n\n") + tool->details},
                 {"inputSchema", schemaOf(*tool)}});
  return tools;
}

Result<ToolCall> readCall(const CommandTable &tool, const Object &arguments) {
  ToolCall call{.words = {tool.name}, .source = {}};
  const auto isPlace = [&](llvm::StringRef name) {
    return std::ranges::any_of(tool.positionals, [&](const Positional &positional) {
      return propertyName(positional.name) == name;
    });
  };
  for (const auto &[key, value] : arguments)
    if (!isPlace(key))
      TRY(takeArgument(call, tool, key.str(), value));
  const std::vector<std::string> words = TRY(places(call, tool, arguments));
  call.words.push_back("--");
  call.words.insert(call.words.end(), words.begin(), words.end());
  return call;
}

} // namespace tegula::cli
