// Messages of the Debug Adapter Protocol on standard input and output.
#pragma once

#include "llvm/Support/JSON.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace tegula::cli {

/// A request of the client. What it lacks is empty.
struct DapRequest {
  int64_t number = 0;
  std::string command;
  llvm::json::Object arguments;
};

/// Reads requests on a thread of its own, so that waiting for them can be given up; writes from any thread.
class DapConnection {
public:
  /// The thread that reads is left behind: it waits for input until the process ends.
  DapConnection();
  DapConnection(const DapConnection &) = delete;

  /// The next request; nothing at the end of the input.
  std::optional<DapRequest> next();
  /// The next request; nothing at the end of the input, or once `isOver`, which `wake` makes it look at.
  std::optional<DapRequest> nextUnless(const std::atomic<bool> &isOver);
  void wake();

  void respond(const DapRequest &request, llvm::json::Value body);
  /// `text` is shown to the person.
  void refuse(const DapRequest &request, std::string_view text);
  void event(std::string_view name, llvm::json::Value body);

private:
  struct Queue {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<DapRequest> requests;
    bool isEnded = false;
  };
  static void read(const std::shared_ptr<Queue> &queue);
  void send(llvm::json::Object message);

  std::shared_ptr<Queue> queue;
  std::mutex writing;
  int64_t sent = 0;
};

/// A text as JSON may hold it.
llvm::json::Value jsonText(std::string_view text);

} // namespace tegula::cli
