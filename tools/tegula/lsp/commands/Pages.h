// The pages of `tegula explain`, each made by a process of its own: whatever a kernel does there, the server
// is still here. One after the other, in a thread.
#pragma once

#include "dialect/image/Result.h"
#include "runtime/host/TemporaryFolder.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace tegula::cli {

/// A page that is to be made.
struct PageOrder {
  std::string name;                ///< of the page's file, without what ends it
  std::vector<std::string> words;  ///< of the command line, the subcommand first
  std::optional<std::string> text; ///< on standard input, where the words say `-`
  /// Told, in the thread, of the page's path, or what the command said instead of making it.
  std::function<void(const runtime::Result<std::string> &page)> made;
};

class Pages {
public:
  Pages() = default;
  /// Ends the process that runs and leaves what is not made; its pages go.
  ~Pages();

  /// Makes a page when those before it are made. One of the same name takes the place of the older.
  void order(PageOrder page);

private:
  void run();
  runtime::Result<std::string> make(const PageOrder &order);

  std::unique_ptr<const runtime::TemporaryFolder> folder; ///< of the pages; made with the first
  std::mutex mutex;                                       ///< guards `orders`
  std::condition_variable changed;
  std::deque<PageOrder> orders;
  std::atomic<bool> isEnding = false;
  std::jthread thread; ///< begins with the first page
};

} // namespace tegula::cli
