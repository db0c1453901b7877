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

DapConnection::DapConnection() : queue(std::make_shared<Queue>()) {
  std::thread([kept = queue] { read(kept); }).detach();
}

/// A request, where the message is one.
static std::optional<DapRequest> requestOf(llvm::json::Value &read) {
  llvm::json::Object *message = read.getAsObject();
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
  while (std::optional<llvm::json::Value> message = readMessage(input)) {
    std::optional<DapRequest> request = requestOf(*message);
    if (!request)
      continue;
    std::lock_guard lock(queue->mutex);
    queue->requests.push_back(std::move(*request));
    queue->changed.notify_all();
  }
  std::lock_guard lock(queue->mutex);
  queue->isEnded = true;
  queue->changed.notify_all();
}

std::optional<DapRequest> DapConnection::next() { return nextUnless(false); }

std::optional<DapRequest> DapConnection::nextUnless(const std::atomic<bool> &isOver) {
  std::unique_lock lock(queue->mutex);
  queue->changed.wait(lock, [&] { return isOver || !queue->requests.empty() || queue->isEnded; });
  if (isOver || queue->requests.empty())
    return std::nullopt;
  DapRequest request = std::move(queue->requests.front());
  queue->requests.pop_front();
  return request;
}

void DapConnection::wake() {
  // With the lock, so that it does not fall between a look at the condition and the wait.
  std::lock_guard lock(queue->mutex);
  queue->changed.notify_all();
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
