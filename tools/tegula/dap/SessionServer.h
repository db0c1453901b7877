// The requests of a client about a launch that is stopped.
#pragma once

#include "tools/tegula/dap/Connection.h"
#include "tools/tegula/dap/Variables.h"
#include "tools/tegula/debug/DebugLaunch.h"

#include <map>

namespace tegula::cli {

/// A client: the way it counts, and what it wants.
struct DapClient {
  bool linesStartAt1 = true, columnsStartAt1 = true;
  bool stopOnEntry = false;
};

class SessionServer {
public:
  SessionServer(DapConnection &connection, DebugSubject &subject, const DapClient &client);

  /// Serves requests until the client ends the session or goes away.
  void serve();

private:
  using Handler = void (SessionServer::*)(const DapRequest &);
  static const std::map<std::string, Handler> &handlers();

  void setBreakpoints(const DapRequest &request);
  void setFunctionBreakpoints(const DapRequest &request);
  void setExceptionBreakpoints(const DapRequest &request);
  void dataBreakpointInfo(const DapRequest &request);
  void setDataBreakpoints(const DapRequest &request);
  void configurationDone(const DapRequest &request);
  void threads(const DapRequest &request);
  void stackTrace(const DapRequest &request);
  void scopes(const DapRequest &request);
  void variables(const DapRequest &request);
  void evaluate(const DapRequest &request);
  void exceptionInfo(const DapRequest &request);
  void tile(const DapRequest &request);
  void writer(const DapRequest &request);
  void pause(const DapRequest &request);
  void move(const DapRequest &request);
  void end(const DapRequest &request);

  /// Adds a breakpoint of the client; returns what the protocol says of it.
  llvm::json::Object addBreakpoint(const std::string &file, uint32_t line, const std::string &condition);
  void tellStop();
  std::string wholePath(const std::string &file) const;
  size_t frameOf(const DapRequest &request) const;
  int64_t lineFor(uint32_t line) const { return int64_t(line) - !client.linesStartAt1; }

  DapConnection &connection;
  DebugSubject &subject;
  debug::Session &session;
  const DapClient client;
  DapVariables shown;
  std::map<unsigned, bool> isOfFunction; ///< breakpoints, by number
  unsigned nextNumber = 1;
  bool isDone = false;
};

} // namespace tegula::cli
