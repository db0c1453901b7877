// The server of the Model Context Protocol: what it answers to messages, right and wrong, and how calls
// become command lines.
#include "tools/tegula/mcp/Server.h"
#include "tools/tegula/CommandTables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tegula::cli {
namespace {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

class McpServerTest : public testing::Test {
protected:
  /// Returns the answer, which is one line of JSON.
  Value ask(const std::string &line) {
    const std::optional<std::string> answered = server.answer(line);
    EXPECT_TRUE(answered) << line;
    EXPECT_EQ(answered->find('\n'), std::string::npos);
    return llvm::cantFail(llvm::json::parse(answered.value_or("null")));
  }
  Value call(const std::string &tool, const std::string &arguments) {
    return ask(R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":")" + tool +
               R"(","arguments":)" + arguments + "}}");
  }
  /// The text of the result of a call, whose status is `isError`.
  std::string said(const Value &answer, bool isError) {
    const Object *result = answer.getAsObject()->getObject("result");
    EXPECT_TRUE(result);
    EXPECT_EQ(result->getBoolean("isError"), isError);
    return (*result->getArray("content"))[0].getAsObject()->getString("text")->str();
  }
  /// The code and text of an error.
  static std::pair<int64_t, std::string> errorOf(const Value &answer) {
    const Object *error = answer.getAsObject()->getObject("error");
    return {*error->getInteger("code"), error->getString("message")->str()};
  }

  CommandValues values;
  const std::vector<CommandTable> commands = commandTables(values);
  ToolCall last;
  Finished finished{0, "{\"kernels\": []}\n", ""};
  McpServer server{commands, [&](const ToolCall &call) -> runtime::Result<Finished> {
                     last = call;
                     return finished;
                   }};
};

TEST_F(McpServerTest, GreetsAndTellsItsTools) {
  const Value greeting = ask(R"({"jsonrpc":"2.0","id":"a","method":"initialize","params":{}})");
  EXPECT_EQ(greeting.getAsObject()->getString("id"), "a");
  EXPECT_EQ(greeting.getAsObject()->getObject("result")->getString("protocolVersion"), "2025-06-18");
  EXPECT_EQ(server.answer(R"({"jsonrpc":"2.0","method":"notifications/initialized"})"), std::nullopt);
  const Value listed = ask(R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})");
  std::vector<std::string> names;
  for (const Value &tool : *listed.getAsObject()->getObject("result")->getArray("tools")) {
    names.push_back(tool.getAsObject()->getString("name")->str());
    EXPECT_EQ(tool.getAsObject()->getObject("inputSchema")->getString("type"), "object");
  }
  EXPECT_THAT(names, IsSupersetOf({"list", "compile", "run"}));
  EXPECT_THAT(names, testing::Not(testing::Contains("cache")));
}

TEST_F(McpServerTest, ArgumentsBecomeWords) {
  const Value answer =
      call("run", R"({"file":"k.py","kernel":"add","grid":4,"arg":{"n":100,"x":"randn:fp32[4]"},
    "D":["BLOCK=64"],"num_warps":"8","report":true,"limit_s":5})");
  EXPECT_EQ(said(answer, false), finished.out);
  EXPECT_TRUE(answer.getAsObject()->getObject("result")->getObject("structuredContent"));
  std::vector<std::string> words = last.words;
  EXPECT_EQ(words.front(), "run");
  EXPECT_THAT(std::vector(words.end() - 2, words.end()), ElementsAre("--", "k.py"));
  EXPECT_THAT(words, IsSupersetOf({"--kernel=add", "--grid=4", "--arg=n=100", "--arg=x=randn:fp32[4]",
                                   "-DBLOCK=64", "--num-warps=8", "--report"}));
  EXPECT_EQ(last.seconds, 5);
  EXPECT_EQ(last.source, std::nullopt);
}

TEST_F(McpServerTest, ATextStandsForTheFile) {
  said(call("list", R"({"source":"import triton\n","json":true})"), false);
  EXPECT_THAT(last.words, ElementsAre("list", "--json", "--", "-"));
  EXPECT_EQ(last.source, "import triton\n");
  said(call("list", R"({"file":"-x.py","json":false})"), false);
  EXPECT_THAT(last.words, ElementsAre("list", "--", "-x.py"));
}

TEST_F(McpServerTest, WrongArgumentsAreNamed) {
  EXPECT_EQ(said(call("list", R"({"fil":"k.py"})"), true),
            "error: tool `list` has no argument `fil`; did you mean `file`?");
  EXPECT_EQ(said(call("list", "{}"), true), "error: tool `list` needs `file` or `source`");
  EXPECT_EQ(said(call("list", R"({"file":"k.py","source":""})"), true),
            "error: expected one of `file` and `source`, found both");
  EXPECT_EQ(said(call("list", R"({"source":3})"), true),
            "error: argument `source`: expected the text of a file");
  EXPECT_EQ(said(call("list", R"({"file":"k.py","json":"yes"})"), true),
            "error: argument `json`: expected true or false");
  EXPECT_EQ(said(call("list", R"({"file":["a","b"]})"), true), "error: argument `file`: expected a string");
  EXPECT_EQ(said(call("run", R"({"file":"k.py","arg":{"n":[1]}})"), true),
            "error: argument `arg`: expected an object of strings and numbers, or an array of NAME=VALUE");
  for (const char *seconds : {"0", "-1", "3601", "1.5", "\"5\""})
    EXPECT_EQ(said(call("list", std::string(R"({"file":"k.py","limit_s":)") + seconds + "}"), true),
              "error: argument `limit_s`: expected a whole number of seconds from 1 to 3600");
}

TEST_F(McpServerTest, AFailedCommandIsAnErrorOfTheCall) {
  finished = {1, "", "k.py:3:1: error: \xff\n"};
  const Value answer = call("list", R"({"file":"k.py"})");
  EXPECT_EQ(said(answer, true), "k.py:3:1: error: \xef\xbf\xbd\n");
  EXPECT_FALSE(answer.getAsObject()->getObject("result")->get("structuredContent"));
}

TEST_F(McpServerTest, WrongMessagesAreRefused) {
  EXPECT_EQ(errorOf(ask("{")).first, -32700);
  EXPECT_EQ(errorOf(ask(std::string(1000000, '['))),
            std::pair(int64_t(-32700), std::string("brackets nest too deep")));
  EXPECT_EQ(errorOf(ask("[]")),
            std::pair(int64_t(-32600), std::string("expected a request with a `method`")));
  EXPECT_EQ(errorOf(ask(R"({"id":1,"method":"tools/lisp"})")),
            std::pair(int64_t(-32601), std::string("there is no method `tools/lisp`")));
  EXPECT_EQ(errorOf(call("cache", "{}")),
            std::pair(int64_t(-32602), std::string("there is no tool `cache`")));
  EXPECT_EQ(errorOf(call("list", "3")),
            std::pair(int64_t(-32602), std::string("expected an object as `arguments`")));
  EXPECT_EQ(errorOf(ask(R"({"id":1,"method":"tools/call"})")),
            std::pair(int64_t(-32602), std::string("expected the `name` of a tool")));
  EXPECT_EQ(server.answer(R"({"id":1,"result":{}})"), std::nullopt);
  EXPECT_EQ(server.answer(R"({"method":"tools/call"})"), std::nullopt);
}

} // namespace
} // namespace tegula::cli
