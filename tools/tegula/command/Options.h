// The subcommands and their options as tables: what is parsed, what `--help`, the manual page and the shells'
// completions say, all come from here.
#pragma once

#include "dialect/image/Result.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tegula::cli {

/// The place that an option's value goes to; a vector may be given many times.
using OptionTarget = std::variant<bool *, std::string *, std::vector<std::string> *>;

/// One option.
struct Option {
  std::string name;  ///< "--arch", or "-D"
  std::string value; ///< what its value is called, "NAME=VALUE"; empty for a flag
  std::string help;  ///< a phrase without full stop
  OptionTarget target;
  std::vector<std::string> choices = {};   ///< what completion offers
  std::optional<std::string> implied = {}; ///< the value of the bare option; any other stands behind a `=`
  bool isFile = false;                     ///< the value is a path
  std::string otherName = {};              ///< a second spelling, or empty: "-k" for "--kernel"
};

/// An option for whose value completion offers `choices`.
inline Option choiceOption(std::string name, std::string value, std::string help, OptionTarget target,
                           std::vector<std::string> choices, std::optional<std::string> implied = {}) {
  return {std::move(name), std::move(value), std::move(help), target, std::move(choices), std::move(implied)};
}

/// An option whose value is a path.
inline Option fileOption(std::string name, std::string value, std::string help, OptionTarget target,
                         std::optional<std::string> implied = {}) {
  return {std::move(name), std::move(value), std::move(help), target, {}, std::move(implied), true};
}

/// An argument without a dash.
struct Positional {
  std::string name; ///< "FILE"
  std::string help;
  std::variant<std::string *, std::vector<std::string> *> target; ///< a vector takes all that follow
  bool isFile = false;
  bool isRequired = true;
  std::vector<std::string> choices = {};
};

struct Example {
  std::string command, says;
};

/// One subcommand.
struct CommandTable {
  std::string name;
  std::string summary; ///< a phrase for the list of commands
  std::string needed;  ///< what stands behind the name in the line of usage: "FILE --grid=X[,Y[,Z]]"
  std::vector<Positional> positionals;
  std::vector<Option> options;
  std::string details; ///< paragraphs after the options, or empty
  std::vector<Example> examples;
  std::function<int()> work; ///< to be called when the targets are filled
};

/// Fills the targets from the words behind the command's name. "--name=value", "--name value", "-n value" and
/// "-nvalue" are the forms; `--` ends the options. Errors: InvalidArgument.
runtime::Result<void> parseOptions(const CommandTable &command, std::span<const std::string> words);

/// Returns true if the words ask for help: "-h" or "--help" where an option may be.
bool asksForHelp(const CommandTable &command, std::span<const std::string> words);

// Texts about the tables.

/// "usage: tegula run FILE --grid=X[,Y[,Z]] [OPTION]...": one line, with its end.
std::string usageLine(const CommandTable &command);
/// `tegula --help` and `tegula COMMAND --help`.
std::string generalHelp(std::span<const CommandTable> commands);
std::string commandHelp(const CommandTable &command);

/// The manual page of section 1, in the language of man(7).
std::string manualPage(std::span<const CommandTable> commands);

/// The script that completes command lines of `tegula` in `shell`: "bash", "zsh" or "fish".
std::string completionScript(std::string_view shell, std::span<const CommandTable> commands);

/// An exit status and an environment variable, for the help and the manual.
struct Explained {
  std::string_view word, meaning;
};
std::span<const Explained> exitStatuses();
std::span<const Explained> environmentVariables();

} // namespace tegula::cli
