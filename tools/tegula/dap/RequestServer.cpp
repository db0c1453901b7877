#include "tools/tegula/dap/RequestServer.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::cli {

using Json = llvm::json::Object;

RequestServer::RequestServer(DapConnection &connection, const DapClient &client)
    : connection(connection), client(client) {
  on("threads", this, &RequestServer::threads);
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
  llvm::json::Array frames;
  if (number(request, "startFrame") == 0)
    frames.push_back(std::move(frame));
  connection.respond(request, Json{{"stackFrames", std::move(frames)}, {"totalFrames", 1}});
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

std::vector<const Json *> RequestServer::objects(const DapRequest &request, const char *name) {
  std::vector<const Json *> all;
  if (const llvm::json::Array *list = request.arguments.getArray(name))
    for (const llvm::json::Value &one : *list)
      all.push_back(one.getAsObject());
  return all;
}

void RequestServer::say(const std::string &text) {
  connection.event("output", Json{{"category", "console"}, {"output", jsonText(text + "\n")}});
}

void RequestServer::answerVariables(const DapRequest &request, DapVariables &shown, const char *what) {
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

std::optional<DapHits> RequestServer::hitsOf(const Json *given,
                                             const std::function<std::string(std::string_view)> &spell,
                                             std::string &wrong) {
  DapHits made;
  if (const std::string words = text(given, "hitCondition"); !words.empty()) {
    runtime::Result<HitCondition> condition = parseHitCondition(words);
    if (!condition) {
      wrong = condition.error().text;
      return std::nullopt;
    }
    made.condition = std::move(*condition);
  }
  if (const std::string message = text(given, "logMessage"); !message.empty()) {
    made.message = LogMessage::parse(message, spell, wrong);
    if (!made.message)
      return std::nullopt;
  }
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

void RequestServer::answerDataBreakpoint(const DapRequest &request, const std::optional<std::string> &name,
                                         const std::string &wrong) {
  if (!name)
    return connection.respond(request, Json{{"dataId", nullptr}, {"description", jsonText(wrong)}});
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
