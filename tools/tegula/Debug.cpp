// `tegula debug`.
#include "runtime/host/Files.h"
#include "tools/tegula/CommandTables.h"
#include "tools/tegula/DebugCommands.h"
#include "tools/tegula/debug/StopText.h"
#include "tools/tegula/debug/Terminal.h"
#include "tools/tegula/output/Output.h"
#include "tools/tegula/output/Status.h"

#include <fmt/format.h>

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <sstream>

namespace tegula::cli {

using runtime::Result;

namespace {

/// Longer lines are cut: no command is longer.
constexpr size_t maxLine = 1 << 16;

/// Reads a line of standard input; false at its end.
bool readLine(std::string &line) {
  line.clear();
  int c = 0;
  while ((c = std::getchar()) != EOF && c != '\n')
    if (line.size() < maxLine)
      line.push_back(char(c));
  return c != EOF || !line.empty();
}

/// The session that Ctrl-C interrupts.
std::atomic<debug::Session *> interrupted = nullptr;

/// While it lives, Ctrl-C stops the program that is debugged instead of the debugger.
class Interrupts {
public:
  explicit Interrupts(debug::Session &session) {
    interrupted = &session;
    previous = std::signal(SIGINT, [](int) {
      if (debug::Session *running = interrupted)
        running->interrupt();
    });
  }
  ~Interrupts() {
    std::signal(SIGINT, previous);
    interrupted = nullptr;
  }
  Interrupts(const Interrupts &) = delete;

private:
  void (*previous)(int);
};

/// Shows what the commands say until there are no more.
void converse(const DebugCommand &command, const std::string &script, DebugSubject &subject) {
  Terminal terminal(subject);
  const Interrupts interrupts(subject.session);
  const bool isPerson = isatty(STDIN_FILENO) && command.script.empty();
  if (!subject.note.empty())
    printOut("{}\n", subject.note);
  for (const std::string &line : command.commands)
    if (!terminal.isDone())
      writeOut(terminal.command(line));
  std::istringstream lines(script);
  std::string line;
  while (!terminal.isDone()) {
    if (isPerson) {
      writeOut("(tegula) ");
      (void)bool(finishOutput());
    }
    if (command.script.empty() ? !readLine(line) : !std::getline(lines, line))
      return;
    // An empty line of a file is no wish to repeat.
    if (isPerson || !line.empty())
      writeOut(terminal.command(line));
    if (!finishOutput())
      return;
  }
}

Result<int> work(const DebugCommand &command) {
  std::string script;
  if (!command.script.empty())
    script = TRY(runtime::readFile(command.script, SourceFile::maxBytes));
  TRY(debugLaunch(
      command, [](std::string_view text) { writeOut(text); },
      [&](DebugSubject &subject) { converse(command, script, subject); }));
  return int(Done);
}

} // namespace

int debugCommand(const DebugCommand &command) {
  if (command.grid.empty())
    return failUsage("expected a grid: --grid=X[,Y[,Z]]", "debug");
  return statusOf(work(command));
}

} // namespace tegula::cli
