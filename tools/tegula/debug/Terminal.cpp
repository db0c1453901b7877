#include "tools/tegula/debug/Terminal.h"

#include "tools/tegula/arguments/Values.h"
#include "tools/tegula/debug/StopText.h"
#include "tools/tegula/output/Status.h"

#include <fmt/format.h>

namespace tegula::cli {

Terminal::Terminal(DebugSubject &subject)
    : Console("An empty line repeats the last command that moved on. Conditions and expressions are in the "
              "language of\n"
              "kernels; pid0, pid1 and pid2 are the numbers of the program.\n"),
      subject(subject), session(subject.session) {
  addMoves();
  addStops();
  addViews();
  addEnd();
}

void Terminal::addMoves() {
  const auto add = [this](std::vector<std::string> names, const char *meaning, std::function<void()> move,
                          bool isBack = false) {
    addMove(std::move(names), meaning, [this, move = std::move(move), isBack] { return go(move, isBack); });
  };
  add({"continue", "c"}, "run to what is to be stopped at; with --expect or --against, first to what differs",
      [this] {
        if (session.stop().kind == debug::Stop::Start)
          begin(subject);
        else
          session.resume();
      });
  add({"next", "n"}, "run the statement, and what it calls", [this] { session.next(); });
  add({"step", "s"}, "run to the next statement, into calls", [this] { session.stepIn(); });
  add({"out", "finish"}, "run until the call has returned", [this] { session.stepOut(); });
  add(
      {"back", "b"}, "go back to the statement before, into calls", [this] { session.stepBack(); }, true);
  add(
      {"back-over", "bo"}, "go back to the statement before, past what it called",
      [this] { session.nextBack(); }, true);
  add(
      {"reverse-continue", "rc"}, "go back to what is to be stopped at", [this] { session.resumeBack(); },
      true);
}

void Terminal::addStops() {
  addCommand(this, {"break"}, "LINE [if COND]",
             "stop at a line, FILE:LINE or a function, perhaps under a condition", &Terminal::addBreakpoint);
  addCommand(this, {"watch"}, "out[3, 17]", "stop where an element is written", &Terminal::addWatch);
  addDelete(session.settings);
  addCommand(this, {"breakpoints"}, "", "list breakpoints and watches", &Terminal::breakpoints);
  addCommand(this, {"writer"}, "out[3, 17]", "go back to the statement that has written an element last",
             &Terminal::lastWriter);
}

void Terminal::addViews() {
  addCommand(this, {"print", "p"}, "EXPRESSION",
             "show a value: acc, a[3, :8], max(abs(acc)), out[3, 17], x[mask], expected(out)[3, :8]",
             &Terminal::print);
  addCommand(this, {"locals"}, "", "show all names of the call", &Terminal::locals);
  addCommand(this, {"arrays"}, "", "show the arrays of the launch", &Terminal::arrays);
  addCommand(this, {"frames", "bt"}, "", "show the calls, the innermost first", &Terminal::frames);
  addCommand(this, {"frame"}, "N", "look at call number N", &Terminal::selectFrame);
  addCommand(this, {"where", "w"}, "", "show the place and the reason of the stop", &Terminal::where);
  addCommand(this, {"list", "l"}, "[LINE]", "show lines around the place", &Terminal::list);
  addCommand(this, {"program"}, "X[,Y[,Z]]", "stop in this program alone, or in `all`",
             &Terminal::chooseProgram);
  addCommand(this, {"stop"}, "WHAT", "what to stop at besides faults: nan, overflow, wrap, all or none",
             &Terminal::chooseStops);
  addCommand(this, {"threads"}, "",
             "look at the threads of the program at this statement: warps, PTX, registers",
             &Terminal::threads);
}

std::string Terminal::stopped() {
  frame = session.innermost();
  return stopText(session);
}

std::string Terminal::go(const std::function<void()> &move, bool isBack) {
  session.dropInterrupt();
  if (!isBack && session.stop().kind == debug::Stop::End)
    return error("all programs have ended: `back` and `reverse-continue` go back");
  if (!isBack && session.stop().kind == debug::Stop::Fault)
    return error("the program cannot go on after a fault: `back` and `reverse-continue` go back");
  move();
  return stopped();
}

std::string Terminal::currentFile() const {
  return session.calls().empty() ? subject.file : session.calls()[frame].at.place.file;
}

runtime::Result<std::pair<std::string, uint32_t>> Terminal::placeOf(const std::string &text) const {
  std::string file = currentFile(), line = text;
  if (const size_t colon = text.rfind(':'); colon != std::string::npos) {
    file = session.statements().pathOf(text.substr(0, colon));
    line = text.substr(colon + 1);
    if (file.empty())
      return usageError(fmt::format("no file `{}` takes part", text.substr(0, colon)));
  }
  const runtime::Result<uint32_t> given = parseCount(line, "a line");
  const uint32_t number = given ? *given : session.statements().functionLine(file, line);
  if (!number)
    return usageError(
        fmt::format("expected a line, FILE:LINE or the name of a function of `{}`, found `{}`", file, text));
  const uint32_t begins = session.statements().statementAt(file, number);
  if (!begins)
    return usageError(fmt::format("no statement of a function is at or after line {} of `{}`", number, file));
  return std::pair(file, begins);
}

std::string Terminal::addBreakpoint(const std::string &arguments) {
  std::string where = arguments, wrong;
  const std::optional<std::string> condition = takeBehind(where, "if");
  const auto place = placeOf(where);
  if (!place)
    return error(place.error().text);
  debug::Breakpoint made{.number = nextNumber,
                         .file = place->first,
                         .line = place->second,
                         .condition = {},
                         .conditionText = {}};
  if (condition) {
    made.conditionText = *condition;
    const std::optional<debug::Expression> parsed = debug::Expression::parse(made.conditionText, wrong);
    if (!parsed)
      return error(fmt::format("cannot read the condition `{}`: {}", made.conditionText, wrong));
    made.condition = parsed->condition(session);
  }
  session.settings.breakpoints.push_back(std::move(made));
  return fmt::format("breakpoint {}: {}:{}\n{:>5}  {}\n", nextNumber++, place->first, place->second,
                     place->second, session.statements().text(place->first, place->second));
}

std::string Terminal::addWatch(const std::string &arguments) {
  std::string wrong;
  const auto element = debug::elementNamed(arguments, session.scope(frame), wrong);
  if (!element)
    return error(wrong);
  session.settings.watches.push_back({nextNumber, element->first, element->second});
  return fmt::format("watch {}: {}\n", nextNumber++, element->first.elementName(element->second));
}

std::string Terminal::breakpoints() const {
  std::string text;
  for (const debug::Breakpoint &one : session.settings.breakpoints)
    text += fmt::format("breakpoint {}: {}:{}{}\n", one.number, one.file, one.line,
                        one.conditionText.empty() ? "" : " if " + one.conditionText);
  for (const debug::Watch &one : session.settings.watches)
    text += fmt::format("watch {}: {}\n", one.number, one.array.elementName(one.index));
  return text.empty() ? "no breakpoints\n" : text;
}

std::string Terminal::print(const std::string &arguments) {
  if (arguments.empty())
    return error("expected an expression to print");
  std::string wrong;
  const std::optional<debug::Expression> parsed = debug::Expression::parse(arguments, wrong);
  if (!parsed)
    return error(fmt::format("cannot read `{}`: {}", arguments, wrong));
  // A name may be bound to what no number is.
  if (frame < session.calls().size() && !parsed->name().empty() && !session.array(parsed->name())) {
    const debug::NamedValues &names = session.calls()[frame].names;
    if (const auto found = names.find(parsed->name()); found != names.end() && !debug::valueOf(found->second))
      return fmt::format("{}\n", debug::describe(found->second));
  }
  const std::optional<debug::Value> value = parsed->evaluate(session.scope(frame), wrong);
  if (!value)
    return error(wrong);
  return valueText(*value);
}

std::string Terminal::noCalls() const {
  return error(session.stop().kind == debug::Stop::End
                   ? "all programs have ended: `back` goes to the last statement"
                   : "no program has begun: `step` goes to the first statement");
}

std::string Terminal::locals() {
  if (frame >= session.calls().size())
    return noCalls();
  std::string text;
  for (const auto &[name, value] : session.calls()[frame].names)
    text += fmt::format("{}: {}\n", name.str(), debug::describe(value, session.launch().arrays));
  return text.empty() ? "no names have a value yet\n" : text;
}

std::string Terminal::arrays() const { return arraysText(session.launch().arrays, session.memory()); }

std::string Terminal::frames() const {
  return session.calls().empty() ? noCalls() : callsText(session, frame);
}

std::string Terminal::where() const { return stopText(session); }

std::string Terminal::list(const std::string &arguments) {
  constexpr uint32_t around = 5;
  if (arguments.empty() && frame < session.calls().size()) {
    const debug::Level &at = session.calls()[frame].at;
    return listing(session.statements(), at.place.file, at.line(), around);
  }
  const auto place = placeOf(arguments.empty() ? subject.kernel : arguments);
  return place ? listing(session.statements(), place->first, place->second, around)
               : error(place.error().text);
}

std::string Terminal::selectFrame(const std::string &arguments) {
  const runtime::Result<uint32_t> number = parseCount(arguments, "a call");
  if (!number || *number >= session.calls().size())
    return error(fmt::format("no call `{}`: `frames` lists them", arguments));
  frame = *number;
  return placeText(session, frame) + "\n";
}

std::string Terminal::lastWriter(const std::string &arguments) {
  std::string wrong;
  const auto element = debug::elementNamed(arguments, session.scope(frame), wrong);
  if (!element)
    return error(wrong);
  if (!session.toLastWriter(element->first, element->second))
    return fmt::format("no program has written `{}` before\n", element->first.elementName(element->second));
  return stopped();
}

std::string Terminal::chooseProgram(const std::string &arguments) {
  if (arguments == "all") {
    session.settings.program.reset();
    return "";
  }
  const runtime::Result<interp::Grid> program = programOf(arguments, session.launch().grid);
  if (!program)
    return error(program.error().text);
  session.settings.program = *program;
  return "";
}

std::string Terminal::chooseStops(const std::string &arguments) {
  const runtime::Result<void> done = applyStops(arguments, session.settings);
  return done ? "" : error(done.error().text);
}

std::string Terminal::threads() {
  if (session.calls().empty())
    return error("no program runs: `step` to a statement first");
  const debug::Level &at = session.calls()[frame].at;
  const runtime::Result<bool> ended = openThreads(session.program(), at.place.file, at.line());
  if (!ended)
    return error(ended.error().text);
  done = *ended;
  return done ? "" : stopText(session);
}

} // namespace tegula::cli
