// Messages of the Debug Adapter Protocol on standard input and output.
#pragma once

#include "llvm/Support/JSON.h"

#include <condition_variable>
#include <deque>
#include <functional>
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

/// Reads requests on a thread of its own, so that a program that runs can be interrupted; writes from any
/// thread.
class DapConnection {
public:
  /// `urgent` is told of requests that cannot wait until a program stops, `pause`, `disconnect` and
  /// `terminate`, and of the end of the input, on the thread that reads.
  explicit DapConnection(std::function<void()> urgent);
  /// Ends the process's reading: a thread that waits for input is left behind.
  ~DapConnection();
  DapConnection(const DapConnection &) = delete;

  /// The next request; nothing at the end of the input.
  std::optional<DapRequest> next();

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
    std::function<void()> urgent;
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
