#include "tools/tegula/dap/RequestServer.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::cli {

using Json = llvm::json::Object;

RequestServer::RequestServer(DapConnection &connection, const DapClient &client)
    : connection(connection), client(client) {
  on("disconnect", this, &RequestServer::end);
  on("terminate", this, &RequestServer::end);
}

void RequestServer::serve() {
  while (!isDone) {
    const std::optional<DapRequest> request = connection.next();
    if (!request)
      return;
    const auto found = handlers.find(request->command);
    if (found == handlers.end())
      connection.refuse(*request,
                        fmt::format("no request `{}` is known while a launch is debugged", request->command));
    else
      found->second(*request);
  }
}

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
  connection.event("terminated", Json{});
  connection.event("exited", Json{{"exitCode", 0}});
}

void RequestServer::end(const DapRequest &request) {
  connection.respond(request, Json{});
  if (request.command == "terminate")
    connection.event("terminated", Json{});
  isDone = true;
}

} // namespace tegula::cli
