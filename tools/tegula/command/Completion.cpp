// Completion of command lines by the shells, as scripts made from the tables.
#include "tools/tegula/command/Options.h"
#include "tools/tegula/output/ShellQuote.h"

#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

namespace tegula::cli {

/// Every spelling of `option`.
static std::vector<std::string> namesOf(const Option &option) {
  std::vector<std::string> names{option.name};
  if (!option.otherName.empty())
    names.push_back(option.otherName);
  return names;
}

static std::vector<std::string> commandNames(std::span<const CommandTable> commands) {
  std::vector<std::string> names;
  for (const CommandTable &command : commands)
    names.push_back(command.name);
  return names;
}

//===----------------------------------------------------------------------===//
// bash
//===----------------------------------------------------------------------===//

/// The options that completion offers: with a `=` where a value has to follow, so that the cursor stays
/// there.
static std::vector<std::string> offeredInBash(const CommandTable &command) {
  std::vector<std::string> offered{"--help"};
  for (const Option &option : command.options)
    for (const std::string &name : namesOf(option)) {
      const bool needsValue = name.starts_with("--") && !option.value.empty() && !option.implied;
      offered.push_back(needsValue ? name + "=" : name);
    }
  return offered;
}

/// The `case` branches that complete the values of one command's options.
static std::string valuesInBash(const CommandTable &command) {
  std::string text;
  for (const Option &option : command.options) {
    if (option.value.empty())
      continue;
    const std::string words = option.isFile
                                  ? std::string("-f")
                                  : fmt::format("-W {}", shellQuoted(llvm::join(option.choices, " ")));
    for (const std::string &name : namesOf(option))
      text += fmt::format("    {}) COMPREPLY=($(compgen {} -- \"$cur\")); return ;;\n",
                          shellQuoted(command.name + " " + name), words);
  }
  return text;
}

static std::string placesInBash(const CommandTable &command) {
  for (const Positional &positional : command.positionals) {
    if (positional.isFile)
      return "-f";
    if (!positional.choices.empty())
      return fmt::format("-W {}", shellQuoted(llvm::join(positional.choices, " ")));
  }
  return "-W ''";
}

static std::string bashScript(std::span<const CommandTable> commands) {
  std::string text =
      fmt::format(R"(# Completion of `tegula` for bash, made by `tegula completion bash`.
_tegula() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} option=${{COMP_WORDS[COMP_CWORD-1]}} command=${{COMP_WORDS[1]}}
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W {} -- "$cur"))
    return
  fi
  # bash makes a word of its own of `=`.
  if [ "$cur" = = ]; then
    cur=
  elif [ "$option" = = ]; then
    option=${{COMP_WORDS[COMP_CWORD-2]}}
  fi
  case "$command $option" in
)",
                  shellQuoted(fmt::format("{} --help --version", fmt::join(commandNames(commands), " "))));
  for (const CommandTable &command : commands)
    text += valuesInBash(command);
  text += "  esac\n  case \"$command $cur\" in\n";
  for (const CommandTable &command : commands) {
    text += fmt::format("    {}\\ -*) COMPREPLY=($(compgen -W {} -- \"$cur\")) ;;\n", command.name,
                        shellQuoted(llvm::join(offeredInBash(command), " ")));
    text += fmt::format("    {}\\ *) COMPREPLY=($(compgen {} -- \"$cur\")) ;;\n", command.name,
                        placesInBash(command));
  }
  text += R"(  esac
  case "${COMPREPLY[0]}" in
    *=) compopt -o nospace 2>/dev/null ;;
  esac
}
complete -o filenames -F _tegula tegula
)";
  return text;
}

//===----------------------------------------------------------------------===//
// zsh
//===----------------------------------------------------------------------===//

/// Returns a text as it is quoted in brackets and before colons of `_arguments`.
static std::string zshText(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\')
      out += '\\';
    out += c;
  }
  return out;
}

/// ":FILE:_files" or ":STAGE:(ast tile)".
static std::string zshAction(std::string_view name, bool isFile, const std::vector<std::string> &choices) {
  const std::string action = isFile            ? "_files"
                             : choices.empty() ? " "
                                               : zshText(fmt::format("({})", fmt::join(choices, " ")));
  return fmt::format(":{}:{}", zshText(name), action);
}

static std::string zshArguments(const CommandTable &command) {
  std::string text;
  for (const Option &option : command.options)
    for (const std::string &name : namesOf(option)) {
      const bool repeats = std::holds_alternative<std::vector<std::string> *>(option.target);
      std::string spec = fmt::format("{}{}", repeats ? "*" : "", name);
      if (!option.value.empty())
        spec += option.implied ? "=-" : name.starts_with("--") ? "=" : "+";
      spec += fmt::format("[{}]", zshText(option.help));
      if (!option.value.empty())
        spec += (option.implied ? ":" : "") + zshAction(option.value, option.isFile, option.choices);
      text += fmt::format("        {} \\\n", shellQuoted(spec));
    }
  text += fmt::format("        {}", shellQuoted("--help[print help]"));
  for (const Positional &positional : command.positionals)
    text += fmt::format(
        " \\\n        {}",
        shellQuoted(fmt::format("{}{}",
                                std::holds_alternative<std::vector<std::string> *>(positional.target) ? "*"
                                : positional.isRequired                                               ? ""
                                                                                                      : ":",
                                zshAction(positional.name, positional.isFile, positional.choices))));
  return text + '\n';
}

static std::string zshScript(std::span<const CommandTable> commands) {
  std::string text = "#compdef tegula\n# Completion of `tegula` for zsh, made by `tegula completion zsh`.\n"
                     "_tegula() {\n  if (( CURRENT == 2 )); then\n    local -a commands=(\n";
  for (const CommandTable &command : commands)
    text +=
        fmt::format("      {}\n", shellQuoted(fmt::format("{}:{}", command.name, zshText(command.summary))));
  text += "    )\n    _describe command commands\n    return\n  fi\n"
          "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n";
  for (const CommandTable &command : commands)
    text += fmt::format("    {})\n      _arguments \\\n{}      ;;\n", command.name, zshArguments(command));
  return text + "  esac\n}\nif [ \"$funcstack[1]\" = _tegula ]; then\n  _tegula \"$@\"\nelse\n"
                "  compdef _tegula tegula\nfi\n";
}

//===----------------------------------------------------------------------===//
// fish
//===----------------------------------------------------------------------===//

/// fish has backslashes in single quotes.
static std::string fishQuoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\')
      out += '\\';
    out += c;
  }
  return out + "'";
}

static std::string fishOption(const CommandTable &command, const Option &option) {
  std::string text = fmt::format("complete -c tegula -n '__fish_seen_subcommand_from {}'", command.name);
  for (const std::string &name : namesOf(option))
    text += name.starts_with("--") ? fmt::format(" -l {}", name.substr(2))
                                   : fmt::format(" -s {}", name.substr(1));
  if (!option.value.empty() && !option.implied)
    text += option.isFile ? " -rF" : " -x";
  if (!option.choices.empty())
    text += fmt::format(" -a {}", fishQuoted(llvm::join(option.choices, " ")));
  return text + fmt::format(" -d {}\n", fishQuoted(option.help));
}

static std::string fishScript(std::span<const CommandTable> commands) {
  std::string text = "# Completion of `tegula` for fish, made by `tegula completion fish`.\n";
  text += "complete -c tegula -n __fish_use_subcommand -f -l version -d 'print the version'\n"
          "complete -c tegula -f -l help -d 'print help'\n";
  for (const CommandTable &command : commands)
    text += fmt::format("complete -c tegula -n __fish_use_subcommand -f -a {} -d {}\n", command.name,
                        fishQuoted(command.summary));
  for (const CommandTable &command : commands) {
    for (const Option &option : command.options)
      text += fishOption(command, option);
    for (const Positional &positional : command.positionals) {
      text += fmt::format("complete -c tegula -n '__fish_seen_subcommand_from {}' {}", command.name,
                          positional.isFile ? "-F" : "-f");
      if (!positional.choices.empty())
        text += fmt::format(" -a {}", fishQuoted(llvm::join(positional.choices, " ")));
      text += '\n';
    }
  }
  return text;
}

std::string completionScript(std::string_view shell, std::span<const CommandTable> commands) {
  return shell == "bash" ? bashScript(commands) : shell == "zsh" ? zshScript(commands) : fishScript(commands);
}

} // namespace tegula::cli
