#include "tools/tegula/dap/RequestServer.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::cli {

using Json = llvm::json::Object;

RequestServer::RequestServer(DapConnection &connection, const DapClient &client, const char *what,
                             DapVariables::ScopeOf scopeOf)
    : connection(connection), client(client), shown(std::move(scopeOf)), what(what) {
  on("threads", this, &RequestServer::threads);
  on("variables", this, &RequestServer::variables);
  on("pause", this, &RequestServer::pause);
  on("disconnect", this, &RequestServer::end);
  on("terminate", this, &RequestServer::end);
}

void RequestServer::serve() {
  while (!isDone) {
    const std::optional<DapRequest> request = connection.next();
    if (!request)
      return;
    serve(*request);
  }
}

void RequestServer::serve(const DapRequest &request) {
  const auto found = handlers.find(request.command);
  if (found == handlers.end())
    connection.refuse(request,
                      fmt::format("no request `{}` is known while a launch is debugged", request.command));
  else
    found->second(request);
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static bool setsBreakpoints(const DapRequest &request) {
  return llvm::StringRef(request.command).ends_with("Breakpoints");
}

static bool endsRun(const DapRequest &request) {
  return request.command == "pause" || request.command == "disconnect" || request.command == "terminate";
}

std::optional<DapRequest> RequestServer::serveRunning(const std::atomic<bool> &hasStopped,
                                                      bool takesBreakpoints,
                                                      const llvm::json::Array &running) {
  while (std::optional<DapRequest> request = connection.nextUnless(hasStopped)) {
    if (endsRun(*request) || (setsBreakpoints(*request) && takesBreakpoints))
      return request;
    if (setsBreakpoints(*request))
      postponed.push_back(std::move(*request));
    else if (request->command == "threads")
      connection.respond(*request, Json{{"threads", llvm::json::Array(running)}});
    else
      connection.refuse(*request, "the program runs: it has to stop first, such as by a pause");
  }
  return std::nullopt;
}

std::optional<DapRequest> RequestServer::runOnce(const DapRun &run) {
  const llvm::json::Array running = threadList(/*isRunning=*/true);
  std::atomic<bool> hasStopped = false;
  std::thread engine([&] {
    run.work();
    hasStopped = true;
    connection.wake();
  });
  std::optional<DapRequest> request = serveRunning(hasStopped, run.isRepeatable(), running);
  // Also where the client has gone away.
  if (!hasStopped)
    interrupt();
  engine.join();
  // It may have come too late.
  dropInterrupt();
  return request;
}

bool RequestServer::run(const DapRun &run) {
  bool isVoid = false, goesOn = true;
  goingBack = run.kind == DapRun::Back;
  while (goesOn) {
    const std::optional<DapRequest> request = runOnce(run);
    isVoid = request && run.isSearch() && !isAtEnd();
    goesOn = request && setsBreakpoints(*request) && (isVoid || isInterrupted());
    if (request)
      serve(*request);
  }
  for (const DapRequest &request : std::exchange(postponed, {}))
    serve(request);
  return !isVoid;
}

/// Answers where nothing runs, here as below.
void RequestServer::threads(const DapRequest &request) {
  connection.respond(request, Json{{"threads", threadList(/*isRunning=*/false)}});
}

void RequestServer::pause(const DapRequest &request) { connection.respond(request, Json{}); }

std::string RequestServer::wholePath(const std::string &file) {
  llvm::SmallString<256> path(file);
  if (llvm::sys::fs::make_absolute(path))
    return file;
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return std::string(path);
}

Json RequestServer::sourceOf(const std::string &file) const {
  const std::string path = wholePath(file);
  return Json{{"name", jsonText(llvm::sys::path::filename(path))}, {"path", jsonText(path)}};
}

void RequestServer::answerLaunchFrame(const DapRequest &request, int64_t id,
                                      const debug::Statements &statements, const std::string &file,
                                      const std::string &kernel) {
  const std::string path = statements.pathOf(file);
  const uint32_t line = path.empty() ? 0 : statements.functionLine(path, kernel);
  Json frame{{"id", id},
             {"name", jsonText(kernel)},
             {"line", line ? lineFor(line) : 0},
             {"column", line ? columnFor(1) : 0}};
  if (line) // else it is PTX
    frame["source"] = sourceOf(path);
  answerFrames(request, 1, [&](size_t) { return std::move(frame); });
}

void RequestServer::answerFrames(const DapRequest &request, size_t total,
                                 llvm::function_ref<Json(size_t)> frameAt) {
  const auto start = size_t(number(request, "startFrame")), levels = size_t(number(request, "levels"));
  llvm::json::Array frames;
  for (size_t i = start; i < total && (!levels || i < start + levels); ++i)
    frames.push_back(frameAt(i));
  connection.respond(request, Json{{"stackFrames", std::move(frames)}, {"totalFrames", int64_t(total)}});
}

uint32_t RequestServer::lineFrom(const Json *object) const {
  const int64_t line = object ? object->getInteger("line").value_or(0) + !client.linesStartAt1 : 0;
  return uint32_t(std::clamp<int64_t>(line, 0, INT32_MAX));
}

int64_t RequestServer::number(const DapRequest &request, const char *name) {
  return std::max<int64_t>(request.arguments.getInteger(name).value_or(0), 0);
}

std::string RequestServer::text(const Json *object, const char *name) {
  return object ? object->getString(name).value_or("").str() : std::string();
}

std::string RequestServer::sourcePath(const DapRequest &request) {
  return text(request.arguments.getObject("source"), "path");
}

void RequestServer::answer(const DapRequest &request, std::optional<Json> body, const std::string &wrong) {
  if (!body)
    return connection.refuse(request, wrong);
  connection.respond(request, std::move(*body));
}

void RequestServer::answerBreakpoints(const DapRequest &request, llvm::function_ref<Json(const Json *)> set) {
  llvm::json::Array made;
  if (const llvm::json::Array *list = request.arguments.getArray("breakpoints"))
    for (const llvm::json::Value &one : *list)
      made.push_back(set(one.getAsObject()));
  connection.respond(request, Json{{"breakpoints", std::move(made)}});
}

bool RequestServer::answerMove(const DapRequest &request) {
  const bool isBack = request.command == "stepBack" || request.command == "reverseContinue";
  if (!isBack && isAtFault()) {
    connection.refuse(request,
                      fmt::format("the {} cannot go on after a fault: step back, or end the session", what));
    return false;
  }
  connection.respond(request, request.command == "continue" ? Json{{"allThreadsContinued", true}} : Json{});
  const bool hasEnded = !isBack && isAtEnd();
  if (hasEnded)
    tellEnd();
  return !hasEnded;
}

void RequestServer::say(const std::string &text) {
  connection.event("output", Json{{"category", "console"}, {"output", jsonText(text + "\n")}});
}

void RequestServer::variables(const DapRequest &request) {
  std::optional<llvm::json::Array> children =
      shown.children(number(request, "variablesReference"), size_t(number(request, "start")),
                     size_t(number(request, "count")));
  if (!children)
    return connection.refuse(request, fmt::format("no variable has this number: the {} has gone on", what));
  connection.respond(request, Json{{"variables", std::move(*children)}});
}

Json RequestServer::refusedBreakpoint(const std::string &why) {
  return Json{{"verified", false}, {"message", jsonText(why)}};
}

runtime::Result<DapHits> RequestServer::hitsOf(const Json *given,
                                               const std::function<std::string(std::string_view)> &spell) {
  DapHits made;
  if (const std::string words = text(given, "hitCondition"); !words.empty())
    made.condition = TRY(parseHitCondition(words));
  if (const std::string message = text(given, "logMessage"); !message.empty())
    made.message = TRY(LogMessage::parse(message, spell));
  return made;
}

void RequestServer::showMessage(const LogMessage &message, const debug::Scope &scope, const std::string &file,
                                uint32_t line) {
  if (isGoingBack())
    return;
  // As what programs print: of other categories some clients show nothing.
  Json body{{"category", "stdout"}, {"output", jsonText(message.text(scope) + "\n")}};
  if (!file.empty()) { // else it is at a line of the PTX
    body["source"] = sourceOf(file);
    body["line"] = lineFor(line);
  }
  connection.event("output", std::move(body));
}

void RequestServer::answerDataBreakpoint(const DapRequest &request,
                                         const runtime::Result<std::string> &name) {
  if (!name)
    return connection.respond(request,
                              Json{{"dataId", nullptr}, {"description", jsonText(name.error().text)}});
  connection.respond(request, Json{{"dataId", jsonText(*name)},
                                   {"description", jsonText(*name)},
                                   {"accessTypes", llvm::json::Array{"write"}},
                                   {"canPersist", true}});
}

void RequestServer::tellStopped(const char *reason, int64_t thread, const std::string &text,
                                unsigned breakpoint) {
  if (isDone) // the launch has stopped because the session ends
    return;
  Json body{{"reason", reason}, {"threadId", thread}, {"allThreadsStopped", true}};
  if (!text.empty()) {
    body["description"] = jsonText(text);
    body["text"] = jsonText(text);
  }
  if (breakpoint)
    body["hitBreakpointIds"] = llvm::json::Array{int64_t(breakpoint)};
  connection.event("stopped", std::move(body));
}

void RequestServer::tellEnd() {
  // In this order: clients drop a session that has terminated.
  connection.event("exited", Json{{"exitCode", 0}});
  connection.event("terminated", Json{});
}

void RequestServer::end(const DapRequest &request) {
  connection.respond(request, Json{});
  if (request.command == "terminate")
    connection.event("terminated", Json{});
  isDone = true;
}

} // namespace tegula::cli
