// The part of the thread level's server that sets breakpoints.
#include "tools/tegula/dap/References.h"
#include "tools/tegula/dap/ThreadServer.h"
#include "tools/tegula/threads/ThreadBreakpoints.h"
#include "tools/tegula/threads/ThreadMemory.h"
#include "tools/tegula/threads/ThreadScope.h"

#include <fmt/format.h>

namespace tegula::cli {

using Json = llvm::json::Object;

void ThreadServer::drop(Maker maker, const std::string &file) {
  std::erase_if(session.settings.breakpoints, [&](const ThreadBreakpoint &one) {
    return makers[one.number] == maker && (file.empty() || one.file == file);
  });
}

void ThreadServer::addMessage(ThreadBreakpoint &breakpoint, const LogMessage &message) {
  // Hits are counted here: what holds in no lane is none to the engine.
  breakpoint.condition = [this, message, condition = breakpoint.condition, file = breakpoint.file,
                          line = breakpoint.statement, hits = std::exchange(breakpoint.hits, std::nullopt),
                          count = uint64_t(0)](const runtime::ptx::Warp &warp) mutable {
    const ThreadTruth truth = condition ? condition(warp) : ThreadTruth{warp.upcoming().active, ""};
    if (truth.lanes && !isGoingBack() && (!hits || hits->holds(++count)))
      showMessage(message, conditionScopeOf(session, warp), file, line);
    return ThreadTruth{0, truth.error};
  };
}

Json ThreadServer::keep(std::optional<ThreadBreakpoint> made, Maker maker, const Json *given,
                        std::string wrong) {
  if (!made || !addConditions(subject, text(given, "condition"), /*hits=*/"", *made, wrong))
    return refusedBreakpoint(wrong);
  const std::optional<DapHits> hits = hitsOf(given, withoutPercents, wrong);
  if (!hits)
    return refusedBreakpoint(wrong);
  made->hits = hits->condition;
  if (hits->message)
    addMessage(*made, *hits->message);
  made->number = nextNumber++;
  makers[made->number] = maker;
  session.settings.breakpoints.push_back(*made);
  Json said{{"id", int64_t(made->number)}, {"verified", true}};
  if (made->ptxLine)
    said["instructionReference"] = referenceOf(made->ptxLine);
  else
    said["line"] = lineFor(made->statement);
  return said;
}

void ThreadServer::setBreakpoints(const DapRequest &request) {
  const std::string path = sourcePath(request);
  std::string file = subject.statements.pathOf(path);
  if (file.empty())
    file = path == wholePath(subject.file) ? subject.file : path; // one that cannot be read
  drop(Maker::Source, file);
  llvm::json::Array made;
  for (const Json *one : objects(request, "breakpoints")) {
    std::string wrong;
    std::optional<ThreadBreakpoint> point = breakpointAt(subject, file, lineFrom(one), wrong);
    made.push_back(keep(std::move(point), Maker::Source, one, wrong));
  }
  connection.respond(request, Json{{"breakpoints", std::move(made)}});
}

void ThreadServer::setFunctionBreakpoints(const DapRequest &request) {
  drop(Maker::Function);
  llvm::json::Array made;
  for (const Json *one : objects(request, "breakpoints")) {
    std::string wrong;
    std::optional<ThreadBreakpoint> point = breakpointNamed(subject, text(one, "name"), wrong);
    made.push_back(keep(std::move(point), Maker::Function, one, wrong));
  }
  connection.respond(request, Json{{"breakpoints", std::move(made)}});
}

void ThreadServer::setInstructionBreakpoints(const DapRequest &request) {
  drop(Maker::Instruction);
  llvm::json::Array made;
  for (const Json *one : objects(request, "breakpoints")) {
    const uint32_t line =
        one ? lineOf(text(one, "instructionReference"), one->getInteger("offset").value_or(0)) : 0;
    std::string wrong;
    std::optional<ThreadBreakpoint> point = breakpointAtPtx(subject, line, wrong);
    made.push_back(keep(std::move(point), Maker::Instruction, one, wrong));
  }
  connection.respond(request, Json{{"breakpoints", std::move(made)}});
}

void ThreadServer::dataBreakpointInfo(const DapRequest &request) {
  std::string wrong;
  const std::optional<ThreadWatch> element = watchNamed(session, text(request, "name"), wrong);
  answerDataBreakpoint(request, element ? std::optional(element->name) : std::nullopt, wrong);
}

void ThreadServer::setDataBreakpoints(const DapRequest &request) {
  session.settings.watches.clear();
  llvm::json::Array made;
  for (const Json *one : objects(request, "breakpoints")) {
    std::string wrong;
    std::optional<ThreadWatch> element = watchNamed(session, text(one, "dataId"), wrong);
    if (!element) {
      made.push_back(refusedBreakpoint(wrong));
      continue;
    }
    element->number = nextNumber++;
    session.settings.watches.push_back(*element);
    made.push_back(Json{{"id", int64_t(element->number)}, {"verified", true}});
  }
  connection.respond(request, Json{{"breakpoints", std::move(made)}});
}

void ThreadServer::writer(const DapRequest &request) {
  std::string wrong;
  const std::optional<ThreadWatch> element = watchNamed(session, text(request, "element"), wrong);
  if (!element)
    return connection.refuse(request, wrong);
  bool isWritten = false;
  (void)run({DapRun::Back, [&] { isWritten = session.toLastWriter(*element); }});
  if (!isWritten)
    return connection.refuse(request, fmt::format("no thread has written `{}` before", element->name));
  connection.respond(request, Json{});
  tellStop();
}

/// Faults always stop: there is nothing to choose.
void ThreadServer::setExceptionBreakpoints(const DapRequest &request) { connection.respond(request, Json{}); }

} // namespace tegula::cli
