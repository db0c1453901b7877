#include "tools/tegula/threads/ThreadTerminal.h"

#include "tools/tegula/arguments/Values.h"
#include "tools/tegula/debug/StopText.h"
#include "tools/tegula/threads/Registers.h"
#include "tools/tegula/threads/ThreadMemory.h"
#include "tools/tegula/threads/ThreadScope.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tegula::cli {

ThreadTerminal::ThreadTerminal(ThreadSubject &subject, bool canLeave)
    : Console(
          "An empty line repeats the last command that moved on. Expressions are in the language of kernels; "
          "%r12 is a\n"
          "register's 32 lanes, x an array or a number of the launch. To step a warp is to run the launch "
          "until "
          "it comes to\n"
          "its next instruction: the others run as the schedule says.\n"),
      subject(subject), session(subject.session) {
  addMoves();
  addStops();
  addViews();
  if (canLeave)
    commands.push_back(
        {{"leave"}, "", "end the thread level, back to the tile level", [this](const std::string &) {
           left = done = true;
           return std::string();
         }});
  addEnd();
}

void ThreadTerminal::addMoves() {
  const auto add = [this](std::vector<std::string> names, const char *meaning, Move move,
                          bool isBack = false) {
    addMove(std::move(names), meaning, [this, move, isBack] { return go(move, isBack); });
  };
  add({"continue", "c"}, "run to a breakpoint, a watch, a fault or the end", &ThreadSession::resume);
  add({"step", "s"}, "run the warp to its next statement, into helpers", &ThreadSession::step);
  add({"next", "n"}, "run the warp to its next statement, not into helpers", &ThreadSession::next);
  add({"out", "finish"}, "run the warp until it is out of the helper", &ThreadSession::out);
  add({"stepi", "si"}, "run the warp to its next instruction", &ThreadSession::stepInstruction);
  add({"nexti", "ni"}, "the same, past what a `call` calls", &ThreadSession::nextInstruction);
  add({"back", "b"}, "go back to the warp's statement before", &ThreadSession::back, true);
  add({"backi", "bi"}, "go back to the warp's instruction before", &ThreadSession::backInstruction, true);
  add({"reverse-continue", "rc"}, "go back to a breakpoint or watch", &ThreadSession::resumeBack, true);
}

void ThreadTerminal::addViews() {
  addCommand(this, {"warps"}, "", "show where each warp of the block stands", &ThreadTerminal::warps);
  addCommand(this, {"warp"}, "N", "look at warp number N", &ThreadTerminal::chooseWarp);
  addCommand(this, {"lane"}, "N", "look at lane number N", &ThreadTerminal::chooseLane);
  addCommand(this, {"registers", "reg"}, "[NAME]...",
             "show the registers of the lane; all lanes of %r12; those that are written where a name is made",
             &ThreadTerminal::registers);
  addCommand(this, {"values", "locals"}, "", "show the names of the source that registers hold",
             &ThreadTerminal::values);
  addCommand(this, {"print", "p"}, "EXPRESSION", "show a value: out[3, :8], n, acc, %r12, max(%r12), %tid.x",
             &ThreadTerminal::print);
  addMemory("shared", "show the block's shared memory: shared %r5 8 fp32");
  addMemory("global", "show global memory");
  addMemory("local", "show the lane's local memory");
  addCommand(this, {"arrays"}, "", "show the arrays of the launch", &ThreadTerminal::arrays);
  addCommand(this, {"ptx"}, "[LINE]", "show the PTX around the instruction", &ThreadTerminal::ptx);
  addCommand(this, {"list", "l"}, "[LINE]", "show lines of the source around the place",
             &ThreadTerminal::list);
  addCommand(this, {"frames", "bt"}, "", "show the calls, the innermost first", &ThreadTerminal::frames);
  addCommand(this, {"where", "w"}, "", "show the place and the reason of the stop", &ThreadTerminal::stopped);
}

void ThreadTerminal::addMemory(const char *space, const char *meaning) {
  commands.push_back({{space}, "ADDRESS [COUNT [TYPE]]", meaning, [this, space](const std::string &words) {
                        if (!session.warp())
                          return noBlock();
                        const auto shown = memoryText(session, *spaceNamed(space), words);
                        return shown ? *shown : error(shown.error().text);
                      }});
}

std::string ThreadTerminal::warps() const { return session.warp() ? warpsText(session) : noBlock(); }

std::string ThreadTerminal::frames() const { return session.warp() ? threadCallsText(session) : noBlock(); }

std::string ThreadTerminal::go(Move move, bool isBack) {
  session.dropInterrupt();
  if (!isBack && session.stop().kind == ThreadStop::End)
    return error("all blocks have ended: `back` and `reverse-continue` go back");
  if (!isBack && session.stop().kind == ThreadStop::Fault)
    return error("the launch cannot go on after a fault: `backi`, `back` and `reverse-continue` go back");
  (session.*move)();
  return stopped();
}

std::string ThreadTerminal::chooseWarp(const std::string &arguments) {
  if (!session.warp())
    return noBlock();
  const runtime::Result<uint32_t> number = parseCount(arguments, "a warp");
  if (!number || !session.chooseWarp(*number))
    return error(
        fmt::format("expected a warp below {}, found `{}`", session.block()->allWarps().size(), arguments));
  return fmt::format("warp {}: {}\n", *number, warpText(session, *number));
}

std::string ThreadTerminal::chooseLane(const std::string &arguments) {
  if (!session.warp())
    return noBlock();
  const runtime::Result<uint32_t> number = parseCount(arguments, "a lane");
  if (!number || !session.chooseLane(*number))
    return error(fmt::format("expected a lane below {}, found `{}`", runtime::ptx::lanes, arguments));
  return focusText(session) + "\n";
}

/// "%r9: b32" and four rows of eight lanes.
static std::string allLanes(const RegisterValue &value) {
  constexpr uint32_t inRow = 4;
  std::string text = fmt::format("{}: {}\n", value.name, nameOf(value.type));
  for (uint32_t lane = 0; lane < runtime::ptx::lanes; ++lane)
    text += fmt::format("{}{:>2}  {:<{}}{}", lane % inRow ? "" : "  ", lane, registerText(value, lane),
                        lane % inRow + 1 == inRow ? 0 : 24, lane % inRow + 1 == inRow ? "\n" : "  ");
  return text;
}

std::string ThreadTerminal::lineOf(const RegisterValue &value,
                                   const std::map<std::string, std::string> &held) const {
  std::string text = fmt::format("{:<8} {}", value.name, registerText(value, session.lane()));
  const bool mayPoint = runtime::ptx::bitsOf(value.type) == 64 && value.defined >> session.lane() & 1;
  for (const debug::Array &array : session.launch().arrays)
    if (const auto index = mayPoint ? array.indexOf(value.bits[session.lane()]) : std::nullopt)
      text += fmt::format("  &{}", array.elementName(*index));
  if (const auto element = held.find(value.name); element != held.end())
    text += "  " + element->second;
  return text + "\n";
}

std::string ThreadTerminal::registersOfName(const std::string &name) const {
  std::vector<runtime::SourcePlace> places;
  if (session.launch().madeAt && !name.starts_with('%'))
    places = session.launch().madeAt(name);
  if (places.empty())
    return error(fmt::format("no register `{}` is used by the code", name));
  std::string text;
  const std::map<std::string, std::string> held = session.heldElements();
  for (const runtime::SourcePlace &place : places) {
    const std::vector<const runtime::ptx::Inst *> made = session.code().at(place);
    text += fmt::format("{} where `{}` is made, {}:{}:{}{}\n", made.empty() ? "no instruction is" : "written",
                        name, place.file, place.line, place.column,
                        made.empty() ? "" : ", in the order of the code:");
    std::set<std::string> seen;
    for (const runtime::ptx::Inst *inst : made)
      for (const std::string &each : writtenRegisters(session.code().text(inst->line)))
        if (const auto value = registerNamed(*session.warp(), each, session.registerTypes());
            value && seen.insert(each).second)
          text += lineOf(*value, held);
  }
  return text;
}

std::string ThreadTerminal::registers(const std::string &arguments) const {
  if (!session.warp())
    return noBlock();
  const runtime::ptx::Warp &warp = *session.warp();
  std::string text;
  if (arguments.empty()) {
    const std::map<std::string, std::string> held = session.heldElements();
    for (const RegisterValue &value : registersOf(warp, session.registerTypes()))
      text += lineOf(value, held);
    return text.empty() ? "no register holds a value\n" : text;
  }
  for (std::string_view left = arguments; !left.empty();) {
    const size_t end = std::min(left.find_first_of(" ,"), left.size());
    const std::string_view name = left.substr(0, end);
    left = left.substr(std::min(left.find_first_not_of(" ,", end), left.size()));
    if (const std::optional<RegisterValue> value = registerNamed(warp, name, session.registerTypes()))
      text += allLanes(*value);
    else
      text += registersOfName(std::string(name));
  }
  return text;
}

std::string ThreadTerminal::values() const {
  if (!session.warp())
    return noBlock();
  std::string text;
  for (const auto &[name, value] : session.heldValues())
    text += fmt::format("{:<8} {}\n", name, debug::summary(value));
  return text.empty() ? "no register is known to hold a name of the source\n" : text;
}

std::string ThreadTerminal::print(const std::string &arguments) const {
  const runtime::Result<debug::Value> value = valueOf(session, arguments);
  return value ? valueText(*value) : error(value.error().text);
}

std::string ThreadTerminal::arrays() const { return arraysText(session.launch().arrays, session.memory()); }

std::string ThreadTerminal::ptx(const std::string &arguments) const {
  constexpr uint32_t around = 8;
  if (arguments.empty() && !session.warp())
    return noBlock();
  if (arguments.empty()) {
    const runtime::ptx::Inst *inst = session.instructionOf(*session.warp());
    return inst ? ptxText(subject, inst->line, around) : error("the warp has ended");
  }
  const runtime::Result<uint32_t> line = parseCount(arguments, "a line");
  if (!line || !*line || *line > session.code().lineCount())
    return error(fmt::format("expected a line of the PTX from 1 to {}, found `{}`",
                             session.code().lineCount(), arguments));
  return ptxText(subject, *line, around);
}

std::string ThreadTerminal::list(const std::string &arguments) const {
  constexpr uint32_t around = 5;
  if (!arguments.empty()) {
    const runtime::Result<uint32_t> line = parseCount(arguments, "a line");
    return line && *line ? listing(subject.statements, subject.file, *line, around)
                         : error(fmt::format("expected a line, found `{}`", arguments));
  }
  if (!session.warp())
    return noBlock();
  const runtime::ptx::Inst *inst = session.instructionOf(*session.warp());
  const std::vector<CodePlace> &calls = inst ? session.code().calls(*inst) : std::vector<CodePlace>();
  return calls.empty() ? error("the place in the source is not known")
                       : listing(subject.statements, calls.front().file, calls.front().line, around);
}

} // namespace tegula::cli
