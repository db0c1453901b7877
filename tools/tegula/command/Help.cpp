// `--help`.
#include "tools/tegula/command/Options.h"

#include <fmt/format.h>

namespace tegula::cli {

/// As wide as the narrowest terminal that is common.
static constexpr size_t lineWidth = 80;
/// Column at which the explanation of an option begins; longer options have it on lines of their own.
static constexpr size_t helpColumn = 24;

std::span<const Explained> exitStatuses() {
  static constexpr Explained statuses[] = {
      {"0", "done"},
      {"1", "the kernel file or another file is wrong, or cannot be read or written; diagnostics are on "
            "standard error"},
      {"2", "the command line is wrong"},
      {"3", "the device failed, or the kernel faulted on it"},
  };
  return statuses;
}

std::span<const Explained> environmentVariables() {
  static constexpr Explained variables[] = {
      {"TEGULA_ARCH", "the architecture to compile for where --arch gives none"},
      {"TEGULA_DEVICE", "the device to run on where --device gives none"},
      {"TEGULA_WITHOUT", "what to do without where --without says nothing"},
      {"TEGULA_TRITON_VERSION", "the version of Triton that is meant where --triton-version gives none"},
      {"TEGULA_CACHE_DIR",
       "a folder that keeps compiled kernels for later runs, and choices of tuning; without it "
       "only those are kept, where Python caches"},
      {"TEGULA_DUMP_DIR", "a folder that gets the text of every stage of each kernel compiled"},
      {"CUDA_HOME", "a CUDA toolkit, for its assembler and --emit=sass; /usr/local/cuda is looked at too"},
      {"NO_COLOR", "where it is not empty, messages are not coloured without --color=always"},
  };
  return variables;
}

/// The words of `text` in lines behind `indent` blanks; the first line begins at column `begun`. Line ends in
/// `text` stay, and what begins with a blank is not filled.
static std::string fill(std::string_view text, size_t indent, size_t begun) {
  std::string out;
  size_t column = begun;
  auto newLine = [&] {
    out += '\n';
    column = 0;
  };
  while (!text.empty()) {
    const size_t end = text.find('\n');
    std::string_view paragraph = text.substr(0, end);
    const bool isVerbatim = paragraph.starts_with(' ');
    while (!paragraph.empty()) {
      const size_t blank = isVerbatim ? std::string_view::npos : paragraph.find(' ');
      const std::string_view word = paragraph.substr(0, blank);
      const bool fits = isVerbatim || column + 1 + word.size() <= lineWidth;
      if (column > indent && !fits)
        newLine();
      if (column < indent) {
        out.append(indent - column, ' ');
        column = indent;
      } else if (column > indent) {
        out += ' ';
        ++column;
      }
      out += word;
      column += word.size();
      paragraph.remove_prefix(blank == std::string_view::npos ? paragraph.size() : blank + 1);
    }
    newLine();
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return out;
}

/// "  word       explanation", filled.
static std::string entry(std::string_view word, std::string_view meaning) {
  std::string line = fmt::format("  {}", word);
  if (line.size() + 2 > helpColumn)
    return line + '\n' + fill(meaning, helpColumn, 0);
  line.append(helpColumn - line.size(), ' ');
  return line + fill(meaning, helpColumn, helpColumn);
}

/// "-k, --kernel=KERNEL"
static std::string spelling(const Option &option) {
  std::string text = option.name;
  if (!option.otherName.empty())
    text += ", " + option.otherName;
  if (option.value.empty())
    return text;
  const bool isShort = !text.starts_with("--") && option.otherName.empty();
  if (option.implied)
    return fmt::format("{}[={}]", text, option.value);
  return fmt::format("{}{}{}", text, isShort ? ' ' : '=', option.value);
}

std::string usageLine(const CommandTable &command) {
  return fmt::format("usage: tegula {}{}{}{}\n", command.name, command.needed.empty() ? "" : " ",
                     command.needed, command.options.empty() ? "" : " [OPTION]...");
}

std::string generalHelp(std::span<const CommandTable> commands) {
  std::string text = "Tegula compiles kernels written in the Triton language to PTX and runs them.\n\n"
                     "usage: tegula COMMAND [OPTION]...\n\ncommands:\n";
  for (const CommandTable &command : commands)
    text += entry(command.name, command.summary);
  text += "\n`tegula COMMAND --help` has a command's options and examples.\n"
          "`tegula --version` prints the version.\n\nexit status:\n";
  for (const Explained &status : exitStatuses())
    text += entry(status.word, status.meaning);
  text += "\nenvironment:\n";
  for (const Explained &variable : environmentVariables())
    text += entry(variable.word, variable.meaning);
  return text;
}

std::string commandHelp(const CommandTable &command) {
  std::string text = fmt::format("tegula {}: {}\n\n{}", command.name, command.summary, usageLine(command));
  if (!command.positionals.empty())
    text += '\n';
  for (const Positional &positional : command.positionals)
    text += entry(positional.name, positional.help);
  text += "\noptions:\n";
  for (const Option &option : command.options)
    text += entry(spelling(option), option.help);
  text += entry("-h, --help", "print this help");
  if (!command.details.empty())
    text += '\n' + fill(command.details, 0, 0);
  if (!command.examples.empty())
    text += "\nexamples:\n";
  for (const Example &example : command.examples)
    text += fmt::format("  {}:\n    {}\n", example.says, example.command);
  text += "\n`tegula --help` has the exit statuses and the environment variables.\n";
  return text;
}

} // namespace tegula::cli
