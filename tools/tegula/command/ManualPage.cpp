// The manual page, in the language of man(7).
#include "tools/tegula/command/Options.h"

#include <fmt/format.h>

namespace tegula::cli {

/// `text` as roff shows it: backslashes and minuses are characters, and no line begins with a command. Code in
/// backticks is bold.
static std::string escaped(std::string_view text) {
  std::string out;
  bool isCode = false;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
      out += "\\&";
    if (c == '`') {
      out += isCode ? "\\fR" : "\\fB";
      isCode = !isCode;
    } else if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

static std::string bold(std::string_view text) { return fmt::format("\\fB{}\\fR", escaped(text)); }
static std::string italic(std::string_view text) { return fmt::format("\\fI{}\\fR", escaped(text)); }

/// A word with its meaning indented below.
static std::string tagged(const std::string &tag, std::string_view meaning) {
  return fmt::format(".TP\n{}\n{}\n", tag, escaped(meaning));
}

static std::string tagOf(const Option &option) {
  std::string tag = bold(option.name);
  if (!option.otherName.empty())
    tag += ", " + bold(option.otherName);
  if (option.value.empty())
    return tag;
  if (option.implied)
    return fmt::format("{}[={}]", tag, italic(option.value));
  return tag + (option.name.starts_with("--") || !option.otherName.empty() ? "=" : " ") + italic(option.value);
}

/// Paragraphs; lines that begin with a blank stay lines of their own.
static std::string paragraphs(std::string_view text) {
  std::string out;
  bool isVerbatim = false;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    const bool verbatim = line.starts_with(' ');
    if (verbatim != isVerbatim)
      out += verbatim ? ".PP\n.nf\n" : ".fi\n";
    if (!verbatim)
      out += ".PP\n";
    isVerbatim = verbatim;
    out += escaped(line) + '\n';
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return isVerbatim ? out + ".fi\n" : out;
}

static std::string section(const CommandTable &command) {
  std::string text = fmt::format(".SS tegula {}{}{}\n{}.\n", escaped(command.name),
                                 command.needed.empty() ? "" : " ", escaped(command.needed),
                                 escaped(command.summary));
  for (const Positional &positional : command.positionals)
    text += tagged(italic(positional.name), positional.help);
  for (const Option &option : command.options)
    text += tagged(tagOf(option), option.help);
  return text + paragraphs(command.details);
}

std::string manualPage(std::span<const CommandTable> commands) {
  std::string text = fmt::format(
      ".TH TEGULA 1 \"\" \"tegula {}\" \"User Commands\"\n"
      ".SH NAME\ntegula \\- compile and run kernels written in the Triton language\n"
      ".SH SYNOPSIS\n.B tegula\n.I COMMAND\n[\\fIOPTION\\fR]...\n"
      ".SH DESCRIPTION\nTegula compiles kernels written in the Triton language to PTX and runs them, on a GPU, "
      "on an emulator that executes the same PTX with every access checked, or in an interpreter.\n",
      TEGULA_VERSION);
  text += ".SH COMMANDS\n";
  for (const CommandTable &command : commands)
    text += section(command);
  text += ".SH EXIT STATUS\n";
  for (const Explained &status : exitStatuses())
    text += tagged(bold(status.word), status.meaning);
  text += ".SH ENVIRONMENT\n";
  for (const Explained &variable : environmentVariables())
    text += tagged(bold(variable.word), variable.meaning);
  text += ".SH EXAMPLES\n";
  for (const CommandTable &command : commands)
    for (const Example &example : command.examples)
      text += fmt::format(".PP\n{}:\n.PP\n.nf\n.RS\n{}\n.RE\n.fi\n", escaped(example.says),
                          escaped(example.command));
  return text;
}

} // namespace tegula::cli
