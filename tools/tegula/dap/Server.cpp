#include "tools/tegula/dap/Server.h"

#include "tools/tegula/dap/SessionServer.h"
#include "tools/tegula/dap/ThreadServer.h"
#include "tools/tegula/output/Status.h"
#include "tools/tegula/threads/ThreadLaunch.h"

#include <fmt/format.h>

#include <filesystem>

namespace tegula::cli {

using runtime::Result;
using Json = llvm::json::Object;

namespace {

Json capabilities() {
  const auto filter = [](const char *name, const char *label) {
    return Json{{"filter", name}, {"label", label}, {"default", true}};
  };
  return Json{{"supportsConfigurationDoneRequest", true},
              {"supportsFunctionBreakpoints", true},
              {"supportsConditionalBreakpoints", true},
              {"supportsHitConditionalBreakpoints", true},
              {"supportsLogPoints", true},
              {"supportsEvaluateForHovers", true},
              {"supportsStepBack", true},
              {"supportsDataBreakpoints", true},
              {"supportsExceptionInfoRequest", true},
              {"supportsTerminateRequest", true},
              {"exceptionBreakpointFilters", llvm::json::Array{filter("nan", "A NaN or infinity is made"),
                                                               filter("overflow", "An offset overflows")}}};
}

class Server {
public:
  explicit Server(const ParseDebugCommand &parse) : parse(parse) {}

  /// Serves requests until there is a launch, and then those about it.
  void serve();

private:
  void initialize(const DapRequest &request);
  /// True where the launch was debugged to its end.
  bool launch(const DapRequest &request);
  Result<DebugCommand> commandOf(const DapRequest &request);

  const ParseDebugCommand &parse;
  DapClient client;
  DapConnection connection;
};

void Server::initialize(const DapRequest &request) {
  client.linesStartAt1 = request.arguments.getBoolean("linesStartAt1").value_or(true);
  client.columnsStartAt1 = request.arguments.getBoolean("columnsStartAt1").value_or(true);
  client.takesInvalidated = request.arguments.getBoolean("supportsInvalidatedEvent").value_or(false);
  connection.respond(request, capabilities());
}

/// Returns the words of a `launch`: those of `args`, behind `program` where there is one.
Result<std::vector<std::string>> wordsOf(const Json &arguments) {
  std::vector<std::string> words;
  if (const auto program = arguments.getString("program"); program && !program->empty())
    words.push_back(program->str());
  const llvm::json::Value *given = arguments.get("args");
  if (!given || given->kind() == llvm::json::Value::Null)
    return words;
  const runtime::Error wrong = usageError("expected a list of words as `args`");
  const llvm::json::Array *list = given->getAsArray();
  if (!list)
    return wrong;
  for (const llvm::json::Value &word : *list) {
    const auto text = word.getAsString();
    if (!text)
      return wrong;
    words.push_back(text->str());
  }
  return words;
}

Result<DebugCommand> Server::commandOf(const DapRequest &request) {
  const std::vector<std::string> words = TRY(wordsOf(request.arguments));
  // Clients without a folder of their own send an empty one.
  if (const auto folder = request.arguments.getString("cwd"); folder && !folder->empty()) {
    std::error_code failed;
    std::filesystem::current_path(folder->str(), failed);
    if (failed)
      return usageError(fmt::format("cannot work in `{}`: {}", folder->str(), failed.message()));
  }
  return parse(words);
}

bool Server::launch(const DapRequest &request) {
  client.stopOnEntry = request.arguments.getBoolean("stopOnEntry").value_or(false);
  const Result<DebugCommand> command = commandOf(request);
  if (!command) {
    connection.refuse(request, command.error().text);
    return false;
  }
  bool isServed = false;
  const auto print = [&](std::string_view text) {
    connection.event("output", Json{{"category", "stdout"}, {"output", jsonText(text)}});
  };
  // Answers the request, and has a server serve those about the launch.
  const auto serveLaunch = [&](auto &subject, auto makeServer, std::optional<Json> can) {
    isServed = true;
    connection.respond(request, Json{});
    if (can)
      connection.event("capabilities", Json{{"capabilities", std::move(*can)}});
    connection.event("initialized", Json{});
    makeServer(subject).serve();
  };
  const Result<bool> hasThreads = asksForThreads(*command);
  Result<void> done = hasThreads ? Result<void>() : hasThreads.error();
  if (hasThreads && *hasThreads)
    done = threadLaunch(*command, print, [&](ThreadSubject &subject) {
      serveLaunch(
          subject, [&](auto &of) { return ThreadServer(connection, of, client); },
          ThreadServer::capabilities());
    });
  else if (hasThreads)
    done = debugLaunch(*command, print, [&](DebugSubject &subject) {
      serveLaunch(
          subject, [&](auto &of) { return SessionServer(connection, of, client); }, std::nullopt);
    });
  if (!done && !isServed)
    connection.refuse(request, done.error().text);
  return isServed;
}

void Server::serve() {
  while (std::optional<DapRequest> request = connection.next()) {
    if (request->command == "initialize") {
      initialize(*request);
    } else if (request->command == "launch") {
      if (launch(*request))
        return;
    } else if (request->command == "disconnect" || request->command == "terminate") {
      connection.respond(*request, Json{});
      return;
    } else {
      connection.refuse(*request, fmt::format("no request `{}` is known before a launch", request->command));
    }
  }
}

} // namespace

void serveDap(const ParseDebugCommand &parse) { Server(parse).serve(); }

} // namespace tegula::cli
