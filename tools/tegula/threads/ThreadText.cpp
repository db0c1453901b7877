#include "tools/tegula/threads/ThreadText.h"

#include "compiler/frontend/syntax/text/Diagnostic.h"
#include "tools/tegula/arguments/Values.h"

#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace tegula::cli {

using runtime::ptx::Inst;
using runtime::ptx::Warp;

std::string placeText(const CodePlace &place) {
  if (!place.line)
    return place.function;
  return fmt::format("{}:{}{}", place.file, place.line,
                     place.function.empty() ? "" : " in " + place.function);
}

std::string focusText(const ThreadSession &session) {
  const std::array<uint32_t, 3> index = session.blockIndex();
  const uint32_t warp = session.warp()->index;
  std::string text = fmt::format("block ({}, {}, {}), warp {}", index[0], index[1], index[2], warp);
  const std::optional<runtime::Grid> program = session.programOf(warp);
  if (program && (program->x != index[0] || program->y != index[1] || program->z != index[2]))
    text += fmt::format(", program ({}, {}, {})", program->x, program->y, program->z);
  return text + fmt::format(", lane {}", session.lane());
}

std::string instructionText(const ThreadSession &session, const Inst *inst, bool hasFolders) {
  if (!inst)
    return "behind the last instruction";
  const std::vector<CodePlace> &calls = session.code().calls(*inst);
  if (calls.empty())
    return fmt::format("PTX line {}", inst->line);
  CodePlace place = calls.front();
  if (!hasFolders)
    place.file = llvm::sys::path::filename(place.file);
  return fmt::format("{}, PTX line {}", placeText(place), inst->line);
}

/// "breakpoint 2", "fault: ...", "interrupted"
static std::string reasonText(const ThreadSession &session) {
  const ThreadStop &stop = session.stop();
  std::string text = stop.text;
  if (stop.breakpoint)
    text = fmt::format("{} {}{}{}", stop.kind == ThreadStop::Written ? "watch" : "breakpoint",
                       stop.breakpoint, text.empty() ? "" : ": ", text);
  if (stop.kind == ThreadStop::Fault)
    text = "fault: " + text;
  const runtime::ptx::LaunchContext *context = session.context();
  if (context && context->seed && stop.kind != ThreadStop::Start)
    text += fmt::format("{}schedule {}", text.empty() ? "" : ", ", context->seed);
  return text;
}

/// The line of the source with a caret, and the line of the PTX.
static std::string linesText(const ThreadSubject &subject, const Inst &inst) {
  std::string text;
  const std::vector<CodePlace> &calls = subject.session.code().calls(inst);
  if (!calls.empty())
    text = excerpt(std::string(subject.statements.text(calls.front().file, calls.front().line)),
                   calls.front().column);
  return text + fmt::format("{:>5}  {}\n", inst.line, subject.session.code().text(inst.line));
}

std::string threadStopText(const ThreadSubject &subject) {
  const ThreadSession &session = subject.session;
  const Warp *warp = session.warp();
  const std::string reason = reasonText(session);
  if (!warp)
    return reason + "\n";
  // One looks at what has written, behind which the warp stands.
  const Inst *inst = session.stop().writer ? session.stop().writer : session.instructionOf(*warp);
  std::string text = fmt::format("{}, {}{}{}\n", focusText(session), instructionText(session, inst),
                                 reason.empty() ? "" : ": ", reason);
  if (inst)
    text += linesText(subject, *inst);
  // A read of what nothing has written is reported late, as a race may explain it.
  const Inst *culprit = session.stop().kind == ThreadStop::Fault && session.context()
                            ? session.context()->faultThread.at
                            : nullptr;
  if (culprit && culprit != inst)
    text +=
        fmt::format("it is about {}\n{}", instructionText(session, culprit), linesText(subject, *culprit));
  return text;
}

/// "waits at barrier 0 (64 of 128 threads arrived)"
static std::string waitText(const ThreadSession &session, const Warp &warp) {
  runtime::ptx::Block &block = *session.block();
  switch (warp.rests) {
  case Warp::Rest::Barrier:
    return "waits at " + block.barriers.describe(warp.waitingAt);
  case Warp::Rest::Mbarrier:
    return "waits at " + block.mbarriers.describe(warp.waitingAt);
  case Warp::Rest::Group:
    return "waits for the others of its group";
  case Warp::Rest::Registers:
    return "waits for registers";
  case Warp::Rest::Cluster:
    return "waits at " + block.ownCluster->describe();
  }
  return "waits";
}

std::string warpText(const ThreadSession &session, uint32_t number, bool hasFolders) {
  const Warp &warp = session.block()->allWarps()[number];
  if (warp.state == Warp::State::Done)
    return "has ended";
  std::string text = instructionText(session, session.instructionOf(warp), hasFolders);
  if (warp.state == Warp::State::Waiting)
    text += ", " + waitText(session, warp);
  if (warp.state == Warp::State::Faulted)
    text += ", fault";
  const uint32_t active = warp.upcoming().active;
  if (active == warp.live)
    return text + fmt::format(", {} lanes", std::popcount(active));
  return text + fmt::format(", lanes {:#010x} of {:#010x}", active, warp.live);
}

std::string warpsText(const ThreadSession &session) {
  std::string text;
  for (const Warp &warp : session.block()->allWarps())
    text += fmt::format("{} {:>2}  {}\n", warp.index == session.warp()->index ? ">" : " ", warp.index,
                        warpText(session, warp.index));
  return text;
}

std::string ptxText(const ThreadSubject &subject, uint32_t line, uint32_t around) {
  const CodeLines &code = subject.session.code();
  const Warp *warp = subject.session.warp();
  const Inst *present = warp ? subject.session.instructionOf(*warp) : nullptr;
  std::string text, statement;
  const uint32_t last = std::min(line + around, code.lineCount());
  for (uint32_t at = line > around ? line - around : 1; at <= last; ++at) {
    if (code.text(at).find_first_not_of(" \t") == std::string_view::npos ||
        code.text(at).find(".loc\t") != std::string_view::npos)
      continue; // places are shown as lines of the source
    if (const auto found = code.instructions().find(at); found != code.instructions().end())
      if (const auto &calls = code.calls(*found->second); !calls.empty()) {
        const CodePlace &place = calls.front();
        const std::string here = fmt::format("{}:{}  {}\n", place.file, place.line,
                                             trim(subject.statements.text(place.file, place.line)));
        if (here != statement)
          text += here;
        statement = here;
      }
    text += fmt::format("{}{:>5}  {}\n", present && present->line == at ? ">" : " ", at, code.text(at));
  }
  return text;
}

std::string threadCallsText(const ThreadSession &session) {
  const Inst *inst = session.instructionOf(*session.warp());
  std::string text;
  if (!inst)
    return text;
  const std::vector<CodePlace> &calls = session.code().calls(*inst);
  for (size_t i = 0; i < calls.size(); ++i)
    text += fmt::format("{} {}  {}\n", i ? " " : ">", calls.size() - 1 - i, placeText(calls[i]));
  return text.empty() ? fmt::format("PTX line {}: its place in the source is not known\n", inst->line) : text;
}

std::string whyNoProgram(const std::string &kernel, const LaunchedPrograms &programs) {
  if (programs.isPersistent)
    return fmt::format("`{}` is persistent, its blocks run one program after another", kernel);
  if (programs.isOrdered)
    return fmt::format(
        "programs of `{}` follow each other in groups of rows, so that a block's number is not its program's",
        kernel);
  return "";
}

} // namespace tegula::cli
