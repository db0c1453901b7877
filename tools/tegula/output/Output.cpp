#include "tools/tegula/output/Output.h"
#include "runtime/host/Environment.h"
#include "runtime/host/Files.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace tegula::cli {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

void prepareStandardFiles() {
  std::signal(SIGPIPE, SIG_IGN);
  // In this order `open` gives the descriptor that is missing.
  for (int descriptor = 0; descriptor <= 2; ++descriptor)
    if (fcntl(descriptor, F_GETFD) == -1 && errno == EBADF)
      // Opened in the wrong direction: using it fails, as it does where the file is closed.
      (void)!open("/dev/null", descriptor == 2 ? O_WRONLY : O_RDONLY);
}

//===----------------------------------------------------------------------===//
// Standard output
//===----------------------------------------------------------------------===//

/// errno of the first write that failed; 0 while none has.
static int outputFailure = 0;

static void noteFailure() {
  if (!outputFailure)
    outputFailure = errno ? errno : EIO;
}

void writeOut(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
    noteFailure();
}

Result<void> writeTo(const std::string &path, std::string_view text) {
  if (!path.empty() && path != "-")
    return runtime::writeFile(path, text);
  writeOut(text);
  return {};
}

Result<void> finishOutput() {
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    noteFailure();
  if (!outputFailure)
    return {};
  return Error{ErrorKind::Io,
               fmt::format("cannot write to standard output: {}", std::strerror(outputFailure))};
}

//===----------------------------------------------------------------------===//
// Colour
//===----------------------------------------------------------------------===//

static bool colourOn = false;

std::optional<ColourMode> parseColourMode(std::string_view text) {
  if (text == "auto")
    return ColourMode::Auto;
  if (text == "always")
    return ColourMode::Always;
  if (text == "never")
    return ColourMode::Never;
  return std::nullopt;
}

void setColour(ColourMode mode) {
  colourOn =
      mode == ColourMode::Always || (mode == ColourMode::Auto && runtime::environment("NO_COLOR").empty() &&
                                     runtime::environment("TERM") != "dumb" && isatty(STDERR_FILENO));
}

bool isColourOn() { return colourOn; }

namespace {

constexpr std::string_view reset = "\033[0m", bold = "\033[1m", green = "\033[1;32m";

/// A word that begins a message, and its colour.
struct Kind {
  std::string_view word, colour;
};
constexpr std::array<Kind, 4> kinds = {{{"error: ", "\033[1;31m"},
                                        {"warning: ", "\033[1;35m"},
                                        {"note: ", "\033[1;36m"},
                                        {"remark: ", "\033[1;34m"}}};

/// The kind of a line "file:3:9: error: text" and where its word stands: the first that follows a blank or
/// begins the line.
const Kind *kindOf(std::string_view line, size_t &at) {
  const Kind *found = nullptr;
  at = line.size();
  for (const Kind &kind : kinds)
    for (size_t place = line.find(kind.word); place < at; place = line.find(kind.word, place + 1))
      if (place == 0 || line.substr(0, place).ends_with(": ")) {
        at = place;
        found = &kind;
      }
  return found;
}

/// "    ^~~~", the line below a source line.
bool isCaretLine(std::string_view line) {
  return line.starts_with("    ") && line.find('^') != std::string_view::npos &&
         line.find_first_not_of(" ^~") == std::string_view::npos;
}

std::string colouredLine(std::string_view line) {
  constexpr std::string_view help = "    help: ";
  if (line.starts_with(help))
    return fmt::format("    {}help:{} {}", green, reset, line.substr(help.size()));
  if (isCaretLine(line))
    return fmt::format("{}{}{}", green, line, reset);
  size_t at = 0;
  const Kind *kind = line.starts_with(' ') ? nullptr : kindOf(line, at);
  if (!kind)
    return std::string(line);
  const std::string_view text = line.substr(at + kind->word.size());
  const std::string place = at ? fmt::format("{}{}{}", bold, line.substr(0, at), reset) : std::string();
  const std::string_view word = kind->word.substr(0, kind->word.size() - 1);
  return fmt::format("{}{}{}{} {}{}{}", place, kind->colour, word, reset, bold, text, reset);
}

} // namespace

std::string coloured(std::string_view diagnostics) {
  std::string text;
  while (!diagnostics.empty()) {
    const size_t end = diagnostics.find('\n');
    text += colouredLine(diagnostics.substr(0, end));
    if (end == std::string_view::npos)
      break;
    text += '\n';
    diagnostics.remove_prefix(end + 1);
  }
  return text;
}

void say(std::string_view text) {
  const std::string shown = colourOn ? coloured(text) : std::string(text);
  // A message that cannot be delivered has nowhere to be complained about; the status tells.
  (void)!std::fwrite(shown.data(), 1, shown.size(), stderr);
  (void)!std::fflush(stderr);
}

} // namespace tegula::cli
