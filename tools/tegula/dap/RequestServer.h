// Requests of a client about a launch: what servers of all levels share.
#pragma once

#include "tools/tegula/dap/Connection.h"
#include "tools/tegula/dap/LogMessage.h"
#include "tools/tegula/dap/Variables.h"
#include "tools/tegula/threads/ThreadSettings.h"

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

/// A run of the launch, from one stop to the next.
struct DapRun {
  enum Kind : uint8_t {
    Step,   ///< forward
    Resume, ///< forward; after an interruption `work` goes on, called again
    Find,   ///< the same, but looks for a moment by running the whole launch
    Back    ///< looks for an earlier moment by running again
  } kind = Step;
  std::function<void()> work;

  bool isRepeatable() const { return kind == Resume || kind == Find; }
  /// Looks for a moment: interrupted, it has found nothing that counts.
  bool isSearch() const { return kind >= Find; }
};

/// Says what a breakpoint does where its condition holds: it stops the times that a hit condition says, or
/// shows a message in the place of a stop.
struct DapHits {
  std::optional<HitCondition> condition;
  std::optional<LogMessage> message;
};

class RequestServer {
public:
  virtual ~RequestServer() = default;
  RequestServer(const RequestServer &) = delete;

  /// Serves requests until the client ends the session or goes away.
  void serve();

protected:
  /// `scopeOf` is what `shown` knows of a call; `what` runs, as texts for a person call it.
  RequestServer(DapConnection &connection, const DapClient &client, const char *what,
                DapVariables::ScopeOf scopeOf);
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
  /// Answers with one frame, number `id`, where no program runs, before the launch or behind its end: at the
  /// beginning of the kernel.
  void answerLaunchFrame(const DapRequest &request, int64_t id, const debug::Statements &statements,
                         const std::string &file, const std::string &kernel);
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
  /// Shows a line to the person.
  void say(const std::string &text);
  /// Answers with `body`; refuses where there is none, as `wrong` says.
  void answer(const DapRequest &request, std::optional<llvm::json::Object> body, const std::string &wrong);
  /// Answers with those of `total` frames that are asked for; `frameAt` returns one, counted from the
  /// innermost.
  void answerFrames(const DapRequest &request, size_t total,
                    llvm::function_ref<llvm::json::Object(size_t number)> frameAt);
  /// Answers a request that sets breakpoints: `set` does so for each that is `given`, null for what is none,
  /// and returns what the protocol says of it.
  void answerBreakpoints(const DapRequest &request,
                         llvm::function_ref<llvm::json::Object(const llvm::json::Object *given)> set);
  /// Answers a request to move on or back; returns false where there is nothing to move on to.
  bool answerMove(const DapRequest &request);
  /// The hit condition and the message that `given` has for a breakpoint; `spell` is that of `LogMessage`.
  /// Errors: InvalidArgument where one cannot be read.
  static runtime::Result<DapHits> hitsOf(const llvm::json::Object *given,
                                         const std::function<std::string(std::string_view)> &spell);
  /// Shows the message of a breakpoint that is passed, unless the launch only runs again.
  void showMessage(const LogMessage &message, const debug::Scope &scope, const std::string &file,
                   uint32_t line);
  /// A breakpoint that is not set, as the protocol describes it.
  static llvm::json::Object refusedBreakpoint(const std::string &why);
  /// Answers what to watch an element by, its name; or why there is none.
  void answerDataBreakpoint(const DapRequest &request, const runtime::Result<std::string> &name);
  /// Tells that all has stopped, for a reason as the protocol calls it; `breakpoint` is 0 for none.
  void tellStopped(const char *reason, int64_t thread, const std::string &text, unsigned breakpoint);
  /// Tells that all has ended.
  void tellEnd();

  /// Runs the launch, and meanwhile serves what can be served: `threads` is answered, requests that end the
  /// run interrupt it, and those that set breakpoints do so for a moment. Returns false where what a search
  /// has found is void.
  bool run(const DapRun &run);
  /// Returns whether the launch runs on a way that it has gone before.
  bool isGoingBack() const { return goingBack; }
  /// Stops the launch that runs, from any thread; takes that back.
  virtual void interrupt() = 0;
  virtual void dropInterrupt() = 0;
  /// Returns whether the launch has stopped because it was interrupted; at a fault; whether it can go on no
  /// further.
  virtual bool isInterrupted() const = 0;
  virtual bool isAtFault() const = 0;
  virtual bool isAtEnd() const = 0;
  /// The threads, as the protocol describes them; without their places where they run.
  virtual llvm::json::Array threadList(bool isRunning) const = 0;

  DapConnection &connection;
  const DapClient client;
  DapVariables shown;

private:
  void serve(const DapRequest &request);
  void threads(const DapRequest &request);
  void variables(const DapRequest &request);
  void pause(const DapRequest &request);
  void end(const DapRequest &request);
  /// Calls `work` on a thread of its own until it returns. Returns the request that it was interrupted for,
  /// if it was.
  std::optional<DapRequest> runOnce(const DapRun &run);
  /// Serves requests until `hasStopped`, or up to the first that the launch has to stop for, which it
  /// returns.
  std::optional<DapRequest> serveRunning(const std::atomic<bool> &hasStopped, bool takesBreakpoints,
                                         const llvm::json::Array &running);

  const char *const what;
  bool goingBack = false;
  std::vector<DapRequest> postponed; ///< until the launch stops by itself
  std::map<std::string, std::function<void(const DapRequest &)>> handlers;
  bool isDone = false;
};

} // namespace tegula::cli
