// The commands of the thread level about where to stop.
#include "tools/tegula/arguments/Values.h"
#include "tools/tegula/debug/DebugLaunch.h"
#include "tools/tegula/threads/ThreadBreakpoints.h"
#include "tools/tegula/threads/ThreadMemory.h"
#include "tools/tegula/threads/ThreadTerminal.h"

#include <fmt/format.h>

namespace tegula::cli {

using runtime::Result;

void ThreadTerminal::addStops() {
  addCommand(
      this, {"break"}, "LINE [warp N] [hits N] [if COND]",
      "stop where a statement's code begins: a line, FILE:LINE, a function, or `ptx LINE`; COND in any "
      "lane",
      &ThreadTerminal::addBreakpoint);
  addCommand(this, {"watch"}, "out[3, 17]",
             "stop where an element is written, or `shared ADDRESS [TYPE]`, or `global` likewise",
             &ThreadTerminal::addWatch);
  addCommand(this, {"writer"}, "out[3, 17]", "go back to what has written an element last",
             &ThreadTerminal::lastWriter);
  addDelete(session.settings);
  addCommand(this, {"breakpoints"}, "", "list breakpoints and watches", &ThreadTerminal::breakpoints);
  addCommand(this, {"program"}, "X[,Y[,Z]]", "stop in this program alone, or in `all`",
             &ThreadTerminal::chooseProgram);
}

std::string ThreadTerminal::addBreakpoint(const std::string &arguments) {
  Result<ThreadBreakpoint> made = breakpointNamed(subject, arguments);
  if (!made)
    return error(made.error().text);
  made->number = nextNumber++;
  session.settings.breakpoints.push_back(*made);
  return breakpointText(subject, *made);
}

std::string ThreadTerminal::addWatch(const std::string &arguments) {
  Result<ThreadWatch> made = watchNamed(session, arguments);
  if (!made)
    return error(made.error().text);
  made->number = nextNumber++;
  session.settings.watches.push_back(*made);
  return fmt::format("watch {}: {}\n", made->number, made->name);
}

std::string ThreadTerminal::lastWriter(const std::string &arguments) {
  const Result<ThreadWatch> element = watchNamed(session, arguments);
  if (!element)
    return error(element.error().text);
  session.dropInterrupt();
  return session.toLastWriter(*element) ? stopped()
                                        : fmt::format("no thread has written `{}` before\n", element->name);
}

std::string ThreadTerminal::breakpoints() const {
  std::string text;
  for (const ThreadBreakpoint &one : session.settings.breakpoints)
    text += breakpointText(subject, one);
  for (const ThreadWatch &one : session.settings.watches)
    text += fmt::format("watch {}: {}\n", one.number, one.name);
  return text.empty() ? "no breakpoints\n" : text;
}

std::string ThreadTerminal::chooseProgram(const std::string &arguments) {
  if (arguments == "all") {
    session.settings.program.reset();
    return "";
  }
  if (const std::string why = whyNoProgram(subject.kernel, session.launch().programs); !why.empty())
    return error(why);
  const runtime::Grid &grid = session.launch().programs.grid;
  const Result<interp::Grid> program = programOf(arguments, {grid.x, grid.y, grid.z});
  if (!program)
    return error(program.error().text);
  session.settings.program = {(*program)[0], (*program)[1], (*program)[2]};
  return "";
}

} // namespace tegula::cli
