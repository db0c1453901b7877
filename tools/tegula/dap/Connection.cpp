#include "tools/tegula/dap/Connection.h"

#include "tools/tegula/output/JsonMessage.h"
#include "tools/tegula/output/Output.h"

#include "llvm/Support/LSP/Transport.h"

#include <fmt/format.h>

#include <cstdio>

namespace tegula::cli {

llvm::json::Value jsonText(std::string_view text) {
  return llvm::json::fixUTF8(llvm::StringRef(text.data(), text.size()));
}

DapConnection::DapConnection(std::function<void()> urgent) : queue(std::make_shared<Queue>()) {
  queue->urgent = std::move(urgent);
  std::thread([kept = queue] { read(kept); }).detach();
}

DapConnection::~DapConnection() {
  std::lock_guard lock(queue->mutex);
  queue->urgent = {};
}

/// A request, where the text is one.
static std::optional<DapRequest> requestOf(const std::string &text) {
  llvm::Expected<llvm::json::Value> parsed = parseMessage(text);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return std::nullopt;
  }
  llvm::json::Object *message = parsed->getAsObject();
  const auto command = message ? message->getString("command") : std::nullopt;
  if (!command || message->getString("type") != llvm::StringRef("request"))
    return std::nullopt;
  DapRequest request{message->getInteger("seq").value_or(0), command->str(), {}};
  if (llvm::json::Object *arguments = message->getObject("arguments"))
    request.arguments = std::move(*arguments);
  return request;
}

void DapConnection::read(const std::shared_ptr<Queue> &queue) {
  llvm::lsp::JSONTransportInputOverFile input(stdin);
  while (!input.isEndOfInput() && !input.hasError()) {
    std::string text;
    if (failed(input.readMessage(text)))
      continue;
    std::optional<DapRequest> request = requestOf(text);
    if (!request)
      continue;
    std::lock_guard lock(queue->mutex);
    const bool isUrgent =
        request->command == "pause" || request->command == "disconnect" || request->command == "terminate";
    queue->requests.push_back(std::move(*request));
    queue->changed.notify_all();
    if (isUrgent && queue->urgent)
      queue->urgent();
  }
  std::lock_guard lock(queue->mutex);
  queue->isEnded = true;
  queue->changed.notify_all();
  // Requests that came before the end are served first.
  if (queue->urgent && queue->requests.empty())
    queue->urgent();
}

std::optional<DapRequest> DapConnection::next() {
  std::unique_lock lock(queue->mutex);
  queue->changed.wait(lock, [&] { return !queue->requests.empty() || queue->isEnded; });
  if (queue->requests.empty())
    return std::nullopt;
  DapRequest request = std::move(queue->requests.front());
  queue->requests.pop_front();
  return request;
}

void DapConnection::send(llvm::json::Object message) {
  std::lock_guard lock(writing);
  message["seq"] = ++sent;
  writeOut(framed(std::move(message)));
  (void)bool(finishOutput());
}

void DapConnection::respond(const DapRequest &request, llvm::json::Value body) {
  send(llvm::json::Object{{"type", "response"},
                          {"request_seq", request.number},
                          {"command", jsonText(request.command)},
                          {"success", true},
                          {"body", std::move(body)}});
}

void DapConnection::refuse(const DapRequest &request, std::string_view text) {
  send(llvm::json::Object{
      {"type", "response"},
      {"request_seq", request.number},
      {"command", jsonText(request.command)},
      {"success", false},
      {"message", jsonText(text)},
      {"body", llvm::json::Object{{"error", llvm::json::Object{{"id", 1}, {"format", jsonText(text)}}}}}});
}

void DapConnection::event(std::string_view name, llvm::json::Value body) {
  send(llvm::json::Object{{"type", "event"}, {"event", jsonText(name)}, {"body", std::move(body)}});
}

} // namespace tegula::cli
