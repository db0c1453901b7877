// The requests of a client about a launch that is stopped at the thread level: its warps are the threads.
#pragma once

#include "tools/tegula/dap/RequestServer.h"
#include "tools/tegula/dap/Variables.h"
#include "tools/tegula/threads/ThreadTerminal.h"

#include <map>

namespace tegula::cli {

class ThreadServer final : public RequestServer {
public:
  ThreadServer(DapConnection &connection, ThreadSubject &subject, const DapClient &client);

  /// Returns the abilities that differ from the tile level's.
  static llvm::json::Object capabilities();

private:
  /// The request that made a breakpoint: each replaces its own.
  enum class Maker : uint8_t { Source, Function, Instruction };

  void setBreakpoints(const DapRequest &request);
  void setFunctionBreakpoints(const DapRequest &request);
  void setInstructionBreakpoints(const DapRequest &request);
  void setExceptionBreakpoints(const DapRequest &request);
  void dataBreakpointInfo(const DapRequest &request);
  void setDataBreakpoints(const DapRequest &request);
  void configurationDone(const DapRequest &request);
  void stackTrace(const DapRequest &request);
  void scopes(const DapRequest &request);
  void evaluate(const DapRequest &request);
  void disassemble(const DapRequest &request);
  void exceptionInfo(const DapRequest &request);
  void chooseLane(const DapRequest &request);
  void tile(const DapRequest &request);
  void writer(const DapRequest &request);
  void move(const DapRequest &request);

  /// Keeps a breakpoint, under the conditions that `given` has for it; returns what the protocol says of it.
  llvm::json::Object keep(runtime::Result<ThreadBreakpoint> made, Maker maker,
                          const llvm::json::Object *given);
  void drop(Maker maker, const std::string &file = {});
  /// Has a breakpoint show a message in the place of a stop, the times that its hit condition says.
  void addMessage(ThreadBreakpoint &breakpoint, const LogMessage &message);

  // RequestServer
  void interrupt() override { session.interrupt(); }
  void dropInterrupt() override { session.dropInterrupt(); }
  bool isInterrupted() const override { return session.stop().kind == ThreadStop::Interrupted; }
  bool isAtFault() const override { return session.stop().kind == ThreadStop::Fault; }
  bool isAtEnd() const override { return isAtFault() || session.stop().kind == ThreadStop::End; }
  llvm::json::Array threadList(bool isRunning) const override;

  /// Runs, and tells of the stop.
  void go(const DapRun &run);
  void tellStop();
  /// Shows the variables of another warp or lane.
  void tellFocus();
  /// Looks at the warp of a frame that the client has seen.
  void chooseWarpOf(int64_t frame);
  llvm::json::Array registersOf(uint32_t lane);
  llvm::json::Array lanes();
  llvm::json::Array values();
  llvm::json::Object disassembled(const runtime::ptx::Inst &inst) const;
  /// "0x5f": a line of the PTX as the address of an instruction, which the protocol hands back and forth.
  static std::string referenceOf(uint32_t ptxLine);
  /// The line of the PTX that a reference and an offset to it mean; 0 where they mean none.
  static uint32_t lineOf(std::string_view reference, int64_t offset);

  ThreadSubject &subject;
  ThreadSession &session;
  ThreadTerminal terminal;          ///< for what a person types
  std::map<unsigned, Maker> makers; ///< of breakpoints, by number
  unsigned nextNumber = 1;
};

} // namespace tegula::cli
