#include "tools/tegula/dap/Server.h"

#include "tools/tegula/dap/SessionServer.h"
#include "tools/tegula/dap/ThreadServer.h"
#include "tools/tegula/threads/ThreadLaunch.h"

#include <fmt/format.h>

#include <atomic>
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
  explicit Server(const ParseDebugCommand &parse) : parse(parse), connection([this] { interrupt(); }) {}

  /// Serves requests until there is a launch, and then those about it.
  void serve();

private:
  void initialize(const DapRequest &request);
  /// True where the launch was debugged to its end.
  bool launch(const DapRequest &request);
  Result<DebugCommand> commandOf(const DapRequest &request);
  void setRunning(std::function<void()> interrupt) {
    std::lock_guard lock(mutex);
    interruptRunning = std::move(interrupt);
  }
  void interrupt() {
    std::lock_guard lock(mutex);
    if (interruptRunning)
      interruptRunning();
  }

  const ParseDebugCommand &parse;
  std::mutex mutex;                       ///< guards `interruptRunning`
  std::function<void()> interruptRunning; ///< empty where nothing is debugged
  DapClient client;
  DapConnection connection;
};

void Server::initialize(const DapRequest &request) {
  client.linesStartAt1 = request.arguments.getBoolean("linesStartAt1").value_or(true);
  client.columnsStartAt1 = request.arguments.getBoolean("columnsStartAt1").value_or(true);
  client.takesInvalidated = request.arguments.getBoolean("supportsInvalidatedEvent").value_or(false);
  connection.respond(request, capabilities());
}

Result<DebugCommand> Server::commandOf(const DapRequest &request) {
  const auto wrong = [](std::string text) {
    return runtime::Error{runtime::ErrorKind::InvalidArgument, std::move(text)};
  };
  std::vector<std::string> words;
  if (const auto program = request.arguments.getString("program"))
    words.push_back(program->str());
  const llvm::json::Value *given = request.arguments.get("args");
  const llvm::json::Array *list = given ? given->getAsArray() : nullptr;
  if (given && !list)
    return wrong("expected a list of words as `args`");
  for (const llvm::json::Value &word : list ? *list : llvm::json::Array()) {
    const auto text = word.getAsString();
    if (!text)
      return wrong("expected a list of words as `args`");
    words.push_back(text->str());
  }
  if (const auto folder = request.arguments.getString("cwd")) {
    std::error_code failed;
    std::filesystem::current_path(folder->str(), failed);
    if (failed)
      return wrong(fmt::format("cannot work in `{}`: {}", folder->str(), failed.message()));
  }
  DebugCommand command;
  TRY(parse(words, command));
  return command;
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
  const auto serveLaunch = [&](auto &session, auto &subject, auto makeServer, std::optional<Json> can) {
    isServed = true;
    setRunning([&session] { session.interrupt(); });
    connection.respond(request, Json{});
    if (can)
      connection.event("capabilities", Json{{"capabilities", std::move(*can)}});
    connection.event("initialized", Json{});
    makeServer(subject).serve();
    setRunning({});
  };
  const Result<bool> hasThreads = asksForThreads(*command);
  Result<void> done = hasThreads ? Result<void>() : hasThreads.error();
  if (hasThreads && *hasThreads)
    done = threadLaunch(*command, print, [&](ThreadSubject &subject) {
      serveLaunch(
          subject.session, subject, [&](auto &of) { return ThreadServer(connection, of, client); },
          ThreadServer::capabilities());
    });
  else if (hasThreads)
    done = debugLaunch(*command, print, [&](DebugSubject &subject) {
      serveLaunch(
          subject.session, subject, [&](auto &of) { return SessionServer(connection, of, client); },
          std::nullopt);
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
