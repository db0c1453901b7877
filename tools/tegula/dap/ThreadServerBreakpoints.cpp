// The part of the thread level's server that sets breakpoints.
#include "tools/tegula/dap/ThreadServer.h"
#include "tools/tegula/threads/ThreadBreakpoints.h"
#include "tools/tegula/threads/ThreadMemory.h"
#include "tools/tegula/threads/ThreadScope.h"

#include <fmt/format.h>

namespace tegula::cli {

using runtime::Result;
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

Json ThreadServer::keep(Result<ThreadBreakpoint> made, Maker maker, const Json *given) {
  if (!made)
    return refusedBreakpoint(made.error().text);
  if (const Result<void> added = addCondition(subject, text(given, "condition"), *made); !added)
    return refusedBreakpoint(added.error().text);
  const Result<DapHits> hits = hitsOf(given, withoutPercents);
  if (!hits)
    return refusedBreakpoint(hits.error().text);
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
  answerBreakpoints(request, [&](const Json *one) {
    return keep(breakpointAt(subject, file, lineFrom(one)), Maker::Source, one);
  });
}

void ThreadServer::setFunctionBreakpoints(const DapRequest &request) {
  drop(Maker::Function);
  answerBreakpoints(request, [&](const Json *one) {
    return keep(breakpointNamed(subject, text(one, "name")), Maker::Function, one);
  });
}

void ThreadServer::setInstructionBreakpoints(const DapRequest &request) {
  drop(Maker::Instruction);
  answerBreakpoints(request, [&](const Json *one) {
    const uint32_t line =
        one ? lineOf(text(one, "instructionReference"), one->getInteger("offset").value_or(0)) : 0;
    return keep(breakpointAtPtx(subject, line), Maker::Instruction, one);
  });
}

void ThreadServer::dataBreakpointInfo(const DapRequest &request) {
  const Result<ThreadWatch> element = watchNamed(session, text(request, "name"));
  answerDataBreakpoint(request, element ? Result<std::string>(element->name) : element.error());
}

void ThreadServer::setDataBreakpoints(const DapRequest &request) {
  session.settings.watches.clear();
  answerBreakpoints(request, [&](const Json *one) {
    Result<ThreadWatch> element = watchNamed(session, text(one, "dataId"));
    if (!element)
      return refusedBreakpoint(element.error().text);
    element->number = nextNumber++;
    session.settings.watches.push_back(*element);
    return Json{{"id", int64_t(element->number)}, {"verified", true}};
  });
}

void ThreadServer::writer(const DapRequest &request) {
  const Result<ThreadWatch> element = watchNamed(session, text(request, "element"));
  if (!element)
    return connection.refuse(request, element.error().text);
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
