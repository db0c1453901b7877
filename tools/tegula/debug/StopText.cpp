#include "tools/tegula/debug/StopText.h"

#include "compiler/frontend/syntax/text/Diagnostic.h"

#include <fmt/format.h>

namespace tegula::cli {

using debug::Session;
using debug::Stop;

std::string programText(const interp::Grid &program) {
  return fmt::format("({}, {}, {})", program[0], program[1], program[2]);
}

std::string placeText(const Session &session, size_t frame) {
  if (frame >= session.calls().size())
    return "";
  const debug::Level &at = session.calls()[frame].at;
  const std::string &function = session.statements().function(at.place.file, at.place.line);
  return fmt::format("{}:{}{}", at.place.file, at.line(), function.empty() ? "" : " in " + function);
}

/// "stopped at breakpoint 2", "a NaN is made here ... at element (3, 0)"
static std::string reasonText(const Stop &stop) {
  std::string text = stop.text;
  if (stop.kind == Stop::Breakpoint)
    text = fmt::format("breakpoint {}{}{}", stop.breakpoint, text.empty() ? "" : ": ", text);
  if (stop.kind == Stop::Fault)
    text = "fault: " + text;
  if (stop.kind == Stop::Written && stop.breakpoint)
    text = fmt::format("watch {}: {}", stop.breakpoint, text);
  return stop.element.empty() ? text : fmt::format("{}, at element {}", text, stop.element);
}

std::string stopText(const Session &session) {
  const Stop &stop = session.stop();
  if (session.calls().empty())
    return reasonText(stop) + "\n";
  const debug::Level &at = session.calls().back().at;
  const std::string reason = reasonText(stop);
  std::string text = fmt::format("program {}, {}{}{}\n", programText(session.program()),
                                 placeText(session, session.innermost()), reason.empty() ? "" : ": ", reason);
  const uint32_t line = stop.place ? stop.place->line : at.line();
  const std::string &file = stop.place ? stop.place->file : at.place.file;
  if (stop.place && stop.place->line && !stop.place->file.empty())
    return text + excerpt(std::string(session.statements().text(file, line)), stop.place->column);
  return text + fmt::format("{:>5}  {}\n", line, session.statements().text(file, line));
}

std::string listing(const debug::Statements &statements, const std::string &file, uint32_t line,
                    uint32_t around) {
  std::string text;
  const uint32_t last = std::min(line + around, statements.lineCount(file));
  for (uint32_t at = line > around ? line - around : 1; at <= last; ++at)
    text += fmt::format("{}{:>5}  {}\n", at == line ? ">" : " ", at, statements.text(file, at));
  return text;
}

std::string valueText(const debug::Value &value) {
  return value.shape.empty() ? debug::summary(value) + "\n"
                             : fmt::format("{}\n{}\n", debug::summary(value), debug::elementsText(value));
}

std::string arraysText(llvm::ArrayRef<debug::Array> arrays, const debug::ReadMemory &read) {
  constexpr uint64_t limit = uint64_t(1) << 22;
  std::string text;
  for (const debug::Array &array : arrays)
    text += fmt::format("{}: {}\n", array.name, debug::summary(debug::valueOf(read, array, limit)));
  return text.empty() ? "the launch has no arrays\n" : text;
}

std::string callsText(const Session &session, size_t selected) {
  std::string text;
  for (size_t frame = session.calls().size(); frame-- > 0;)
    text += fmt::format("{} {}  {}\n", frame == selected ? ">" : " ", frame, placeText(session, frame));
  return text;
}

} // namespace tegula::cli
