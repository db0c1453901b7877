#include "tools/tegula/mcp/Server.h"

#include "tools/tegula/output/JsonMessage.h"
#include "tools/tegula/output/Output.h"
#include "tools/tegula/output/Status.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <iostream>

namespace tegula::cli {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;
using runtime::Result;

namespace {

constexpr llvm::StringRef revision = "2025-06-18";

/// Codes of JSON-RPC 2.0.
enum Code : int {
  ParseError = -32700,
  InvalidRequest = -32600,
  MethodNotFound = -32601,
  InvalidParams = -32602
};

std::string lineOf(Object message) {
  message["jsonrpc"] = "2.0";
  std::string text;
  llvm::raw_string_ostream(text) << Value(std::move(message));
  return text;
}

std::string errorLine(Value id, int code, std::string text) {
  return lineOf(
      Object{{"id", std::move(id)}, {"error", Object{{"code", code}, {"message", std::move(text)}}}});
}

Object textContent(std::string text) { return Object{{"type", "text"}, {"text", llvm::json::fixUTF8(text)}}; }

/// Returns the result of a call: the output as text, and as an object where it is one.
Value contentOf(const Finished &finished) {
  Array content;
  if (!finished.out.empty() || finished.err.empty())
    content.push_back(textContent(finished.out));
  if (!finished.err.empty())
    content.push_back(textContent(finished.err));
  Object result{{"content", std::move(content)}, {"isError", finished.status != Done}};
  if (llvm::Expected<Value> value = llvm::json::parse(finished.out); value && value->getAsObject())
    result["structuredContent"] = std::move(*value);
  else if (!value)
    llvm::consumeError(value.takeError());
  return result;
}

Value failedCall(const runtime::Error &error) {
  return Object{{"content", Array{textContent("error: " + error.text)}}, {"isError", true}};
}

Value greeting() {
  return Object{{"protocolVersion", revision},
                {"capabilities", Object{{"tools", Object{}}}},
                {"serverInfo", Object{{"name", "tegula"}, {"version", TEGULA_VERSION}}},
                {"instructions",
                 "Compiles, checks and runs kernels written in the Triton language, on an emulator where "
                 "there is no GPU. `check` needs a file or a text alone; `list` says what parameters a "
                 "kernel has before `run` and `explain` are given their values."}};
}

} // namespace

McpServer::Answer McpServer::callTool(const Object &params) const {
  const auto name = params.getString("name");
  if (!name)
    return McpRefusal{InvalidParams, "expected the `name` of a tool"};
  const CommandTable *tool = findTool(commands, *name);
  if (!tool)
    return McpRefusal{InvalidParams, fmt::format("there is no tool `{}`", name->str())};
  static const Object none;
  const Object *arguments = params.getObject("arguments");
  if (!arguments && params.get("arguments"))
    return McpRefusal{InvalidParams, "expected an object as `arguments`"};
  const Result<ToolCall> call = readCall(*tool, arguments ? *arguments : none);
  if (!call)
    return failedCall(call.error());
  const Result<Finished> finished = run(*call);
  return finished ? contentOf(*finished) : failedCall(finished.error());
}

McpServer::Answer McpServer::result(llvm::StringRef method, const Object &params) const {
  if (method == "initialize")
    return greeting();
  if (method == "ping")
    return Value(Object{});
  if (method == "tools/list")
    return Value(Object{{"tools", describeTools(commands)}});
  if (method == "tools/call")
    return callTool(params);
  return McpRefusal{MethodNotFound, fmt::format("there is no method `{}`", method.str())};
}

std::optional<std::string> McpServer::answer(std::string_view line) const {
  llvm::Expected<Value> message = parseMessage(line);
  if (!message)
    return errorLine(nullptr, ParseError, llvm::toString(message.takeError()));
  const Object *request = message->getAsObject();
  const auto method = request ? request->getString("method") : std::nullopt;
  if (!method) {
    const bool isReply = request && (request->get("result") || request->get("error"));
    if (isReply)
      return std::nullopt; // to nothing that was asked
    return errorLine(nullptr, InvalidRequest, "expected a request with a `method`");
  }
  const Value *id = request->get("id");
  if (!id)
    return std::nullopt;
  static const Object none;
  const Object *params = request->getObject("params");
  Answer answered = result(*method, params ? *params : none);
  if (!answered)
    return errorLine(*id, answered.error().code, answered.error().text);
  return lineOf(Object{{"id", *id}, {"result", std::move(*answered)}});
}

int serveMcp(std::span<const CommandTable> commands) {
  const McpServer server(commands,
                         [](const ToolCall &call) { return runSelf(call.words, call.source, call.seconds); });
  for (std::string line; std::getline(std::cin, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos)
      continue;
    if (const std::optional<std::string> answered = server.answer(line))
      writeOut(*answered + "\n");
    if (Result<void> written = finishOutput(); !written)
      return fail(written.error());
  }
  return Done;
}

} // namespace tegula::cli
