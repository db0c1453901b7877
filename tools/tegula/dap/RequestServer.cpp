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

std::string RequestServer::text(const DapRequest &request, const char *name) {
  return request.arguments.getString(name).value_or("").str();
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
