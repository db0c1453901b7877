#include "tools/tegula/dap/ThreadServer.h"

#include "tools/tegula/threads/Registers.h"
#include "tools/tegula/threads/ThreadScope.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace tegula::cli {

using runtime::ptx::Inst;
using Json = llvm::json::Object;

/// Frames of one warp: numbers of frames are those of warps times this, and the place among the calls.
static constexpr int64_t framesOfWarp = 1 << 10;

Json ThreadServer::capabilities() {
  return Json{{"supportsDisassembleRequest", true},
              {"supportsInstructionBreakpoints", true},
              {"supportsSteppingGranularity", true},
              {"supportsHitConditionalBreakpoints", true},
              {"exceptionBreakpointFilters", llvm::json::Array{}}};
}

ThreadServer::ThreadServer(DapConnection &connection, ThreadSubject &subject, const DapClient &client)
    : RequestServer(connection, client, "launch", [this](size_t) { return scopeOf(session); }),
      subject(subject), session(subject.session), terminal(subject) {
  on("setBreakpoints", this, &ThreadServer::setBreakpoints);
  on("setFunctionBreakpoints", this, &ThreadServer::setFunctionBreakpoints);
  on("setInstructionBreakpoints", this, &ThreadServer::setInstructionBreakpoints);
  on("setExceptionBreakpoints", this, &ThreadServer::setExceptionBreakpoints);
  on("dataBreakpointInfo", this, &ThreadServer::dataBreakpointInfo);
  on("setDataBreakpoints", this, &ThreadServer::setDataBreakpoints);
  on("configurationDone", this, &ThreadServer::configurationDone);
  on("stackTrace", this, &ThreadServer::stackTrace);
  on("scopes", this, &ThreadServer::scopes);
  on("evaluate", this, &ThreadServer::evaluate);
  on("disassemble", this, &ThreadServer::disassemble);
  on("exceptionInfo", this, &ThreadServer::exceptionInfo);
  on("tegula/tile", this, &ThreadServer::tile);
  on("tegula/lane", this, &ThreadServer::chooseLane);
  on("tegula/writer", this, &ThreadServer::writer);
  for (const char *move : {"continue", "next", "stepIn", "stepOut", "stepBack", "reverseContinue"})
    on(move, this, &ThreadServer::move);
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// Returns what the protocol calls a stop.
static const char *reasonOf(ThreadStop::Kind kind) {
  switch (kind) {
  case ThreadStop::Start:
    return "entry";
  case ThreadStop::Breakpoint:
    return "breakpoint";
  case ThreadStop::Written:
    return "data breakpoint";
  case ThreadStop::Fault:
    return "exception";
  case ThreadStop::Interrupted:
    return "pause";
  case ThreadStop::Instruction:
    return "step";
  case ThreadStop::End:
    return "end";
  }
  return "step";
}

/// The number of the warp in focus as a thread; of the launch where no block runs.
static int64_t threadOf(const ThreadSession &session) {
  return session.warp() ? int64_t(session.warp()->index) + 1 : 1;
}

void ThreadServer::tellStop() {
  const ThreadStop &stop = session.stop();
  shown.clear();
  if (stop.kind == ThreadStop::End) // the session stays: one may go back from the end
    say(stop.text);
  const bool isOfThread = stop.kind == ThreadStop::Fault || stop.kind == ThreadStop::Written;
  std::string text = isOfThread && session.warp() ? focusText(session) + ": " + stop.text : stop.text;
  if (stop.writer)
    text += ", by " + instructionText(session, stop.writer);
  tellStopped(reasonOf(stop.kind), threadOf(session), text, stop.breakpoint);
}

/// Searches say themselves that they were interrupted.
void ThreadServer::go(const DapRun &run) {
  (void)RequestServer::run(run);
  tellStop();
}

void ThreadServer::configurationDone(const DapRequest &request) {
  connection.respond(request, Json{});
  if (client.stopOnEntry)
    go({DapRun::Step, [this] { session.step(); }});
  else
    go({DapRun::Resume, [this] { session.resume(); }});
}

void ThreadServer::move(const DapRequest &request) {
  const std::string &how = request.command;
  if (!answerMove(request))
    return;
  if (const int64_t thread = number(request, "threadId"))
    session.chooseWarp(uint32_t(thread - 1));
  const bool isFine = text(request, "granularity") == "instruction";
  if (how == "continue")
    go({DapRun::Resume, [this] { session.resume(); }});
  else if (how == "next")
    go({DapRun::Step, [&] { isFine ? session.nextInstruction() : session.next(); }});
  else if (how == "stepIn")
    go({DapRun::Step, [&] { isFine ? session.stepInstruction() : session.step(); }});
  else if (how == "stepOut")
    go({DapRun::Step, [this] { session.out(); }});
  else if (how == "stepBack")
    go({DapRun::Back, [&] { isFine ? session.backInstruction() : session.back(); }});
  else
    go({DapRun::Back, [this] { session.resumeBack(); }});
}

//===----------------------------------------------------------------------===//
// Looking around
//===----------------------------------------------------------------------===//

llvm::json::Array ThreadServer::threadList(bool isRunning) const {
  if (!session.block())
    return llvm::json::Array{Json{{"id", 1}, {"name", jsonText("launch of " + subject.kernel)}}};
  llvm::json::Array all;
  for (const runtime::ptx::Warp &warp : session.block()->allWarps()) {
    const std::string state = isRunning ? "running" : warpText(session, warp.index, /*hasFolders=*/false);
    all.push_back(
        Json{{"id", int64_t(warp.index) + 1}, {"name", fmt::format("warp {}: {}", warp.index, state)}});
  }
  return all;
}

void ThreadServer::stackTrace(const DapRequest &request) {
  if (!session.block())
    return answerLaunchFrame(request, framesOfWarp, subject.statements, subject.file, subject.kernel);
  const int64_t thread = number(request, "threadId");
  const runtime::ptx::Warp *warp = nullptr;
  if (session.block() && thread >= 1 && thread <= int64_t(session.block()->allWarps().size()))
    warp = &session.block()->allWarps()[size_t(thread) - 1];
  const Inst *inst = warp ? session.instructionOf(*warp) : nullptr;
  std::vector<CodePlace> calls = inst ? session.code().calls(*inst) : std::vector<CodePlace>();
  if (inst && calls.empty())
    calls.push_back({.file = {}, .function = subject.kernel});
  answerFrames(request, calls.size(), [&](size_t i) {
    const CodePlace &call = calls[i];
    Json frame{{"id", thread * framesOfWarp + int64_t(i)},
               {"name", jsonText(call.function.empty() ? subject.kernel : call.function)},
               {"line", call.line ? lineFor(call.line) : 0},
               {"column", call.line ? columnFor(call.column) : 0}};
    if (call.line)
      frame["source"] = sourceOf(call.file);
    if (i == 0)
      frame["instructionPointerReference"] = referenceOf(inst->line);
    return frame;
  });
}

void ThreadServer::chooseWarpOf(int64_t frame) {
  if (frame >= framesOfWarp && frame / framesOfWarp <= INT32_MAX)
    session.chooseWarp(uint32_t(frame / framesOfWarp - 1));
}

llvm::json::Array ThreadServer::registersOf(uint32_t lane) {
  llvm::json::Array made;
  if (!session.warp())
    return made;
  for (const RegisterValue &value : cli::registersOf(*session.warp(), session.registerTypes()))
    made.push_back(Json{{"name", jsonText(value.name)},
                        {"value", jsonText(registerText(value, lane))},
                        {"type", jsonText(nameOf(value.type))},
                        {"evaluateName", jsonText(value.name)},
                        {"variablesReference", 0}});
  return made;
}

llvm::json::Array ThreadServer::lanes() {
  llvm::json::Array made;
  const uint32_t active = session.warp() ? session.warp()->upcoming().active : 0;
  const uint32_t live = session.warp() ? session.warp()->live : 0;
  for (uint32_t lane = 0; lane < runtime::ptx::lanes; ++lane) {
    const char *state = active >> lane & 1 ? "active"
                        : live >> lane & 1 ? "waits for the other path"
                                           : "has ended";
    made.push_back(
        Json{{"name", fmt::format("lane {}", lane)},
             {"value", state},
             {"variablesReference", shown.keepChildren([this, lane] { return registersOf(lane); })}});
  }
  return made;
}

llvm::json::Array ThreadServer::values() {
  llvm::json::Array made;
  for (const auto &[name, value] : session.heldValues())
    made.push_back(shown.shown(name, name, value));
  return made;
}

void ThreadServer::scopes(const DapRequest &request) {
  chooseWarpOf(number(request, "frameId"));
  const uint32_t lane = session.lane();
  const auto scope = [&](std::string name, DapVariables::MakeChildren make, bool isRegisters) {
    Json made{{"name", std::move(name)},
              {"variablesReference", shown.keepChildren(std::move(make))},
              {"expensive", !isRegisters}};
    if (isRegisters)
      made["presentationHint"] = "registers";
    return made;
  };
  llvm::json::Array scopes;
  if (!session.warp()) {
    scopes.push_back(shown.arrayScope());
    return connection.respond(request, Json{{"scopes", std::move(scopes)}});
  }
  scopes.push_back(scope(
      "Values", [this] { return values(); }, false));
  scopes.push_back(scope(
      fmt::format("Registers of lane {}", lane), [this, lane] { return registersOf(lane); }, true));
  scopes.push_back(scope(
      "Lanes", [this] { return lanes(); }, false));
  scopes.push_back(shown.arrayScope());
  connection.respond(request, Json{{"scopes", std::move(scopes)}});
}

void ThreadServer::tellFocus() {
  shown.clear();
  if (client.takesInvalidated)
    connection.event("invalidated", Json{{"areas", llvm::json::Array{"variables"}}});
}

/// The commands that a person may type where expressions are evaluated: those that only look.
static constexpr std::array<std::string_view, 12> typed = {"warps",  "lane",   "registers", "reg",
                                                           "shared", "global", "local",     "ptx",
                                                           "frames", "bt",     "where",     "arrays"};

void ThreadServer::evaluate(const DapRequest &request) {
  chooseWarpOf(number(request, "frameId"));
  const std::string expression = text(request, "expression");
  const std::string first = expression.substr(0, expression.find(' '));
  if (text(request, "context") == "repl" && std::ranges::count(typed, first)) {
    std::string answer = terminal.command(expression);
    connection.respond(request, Json{{"result", jsonText(answer)}, {"variablesReference", 0}});
    if (first == "lane")
      tellFocus();
    return;
  }
  const runtime::Result<debug::Value> value = valueOf(session, expression);
  if (!value)
    return connection.refuse(request, value.error().text);
  Json made = shown.shown(expression, expression, *value);
  made["result"] = *made.get("value");
  connection.respond(request, std::move(made));
}

void ThreadServer::tile(const DapRequest &request) {
  chooseWarpOf(number(request, "frameId"));
  const runtime::Result<debug::Value> value = valueOf(session, text(request, "expression"));
  if (!value)
    return connection.refuse(request, value.error().text);
  connection.respond(request, DapVariables::elements(*value));
}

void ThreadServer::chooseLane(const DapRequest &request) {
  const int64_t lane = request.arguments.getInteger("lane").value_or(-1);
  if (lane < 0 || lane > INT32_MAX || !session.chooseLane(uint32_t(lane)))
    return connection.refuse(request, fmt::format("expected a lane below {}", runtime::ptx::lanes));
  connection.respond(request, Json{});
  tellFocus();
}

std::string ThreadServer::referenceOf(uint32_t ptxLine) { return fmt::format("{:#x}", ptxLine); }

uint32_t ThreadServer::lineOf(std::string_view reference, int64_t offset) {
  constexpr int64_t most = INT32_MAX;
  int64_t line = 0;
  if (llvm::StringRef(reference).getAsInteger(0, line))
    return 0;
  return uint32_t(
      std::clamp(std::clamp<int64_t>(line, 0, most) + std::clamp(offset, -most, most), int64_t(0), most));
}

Json ThreadServer::disassembled(const Inst &inst) const {
  const std::string_view text = session.code().text(inst.line);
  Json made{{"address", referenceOf(inst.line)},
            {"instruction", jsonText(text.substr(std::min(text.find_first_not_of(" \t"), text.size())))}};
  const std::vector<CodePlace> &calls = session.code().calls(inst);
  if (!calls.empty()) {
    made["location"] = sourceOf(calls.front().file);
    made["line"] = lineFor(calls.front().line);
    made["column"] = columnFor(calls.front().column);
  }
  return made;
}

void ThreadServer::disassemble(const DapRequest &request) {
  constexpr int64_t most = 4096;
  const auto &all = session.code().instructions();
  const uint32_t line =
      lineOf(text(request, "memoryReference"), request.arguments.getInteger("offset").value_or(0));
  const auto found = all.lower_bound(line);
  const auto first =
      std::distance(all.begin(), found) +
      std::clamp<int64_t>(request.arguments.getInteger("instructionOffset").value_or(0), -most, most);
  const int64_t count = std::min(number(request, "instructionCount"), most);
  llvm::json::Array made;
  for (int64_t i = first; i < first + count; ++i) {
    // The client gets as many as it asks for, whatever there is.
    if (i < 0 || i >= int64_t(all.size()))
      made.push_back(Json{{"address", i < 0 ? "0x0" : fmt::format("{:#x}", session.code().lineCount() + i)},
                          {"instruction", ""},
                          {"presentationHint", "invalid"}});
    else
      made.push_back(disassembled(*std::next(all.begin(), i)->second));
  }
  connection.respond(request, Json{{"instructions", std::move(made)}});
}

void ThreadServer::exceptionInfo(const DapRequest &request) {
  connection.respond(request, Json{{"exceptionId", "fault"},
                                   {"description", jsonText(session.stop().text)},
                                   {"breakMode", "always"}});
}

} // namespace tegula::cli
