#include "tools/tegula/dap/SessionServer.h"

#include "tools/tegula/debug/StopText.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

namespace tegula::cli {

using debug::Stop;
using Json = llvm::json::Object;

/// Programs are one thread to the client: they run one after the other.
static constexpr int64_t threadNumber = 1;

SessionServer::SessionServer(DapConnection &connection, DebugSubject &subject, const DapClient &client)
    : connection(connection), subject(subject), session(subject.session), client(client), shown(session) {}

const std::map<std::string, SessionServer::Handler> &SessionServer::handlers() {
  static const std::map<std::string, Handler> table = {
      {"setBreakpoints", &SessionServer::setBreakpoints},
      {"setFunctionBreakpoints", &SessionServer::setFunctionBreakpoints},
      {"setExceptionBreakpoints", &SessionServer::setExceptionBreakpoints},
      {"dataBreakpointInfo", &SessionServer::dataBreakpointInfo},
      {"setDataBreakpoints", &SessionServer::setDataBreakpoints},
      {"configurationDone", &SessionServer::configurationDone},
      {"threads", &SessionServer::threads},
      {"stackTrace", &SessionServer::stackTrace},
      {"scopes", &SessionServer::scopes},
      {"variables", &SessionServer::variables},
      {"evaluate", &SessionServer::evaluate},
      {"exceptionInfo", &SessionServer::exceptionInfo},
      {"tegula/tile", &SessionServer::tile},
      {"tegula/writer", &SessionServer::writer},
      {"pause", &SessionServer::pause},
      {"continue", &SessionServer::move},
      {"next", &SessionServer::move},
      {"stepIn", &SessionServer::move},
      {"stepOut", &SessionServer::move},
      {"stepBack", &SessionServer::move},
      {"reverseContinue", &SessionServer::move},
      {"disconnect", &SessionServer::end},
      {"terminate", &SessionServer::end},
  };
  return table;
}

void SessionServer::serve() {
  while (!isDone) {
    const std::optional<DapRequest> request = connection.next();
    if (!request)
      return;
    const auto found = handlers().find(request->command);
    if (found == handlers().end())
      connection.refuse(*request,
                        fmt::format("no request `{}` is known while a launch is debugged", request->command));
    else
      (this->*found->second)(*request);
  }
}

std::string SessionServer::wholePath(const std::string &file) const {
  llvm::SmallString<256> path(file);
  if (llvm::sys::fs::make_absolute(path))
    return file;
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return std::string(path);
}

size_t SessionServer::frameOf(const DapRequest &request) const {
  const int64_t number = request.arguments.getInteger("frameId").value_or(0);
  return number < 1 ? session.innermost() : size_t(number) - 1;
}

//===----------------------------------------------------------------------===//
// Breakpoints
//===----------------------------------------------------------------------===//

Json SessionServer::addBreakpoint(const std::string &file, uint32_t line, const std::string &condition) {
  const auto refused = [&](const std::string &why) {
    return Json{{"verified", false}, {"message", jsonText(why)}};
  };
  const uint32_t at = session.statements().statementAt(file, line);
  if (file.empty() || !at)
    return refused("no statement of a function of the launch is here");
  debug::Breakpoint made{
      .number = nextNumber, .file = file, .line = at, .condition = {}, .conditionText = condition};
  if (!condition.empty()) {
    std::string wrong;
    const std::optional<debug::Expression> parsed = debug::Expression::parse(condition, wrong);
    if (!parsed)
      return refused(fmt::format("cannot read the condition: {}", wrong));
    made.condition = parsed->condition(session);
  }
  session.settings.breakpoints.push_back(std::move(made));
  return Json{{"id", int64_t(nextNumber++)}, {"verified", true}, {"line", lineFor(at)}};
}

void SessionServer::setBreakpoints(const DapRequest &request) {
  std::string path;
  if (const Json *source = request.arguments.getObject("source"))
    path = source->getString("path").value_or("").str();
  const std::string file = session.statements().pathOf(path);
  std::erase_if(session.settings.breakpoints,
                [&](const debug::Breakpoint &one) { return one.file == file && !isOfFunction[one.number]; });
  llvm::json::Array made;
  if (const llvm::json::Array *wanted = request.arguments.getArray("breakpoints"))
    for (const llvm::json::Value &one : *wanted) {
      const Json *object = one.getAsObject();
      const int64_t line = object ? object->getInteger("line").value_or(0) + !client.linesStartAt1 : 0;
      made.push_back(addBreakpoint(file, uint32_t(std::clamp<int64_t>(line, 0, INT32_MAX)),
                                   object ? object->getString("condition").value_or("").str() : ""));
    }
  connection.respond(request, Json{{"breakpoints", std::move(made)}});
}

void SessionServer::setFunctionBreakpoints(const DapRequest &request) {
  std::erase_if(session.settings.breakpoints,
                [&](const debug::Breakpoint &one) { return isOfFunction[one.number]; });
  llvm::json::Array made;
  if (const llvm::json::Array *wanted = request.arguments.getArray("breakpoints"))
    for (const llvm::json::Value &one : *wanted) {
      const Json *object = one.getAsObject();
      const std::string name = object ? object->getString("name").value_or("").str() : "";
      const std::string file = session.statements().pathOf(subject.file);
      const uint32_t line = session.statements().functionLine(file, name);
      isOfFunction[nextNumber] = true;
      made.push_back(addBreakpoint(line ? file : "", line,
                                   object ? object->getString("condition").value_or("").str() : ""));
    }
  connection.respond(request, Json{{"breakpoints", std::move(made)}});
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
  const std::string name = request.arguments.getString("name").value_or("").str();
  std::string wrong;
  const auto element = debug::elementNamed(name, session.scope(frameOf(request)), wrong);
  if (!element)
    return connection.respond(request, Json{{"dataId", nullptr}, {"description", jsonText(wrong)}});
  const std::string full = element->first.elementName(element->second);
  connection.respond(request, Json{{"dataId", jsonText(full)},
                                   {"description", jsonText(full)},
                                   {"accessTypes", llvm::json::Array{"write"}},
                                   {"canPersist", true}});
}

void SessionServer::setDataBreakpoints(const DapRequest &request) {
  session.settings.watches.clear();
  llvm::json::Array made;
  if (const llvm::json::Array *wanted = request.arguments.getArray("breakpoints"))
    for (const llvm::json::Value &one : *wanted) {
      const Json *object = one.getAsObject();
      const std::string name = object ? object->getString("dataId").value_or("").str() : "";
      std::string wrong;
      const auto element = debug::elementNamed(name, session.scope(frameOf(request)), wrong);
      if (!element) {
        made.push_back(Json{{"verified", false}, {"message", jsonText(wrong)}});
        continue;
      }
      session.settings.watches.push_back({nextNumber, element->first, element->second});
      made.push_back(Json{{"id", int64_t(nextNumber++)}, {"verified", true}});
    }
  connection.respond(request, Json{{"breakpoints", std::move(made)}});
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
  case Stop::Statement:
  case Stop::End:
    return "step";
  }
  return "step";
}

void SessionServer::tellStop() {
  const Stop &stop = session.stop();
  shown.clear();
  if (!subject.note.empty())
    connection.event("output", Json{{"category", "console"}, {"output", jsonText(subject.note + "\n")}});
  subject.note.clear();
  if (stop.kind == Stop::End) {
    // The session stays: one may go back from the end.
    connection.event("output", Json{{"category", "console"}, {"output", jsonText(stop.text + "\n")}});
  }
  Json body{{"reason", stop.kind == Stop::End ? "end" : reasonOf(stop.kind)},
            {"threadId", threadNumber},
            {"allThreadsStopped", true}};
  const std::string text = stop.element.empty() ? stop.text : stop.text + ", at element " + stop.element;
  if (!text.empty()) {
    body["description"] = jsonText(text);
    body["text"] = jsonText(text);
  }
  if (stop.breakpoint)
    body["hitBreakpointIds"] = llvm::json::Array{int64_t(stop.breakpoint)};
  connection.event("stopped", std::move(body));
}

void SessionServer::configurationDone(const DapRequest &request) {
  connection.respond(request, Json{});
  if (client.stopOnEntry)
    session.stepIn();
  else
    begin(subject);
  tellStop();
}

void SessionServer::move(const DapRequest &request) {
  const std::string &how = request.command;
  const bool isBack = how == "stepBack" || how == "reverseContinue";
  if (!isBack && session.stop().kind == Stop::Fault)
    return connection.refuse(request,
                             "the program cannot go on after a fault: step back, or end the session");
  if (how == "continue")
    connection.respond(request, Json{{"allThreadsContinued", true}});
  else
    connection.respond(request, Json{});
  if (!isBack && session.stop().kind == Stop::End) {
    connection.event("terminated", Json{});
    connection.event("exited", Json{{"exitCode", 0}});
    return;
  }
  if (how == "continue")
    session.resume();
  else if (how == "next")
    session.next();
  else if (how == "stepIn")
    session.stepIn();
  else if (how == "stepOut")
    session.stepOut();
  else if (how == "stepBack")
    session.nextBack();
  else
    session.resumeBack();
  tellStop();
}

void SessionServer::writer(const DapRequest &request) {
  std::string wrong;
  const auto element = debug::elementNamed(request.arguments.getString("element").value_or("").str(),
                                           session.scope(frameOf(request)), wrong);
  if (!element)
    return connection.refuse(request, wrong);
  if (!session.toLastWriter(element->first, element->second))
    return connection.refuse(request, fmt::format("no program has written `{}` before",
                                                  element->first.elementName(element->second)));
  connection.respond(request, Json{});
  tellStop();
}

/// Answers only: a program that ran has stopped when this is served.
void SessionServer::pause(const DapRequest &request) {
  session.dropInterrupt();
  connection.respond(request, Json{});
}

void SessionServer::end(const DapRequest &request) {
  connection.respond(request, Json{});
  if (request.command == "terminate")
    connection.event("terminated", Json{});
  isDone = true;
}

//===----------------------------------------------------------------------===//
// Looking around
//===----------------------------------------------------------------------===//

void SessionServer::threads(const DapRequest &request) {
  connection.respond(
      request, Json{{"threads", llvm::json::Array{
                                    Json{{"id", threadNumber},
                                         {"name", jsonText("program " + programText(session.program()))}}}}});
}

void SessionServer::stackTrace(const DapRequest &request) {
  const size_t total = session.calls().size();
  const auto start = size_t(std::max<int64_t>(request.arguments.getInteger("startFrame").value_or(0), 0));
  const auto levels = size_t(std::max<int64_t>(request.arguments.getInteger("levels").value_or(0), 0));
  llvm::json::Array frames;
  for (size_t i = start; i < total && (!levels || i < start + levels); ++i) {
    const size_t frame = total - 1 - i;
    const debug::Level &at = session.calls()[frame].at;
    const std::string &function = session.statements().function(at.place.file, at.place.line);
    // The place of a fault is more exact than that of its statement.
    const auto &place = session.stop().place;
    const bool isExact = i == 0 && place && place->line;
    const std::string path = wholePath(at.place.file);
    frames.push_back(
        Json{{"id", int64_t(frame) + 1},
             {"name", jsonText(function.empty() ? subject.kernel : function)},
             {"source", Json{{"name", jsonText(llvm::sys::path::filename(path))}, {"path", jsonText(path)}}},
             {"line", lineFor(isExact ? place->line : at.line())},
             {"column",
              isExact ? int64_t(place->column) - !client.columnsStartAt1 : int64_t(client.columnsStartAt1)}});
  }
  connection.respond(request, Json{{"stackFrames", std::move(frames)}, {"totalFrames", int64_t(total)}});
}

void SessionServer::scopes(const DapRequest &request) {
  connection.respond(request, Json{{"scopes", shown.scopes(frameOf(request))}});
}

void SessionServer::variables(const DapRequest &request) {
  const auto number = [&](const char *name) {
    return std::max<int64_t>(request.arguments.getInteger(name).value_or(0), 0);
  };
  std::optional<llvm::json::Array> children =
      shown.children(number("variablesReference"), size_t(number("start")), size_t(number("count")));
  if (!children)
    return connection.refuse(request, "no variable has this number: the program has gone on");
  connection.respond(request, Json{{"variables", std::move(*children)}});
}

void SessionServer::evaluate(const DapRequest &request) {
  std::string wrong;
  std::optional<Json> made =
      shown.evaluate(request.arguments.getString("expression").value_or("").str(), frameOf(request), wrong);
  if (!made)
    return connection.refuse(request, wrong);
  connection.respond(request, std::move(*made));
}

void SessionServer::tile(const DapRequest &request) {
  std::string wrong;
  std::optional<Json> made =
      shown.tile(request.arguments.getString("expression").value_or("").str(), frameOf(request), wrong);
  if (!made)
    return connection.refuse(request, wrong);
  connection.respond(request, std::move(*made));
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
