// Requests of a client about a launch: what servers of all levels share.
#pragma once

#include "tools/tegula/dap/Connection.h"
#include "tools/tegula/dap/Variables.h"

#include <functional>
#include <map>
#include <string>

namespace tegula::cli {

/// A client: the way it counts, and what it wants.
struct DapClient {
  bool linesStartAt1 = true, columnsStartAt1 = true;
  bool stopOnEntry = false;
  bool takesInvalidated = false; ///< it reads anew what the event says
};

class RequestServer {
public:
  virtual ~RequestServer() = default;
  RequestServer(const RequestServer &) = delete;

  /// Serves requests until the client ends the session or goes away.
  void serve();

protected:
  RequestServer(DapConnection &connection, const DapClient &client);
  template <typename Server> using Handler = void (Server::*)(const DapRequest &);
  /// Lets `self` serve the requests that are called `command`.
  template <typename Server> void on(const char *command, Server *self, Handler<Server> handler) {
    handlers[command] = [self, handler](const DapRequest &request) { (self->*handler)(request); };
  }

  /// A source file as the protocol describes it.
  llvm::json::Object sourceOf(const std::string &file) const;
  static std::string wholePath(const std::string &file);
  int64_t lineFor(uint32_t line) const { return int64_t(line) - !client.linesStartAt1; }
  int64_t columnFor(uint32_t column) const { return int64_t(column) - !client.columnsStartAt1; }
  /// The line that the client means; 0 for none.
  uint32_t lineFrom(const llvm::json::Object *object) const;
  /// The argument of this name, at least 0; 0 where there is none.
  static int64_t number(const DapRequest &request, const char *name);
  static std::string text(const DapRequest &request, const char *name) {
    return text(&request.arguments, name);
  }
  /// The text of this name in `object`; empty where there is none, or no object.
  static std::string text(const llvm::json::Object *object, const char *name);
  /// The path of the source that a request is about.
  static std::string sourcePath(const DapRequest &request);
  /// The objects in the list `name` of a request; null for what is none.
  static std::vector<const llvm::json::Object *> objects(const DapRequest &request, const char *name);
  /// Shows a line to the person.
  void say(const std::string &text);
  /// Answers with the children of a variable; refuses a number that is void, as `what` has gone on.
  void answerVariables(const DapRequest &request, DapVariables &shown, const char *what);
  /// A breakpoint that is not set, as the protocol describes it.
  static llvm::json::Object refusedBreakpoint(const std::string &why);
  /// Answers what to watch an element by, its name; or says with `wrong` why there is none.
  void answerDataBreakpoint(const DapRequest &request, const std::optional<std::string> &name,
                            const std::string &wrong);
  /// Tells that all has stopped, for a reason as the protocol calls it; `breakpoint` is 0 for none.
  void tellStopped(const char *reason, int64_t thread, const std::string &text, unsigned breakpoint);
  /// Tells that all has ended.
  void tellEnd();

  DapConnection &connection;
  const DapClient client;

private:
  void end(const DapRequest &request);

  std::map<std::string, std::function<void(const DapRequest &)>> handlers;
  bool isDone = false;
};

} // namespace tegula::cli
