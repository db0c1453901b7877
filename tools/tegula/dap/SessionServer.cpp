#include "tools/tegula/dap/SessionServer.h"

#include "tools/tegula/debug/StopText.h"
#include "tools/tegula/output/Status.h"

#include <fmt/format.h>

namespace tegula::cli {

using debug::Stop;
using Json = llvm::json::Object;

/// Programs are one thread to the client: they run one after the other.
static constexpr int64_t threadNumber = 1;

SessionServer::SessionServer(DapConnection &connection, DebugSubject &subject, const DapClient &client)
    : RequestServer(connection, client, "program", [this](size_t frame) { return session.scope(frame); }),
      subject(subject), session(subject.session) {
  on("setBreakpoints", this, &SessionServer::setBreakpoints);
  on("setFunctionBreakpoints", this, &SessionServer::setFunctionBreakpoints);
  on("setExceptionBreakpoints", this, &SessionServer::setExceptionBreakpoints);
  on("dataBreakpointInfo", this, &SessionServer::dataBreakpointInfo);
  on("setDataBreakpoints", this, &SessionServer::setDataBreakpoints);
  on("configurationDone", this, &SessionServer::configurationDone);
  on("stackTrace", this, &SessionServer::stackTrace);
  on("scopes", this, &SessionServer::scopes);
  on("evaluate", this, &SessionServer::evaluate);
  on("exceptionInfo", this, &SessionServer::exceptionInfo);
  on("tegula/tile", this, &SessionServer::tile);
  on("tegula/writer", this, &SessionServer::writer);
  for (const char *move : {"continue", "next", "stepIn", "stepOut", "stepBack", "reverseContinue"})
    on(move, this, &SessionServer::move);
}

size_t SessionServer::frameOf(const DapRequest &request) const {
  const int64_t number = request.arguments.getInteger("frameId").value_or(0);
  return number < 1 ? session.innermost() : size_t(number) - 1;
}

//===----------------------------------------------------------------------===//
// Breakpoints
//===----------------------------------------------------------------------===//

bool SessionServer::comesTo(const debug::Breakpoint &breakpoint, const DapHits &hits) {
  const uint64_t count = ++counts[breakpoint.number];
  if (hits.condition && !hits.condition->holds(count))
    return false;
  if (hits.message)
    showMessage(*hits.message, session.scope(session.innermost()), breakpoint.file, breakpoint.line);
  else
    countsAtStop = counts;
  return !hits.message;
}

Json SessionServer::addBreakpoint(const std::string &file, uint32_t line, const Json *given) {
  const uint32_t at = session.statements().statementAt(file, line);
  if (file.empty() || !at)
    return refusedBreakpoint("no statement of a function of the launch is here");
  debug::Breakpoint made{.number = nextNumber,
                         .file = file,
                         .line = at,
                         .condition = {},
                         .conditionText = text(given, "condition")};
  std::string wrong;
  std::function<bool(std::string &)> condition;
  if (!made.conditionText.empty()) {
    const std::optional<debug::Expression> parsed = debug::Expression::parse(made.conditionText, wrong);
    if (!parsed)
      return refusedBreakpoint(fmt::format("cannot read the condition: {}", wrong));
    condition = parsed->condition(session);
  }
  const auto asItIs = [](std::string_view text) { return std::string(text); };
  const runtime::Result<DapHits> hits = hitsOf(given, asItIs);
  if (!hits)
    return refusedBreakpoint(hits.error().text);
  made.condition = [this, made, condition, hits = *hits](std::string &error) {
    return (!condition || condition(error)) && comesTo(made, hits);
  };
  // The first that stops hides those behind it: messages go first.
  auto &all = session.settings.breakpoints;
  all.insert(hits->message ? all.begin() : all.end(), std::move(made));
  return Json{{"id", int64_t(nextNumber++)}, {"verified", true}, {"line", lineFor(at)}};
}

void SessionServer::setBreakpoints(const DapRequest &request) {
  const std::string file = session.statements().pathOf(sourcePath(request));
  std::erase_if(session.settings.breakpoints,
                [&](const debug::Breakpoint &one) { return one.file == file && !isOfFunction[one.number]; });
  answerBreakpoints(request, [&](const Json *one) { return addBreakpoint(file, lineFrom(one), one); });
}

void SessionServer::setFunctionBreakpoints(const DapRequest &request) {
  std::erase_if(session.settings.breakpoints,
                [&](const debug::Breakpoint &one) { return isOfFunction[one.number]; });
  answerBreakpoints(request, [&](const Json *one) {
    const std::string file = session.statements().pathOf(subject.file);
    const uint32_t line = session.statements().functionLine(file, text(one, "name"));
    isOfFunction[nextNumber] = true;
    return addBreakpoint(line ? file : "", line, one);
  });
}

void SessionServer::setExceptionBreakpoints(const DapRequest &request) {
  session.settings.stopAtNotFinite = session.settings.stopAtOverflow = false;
  if (const llvm::json::Array *filters = request.arguments.getArray("filters"))
    for (const llvm::json::Value &filter : *filters) {
      session.settings.stopAtNotFinite |= filter.getAsString() == llvm::StringRef("nan");
      session.settings.stopAtOverflow |= filter.getAsString() == llvm::StringRef("overflow");
    }
  connection.respond(request, Json{});
}

void SessionServer::dataBreakpointInfo(const DapRequest &request) {
  const std::string name = text(request, "name");
  std::string wrong;
  const auto element = debug::elementNamed(name, session.scope(frameOf(request)), wrong);
  answerDataBreakpoint(request,
                       element ? runtime::Result<std::string>(element->first.elementName(element->second))
                               : usageError(wrong));
}

void SessionServer::setDataBreakpoints(const DapRequest &request) {
  session.settings.watches.clear();
  answerBreakpoints(request, [&](const Json *one) {
    std::string wrong;
    const auto element = debug::elementNamed(text(one, "dataId"), session.scope(frameOf(request)), wrong);
    if (!element)
      return refusedBreakpoint(wrong);
    session.settings.watches.push_back({nextNumber, element->first, element->second});
    return Json{{"id", int64_t(nextNumber++)}, {"verified", true}};
  });
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// Returns what the protocol calls a stop.
static const char *reasonOf(Stop::Kind kind) {
  switch (kind) {
  case Stop::Start:
    return "entry";
  case Stop::Breakpoint:
    return "breakpoint";
  case Stop::Finding:
  case Stop::Fault:
  case Stop::Difference:
    return "exception";
  case Stop::Written:
    return "data breakpoint";
  case Stop::Interrupted:
    return "pause";
  case Stop::End:
    return "end";
  case Stop::Statement:
    return "step";
  }
  return "step";
}

void SessionServer::tellStop(bool isFound) {
  const Stop &stop = session.stop();
  shown.clear();
  if (!isFound)
    return tellStopped(reasonOf(Stop::Interrupted), threadNumber, "the search was interrupted", 0);
  if (!subject.note.empty())
    say(subject.note);
  subject.note.clear();
  if (stop.kind == Stop::End) // the session stays: one may go back from the end
    say(stop.text);
  tellStopped(reasonOf(stop.kind), threadNumber,
              stop.element.empty() ? stop.text : stop.text + ", at element " + stop.element, stop.breakpoint);
}

void SessionServer::go(const DapRun &run) { tellStop(RequestServer::run(run)); }

void SessionServer::begin() {
  const bool isSearch = !subject.expected.empty();
  const bool isFound = run({isSearch ? DapRun::Find : DapRun::Resume, [this] { cli::begin(subject); }});
  isSearchOpen = !isFound;
  tellStop(isFound);
}

void SessionServer::configurationDone(const DapRequest &request) {
  connection.respond(request, Json{});
  if (client.stopOnEntry)
    go({DapRun::Step, [this] { session.stepIn(); }});
  else
    begin();
}

/// Comes by all breakpoints from the start of the launch on, and is where the last one has stopped then.
void SessionServer::resumeBack() {
  counts.clear();
  session.resumeBack();
  if (session.stop().kind == Stop::Breakpoint)
    counts = countsAtStop;
  else if (session.stop().kind == Stop::Start)
    counts.clear();
}

void SessionServer::move(const DapRequest &request) {
  const std::string &how = request.command;
  if (!answerMove(request))
    return;
  if (how == "continue" && isSearchOpen)
    begin();
  else if (how == "continue")
    go({DapRun::Resume, [this] { session.resume(); }});
  else if (how == "next")
    go({DapRun::Step, [this] { session.next(); }});
  else if (how == "stepIn")
    go({DapRun::Step, [this] { session.stepIn(); }});
  else if (how == "stepOut")
    go({DapRun::Step, [this] { session.stepOut(); }});
  else if (how == "stepBack")
    go({DapRun::Back, [this] { session.nextBack(); }});
  else
    go({DapRun::Back, [this] { resumeBack(); }});
}

void SessionServer::writer(const DapRequest &request) {
  std::string wrong;
  const auto element = debug::elementNamed(text(request, "element"), session.scope(frameOf(request)), wrong);
  if (!element)
    return connection.refuse(request, wrong);
  bool isWritten = false;
  const bool isFound =
      run({DapRun::Back, [&] { isWritten = session.toLastWriter(element->first, element->second); }});
  if (isFound && !isWritten)
    return connection.refuse(request, fmt::format("no program has written `{}` before",
                                                  element->first.elementName(element->second)));
  connection.respond(request, Json{});
  tellStop(isFound);
}

//===----------------------------------------------------------------------===//
// Looking around
//===----------------------------------------------------------------------===//

llvm::json::Array SessionServer::threadList(bool isRunning) const {
  const std::string name = isRunning ? "programs, running" : "program " + programText(session.program());
  return llvm::json::Array{Json{{"id", threadNumber}, {"name", jsonText(name)}}};
}

void SessionServer::stackTrace(const DapRequest &request) {
  const size_t total = session.calls().size();
  if (!total)
    return answerLaunchFrame(request, 1, session.statements(), subject.file, subject.kernel);
  answerFrames(request, total, [&](size_t i) {
    const size_t frame = total - 1 - i;
    const debug::Level &at = session.calls()[frame].at;
    const std::string &function = session.statements().function(at.place.file, at.place.line);
    // The place of a fault is more exact than that of its statement.
    const auto &place = session.stop().place;
    const bool isExact = i == 0 && place && place->line;
    return Json{{"id", int64_t(frame) + 1},
                {"name", jsonText(function.empty() ? subject.kernel : function)},
                {"source", sourceOf(at.place.file)},
                {"line", lineFor(isExact ? place->line : at.line())},
                {"column", columnFor(isExact ? place->column : 1)}};
  });
}

void SessionServer::scopes(const DapRequest &request) {
  connection.respond(request, Json{{"scopes", shown.scopes(frameOf(request))}});
}

void SessionServer::evaluate(const DapRequest &request) {
  std::string wrong;
  answer(request, shown.evaluate(text(request, "expression"), frameOf(request), wrong), wrong);
}

void SessionServer::tile(const DapRequest &request) {
  std::string wrong;
  answer(request, shown.tile(text(request, "expression"), frameOf(request), wrong), wrong);
}

void SessionServer::exceptionInfo(const DapRequest &request) {
  const Stop &stop = session.stop();
  const char *id = stop.kind == Stop::Fault        ? "fault"
                   : stop.kind == Stop::Difference ? "difference"
                                                   : "finding";
  connection.respond(
      request, Json{{"exceptionId", id}, {"description", jsonText(stop.text)}, {"breakMode", "always"}});
}

} // namespace tegula::cli
