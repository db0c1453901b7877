#include "tools/tegula/lsp/OtherServer.h"

#include "runtime/host/ChildProcess.h"
#include "runtime/host/Files.h"
#include "tools/tegula/output/JsonMessage.h"

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace tegula::cli {

namespace json = llvm::json;

/// The id of the `initialize` that the process is sent: no editor's.
static constexpr llvm::StringLiteral initializeId = "tegula/initialize";

OtherServer::~OtherServer() {
  if (toProcess >= 0)
    ::close(toProcess);
  if (process > 0) {
    ::kill(process, SIGTERM);
    runtime::waitForProgram(process);
  }
  if (reader.joinable())
    reader.join();
}

static bool isMlir(const json::Object &document) {
  const std::optional<llvm::StringRef> language = document.getString("languageId");
  const std::optional<llvm::StringRef> uri = document.getString("uri");
  return (language && *language == "mlir") || (uri && (uri->ends_with(".mlir") || uri->ends_with(".mlirbc")));
}

bool OtherServer::take(const json::Object &message) {
  const std::optional<llvm::StringRef> method = message.getString("method");
  const json::Object *params = message.getObject("params");
  if (!method || !params)
    return false;
  if (*method == "initialize") {
    initialize = json::Value(json::Object(*params));
    return false; // the kernels' server answers for both
  }
  const json::Object *document = params->getObject("textDocument");
  const std::optional<llvm::StringRef> uri = document ? document->getString("uri") : params->getString("uri");
  if (!uri)
    return false;
  if (*method == "textDocument/didOpen" && document && isMlir(*document)) {
    if (!process && !start())
      return false;
    documents.insert(uri->str());
  } else if (!documents.contains(uri->str())) {
    return false;
  }
  send(json::Value(json::Object(message)));
  if (*method == "textDocument/didClose")
    documents.erase(uri->str());
  return true;
}

bool OtherServer::start() {
  int in[2], out[2];
  if (::pipe2(in, O_CLOEXEC) != 0)
    return false;
  if (::pipe2(out, O_CLOEXEC) != 0) {
    ::close(in[0]);
    ::close(in[1]);
    return false;
  }
  // With an option the name means MLIR's server alone.
  const runtime::Result<pid_t> started =
      runtime::startProgram("/proc/self/exe", {"tegula-lsp", "--log=error"}, {in[0], out[1], STDERR_FILENO});
  ::close(in[0]);
  ::close(out[1]);
  process = started ? *started : 0;
  std::FILE *from = started ? ::fdopen(out[0], "rb") : nullptr;
  if (!from) {
    ::close(in[1]);
    ::close(out[0]);
    return false;
  }
  toProcess = in[1];
  reader = std::thread([this, from] { relay(from); });
  send(json::Object{{"jsonrpc", "2.0"},
                    {"id", initializeId},
                    {"method", "initialize"},
                    {"params", initialize ? *initialize : json::Value(json::Object())}});
  send(json::Object{{"jsonrpc", "2.0"}, {"method", "initialized"}, {"params", json::Object()}});
  return true;
}

void OtherServer::send(const json::Value &message) {
  // The documents of a process that is gone have no more messages.
  (void)runtime::writeAll(toProcess, framed(message));
}

void OtherServer::relay(std::FILE *from) {
  llvm::lsp::JSONTransportInputOverFile input(from);
  while (const std::optional<json::Value> message = readMessage(input)) {
    const json::Object *object = message->getAsObject();
    const std::optional<llvm::StringRef> id = object ? object->getString("id") : std::nullopt;
    if (!id || *id != initializeId)
      connection.forward(*message);
  }
  std::fclose(from);
}

} // namespace tegula::cli
