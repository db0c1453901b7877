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
  void stackTrace(const DapRequest &request);
  void scopes(const DapRequest &request);
  void evaluate(const DapRequest &request);
  void exceptionInfo(const DapRequest &request);
  void tile(const DapRequest &request);
  void writer(const DapRequest &request);
  void move(const DapRequest &request);

  // RequestServer
  void interrupt() override { session.interrupt(); }
  void dropInterrupt() override { session.dropInterrupt(); }
  bool isInterrupted() const override { return session.stop().kind == debug::Stop::Interrupted; }
  bool isAtFault() const override { return session.stop().kind == debug::Stop::Fault; }
  bool isAtEnd() const override { return isAtFault() || session.stop().kind == debug::Stop::End; }
  llvm::json::Array threadList(bool isRunning) const override;

  /// Adds a breakpoint as `given` describes it; returns what the protocol says of it.
  llvm::json::Object addBreakpoint(const std::string &file, uint32_t line, const llvm::json::Object *given);
  /// Counts that one comes to a breakpoint whose condition holds; returns whether that stops.
  bool comesTo(const debug::Breakpoint &breakpoint, const DapHits &hits);
  /// Runs to the first stop; with an expectation, to what differs.
  void begin();
  void resumeBack();
  /// Runs, and tells of the stop.
  void go(const DapRun &run);
  void tellStop(bool isFound);
  size_t frameOf(const DapRequest &request) const;

  DebugSubject &subject;
  debug::Session &session;
  std::map<unsigned, bool> isOfFunction; ///< breakpoints, by number
  /// Numbers of times that one has come to breakpoints, by theirs: until now, and until the last that
  /// stopped.
  std::map<unsigned, uint64_t> counts, countsAtStop;
  bool isSearchOpen = false; ///< that for what differs was interrupted
  unsigned nextNumber = 1;
};

} // namespace tegula::cli
