// The requests of a client about a launch that is stopped.
#pragma once

#include "tools/tegula/dap/RequestServer.h"
#include "tools/tegula/dap/Variables.h"
#include "tools/tegula/debug/DebugLaunch.h"

#include <map>

namespace tegula::cli {

class SessionServer final : public RequestServer {
public:
  SessionServer(DapConnection &connection, DebugSubject &subject, const DapClient &client);

private:
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

  /// Adds a breakpoint of the client; returns what the protocol says of it.
  llvm::json::Object addBreakpoint(const std::string &file, uint32_t line, const std::string &condition);
  void tellStop();
  size_t frameOf(const DapRequest &request) const;

  DebugSubject &subject;
  debug::Session &session;
  DapVariables shown;
  std::map<unsigned, bool> isOfFunction; ///< breakpoints, by number
  unsigned nextNumber = 1;
};

} // namespace tegula::cli
