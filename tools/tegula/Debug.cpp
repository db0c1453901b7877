// `tegula debug`.
#include "runtime/host/Files.h"
#include "tools/tegula/CommandTables.h"
#include "tools/tegula/Documented.h"
#include "tools/tegula/Subcommands.h"
#include "tools/tegula/debug/Terminal.h"
#include "tools/tegula/output/Output.h"
#include "tools/tegula/output/Status.h"
#include "tools/tegula/threads/ThreadBreakpoints.h"
#include "tools/tegula/threads/ThreadLaunch.h"
#include "tools/tegula/threads/ThreadTerminal.h"
#include "tools/tegula/threads/ThreadText.h"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <optional>
#include <sstream>
#include <utility>

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

/// The debugger that Ctrl-C interrupts.
std::atomic<Console *> interrupted = nullptr;

/// While it lives, Ctrl-C stops the program that is debugged instead of the debugger.
class Interrupts {
public:
  explicit Interrupts(Console &console) : before(interrupted.exchange(&console)) {
    previous = std::signal(SIGINT, [](int) {
      if (Console *running = interrupted)
        running->interrupt();
    });
  }
  ~Interrupts() {
    std::signal(SIGINT, previous);
    interrupted = before;
  }
  Interrupts(const Interrupts &) = delete;

private:
  Console *before;
  void (*previous)(int);
};

/// The source of commands: the command line, then a script or standard input.
class Conversation {
public:
  Conversation(const DebugCommand &command, const std::string &script)
      : command(command), lines(script), isPerson(isatty(STDIN_FILENO) && command.script.empty()) {}

  /// Shows what the commands say until there are no more.
  void talk(Console &console);

private:
  /// Returns false where there are no more.
  bool read(std::string &line);

  const DebugCommand &command;
  size_t taken = 0; ///< of the commands of the command line
  std::istringstream lines;
  const bool isPerson;
};

bool Conversation::read(std::string &line) {
  if (taken < command.commands.size()) {
    line = command.commands[taken++];
    return true;
  }
  if (isPerson) {
    writeOut("(tegula) ");
    (void)bool(finishOutput());
  }
  return command.script.empty() ? readLine(line) : bool(std::getline(lines, line));
}

void Conversation::talk(Console &console) {
  const Interrupts interrupts(console);
  std::string line;
  while (!console.isDone() && read(line)) {
    // An empty line of a file is no wish to repeat.
    if (isPerson || !line.empty())
      writeOut(console.command(line));
    if (!finishOutput())
      return;
  }
}

/// Runs the thread level of the launch that `command` describes, from where `program` comes to a line on.
/// True where the debugger is to end with it. Errors: where the launch does not come so far.
Result<bool> openThreads(DebugCommand command, Conversation &conversation, const interp::Grid &program,
                         const std::string &file, uint32_t line) {
  command.device = "emulator";
  command.program.clear();
  Result<bool> ended = false;
  TRY(threadLaunch(
      command, [](std::string_view text) { writeOut(text); },
      [&](ThreadSubject &subject) {
        const Result<ThreadBreakpoint> place = breakpointAt(subject, file, line);
        if (!place) {
          ended = place.error();
          return;
        }
        const std::string why = whyNoProgram(subject.kernel, subject.session.launch().programs);
        if (why.empty())
          subject.session.settings.program = {program[0], program[1], program[2]};
        else
          writeOut(why + ": this is the first to come here\n");
        subject.session.settings.breakpoints = {*place};
        subject.session.resume();
        subject.session.settings.breakpoints.clear();
        ThreadTerminal terminal(subject, /*canLeave=*/true);
        writeOut(terminal.command("where"));
        conversation.talk(terminal);
        ended = terminal.isDone() && !terminal.hasLeft();
      }));
  return ended;
}

Result<int> work(const DebugCommand &command) {
  std::string script;
  if (!command.script.empty())
    script = TRY(runtime::readFile(command.script, SourceFile::maxBytes));
  Conversation conversation(command, script);
  const auto print = [](std::string_view text) { writeOut(text); };
  if (TRY(asksForThreads(command))) {
    TRY(threadLaunch(command, print, [&](ThreadSubject &subject) {
      ThreadTerminal terminal(subject);
      conversation.talk(terminal);
    }));
    return int(Done);
  }
  TRY(debugLaunch(command, print, [&](DebugSubject &subject) {
    if (!subject.note.empty())
      printOut("{}\n", subject.note);
    Terminal terminal(subject);
    terminal.setThreads([&](const interp::Grid &program, const std::string &file, uint32_t line) {
      return openThreads(command, conversation, program, file, line);
    });
    conversation.talk(terminal);
  }));
  return int(Done);
}

} // namespace

int debugCommand(const DebugCommand &given) {
  DebugCommand command = given;
  if (const Result<void> completed = completeLaunch(command); !completed)
    return completed.error().kind == runtime::ErrorKind::InvalidArgument
               ? failUsage(completed.error().text, "debug")
               : fail(completed.error());
  return statusOf(work(command));
}

} // namespace tegula::cli
